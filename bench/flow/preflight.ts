/**
 * Measures the pre-flight of a modified image of 4 MiB through HTTP: database, storage, engine and all checks.
 * `node bench/flow/preflight.ts`
 */
import { randomBytes } from 'node:crypto';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { sealRead } from '@recodery/codec/simulator/slave';
import { sessionHeader } from '@recodery/contract/headers';
import { median, percentile } from '../support/median.ts';
import { type Ready, serve, withProduct } from '../support/product.ts';

/** Milliseconds that a pre-flight may take (median). */
const allowed = 150;
const rounds = 31;
const warmUps = 5;
const imageBytes = 4 * 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

/** Calls the portal; throws when it refuses. */
async function call(ready: Ready, method: string, path: string, file?: Uint8Array): Promise<Json> {
  const body = new FormData();
  const field = method === 'POST' ? 'readFile' : 'file';
  if (file) body.append(field, new Blob([new Uint8Array(file)]), 'file.bin');
  const answer = await fetch(`http://127.0.0.1:${ready.port}${path}`, {
    method,
    headers: { [sessionHeader]: ready.sessionId },
    ...(file ? { body } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Json;
}

/** A decoded slot with one modified image of 4 MiB. */
async function prepare(
  ready: Ready,
  read: { readonly id: number; readonly mode: 'obd' | 'bootbench'; readonly part: string },
): Promise<string> {
  const protocol = findProtocol(read.id);
  if (protocol === null) throw new Error(`there is no protocol ${read.id}`);
  const names = read.mode === 'obd' ? (['obd'] as const) : (['flash', 'micro', 'eeprom'] as const);
  const components = names.map((name) => ({
    name,
    bytes: generateImage(protocol, name, 1, name === 'obd' ? imageBytes : undefined),
  }));
  const file = sealRead({
    ...ready.slave,
    protocolId: read.id,
    mode: read.mode,
    components,
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
  let operation = await call(ready, 'POST', '/api/kess3/upload-read-file', file);
  while (operation['isCompleted'] !== true) {
    await new Promise((done) => setTimeout(done, 100));
    operation = await call(ready, 'GET', `/api/async-operations/${operation['guid']}`);
  }
  const slot = String((operation['result'] as Json)['kess3FileSlotGUID']);
  const [image] = components;
  if (image?.bytes.length !== imageBytes) throw new Error('the image is not 4 MiB');
  const modified = tuneImage(protocol, image.name, image.bytes, 2);
  await call(ready, 'PUT', `/api/kess3/upload-modified-file/${slot}/${read.part}`, modified);
  return slot;
}

async function measure(ready: Ready, slot: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const start = performance.now();
    const { checks } = await call(ready, 'GET', `/api/kess3/slots/${slot}/preflight`);
    times.push(performance.now() - start);
    if (!Array.isArray(checks) || checks.length < 4) throw new Error('nothing was checked');
  }
  return times.slice(warmUps);
}

async function measureAll(ready: Ready): Promise<boolean> {
  let isGood = true;
  for (const read of [
    { name: 'Flash with checksums', id: 3001, mode: 'bootbench', part: 'Flash' },
    { name: 'open image', id: 9000, mode: 'obd', part: 'mod' },
  ] as const) {
    const times = await measure(ready, await prepare(ready, read));
    const [took, slow] = [median(times), percentile(times, 0.9)];
    isGood &&= took <= allowed;
    console.log(
      `${read.name}, 4 MiB: pre-flight ${took.toFixed(1)} ms (p90 ${slow.toFixed(1)}) of ${allowed} allowed`,
    );
  }
  return isGood;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir, 'kess3', 'KS3-000042');
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
