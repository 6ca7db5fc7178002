/**
 * Measures the time from the end of an operation, as recorded in its row, until an open page receives it through the
 * database notification and the event stream, with other pages open. `node bench/live/events.ts`
 */
import { randomBytes } from 'node:crypto';
import { sealRead } from '@recodery/codec/simulator/slave';
import { sessionHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { startWorker } from '@recodery/server/worker';
import { openNewDemo, signIn, findSlave } from '../support/demo.ts';
import { median, percentile } from '../support/median.ts';

/** Milliseconds from the operation's end to its arrival (median). */
const allowed = 100;
const rounds = 51;
const warmUps = 5;
/** Other open pages of the same organisation, in addition to the measured one. */
const otherPages = 20;

/** An open page: it subscribes to the event stream. */
interface Page {
  /** The time at which an operation's end arrived, and its record. */
  received(guid: string): Promise<{ readonly at: number; readonly operation: Operation }>;
  close(): void;
}

/** Milliseconds since 1970, with a higher resolution than a Date. */
const now = (): number => performance.timeOrigin + performance.now();

async function openPage(origin: string, headers: Record<string, string>): Promise<Page> {
  const closing = new AbortController();
  const { signal } = closing;
  const ends = new Map<string, PromiseWithResolvers<{ at: number; operation: Operation }>>();
  const of = (guid: string) => {
    const known = ends.get(guid) ?? Promise.withResolvers();
    ends.set(guid, known);
    return known;
  };
  const answer = await fetch(`${origin}/api/events`, { headers, signal });
  if (answer.body === null) throw new Error(`the stream answered ${answer.status}`);
  const text = answer.body.pipeThrough(new TextDecoderStream());
  void (async () => {
    let rest = '';
    for await (const piece of text) {
      const at = now();
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^event: operation\ndata: (.*)$/.exec(block) ?? [];
        if (data === undefined) continue;
        const operation = JSON.parse(data) as Operation;
        if (operation.isCompleted) of(operation.guid).resolve({ at, operation });
      }
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return { received: (guid) => of(guid).promise, close: () => closing.abort() };
}

/** A small read of anna's slave, so that the engine's time is negligible. */
async function makeRead(platform: Platform): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = sealRead({
    ...(await findSlave(platform, 'kessv2', 'KV2-000007')),
    protocolId: 9000,
    mode: 'obd',
    components: [{ name: 'obd', bytes: randomBytes(4096) }],
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
  return new Uint8Array(sealed);
}

const { platform, close } = await openNewDemo();
const roles = [await startWorker(platform), await startPortal(platform, 0)] as const;
const origin = `http://127.0.0.1:${roles[1].port}`;
const headers = { [sessionHeader]: await signIn(platform) };
const read = await makeRead(platform);
const page = await openPage(origin, headers);
const others = await Promise.all(
  Array.from({ length: otherPages }, () => openPage(origin, headers)),
);

const times: number[] = [];
for (let round = -warmUps; round < rounds; round += 1) {
  const body = new FormData();
  body.append('readFile', new Blob([read]), 'read.k2r');
  const path = `${origin}/api/kessv2/upload-read-file`;
  const answer = await fetch(path, { method: 'POST', headers, body });
  const { guid } = (await answer.json()) as Operation;
  const { at, operation } = await page.received(guid);
  if (!operation.isSuccessful || operation.completedOn === null) throw new Error('no end');
  // the row's time is the start of the transaction: the measured time is slightly too long
  if (round >= 0) times.push(at - Date.parse(operation.completedOn));
}
const [took, slow] = [median(times), percentile(times, 0.9)];
const verdict = took <= allowed ? 'kept' : 'BROKEN';
console.log(
  `an operation's end reaches an open page after ${took.toFixed(1)} ms (median; nine of ten within ${slow.toFixed(1)} ms), ` +
    `${otherPages} other pages open: at most ${allowed} ms ${verdict}`,
);
if (took > allowed) process.exitCode = 1;
for (const open of [page, ...others]) open.close();
await Promise.all(roles.map((role) => role.stop()));
await close();
