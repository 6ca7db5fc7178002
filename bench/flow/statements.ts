/**
 * Counts the database statements of each step of a full cycle (upload, decode, download, upload, encode, download,
 * restore kit) of one client that does not poll, and those of an idle installation. With `--callers`, it also lists who
 * asks. `node bench/flow/statements.ts`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { type CycledProduct, openCycledProduct, waitForKit } from '../support/cycles.ts';
import { median } from '../support/median.ts';

/** The maximum number of statements of a cycle, and of an idle installation in a second. */
const limits = { cycle: 80, idleSecond: 2 };
const cycles = 7;
const idleSeconds = 30;
/** The one call that waits for the restore kit, which a page learns of when it is opened. */
const kitPoll = 'GET /api/jobs/:slotGUID';
/** What an installation asks from time to time, whether there are cycles or not: it is part of the idle installation. */
const periodic = [
  'report worker',
  'report portal',
  'read the time',
  'sweep',
  'claim webhook',
  'claim email',
  'claim account email',
  'claim remote operation',
];

type Counts = ReadonlyMap<string, number>;

/** The statements and transactions so far, by caller. */
async function readCounts(metricsPort: number): Promise<Counts> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = text.matchAll(
    /^recodery_database_(statements|transactions)_total\{caller="(.*)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, kind, caller, count]) => [`${kind} ${caller}`, Number(count)]));
}

function subtract(after: Counts, before: Counts): Counts {
  return new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
}

function total(
  counts: Counts,
  kind: 'statements' | 'transactions',
  except: readonly string[] = [],
): number {
  return (
    [...counts]
      // the scrape itself asks, and is counted for no caller
      .filter(
        ([name]) =>
          name.startsWith(kind) &&
          !name.endsWith(kitPoll) &&
          !name.endsWith(' other') &&
          !except.includes(name.slice(kind.length + 1)),
      )
      .reduce((sum, [, count]) => sum + count, 0)
  );
}

function showCallers(title: string, counts: Counts): void {
  if (!process.argv.includes('--callers')) return;
  console.log(`  ${title}`);
  for (const [name, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    if (count > 0) console.log(`    ${String(count).padStart(5)} ${name}`);
  }
}

/** The counts of each step of one cycle. */
async function countCycle(product: CycledProduct, read: () => Promise<Counts>) {
  const steps = new Map<string, Counts>();
  let before = await read();
  const onStep = async (step: string): Promise<void> => {
    const after = await read();
    steps.set(step, subtract(after, before));
    before = after;
  };
  const slot = await product.cycle(onStep);
  const kit = await waitForKit(product.get, slot);
  await (await product.get(`/api/files/${kit}`)).arrayBuffer();
  await onStep('restore kit');
  return steps;
}

async function measureAll(): Promise<boolean> {
  const metricsPort = await freePort();
  const product = await openCycledProduct();
  const read = () => readCounts(metricsPort);
  try {
    await product.startProcess({ RECODERY_METRICS_PORT: String(metricsPort) });
    await countCycle(product, read);
    const all = [];
    for (let count = 0; count < cycles; count += 1) all.push(await countCycle(product, read));
    let sum = 0;
    for (const step of all[0]?.keys() ?? []) {
      const of = all.map((steps) => steps.get(step) ?? new Map<string, number>());
      const statements = median(of.map((counts) => total(counts, 'statements', periodic)));
      const transactions = median(of.map((counts) => total(counts, 'transactions', periodic)));
      sum += statements;
      console.log(`${step}: ${statements} statements, ${transactions} transactions of several`);
      showCallers(step, of.at(-1) ?? new Map());
    }
    await wait(2000);
    const before = await read();
    await wait(idleSeconds * 1000);
    const idle = subtract(await read(), before);
    showCallers('idle', idle);
    const aSecond = total(idle, 'statements') / idleSeconds;
    console.log(`full cycle: ${sum} statements, at most ${limits.cycle}`);
    console.log(`idle: ${aSecond.toFixed(1)} statements a second, at most ${limits.idleSecond}`);
    return sum <= limits.cycle && aSecond <= limits.idleSecond;
  } finally {
    await product.stop();
  }
}

process.exit((await measureAll()) ? 0 : 1);
