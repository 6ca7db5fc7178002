/**
 * The checklist of the OWASP ASVS is complete, and the documents that name their tests name only files and titles that
 * exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectedNumbers, filesNamedIn, readChecklist, states } from '../asvs/checklist.ts';

const project = join(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(project, path), 'utf8');
const checklist = textOf('docs/developers/asvs.md');
const lines = readChecklist(checklist);

/** The files, or titles in them, that a text names and that do not exist. */
function missingIn(text: string): string[] {
  return filesNamedIn(text).flatMap(({ path, title }) => {
    if (!existsSync(join(project, path))) return [path];
    return title === null || textOf(path).includes(title) ? [] : [`${path}, "${title}"`];
  });
}

describe('the checklist', () => {
  test('has every requirement of levels 1 and 2 once, in order', () => {
    const numbers = lines.map(({ number, level }) => `${number} level ${level}`);
    expect(expectedNumbers).toHaveLength(253);
    expect(numbers.toSorted()).toEqual([...expectedNumbers].toSorted());
    const inOrder = new Intl.Collator('en', { numeric: true }).compare;
    expect(numbers).toEqual(numbers.toSorted(inOrder));
  });

  test('names a file for each met requirement and a reason for every other one', () => {
    const bare = lines.filter(({ state, words }) =>
      state === 'met' ? filesNamedIn(words).length === 0 : !/\w{3}/.test(words),
    );
    expect(bare.map(({ number }) => number)).toEqual([]);
  });

  test('shows how many requirements are in which state', () => {
    const rows = states.map((state) => {
      const counts = [1, 2].map(
        (level) => lines.filter((line) => line.state === state && line.level === level).length,
      );
      return [...counts, counts.reduce((sum, count) => sum + count)].join(' | ');
    });
    const shown = [...checklist.matchAll(/^\| (?!state)\D+ \| [^|]+ \| (\d+ \| \d+ \| \d+) \|$/gm)];
    expect(shown.map(([, counts]) => counts)).toEqual(rows);
  });
});

test.each(['docs/developers/asvs.md', 'docs/security.md', 'docs/reliability.md', 'SECURITY.md'])(
  '%s names only files and titles that exist',
  (path) => {
    expect(missingIn(textOf(path))).toEqual([]);
  },
);

describe('a name of a file', () => {
  test('is found with the title that follows it', () => {
    expect(filesNamedIn('see `a/b.ts`, "works\nonce"; `.npmrc`; and `c/d`')).toEqual([
      { path: 'a/b.ts', title: 'works once' },
      { path: '.npmrc', title: null },
      { path: 'c/d', title: null },
    ]);
  });

  test('is neither a word, a command, an address nor a setting', () => {
    const others =
      '`word` `recodery user invite` `/idp` `RECODERY_HOST` `s3://a/b` `10.0.0.0/8` `a.example`';
    expect(filesNamedIn(others)).toEqual([]);
  });
});

test('a line with an unknown state is refused', () => {
  expect(() => readChecklist('| 1.1.1 | 2 | a | perhaps | b |')).toThrow('perhaps');
});
