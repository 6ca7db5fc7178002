/** The parts of the specified look that style sheets define. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const source = join(import.meta.dirname, '../src');
const sheet = (name: string): string => readFileSync(join(source, 'styles', name), 'utf8');
const sheets = readdirSync(join(source, 'styles')).filter((name) => name.endsWith('.css'));

// promise 2.layout.breakpoints
test('the pages have the breakpoints of the specification', () => {
  const widths = sheet('main.css').matchAll(/--breakpoint-\w+: (\d+)px/g);
  expect([...widths].map(([, width]) => Number(width))).toEqual([
    480, 600, 680, 960, 1200, 1280, 1400,
  ]);
});

// promise 9.figures.motion
test("the logo animation lasts one second, the upload icon's half a second", () => {
  expect(sheet('main.css')).toMatch(/--animate-write: write 1s /);
  expect(sheet('main.css')).toMatch(/--animate-lift: lift 500ms /);
});

describe('no animation lasts longer than half a second, except the logo and progress indicators', () => {
  // bars and skeletons repeat for as long as they are shown
  const goesOn = /infinite|--animate-write:/;
  // promise 9.figures.motion
  test.each(sheets)('in %s', (name) => {
    const lines = sheet(name).split('\n');
    const moving = lines.filter((line) => /animat|transition/.test(line) && !goesOn.test(line));
    const durations = moving.flatMap((line) =>
      [...line.matchAll(/([\d.]+)(ms|s)\b/g)].map(
        ([, figure, unit]) => Number(figure) * (unit === 's' ? 1000 : 1),
      ),
    );
    expect(Math.max(0, ...durations)).toBeLessThanOrEqual(500);
  });
});
