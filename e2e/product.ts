/** Starts the built product for journeys, the audit and the guide's pictures, with its own data folder and port. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../server/test/fixtures/free-port.ts';
import { copyPrepared } from '../server/test/fixtures/prepared-folder.ts';
import { chosenLayout, openLayout } from './many-machines/layout.ts';
import { storeCheapPasswords } from './database.ts';
import { isEngine, processesBelow } from './processes.ts';
import { type Recording, startRecording } from './secrets/recording.ts';

/** The project's root folder. */
export const projectFolder = resolve(import.meta.dirname, '..');

/** A running product. */
export interface Product {
  readonly url: string;
  readonly dataFolder: string;
  /** The path of a file of the demo workspace, e.g. `samples/kessv2/read-1001.tfc`. */
  demoFile(name: string): string;
  /** Runs the command line against the product; resolves to its output, rejects when it exits non-zero. */
  recodery(...words: readonly string[]): Promise<string>;
  /** Suspends or resumes every engine process of the product, to stop an operation midway. */
  signalEngines(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  stop(): Promise<void>;
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function untilReady(
  url: string,
  children: readonly ChildProcessWithoutNullStreams[],
  output: () => string,
): Promise<void> {
  const end = Date.now() + 400_000;
  // each process writes a line when it is ready
  let ready = 0;
  for (const child of children) child.stdout.once('data', () => (ready += 1));
  while (ready < children.length || !(await answers(url))) {
    const hasEnded = children.some(({ exitCode }) => exitCode !== null);
    if (hasEnded || Date.now() > end) throw new Error(`the product did not start:\n${output()}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

const program = join(projectFolder, 'recodery.mjs');

/** Runs a command; resolves to its output, rejects when it exits non-zero. */
function runCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  recording: Recording | null,
): Promise<string> {
  return new Promise((done, fail) => {
    const run = spawn(process.execPath, [program, ...words], { env, cwd: projectFolder });
    let text = '';
    let complaint = '';
    run.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    run.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    run.on('close', (code) => {
      recording?.addCommand(words, complaint);
      if (code === 0) done(text);
      else fail(new Error(`exit ${code}: ${text}${complaint}`));
    });
  });
}

/**
 * Starts `recodery serve`, in one process or more; `settings` are additional RECODERY_… variables. Unless `isFirstStart`,
 * the data folder is prepared as if it had been started before.
 */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
  isFirstStart = false,
): Promise<Product> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'recodery-e2e-'));
  // as root, the database runs under a different account, which needs access to this folder
  await chmod(dataFolder, 0o755);
  const chosen = chosenLayout();
  if (chosen === null && !isFirstStart)
    await copyPrepared(settings['RECODERY_DEMO'] === 'off' ? 'tables' : 'demo', dataFolder);
  const port = await freePort();
  const layout = await openLayout(chosen, port, dataFolder);
  const recording = await startRecording(port);
  const url = `http://localhost:${recording?.port ?? port}`;
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    RECODERY_PUBLIC_URL: url,
    RECODERY_DATA_DIR: dataFolder,
    ...layout.common,
    ...settings,
  };
  const children = layout.processes.map((own) =>
    spawn(process.execPath, [program, 'serve'], {
      env: { ...environment, ...own },
      cwd: projectFolder,
    }),
  );
  let output = '';
  for (const stream of children.flatMap(({ stdout, stderr }) => [stdout, stderr]))
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  for (const child of children) recording?.follow(child);
  await untilReady(url, children, () => output);
  await storeCheapPasswords(dataFolder, environment['RECODERY_DATABASE_URL']);
  let holding = false;
  let holder = Promise.resolve();
  /** Returns how many engines there were. */
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): number => {
    const engines = children.flatMap(({ pid }) => processesBelow(pid ?? 0)).filter(isEngine);
    for (const id of engines) {
      // it may have been replaced in the meantime
      try {
        process.kill(id, signal);
      } catch {}
    }
    return engines.length;
  };
  const hold = async (): Promise<void> => {
    while (holding) {
      await new Promise((done) => setTimeout(done, 50));
      if (holding) signalAll('SIGSTOP');
    }
  };
  return {
    url,
    dataFolder,
    demoFile: (name) => join(dataFolder, 'demo', name),
    recodery: (...words) => runCommand(words, environment, recording),
    async signalEngines(signal) {
      holding = false;
      // a round in progress would suspend engines after they were resumed
      await holder;
      if (signalAll(signal) === 0) throw new Error('the product has no engine process');
      // the product replaces engines that hang: their replacements are suspended too
      if (signal === 'SIGSTOP') {
        holding = true;
        holder = hold();
      }
    },
    async stop() {
      holding = false;
      await holder;
      const living = children.filter(({ exitCode }) => exitCode === null);
      const ended = living.map((child) => new Promise((done) => child.once('close', done)));
      const end = (): void => {
        for (const child of living) child.kill('SIGTERM');
      };
      if (living.length > 0) await recording?.collect(dataFolder, environment).finally(end);
      end();
      await Promise.all(ended);
      await recording?.stop();
      await layout.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
