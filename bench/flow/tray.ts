/**
 * Measures how long a tray of 50 reads of 512 KiB takes, from the first call to the last "decoded", as a page sends
 * them: as many at once as the quota permits. Compared in the same run with its floor, which no durable portal can reach:
 * the same uploads to a plain HTTP server that hashes and syncs each file before the same engines decode it; and with the
 * engines alone. The limits apply to both: without
 * the restore kits, which no user waits for, and until they are ready too. `node bench/flow/tray.ts`
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tray as trayShape } from '@recodery/contract/features/trays';
import { readConfig } from '@recodery/server/config/config';
import { createEnginePool } from '@recodery/server/engine/built-in/pool';
import { waitForKit } from '../support/cycles.ts';
import {
  get,
  openStream,
  post,
  type Ready,
  sealImage,
  serve,
  type Stream,
  upload,
  withProduct,
} from '../support/product.ts';
import { median } from '../support/median.ts';

/** The maximum time of a tray, as a multiple of its floor, and of the engines' own time. */
const allowed = { floor: 1.6, engines: 4 } as const;
const reads = 50;
const rounds = 5;
const protocolId = 1001;
const imageBytes = 512 * 1024;

/** Milliseconds for a tray of these reads, and how many are sent at once. */
async function measureTray(
  ready: Ready,
  stream: Stream,
  files: readonly Uint8Array[],
): Promise<{ readonly time: number; readonly withKits: number; readonly atOnce: number }> {
  const slots: string[] = [];
  const start = performance.now();
  const body = files.map((file, index) => ({
    name: `read-${index}.tfc`,
    size: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
    workflow: 'kessv2',
    error: null,
  }));
  const tray = trayShape.parse(await post(ready, '/api/trays', { files: body }));
  const waiting = [...tray.files.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { guid }] = next;
      const path = `/api/trays/${tray.guid}/files/${guid}`;
      const operation = await upload(ready, files[index] ?? new Uint8Array(), path);
      const { result } = await stream.whenFinished(operation.guid);
      slots.push(String(result['kessv2SlotGUID']));
    }
  };
  const atOnce = tray.parallelOperations;
  await Promise.all(Array.from({ length: atOnce }, work));
  const time = performance.now() - start;
  // also so that they do not slow down the floor
  for (const slot of slots) await waitForKit((path) => get(ready, path), slot);
  return { time, withKits: performance.now() - start, atOnce };
}

type Pool = Awaited<ReturnType<typeof createEnginePool>>;

/** Decodes a read in an engine of the pool, without anything around it. */
async function decode(pool: Pool, { slave }: Ready, filePath: string): Promise<void> {
  using own = await pool.openScratch();
  const read = { workflow: 'kessv2', filePath, pairKey: slave.pairKey } as const;
  const task = { kind: 'decode', ...read, skipChecksum: false, outFolder: own.folder } as const;
  await pool.run(task, 'one');
}

/** Milliseconds for the same uploads to a server that hashes and syncs each file, and has the engines decode it. */
async function measureFloor(
  pool: Pool,
  ready: Ready,
  folder: string,
  { files, atOnce }: { readonly files: readonly Uint8Array[]; readonly atOnce: number },
): Promise<number> {
  let count = 0;
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    createHash('sha256').update(body).digest();
    const path = join(folder, `floor-${(count += 1)}`);
    const file = await open(path, 'w');
    await file.writeFile(body);
    await file.sync();
    await file.close();
    await decode(pool, ready, path);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waiting = [...files];
  const start = performance.now();
  const work = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift())
      await (await fetch(url, { method: 'POST', body: new Uint8Array(body) })).text();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const time = performance.now() - start;
  server.close();
  server.closeAllConnections();
  return time;
}

/** Milliseconds that the engines take for these reads alone. */
async function measureEngines(
  pool: Pool,
  ready: Ready,
  folder: string,
  files: readonly Uint8Array[],
): Promise<number> {
  const paths = await Promise.all(
    files.map(async (file, index) => {
      const path = join(folder, String(index));
      await writeFile(path, file);
      return path;
    }),
  );
  const start = performance.now();
  await Promise.all(paths.map((path) => decode(pool, ready, path)));
  return performance.now() - start;
}

async function measureAll(ready: Ready, folder: string): Promise<boolean> {
  const stream = await openStream(ready);
  const scratch = join(folder, 'bench');
  await mkdir(scratch, { recursive: true });
  const pool = await createEnginePool({
    engines: readConfig({ RECODERY_DATA_DIR: folder }).engines,
    scratch: join(scratch, 'pool'),
    timeMs: 60_000,
  });
  const times = {
    engines: [] as number[],
    floor: [] as number[],
    tray: [] as number[],
    withKits: [] as number[],
  };
  // the first round warms everything up
  for (let round = 0; round <= rounds; round += 1) {
    const files = Array.from({ length: reads }, (_, index) =>
      sealImage(ready.slave, protocolId, imageBytes, 1 + index + round * reads),
    );
    const engines = await measureEngines(pool, ready, scratch, files);
    const { time: tray, withKits, atOnce } = await measureTray(ready, stream, files);
    const floor = await measureFloor(pool, ready, scratch, { files, atOnce });
    if (round === 0) continue;
    times.engines.push(engines);
    times.floor.push(floor);
    times.tray.push(tray);
    times.withKits.push(withKits);
  }
  await pool.close();
  stream.close();
  const [engines, floor] = [median(times.engines), median(times.floor)];
  console.log(
    `tray of ${reads} reads of 512 KiB: its floor (upload, hash, sync, engine) ${floor.toFixed(0)} ms; engines alone ${engines.toFixed(0)} ms`,
  );
  const isWithin = (what: string, all: readonly number[]): boolean => {
    const ratios = { floor: median(all) / floor, engines: median(all) / engines };
    console.log(
      `  ${what}: ${median(all).toFixed(0)} ms: ${ratios.floor.toFixed(2)} times the floor, at most ${allowed.floor}; ` +
        `${ratios.engines.toFixed(2)} times the engines alone, at most ${allowed.engines}`,
    );
    return ratios.floor <= allowed.floor && ratios.engines <= allowed.engines;
  };
  const isFast = isWithin('without restore kits', times.tray);
  return isWithin('until all restore kits are ready', times.withKits) && isFast;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
