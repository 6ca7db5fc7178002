/**
 * Measures what the isolation of engine processes costs: the same decodes in isolated engines and in engines without
 * isolation by the operating system, alternating. `node bench/flow/engine-sandbox.ts`
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealRead } from '@recodery/codec/simulator/slave';
import {
  describeIsolation,
  detectIsolation,
  noIsolation,
} from '@recodery/server/engine/built-in/isolation';
import { createEnginePool, type EnginePool } from '@recodery/server/engine/built-in/pool';
import { median } from '../support/median.ts';

/** Milliseconds that isolation may add to an operation, and the share that it may add to a large decode. */
const allowed = { milliseconds: 5, share: 0.1 };
const mebibyte = 2 ** 20;
const warmUps = 5;
const slave = {
  family: 'kessv2',
  pairKey: randomBytes(32),
  keyId: 1,
  masterSerial: 'KV2-M-0001',
  slaveSerial: 'KV2-000007',
} as const;

const folder = await mkdtemp(join(tmpdir(), 'recodery-bench-sandbox-'));
// as root: the accounts of the engines need access
await chmod(folder, 0o711);

function seal(size: number): Uint8Array {
  return sealRead({
    ...slave,
    protocolId: 9000,
    mode: 'obd',
    components: [{ name: 'obd', bytes: randomBytes(size) }],
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
}

/** Milliseconds of one decode in the pool, from the staging of its file to the collected image. */
async function decode(pool: EnginePool, file: Uint8Array): Promise<number> {
  using work = await pool.openScratch();
  const filePath = join(work.folder, 'read');
  await writeFile(filePath, file);
  const began = performance.now();
  await pool.run(
    {
      kind: 'decode',
      workflow: 'kessv2',
      filePath,
      pairKey: slave.pairKey,
      skipChecksum: false,
      outFolder: work.folder,
    },
    'one',
  );
  return performance.now() - began;
}

/** Decodes in both pools alternately; returns the medians of both pools, in milliseconds. */
async function measure(pools: readonly [EnginePool, EnginePool], size: number, rounds: number) {
  const file = seal(size);
  const [plain, isolated] = pools;
  const times: { plain: number[]; isolated: number[] } = { plain: [], isolated: [] };
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const [first, second] = [await decode(plain, file), await decode(isolated, file)];
    if (round < warmUps) continue;
    times.plain.push(first);
    times.isolated.push(second);
  }
  return { plain: median(times.plain), isolated: median(times.isolated) };
}

async function open(isolation: typeof noIsolation, name: string): Promise<EnginePool> {
  const began = performance.now();
  const pool = await createEnginePool({ engines: 1, scratch: join(folder, 'scratch'), isolation });
  console.log(`start of ${name} engine: ${(performance.now() - began).toFixed(0)} ms`);
  return pool;
}

try {
  const isolation = await detectIsolation(join(folder, 'scratch'));
  console.log(`isolation: ${describeIsolation(isolation)}`);
  const pools = [await open(noIsolation, 'a plain'), await open(isolation, 'an isolated')] as const;
  const small = await measure(pools, 64 * 1024, 151);
  const large = await measure(pools, 16 * mebibyte, 31);
  const more = small.isolated - small.plain;
  const share = large.isolated / large.plain - 1;
  console.log(
    `64 KiB: plain ${small.plain.toFixed(1)} ms, isolated ${small.isolated.toFixed(1)} ms, ` +
      `${more.toFixed(1)} ms more (at most ${allowed.milliseconds})`,
  );
  console.log(
    `16 MiB: plain ${large.plain.toFixed(1)} ms, isolated ${large.isolated.toFixed(1)} ms, ` +
      `${(100 * share).toFixed(1)} % more (at most ${100 * allowed.share} %)`,
  );
  for (const pool of pools) await pool.close();
  if (more > allowed.milliseconds || share > allowed.share) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
