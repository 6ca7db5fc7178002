/**
 * Measures full cycles per second (upload, decode, download, upload, encode, download of 2 MiB) against a floor in the
 * same run: a plain HTTP server on loopback that hashes, encrypts and syncs the same bytes. The limit applies to both: without
 * the restore kits, which no user waits for, and until they are ready too. `node bench/flow/cycles.ts`
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMemories,
  type CycledProduct,
  imageBytes,
  measureRate,
  openCycledProduct,
  waitForKit,
} from '../support/cycles.ts';
import { median } from '../support/median.ts';
import { download, sendBytes } from '../support/product.ts';

/** The minimum share of the floor's cycles per second. */
const least = 0.6;
/** Cycles of each user in a round. */
const cycles = 5;
const rounds = 7;

/** Whether the product completes enough cycles, compared with the floor. */
async function compare(product: CycledProduct, floorCycle: () => Promise<void>): Promise<boolean> {
  await product.startProcess({});
  await Promise.all([measureRate(floorCycle, 1), measureRate(product.cycle, 1)]);
  const rates = { floor: [] as number[], product: [] as number[], withKits: [] as number[] };
  const slots: string[] = [];
  const productCycle = async () => void slots.push(await product.cycle());
  for (let round = 0; round < rounds; round += 1) {
    rates.floor.push(await measureRate(floorCycle, cycles));
    const start = performance.now();
    rates.product.push(await measureRate(productCycle, cycles));
    const count = slots.length;
    // also so that they do not slow down the floor of the next round
    for (const slot of slots.splice(0)) await waitForKit(product.get, slot);
    rates.withKits.push(count / ((performance.now() - start) / 1000));
  }
  const floor = median(rates.floor);
  const ratios = {
    product: median(rates.product) / floor,
    withKits: median(rates.withKits) / floor,
  };
  console.log(
    `full cycles of 2 MiB, without restore kits: ${median(rates.product).toFixed(2)} a second; the floor (hash, crypto, fsync and ` +
      `loopback HTTP of the same bytes) ${floor.toFixed(2)}: ${ratios.product.toFixed(2)} of the floor, at least ${least}; ` +
      `until all restore kits are ready ${median(rates.withKits).toFixed(2)} a second: ${ratios.withKits.toFixed(2)} of the floor, at ` +
      `least ${least}`,
  );
  return Math.min(ratios.product, ratios.withKits) >= least;
}

async function measureAll(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-floor-'));
  const floor = fork(join(import.meta.dirname, '../support/floor.ts'), [folder]);
  const [port] = (await once(floor, 'message')) as [number];
  const address = { port, sessionId: '' };
  const memories = createMemories(imageBytes);
  const bytes = new Uint8Array(randomBytes(imageBytes));
  const floorCycle = async (): Promise<void> => {
    using lent = memories.lend();
    // decode and encode
    for (let half = 0; half < 2; half += 1)
      await download(address, await sendBytes(address, '/', bytes), lent.memory);
  };
  const product = await openCycledProduct();
  try {
    return await compare(product, floorCycle);
  } finally {
    await product.stop();
    floor.disconnect();
    await once(floor, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

process.exit((await measureAll()) ? 0 : 1);
