/**
 * Measures what checking an access token costs each call of a program, with many tokens in the table.
 * `node bench/access-tokens.ts`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticateClient, issueToken } from '@recodery/server/clients/access-tokens';
import { addClient } from '@recodery/server/clients/clients';
import { readConfig } from '@recodery/server/config/config';
import { silentLog } from '@recodery/server/config/log';
import { demoDirectory } from '@recodery/server/demo/demo-directory';
import { applyDirectory } from '@recodery/server/organisations/directory';
import { findOrganisationByCode } from '@recodery/server/organisations/organisations';
import { openPlatform } from '@recodery/server/platform';
import { sql } from 'kysely';

/** Milliseconds that a check may take (median). */
const allowed = 1;
const rounds = 2000;
const warmUps = 200;
const tokens = 100_000;

const dataDir = await mkdtemp(join(tmpdir(), 'recodery-bench-'));
const config = readConfig({ RECODERY_DATA_DIR: dataDir, RECODERY_DEMO: 'off' });
const opened = await openPlatform(config, silentLog, {
  as: 'serve',
  signal: new AbortController().signal,
  onLost: () => process.exit(1),
});
const { platform } = opened;
const { db } = platform;
await applyDirectory(platform, demoDirectory);
const organisationId = await findOrganisationByCode(db, 'CC-1001');
if (organisationId === null) throw new Error('no organisation');
const client = await addClient(platform, {
  organisationId,
  name: 'Back office',
  allowedNetworks: ['127.0.0.0/8', '2001:db8::/32'],
  expiresOn: null,
});
// before the others: a client gets no token beyond its limits
const { accessToken } = await issueToken(db, client, '127.0.0.1');
await sql`
  insert into access_token (token_hash, client_guid, expires_on)
  select sha256(n::text::bytea), ${client.clientApplicationGUID}, now() + interval '1 day'
  from generate_series(1, ${tokens}) as n`.execute(db);
await sql`vacuum analyze access_token`.execute(db);

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

// interleaved with the cheapest possible query, which shows how busy the machine is
const checks: number[] = [];
const floors: number[] = [];
for (let round = -warmUps; round < rounds; round += 1) {
  const check = await time(() => authenticateClient(db, accessToken, '127.0.0.1'));
  const floor = await time(() => sql`select 1`.execute(db));
  if (round < 0) continue;
  checks.push(check);
  floors.push(floor);
}
const [check, floor] = [median(checks), median(floors)];
const isKept = check <= allowed;
console.log(
  `a token check among ${tokens}: ${check.toFixed(2)} ms, of them ${floor.toFixed(2)} ms for any query (at most ${allowed} ms) ${isKept ? 'kept' : 'BROKEN'}`,
);
if (!isKept) process.exitCode = 1;
await opened.close();
await rm(dataDir, { recursive: true, force: true });
