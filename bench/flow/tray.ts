/**
 * Measures how long a tray of 50 reads of 512 KiB takes, from the first call to the last "decoded", as a page sends
 * them: as many at once as the quota permits. Compared with the time in which the same number of the same engines
 * decode the same reads without anything around them. `node bench/flow/tray.ts`
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tray as trayShape } from '@recodery/contract/features/trays';
import { readConfig } from '@recodery/server/config/config';
import { createEnginePool } from '@recodery/server/engine/built-in/pool';
import {
  openStream,
  post,
  type Ready,
  sealImage,
  serve,
  type Stream,
  upload,
  withProduct,
} from '../support/product.ts';

/** The maximum time of a tray, as a multiple of the engines' own time. */
const allowed = 1.3;
const reads = 50;
const rounds = 3;
const protocolId = 1001;
const imageBytes = 512 * 1024;

/** Milliseconds for a tray of these reads. */
async function measureTray(
  ready: Ready,
  stream: Stream,
  files: readonly Uint8Array[],
): Promise<number> {
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
      await stream.whenFinished(operation.guid);
    }
  };
  await Promise.all(Array.from({ length: tray.parallelOperations }, work));
  return performance.now() - start;
}

/** Milliseconds that engines take for these reads alone. */
async function measureEngines({ slave }: Ready, folder: string, files: readonly Uint8Array[]) {
  const scratch = join(folder, 'bench');
  await mkdir(scratch, { recursive: true });
  const paths = await Promise.all(
    files.map(async (file, index) => {
      const path = join(scratch, String(index));
      await writeFile(path, file);
      return path;
    }),
  );
  const pool = await createEnginePool({
    engines: readConfig({ RECODERY_DATA_DIR: folder }).engines,
    scratch: join(scratch, 'pool'),
    timeMs: 60_000,
  });
  const { signal } = new AbortController();
  const start = performance.now();
  await Promise.all(
    paths.map(async (filePath) => {
      using own = await pool.openScratch();
      const read = { workflow: 'kessv2', filePath, pairKey: slave.pairKey } as const;
      await pool.run(
        { kind: 'decode', ...read, skipChecksum: false, outFolder: own.folder },
        'one',
        signal,
      );
    }),
  );
  const time = performance.now() - start;
  await pool.close();
  return time;
}

async function measureAll(ready: Ready, folder: string): Promise<boolean> {
  const stream = await openStream(ready);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const files = Array.from({ length: reads }, (_, index) =>
      sealImage(ready.slave, protocolId, imageBytes, 1 + index + round * reads),
    );
    const engines = await measureEngines(ready, folder, files);
    const tray = await measureTray(ready, stream, files);
    ratios.push(tray / engines);
    console.log(
      `tray of ${reads} reads of 512 KiB: ${tray.toFixed(0)} ms, engines alone ${engines.toFixed(0)} ms`,
    );
  }
  stream.close();
  const best = Math.min(...ratios);
  console.log(`ratio ${best.toFixed(2)} of ${allowed} allowed`);
  return best <= allowed;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
