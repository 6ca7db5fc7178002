/** Runs the search of a target in a separate thread, which it terminates if an input hangs or uses up the memory. */
import { Worker } from 'node:worker_threads';
import { makeShared, readCurrent, type WorkerAnswer, type WorkerOrder } from './exchange.ts';
import type { TargetEntry } from './targets.ts';

/** The result of a target's search. */
export interface TargetResult extends WorkerAnswer {
  readonly name: string;
}

/** When an input hangs, or uses up the memory. */
export interface SearchLimits {
  /** Milliseconds of the thread's own processor time: other load on the machine does not count. */
  readonly runsForMs: number;
  /** Consecutive checks in which the thread does nothing: it waits for something that never happens. */
  readonly waitsForLooks: number;
  /** Milliseconds between two checks. */
  readonly pauseMs: number;
  readonly heapMegabytes: number;
}

/** The parameters of a search. */
export interface SearchOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly limits?: SearchLimits;
}

const waits = 'waits for something that never comes';

const usualLimits: SearchLimits = {
  runsForMs: 20_000,
  waitsForLooks: 60,
  pauseMs: 1000,
  heapMegabytes: 1024,
};

/** Searches one target. */
export async function superviseTarget(
  entry: TargetEntry,
  { limits = usualLimits, ...options }: SearchOptions,
): Promise<TargetResult> {
  const shared = makeShared();
  const order: WorkerOrder = { entry, ...options, shared };
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
  });
  const { promise, resolve } = Promise.withResolvers<WorkerAnswer | string>();
  worker.once('message', resolve);
  // Includes uncaught errors in timers and events, and a full heap.
  worker.once('error', (error) =>
    resolve(error instanceof Error ? (error.stack ?? String(error)) : String(error)),
  );
  // Node terminates a thread that has nothing left to do.
  worker.once('exit', () => resolve(waits));
  const stopWatching = watch(worker, shared, limits, resolve);
  const answer = await promise;
  stopWatching();
  const { executions, input } = readCurrent(shared);
  await worker.terminate();
  const { name } = entry;
  if (typeof answer !== 'string') return { name, ...answer };
  const finding = { input, error: answer };
  return { name, executions, found: [], covered: 0, all: 0, finding };
}

/** Reports an input that runs for too long; returns a function that stops watching. */
function watch(
  worker: Worker,
  shared: SharedArrayBuffer,
  { runsForMs, waitsForLooks, pauseMs }: SearchLimits,
  report: (error: string) => void,
): () => void {
  let last = { executions: 0, cpuMs: 0 };
  let looks = 0;
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage();
    const now = { executions: readCurrent(shared).executions, cpuMs: (user + system) / 1000 };
    // Before the first input, modules are loaded and images are made.
    if (now.executions === 0 || now.executions !== last.executions) {
      last = now;
      looks = 0;
      return;
    }
    looks += 1;
    const ranMs = now.cpuMs - last.cpuMs;
    if (ranMs > runsForMs) report(`runs for more than ${runsForMs} ms of processor time`);
    else if (looks > waitsForLooks && ranMs < pauseMs) report(waits);
  };
  // A thread that has exited has no processor time.
  const timer = setInterval(() => void look().catch(() => undefined), pauseMs);
  return () => clearInterval(timer);
}
