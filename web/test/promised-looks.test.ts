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

/** The colors of the tokens that are opaque in both themes, light first. */
const colors = new Map(
  [...sheet('tokens.css').matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

/** The relative luminance of a color, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The lower contrast of two tokens in both themes, from 1 to 21. */
function contrast(one: string, other: string): number {
  const inTheme = (theme: 'light' | 'dark'): number => {
    const [darker = 0, lighter = 0] = [one, other]
      .map((name) => luminance(colors.get(name)?.[theme] ?? ''))
      .toSorted((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  };
  return Math.min(inTheme('light'), inTheme('dark'));
}

// each run looks at the colors of pages in first states only
describe('everyone can read each text color on each background', () => {
  const softs = ['accent-soft', 'modified-soft', 'good-soft', 'bad-soft'];
  const grounds = ['ground', 'surface', 'sunken', ...softs];
  const inks = ['ink', 'ink-2', 'ink-3', 'accent', 'accent-hover', 'modified', 'good', 'removed'];
  const signs = ['control', 'focus'];
  const pairs = (fronts: readonly string[], backs: readonly string[]) =>
    fronts.flatMap((front) => backs.map((back) => [front, back] as const));

  test.each([
    ...pairs([...inks, 'bad', 'bad-hover'], grounds),
    ...pairs(['on-accent'], ['accent', 'accent-hover']),
    ...pairs(['on-bad'], ['bad', 'bad-hover']),
  ])('the text %s on %s', (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs(signs, grounds))('the outline %s on %s', (sign, ground) => {
    expect(contrast(sign, ground)).toBeGreaterThanOrEqual(3);
  });
});
