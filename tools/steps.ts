/**
 * Runs programs from the packages in parallel, reports the result of each, and shows the output of those that failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The project's folder. */
export const projectDir = join(import.meta.dirname, '..');

/** A program to run: a script of a package, with its arguments. */
export interface Step {
  readonly name: string;
  /** Path of the script, relative to the project's folder. */
  readonly script: string;
  readonly words: readonly string[];
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface StepResult {
  readonly name: string;
  readonly hasPassed: boolean;
  /** The output of a failed program; empty if it went to the terminal. */
  readonly output: string;
}

const running = new Set<ChildProcess>();

let isListening = false;

/** Stops the programs too when this process receives a signal to exit. */
function listenForSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal);
      process.exit(1);
    });
  }
}

/** Runs one program. `isShown`: its output goes to the terminal immediately, else only if it fails. */
export async function runStep(step: Step, isShown: boolean): Promise<StepResult> {
  listenForSignals();
  const began = performance.now();
  const child = spawn(process.execPath, [join(projectDir, step.script), ...step.words], {
    cwd: projectDir,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...step.environment },
  });
  running.add(child);
  const output: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => output.push(part));
  child.stderr?.on('data', (part: Buffer) => output.push(part));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  running.delete(child);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const failure = code === 0 ? '' : Buffer.concat(output).toString();
  process.stdout.write(failure);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)\n`);
  return { name: step.name, hasPassed: code === 0, output: failure };
}

/** Runs programs in their order, `abreast` at a time. */
export async function runSteps(
  steps: readonly Step[],
  abreast = 2,
): Promise<readonly StepResult[]> {
  const waiting = [...steps];
  const results: StepResult[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      results.push(await runStep(step, false));
    }
  };
  await Promise.all(Array.from({ length: abreast }, lane));
  return results;
}
