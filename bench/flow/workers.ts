/**
 * Measures full cycles per second with two workers against one, each with one engine, in the same run. Where fewer than
 * four cores are free, the result is only reported. `node bench/flow/workers.ts`
 */
import { availableParallelism, loadavg } from 'node:os';
import { measureRate, openCycledProduct } from '../support/cycles.ts';
import { median } from '../support/median.ts';

/** The minimum ratio of the rates. */
const least = 1.7;
const neededCores = 4;
/** Cycles of each user in a round. */
const cycles = 4;
const rounds = 5;

/** The median rate with this many workers. */
async function measureWith(workers: number): Promise<number> {
  const product = await openCycledProduct();
  try {
    await product.startProcess({ RECODERY_ROLES: 'portal' });
    for (let worker = 0; worker < workers; worker += 1)
      await product.startProcess({ RECODERY_ROLES: 'worker', RECODERY_ENGINES: '1' });
    await measureRate(product.cycle, 1);
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      rates.push(await measureRate(product.cycle, cycles));
    return median(rates);
  } finally {
    await product.stop();
  }
}

const free = availableParallelism() - (loadavg()[0] ?? 0);
const [one, two] = [await measureWith(1), await measureWith(2)];
const isJudged = free >= neededCores;
console.log(
  `full cycles of 2 MiB: ${one.toFixed(2)} a second with one worker, ${two.toFixed(2)} with two: ${(two / one).toFixed(2)} times, ` +
    (isJudged
      ? `at least ${least}`
      : `only reported, because fewer than ${neededCores} cores are free`),
);
process.exit(!isJudged || two / one >= least ? 0 : 1);
