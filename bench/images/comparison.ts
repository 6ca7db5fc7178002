/**
 * Measures the comparison of two stored images of 16 MiB, as the portal runs it for the change map, against one SHA-256
 * over both in the same run: with few changes, and with a change in every byte. `node bench/images/comparison.ts`
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { findComponent, findProtocol } from '@recodery/codec/protocols/protocols';
import { knownAreas } from '@recodery/codec/protocols/known-areas';
import { scanImages } from '@recodery/server/comparison/compare-files';
import { openFileStorage } from '@recodery/server/storage/files';
import { type RecordedFile, verifyReads } from '@recodery/server/storage/verified-storage';
import { timeOf } from '../support/time.ts';

const size = 16 * 1024 * 1024;
const runs = 25;
/** Milliseconds during which no other request gets a response. */
const mostDelay = 20;

/** The image with a different byte every `step` bytes. */
function changedEvery(image: Uint8Array, step: number): Uint8Array {
  const copy = Uint8Array.from(image);
  for (let at = 0; at < size; at += step) copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const image = randomBytes(size);
/**
 * The changed images, with the maximum time of a comparison as a multiple of one SHA-256 over both, which verifying them takes as
 * well. A tune changes a
 * few maps; a wrong file differs everywhere. The last one is built to have as many regions as possible.
 */
const images = {
  'few changes': { after: changedEvery(image, 70_001), mostTime: 3 },
  'every byte': { after: changedEvery(image, 1), mostTime: 3 },
  'a million regions': { after: changedEvery(image, 17), mostTime: 4 },
};

const folder = await mkdtemp(join(tmpdir(), 'recodery-comparison-'));
const storage = verifyReads(await openFileStorage(folder));
const put = async (storageKey: string, bytes: Uint8Array) => ({
  storageKey,
  ...(await storage.put(storageKey, Readable.from([bytes]))),
});
const before = await put('before', image);
const changed = await Promise.all(
  Object.values(images).map(({ after }, index) => put(`after-${index}`, after)),
);

const protocol = findProtocol(1001);
const spec = protocol && findComponent(protocol, 'obd');
const areas = spec ? knownAreas(spec, size) : [];
const compare = async (after: RecordedFile): Promise<unknown> =>
  scanImages(storage, before, after, { areas, page: { first: 0, at: null, count: 500 } });

for (const [index, [name, { after, mostTime }]] of Object.entries(images).entries()) {
  const stored = changed[index] ?? before;
  const hash = async () => createHash('sha256').update(image).update(after).digest();
  const hashed: number[] = [];
  const compared: number[] = [];
  const pauses: number[] = [];
  await compare(stored);
  for (let run = 0; run < runs; run += 1) {
    hashed.push(await timeOf(hash));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    compared.push(await timeOf(() => compare(stored)));
    delay.disable();
    pauses.push(delay.max / 1e6);
  }
  // the fastest runs: other programs slowed down the others
  const ratio = Math.min(...compared) / Math.min(...hashed);
  const longest = Math.min(...pauses);
  const isKept = ratio <= mostTime && longest <= mostDelay;
  console.log(
    `comparison, ${name}: ${Math.min(...compared).toFixed(1)} ms, ${ratio.toFixed(2)} of one SHA-256 over both (at most ${mostTime}); the process paused for ${longest.toFixed(1)} ms (at most ${mostDelay}) ${isKept ? 'kept' : 'BROKEN'}`,
  );
  if (!isKept) process.exitCode = 1;
}
await rm(folder, { recursive: true, force: true });
