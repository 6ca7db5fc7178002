/**
 * The search: changes inputs at random, keeps those that run code that no other has run, and stops at the first input
 * for which the target breaks.
 */
import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
import type { Random } from './random.ts';
import type { FuzzTarget } from './target.ts';

/** An input for which the target breaks, as short as the search could make it. */
export interface FailingInput {
  readonly input: Uint8Array;
  /** The error with its stack. */
  readonly error: string;
}

/** The result of a search. */
export interface Explored {
  readonly executions: number;
  /** Inputs of this search that ran new code. */
  readonly found: readonly Uint8Array[];
  readonly finding: FailingInput | null;
}

export interface Search {
  readonly target: Pick<FuzzTarget, 'run' | 'dictionary' | 'longest'>;
  /** Where to start: seeds, then the corpus. */
  readonly starts: readonly Uint8Array[];
  readonly random: Random;
  readonly coverage: Coverage;
  /** Whether to continue; called after each input. */
  readonly hasTime: () => boolean;
  /** Called with each input before it runs. */
  readonly onInput: (input: Uint8Array) => void;
}

/** Most inputs between two checks of the coverage: a check takes longer than most inputs. */
const batchSize = 128;
/** Milliseconds of processor time that an input may take. */
const slowest = 10_000;
/** Bytes outside of V8's heap by which an input may increase the memory in use. */
const mostMemory = 256 * 1024 * 1024;
/** Attempts to shorten an input that was found. */
const shortenings = 2000;

/** Runs the search until its time has passed or it finds something. */
export async function explore(search: Search): Promise<Explored> {
  const { target, starts, random, coverage, hasTime } = search;
  const inputs: Uint8Array[] = [];
  const found: Uint8Array[] = [];
  let executions = 0;
  const attempt = async (input: Uint8Array): Promise<string | null> => {
    executions += 1;
    search.onInput(input);
    return runOnce(target, input);
  };
  const end = async (input: Uint8Array, error: string): Promise<Explored> => ({
    executions,
    found,
    finding: { input: await shorten(input, error, attempt), error },
  });
  // Code that ran while the modules were loaded does not count for an input.
  coverage.take(true);
  for (const input of starts) {
    const error = await attempt(input);
    if (error !== null) return end(input, error);
    coverage.take(true);
    inputs.push(input);
  }
  const material = {
    random,
    dictionary: target.dictionary,
    others: inputs,
    longest: target.longest,
  };
  do {
    const batch: Uint8Array[] = [];
    while (batch.length < batchSize && (batch.length === 0 || hasTime())) {
      const input = mutate(choose(inputs, random), material);
      const error = await attempt(input);
      if (error !== null) return end(input, error);
      batch.push(input);
    }
    if (!coverage.take(false)) continue;
    const news = await findNew(batch, async (input) => void (await attempt(input)), coverage);
    inputs.push(...news);
    found.push(...news);
  } while (hasTime());
  return { executions, found, finding: null };
}

/** Any input, the latest ones more often. */
function choose(inputs: readonly Uint8Array[], random: Random): Uint8Array {
  const first = random.below(2) === 0 ? 0 : Math.max(0, inputs.length - 8);
  return inputs[first + random.below(inputs.length - first)] ?? new Uint8Array();
}

/** The inputs of a batch that run new code: runs halves of it repeatedly, as long as they do. */
async function findNew(
  batch: readonly Uint8Array[],
  run: (input: Uint8Array) => Promise<void>,
  coverage: Coverage,
): Promise<readonly Uint8Array[]> {
  for (const input of batch) await run(input);
  const isSingle = batch.length === 1;
  if (!coverage.take(isSingle)) return [];
  if (isSingle) return batch;
  const middle = batch.length >>> 1;
  return [
    ...(await findNew(batch.slice(0, middle), run, coverage)),
    ...(await findNew(batch.slice(middle), run, coverage)),
  ];
}

/** Runs the target; returns the error with its stack, or null. */
async function runOnce(
  { run }: Pick<FuzzTarget, 'run'>,
  input: Uint8Array,
): Promise<string | null> {
  const memory = process.memoryUsage().arrayBuffers;
  const start = process.threadCpuUsage();
  try {
    const running = run(input);
    if (running !== undefined) await running;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? String(error)) : `threw ${String(error)}`;
  }
  const { user, system } = process.threadCpuUsage(start);
  if ((user + system) / 1000 > slowest) return `takes more than ${slowest / 1000} s`;
  const growth = process.memoryUsage().arrayBuffers - memory;
  return growth > mostMemory ? `takes more than ${mostMemory >>> 20} MiB of memory` : null;
}

/** The kind of an error, without the parts that differ between inputs. */
function kindOf(error: string): string {
  return /^.*$/m.exec(error)?.[0].replaceAll(/[\d"'].*$/g, '') ?? '';
}

/** The shortest input that was found with an error of the same kind: parts are left out, then bytes set to zero. */
async function shorten(
  input: Uint8Array,
  error: string,
  attempt: (input: Uint8Array) => Promise<string | null>,
): Promise<Uint8Array> {
  let shortest = input;
  let left = error.startsWith('takes') ? 0 : shortenings;
  for (let size = input.length >>> 1; size > 0 && left > 0; size >>>= 1) {
    for (let at = 0; at < shortest.length && left > 0; left -= 1) {
      const shorter = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + size)]);
      const again = await attempt(shorter);
      if (again !== null && kindOf(again) === kindOf(error)) shortest = shorter;
      else at += size;
    }
  }
  return shortest;
}
