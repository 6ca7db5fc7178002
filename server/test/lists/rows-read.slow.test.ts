/** No list reads more rows with many slots than with few; the database counts them, so nothing depends on time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillLists, shown } from '../../../server/test/lists/fill.ts';
import { openLists, type OpenLists } from '../../../server/test/lists/lists.ts';
import { type ExplainedDatabase, openExplainedDatabase } from '../fixtures/database/rows-read.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

/** A portal on filled tables, whose queries are explained. */
interface Explained {
  readonly platform: TestPlatform;
  readonly database: ExplainedDatabase;
  readonly open: OpenLists;
}

/** `npm run release-check` sets the variable. */
const isLong = process.env['RECODERY_LONG_TESTS'] === 'on';
/** Slots. */
const counts = { few: 1000, many: isLong ? 100_000 : 20_000 };

let few: Explained;
let many: Explained;

beforeAll(async () => {
  few = await openExplained(counts.few);
  many = await openExplained(counts.many);
});
afterAll(async () => {
  for (const one of [few, many]) {
    await one.open.stop();
    await one.database.stop();
    await one.platform.stop();
  }
});

async function openExplained(count: number): Promise<Explained> {
  const platform = await createTestPlatform({ RECODERY_DEMO: 'off' });
  const filled = await fillLists(platform, count);
  const database = openExplainedDatabase(platform.databaseUrl);
  return { platform, database, open: await openLists({ ...platform, db: database.db }, filled) };
}

/** The lines of a list, and the most rows that one of its queries reads. */
async function measure({ database, open }: Explained, name: string) {
  const read = open.lists[name];
  if (read === undefined) throw new Error(`there is no list ${name}`);
  let lines = 0;
  const queries = await database.explain(async () => {
    lines = await read();
  });
  const rows = queries.reduce((sum, query) => sum + query.rows, 0);
  return { lines, rows, queries };
}

test('reads the same number of rows with many slots as with few', async () => {
  const names = Object.keys(few.open.lists);
  expect(names.length).toBeGreaterThan(10);
  const grown: unknown[] = [];
  for (const name of names) {
    const before = await measure(few, name);
    const after = await measure(many, name);
    expect([name, after.lines]).toEqual([name, before.lines]);
    if (after.rows > before.rows) {
      const worst = after.queries.toSorted((a, b) => b.rows - a.rows).slice(0, 2);
      grown.push({ name, lines: after.lines, before: before.rows, after: after.rows, worst });
    }
  }
  expect(grown).toEqual([]);
});

test('the compared lists have lines', async () => {
  const lines = await Promise.all(
    Object.entries(many.open.lists).map(async ([name, read]) => [name, await read()] as const),
  );
  const empty = lines.filter(([, count]) => count === 0).map(([name]) => name);
  expect(empty).toEqual(['a user’s running operations', 'what has just finished']);
  expect(Math.max(...lines.map(([, count]) => count))).toBeGreaterThanOrEqual(shown);
});
