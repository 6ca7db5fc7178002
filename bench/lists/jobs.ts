/**
 * Measures the search over 100,000 jobs over HTTP, compared with 1,000, interleaved in the same run, and finding a file
 * by its hash among 1,000,000. `node bench/lists/jobs.ts`
 */
import { createHash } from 'node:crypto';
import { sessionHeader } from '@recodery/contract/headers';
import { findFilesByHash } from '@recodery/server/jobs/job-files';
import { startPortal } from '@recodery/server/portal';
import { fillJobs } from '../../server/test/jobs/fill-jobs.ts';
import { openNewDemo, signIn, findWorkshop } from '../support/demo.ts';
import { timeInTurn } from '../support/time.ts';

/** How much longer a search may take with 100,000 jobs (median). */
const allowed = 1.5;
/** Milliseconds that finding a file by its hash may take (median). */
const allowedMs = 5;
const times = { rounds: 200, warmUps: 30 };

/** A portal with this many jobs. Each search throws if it finds nothing. */
interface Filled {
  search(text: string): Promise<void>;
  findHash(sha256: string): Promise<void>;
  close(): Promise<void>;
}

function expectSome(found: readonly unknown[]): void {
  if (found.length === 0) throw new Error('nothing was found');
}

async function open(jobs: number, filesPerJob: number): Promise<Filled> {
  const { platform, close } = await openNewDemo();
  const { db } = platform;
  const organisationId = await findWorkshop(platform);
  // before the rows exist: their files do not, and a portal does not start on an empty folder
  const portal = await startPortal(platform, 0);
  await fillJobs(db, organisationId, jobs, { filesPerJob });
  const headers = { [sessionHeader]: await signIn(platform) };
  return {
    async search(text) {
      const path = `/api/jobs?search=${encodeURIComponent(text)}`;
      const answer = await fetch(`http://127.0.0.1:${portal.port}${path}`, { headers });
      if (answer.status !== 200) throw new Error(`the list answered ${answer.status}`);
      expectSome((await answer.json()) as unknown[]);
    },
    findHash: async (sha256) => expectSome(await findFilesByHash(db, organisationId, [sha256])),
    async close() {
      await portal.stop();
      await close();
    },
  };
}

const few = await open(1000, 1);
const many = await open(100_000, 10);
// the same jobs in both: each found by a part of its VIN, its number or its file name, or many at once
const searches: Readonly<Record<string, (n: number) => string>> = {
  'a whole VIN': (n) => `WVWZZZ${String((n * 7919) % 10_000_000).padStart(7, '0')}AB`,
  'the end of a VIN': (n) => `${String((n * 7919) % 10_000_000).padStart(7, '0')}AB`,
  'a file name': (n) => `read${n}.bin`,
  'a word of all jobs': () => 'edc17',
};
for (const [name, textOf] of Object.entries(searches)) {
  const text = (round: number) => textOf(500 + (Math.abs(round) % 400));
  const { floor, took } = await timeInTurn(
    {
      floor: (round) => few.search(text(round)),
      took: (round) => many.search(text(round)),
    },
    times,
  );
  const ratio = took / floor;
  console.log(
    `${name}: ${floor.toFixed(2)} ms at 1 000 jobs, ${took.toFixed(2)} ms at 100 000: ${ratio.toFixed(2)}× (at most ${allowed}×) ${ratio <= allowed ? 'kept' : 'BROKEN'}`,
  );
  if (ratio > allowed) process.exitCode = 1;
}
const hashOf = (round: number) =>
  createHash('sha256')
    .update(`read${(Math.abs(round) * 467) % 100_000}.bin ${1 + (Math.abs(round) % 10)}`)
    .digest('hex');
const { hashMs } = await timeInTurn({ hashMs: (round) => many.findHash(hashOf(round)) }, times);
console.log(
  `a hash among 1 000 000 files: ${hashMs.toFixed(2)} ms (at most ${allowedMs} ms) ${hashMs <= allowedMs ? 'kept' : 'BROKEN'}`,
);
if (hashMs > allowedMs) process.exitCode = 1;
await few.close();
await many.close();
