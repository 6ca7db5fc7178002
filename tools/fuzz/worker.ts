/** A thread that searches one target. Its supervisor sees which input runs, and terminates the thread if it hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import { projectDir } from '../steps.ts';
import { readCorpus } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { type WorkerAnswer, type WorkerOrder, writeCurrent } from './exchange.ts';
import { explore } from './explore.ts';
import { randomFor } from './random.ts';
import { loadTarget } from './target.ts';

async function work({ entry, seed, seconds, shared }: WorkerOrder): Promise<WorkerAnswer> {
  // V8 counts blocks only in code that it compiles from now on, so the target is loaded afterward.
  const coverage = startCoverage(projectDir, entry.covers);
  const target = await loadTarget(entry.module);
  await target.open?.();
  const until = performance.now() + seconds * 1000;
  const explored = await explore({
    target,
    starts: [...target.seeds(), ...readCorpus(entry.name).map(({ input }) => input)],
    random: randomFor(seed, entry.name),
    coverage,
    hasTime: () => performance.now() < until,
    onInput: (input) => writeCurrent(shared, input),
  });
  const answer = { ...explored, ...coverage.reached() };
  coverage.stop();
  await target.close?.();
  return answer;
}

parentPort?.postMessage(await work(workerData as WorkerOrder));
