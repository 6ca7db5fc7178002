/**
 * Measures what checking an access token costs each call of a program, with many tokens in the table.
 * `node bench/flow/access-tokens.ts`
 */
import { authenticateClient } from '@recodery/server/clients/access-tokens';
import { sql } from 'kysely';
import { openNewDemo, addProgram } from '../support/demo.ts';
import { timeInTurn } from '../support/time.ts';

/** Milliseconds that a check may take (median). */
const allowed = 1;
const tokens = 100_000;

const { platform, close } = await openNewDemo();
const { db } = platform;
// before the others: a client gets no token beyond its limits
const networks = ['127.0.0.0/8', '2001:db8::/32'];
const { clientGuid, accessToken } = await addProgram(platform, networks);
await sql`
  insert into access_token (token_hash, client_guid, expires_on)
  select sha256(n::text::bytea), ${clientGuid}, now() + interval '1 day'
  from generate_series(1, ${tokens}) as n`.execute(db);
await sql`vacuum analyze access_token`.execute(db);

// interleaved with the cheapest possible query, which shows how busy the machine is
const { check, floor } = await timeInTurn(
  {
    check: () => authenticateClient(db, accessToken, '127.0.0.1'),
    floor: () => sql`select 1`.execute(db),
  },
  { rounds: 2000, warmUps: 200 },
);
const isKept = check <= allowed;
console.log(
  `a token check among ${tokens}: ${check.toFixed(2)} ms, of them ${floor.toFixed(2)} ms for any query (at most ${allowed} ms) ${isKept ? 'kept' : 'BROKEN'}`,
);
if (!isKept) process.exitCode = 1;
await close();
