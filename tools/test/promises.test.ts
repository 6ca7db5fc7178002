/** The list of promises says nothing that no test proves, and each promised line has its test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPromises } from '../promises/promise-list.ts';
import { isNamedBy, testsOf, type WrittenTest } from '../promises/test-titles.ts';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'docs/promises');

/** What must have lines: the specification's sections, the decisions that tests from outside rely on, the container. */
const sections = [
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ...['d3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10'],
  'c',
];

const groups = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .toSorted()
  .flatMap((name) => readPromises(readFileSync(join(folder, name), 'utf8'), name));
const lines = groups.flatMap((group) => group.lines);

const read = new Map<string, { text: string; tests: readonly WrittenTest[] }>();

function testsIn(file: string) {
  const known = read.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(project, file), 'utf8');
  const found = { text, tests: testsOf(text, file) };
  read.set(file, found);
  return found;
}

/** What is wrong with a proof, in words; null where nothing is. */
function faultOf(file: string, title: string): string | null {
  if (!/\.(test|e2e)\.ts$/.test(file)) return `${file} is no test file`;
  if (!existsSync(join(project, file))) return `${file} does not exist`;
  const { text, tests } = testsIn(file);
  const named = tests.filter((written) => isNamedBy(written, title, text));
  if (named.length === 0) return `${file} has no test "${title}"`;
  return named.every((written) => written.isSkipped) ? `${file}: "${title}" is skipped` : null;
}

describe('the list of promises', () => {
  test('names no line twice, and each line under its own group', () => {
    const ids = lines.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const groupIds = groups.map(({ id }) => id);
    expect(groupIds.filter((id, at) => groupIds.indexOf(id) !== at)).toEqual([]);
    const strays = groups.flatMap((group) =>
      group.lines.filter(({ id }) => !new RegExp(`^${group.id}\\.[a-z0-9-]+$`).test(id)),
    );
    expect(strays.map(({ id }) => id)).toEqual([]);
  });

  test('says each thing once', () => {
    const said = lines.map(({ says }) => says);
    expect(said.filter((says, at) => said.indexOf(says) !== at)).toEqual([]);
  });

  test('has lines for every section', () => {
    const bare = sections.filter(
      (section) => !lines.some(({ id }) => id.split('.')[0] === section),
    );
    expect(bare).toEqual([]);
    expect(groups.filter((group) => group.lines.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test('names for every line tests that are there and are not skipped', () => {
    const faults = lines.flatMap(({ id, proofs }) =>
      proofs
        .map(({ file, title }) => faultOf(file, title))
        .filter((fault) => fault !== null)
        .map((fault) => `${id}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test('has nothing open in what is promised', () => {
    const open = groups
      .filter(({ isPromised }) => isPromised)
      .flatMap((group) => group.lines)
      .filter((line) => line.open !== null);
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  test('calls nothing unpromised that is wholly proven', () => {
    const done = groups.filter(
      (group) => !group.isPromised && group.lines.every((line) => line.open === null),
    );
    expect(done.map(({ id }) => id)).toEqual([]);
  });
});

describe('a line of the list', () => {
  const head = '## 9.x · Examples\n\nPromised.\n\n| id | what holds | proof |\n|---|---|---|\n';

  test('has its proofs by file and title', () => {
    const row = '| `9.x.a` | It is so | `a.test.ts › the thing › is so`<br>`b.test.ts › too` |\n';
    expect(readPromises(head + row, 'x.md')).toEqual([
      {
        id: '9.x',
        isPromised: true,
        lines: [
          {
            id: '9.x.a',
            says: 'It is so',
            open: null,
            proofs: [
              { file: 'a.test.ts', title: 'the thing › is so' },
              { file: 'b.test.ts', title: 'too' },
            ],
          },
        ],
      },
    ]);
  });

  test('is open with a reason', () => {
    const [group] = readPromises(`${head}| \`9.x.a\` | It is so | open: not built |\n`, 'x.md');
    expect(group?.lines[0]).toMatchObject({ open: 'not built', proofs: [] });
  });

  test.each([
    '| `9.x.a` | It is so |',
    '| `9.x.a` | It is so | not a proof |',
    '| 9.x.a | It is so | open: not built |',
    '## A heading without an id',
  ])('that is written "%s" is said to be wrong', (row) => {
    expect(() => readPromises(`${head}${row}\n`, 'x.md')).toThrow(row);
  });
});

describe('a test that is named', () => {
  const text = `
    test('alone', () => {});
    describe('outer', () => {
      test.each([['first', 1]])('of the table: %s is $n', () => {});
      test(\`of a template \${first}\`, () => {});
      test.skip('left out', () => {});
    });
    describe.each(families)('in %s', () => { it('stands', () => {}); });
    test.beforeEach(() => {});
  `;
  const tests = testsOf(text, 'x.test.ts');
  const isThere = (title: string) => tests.some((written) => isNamedBy(written, title, text));

  test('is found by its groups and its title', () => {
    expect(tests.map(({ path }) => path.join(' › '))).toEqual([
      'alone',
      'outer › of the table: %s is %s',
      'outer › of a template %s',
      'outer › left out',
      'in %s › stands',
    ]);
    expect(tests.filter(({ isSkipped }) => isSkipped)).toHaveLength(1);
  });

  test('may be one of a table whose words stand in the file, or all of them', () => {
    expect(isThere('outer › of the table: %s is %s')).toBe(true);
    expect(isThere('outer › of the table: first is 1')).toBe(true);
    expect(isThere('outer › of the table: second is 1')).toBe(false);
  });

  test('is not found by another title', () => {
    expect(isThere('outer › alone')).toBe(false);
    expect(isThere('Alone')).toBe(false);
    expect(isThere('stands')).toBe(false);
  });
});
