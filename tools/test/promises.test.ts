/** Every promise has a test that names it, and every id in a test is a promise. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPromises } from '../promises/promise-list.ts';
import { promisesNamedIn } from '../promises/test-comments.ts';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'docs/promises');
const testFolders = ['contract/test', 'codec/test', 'server/test', 'web/test', 'tools/test', 'e2e'];

/** What the list must cover: the specification's sections, what external tests rely on, and the container. */
const sections = [
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ...['d3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10'],
  ...['e1', 'e2', 'e3'],
  'c',
];

const groups = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .toSorted()
  .flatMap((name) => readPromises(readFileSync(join(folder, name), 'utf8'), name));
const lines = groups.flatMap((group) => group.lines);
const ids = lines.map(({ id }) => id);

const named = testFolders
  .flatMap((name) =>
    readdirSync(join(project, name), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${name}/${file}`,
    ),
  )
  .filter((file) => /\.(test|e2e)\.ts$/.test(file))
  // a promise is proven with every run, not only before a release: tests and journeys with that tag do not count either
  .filter((file) => !file.endsWith('.release.test.ts'))
  .flatMap((file) =>
    promisesNamedIn(readFileSync(join(project, file), 'utf8'), file).map((one) => ({
      ...one,
      at: `${file}:${one.line} ${one.id}`,
    })),
  );

describe('the list of promises', () => {
  test('has unique ids, each in its own group', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const groupIds = groups.map(({ id }) => id);
    expect(groupIds.filter((id, at) => groupIds.indexOf(id) !== at)).toEqual([]);
    const strays = groups.flatMap((group) =>
      group.lines.filter(({ id }) => !new RegExp(`^${group.id}\\.[a-z0-9-]+$`).test(id)),
    );
    expect(strays.map(({ id }) => id)).toEqual([]);
  });

  test('contains no statement twice', () => {
    const statements = lines.map(({ statement }) => statement);
    expect(statements.filter((words, at) => statements.indexOf(words) !== at)).toEqual([]);
  });

  test('covers every section', () => {
    const bare = sections.filter((section) => !ids.some((id) => id.split('.')[0] === section));
    expect(bare).toEqual([]);
    expect(groups.filter((group) => group.lines.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test('has a test that runs for every promise', () => {
    const proven = new Set(named.filter(({ above }) => above === 'test').map(({ id }) => id));
    expect(ids.filter((id) => !proven.has(id))).toEqual([]);
  });
});

describe('the comments of the tests', () => {
  test('name only promises of the list', () => {
    expect(named.filter(({ id }) => !ids.includes(id)).map(({ at }) => at)).toEqual([]);
  });

  test('are directly above a test', () => {
    expect(named.filter(({ above }) => above === 'nothing').map(({ at }) => at)).toEqual([]);
  });
});

describe('a line of the list', () => {
  const head = '# Examples\n\n## 9.x · Examples\n\n';

  test('has an id and a statement', () => {
    expect(readPromises(`${head}- \`9.x.a\`: It is so\n`, 'x.md')).toEqual([
      { id: '9.x', lines: [{ id: '9.x.a', statement: 'It is so' }] },
    ]);
  });

  test.each([
    '- `9.x.a`',
    '- 9.x.a: It is so',
    '| `9.x.a` | It is so |',
    '## A heading without an id',
    'More about it',
  ])('is refused if it reads "%s"', (line) => {
    expect(() => readPromises(`${head}${line}\n`, 'x.md')).toThrow(line);
  });
});

describe('a comment', () => {
  const above = (...text: string[]) =>
    promisesNamedIn(text.join('\n'), 'x.test.ts').map((one) => `${one.id} ${one.above}`);

  test('names several promises, over several lines, above a test', () => {
    expect(
      above(
        '// promise 9.x.a, 9.x.b',
        '// promise 9.x.c',
        "test.each([['first', 1]])('has a table', () => {});",
      ),
    ).toEqual(['9.x.a test', '9.x.b test', '9.x.c test']);
  });

  test.each([
    ["test('is so', () => {});", 'test'],
    ["describe('it', () => { test('is so', () => {}); });", 'test'],
    ["describe.each(all)('%s', () => { it('is so', () => {}); });", 'test'],
    ['for (const one of all) test(`is ${one}`, () => {});', 'nothing'],
    ["test.skip('is so', () => {});", 'skipped'],
    ["test.todo('is so');", 'skipped'],
    ["test('is so', { tag: '@release' }, () => {});", 'skipped'],
    ["test('is so', { tag: '@each-run' }, () => {});", 'test'],
    ["test('is so', { tags: 'release' }, () => {});", 'skipped'],
    ["test('is so', { tags: ['slow', 'release'] }, () => {});", 'skipped'],
    ["test.each(all)('is %s', { tags: 'release', timeout: 9 }, () => {});", 'skipped'],
    ["describe('it', () => { test('is so', { tags: 'release' }, () => {}); });", 'skipped'],
    ["test('is so', { timeout: 9 }, () => {});", 'test'],
    ["describe.skip('it', () => { test('is so', () => {}); });", 'skipped'],
    ["describe('it', () => { test.skip('is so', () => {}); });", 'skipped'],
    ['test.beforeEach(() => {});', 'nothing'],
    ['const one = 1;', 'nothing'],
    ['', 'nothing'],
  ])('above "%s" counts as above: %s', (code, counted) => {
    expect(above('// promise 9.x.a', code)).toEqual([`9.x.a ${counted}`]);
  });

  test('within a skipped group counts as skipped', () => {
    expect(
      above(
        "describe.skip('it', () => {",
        '  // promise 9.x.a',
        "  test('is so', () => {});",
        '});',
      ),
    ).toEqual(['9.x.a skipped']);
  });
});
