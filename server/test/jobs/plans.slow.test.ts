/** How jobs are found among many: always through an index. */
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { comparableImages } from '../../src/comparison/comparable-images.ts';
import { filesWithHash } from '../../src/jobs/job-files.ts';
import { countOfJobs, pageOfJobs } from '../../src/jobs/job-list.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { createTestDatabase } from '../fixtures/database/test-database.ts';
import { fillJobs } from './fill-jobs.ts';

const database = await createTestDatabase();
const { db } = database;
const organisation = mintOrganisationId(newGuid());
const rules = { retentionDays: 30 };
/**
 * `npm run release-check` sets the variable. A plan that scans no table of 20,000 jobs scans none of 100,000, which would cost
 * more; filling takes most of the time.
 */
const count = process.env['RECODERY_LONG_TESTS'] === 'on' ? 100_000 : 20_000;
const other = mintOrganisationId(newGuid());
beforeAll(async () => {
  for (const [guid, code] of [
    [organisation, 'CC-1'],
    [other, 'CC-2'],
  ] as const)
    await db.insertInto('organisation').values({ guid, customer_code: code, name: code }).execute();
  await fillJobs(db, organisation, count);
  // its jobs also have a decoded image
  await fillJobs(db, other, 1000, { filesPerJob: 2 });
}, 600_000);
afterAll(() => database.drop());

/** The plan of a query as text. */
async function explain(query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers) ${query}`.execute(
    db,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// promise j1.jobs.indexes
test.each([
  {},
  { search: 'WVWZZZ0007919AB' },
  { search: '7919ab' },
  { search: `read${count - 1}` },
  { search: 'edc17' },
  { search: 'edc17 sl-77' },
  { search: 'nowhere' },
  { search: 'a' },
  { search: 'edc17', family: 'ktag' as const },
  { device: 'SL-77' },
  { device: 'SL-none' },
  { family: 'ktag' as const, from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' },
  { kept: true, from: '2026-01-10T00:00:00.000Z' },
  { person: newGuid() },
  { expiring: true },
])('the list with %o does not scan a whole table', async (ask) => {
  for (const id of [organisation, other]) {
    for (const query of [pageOfJobs(id, { count: 31, ...ask }, rules), countOfJobs(id, ask, rules)])
      expect(await explain(query)).not.toMatch(/Seq Scan on (slot|stored_file)/);
  }
});

test('kept jobs have a separate index', async () => {
  expect(await explain(pageOfJobs(organisation, { count: 31, kept: true }, rules))).toMatch(
    /slot_kept/,
  );
});

test('the images of a size are found in the index', async () => {
  const [image] = await db
    .selectFrom('stored_file')
    .selectAll()
    .where('organisation_guid', '=', other)
    .where('role', '=', 'decoded')
    .limit(1)
    .execute();
  if (image === undefined) throw new Error('there is no image');
  const stored = { organisationId: other, guid: image.guid, size: image.size };
  for (const question of [{}, { search: 'golf', before: image.guid }]) {
    const plan = await explain(comparableImages(stored, question));
    expect(plan).not.toMatch(/Seq Scan on (slot|stored_file|operation)/);
    expect(plan).toMatch(/Index Scan using stored_file_image/);
  }
});

test('a file is found by its hash in the index', async () => {
  const sha256 = createHash('sha256').update('read5.bin 1').digest('hex');
  const plan = await explain(filesWithHash(organisation, [sha256]));
  expect(plan).toMatch(/Index Scan using stored_file_hash/);
  expect(plan).not.toMatch(/Seq Scan on (slot|stored_file)/);
});
