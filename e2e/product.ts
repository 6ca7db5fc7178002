/** Starts the built product for journeys, the audit and the guide's pictures, with its own data folder and port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';

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

/** The ids of all descendant processes. One file is open at a time: scans follow each other quickly. */
function processesBelow(ancestor: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    // it may have ended meanwhile
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
      childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)]);
    } catch {}
  }
  const below = (parent: number): number[] =>
    (childrenOf.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(ancestor);
}

/** Whether a process is an engine, and not one of the programs around it that created its namespaces. */
async function isEngine(id: number): Promise<boolean> {
  const [command, children] = await Promise.all(
    ['cmdline', `task/${id}/children`].map((name) =>
      readFile(`/proc/${id}/${name}`, 'utf8').catch(() => ''),
    ),
  );
  return command?.includes('engine-process.ts') === true && children === '';
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const end = Date.now() + 400_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > end)
      throw new Error(`the product did not start:\n${output()}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Starts `recodery serve`; `settings` are additional RECODERY_… variables. */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'recodery-e2e-'));
  // as root, the database runs under another account, which needs access to this folder
  await chmod(dataFolder, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    ...process.env,
    RECODERY_PORT: String(port),
    RECODERY_DATA_DIR: dataFolder,
    ...settings,
  };
  const program = join(projectFolder, 'recodery.mjs');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: environment,
    cwd: projectFolder,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  await untilReady(url, child, () => output);
  let holding = false;
  let holder = Promise.resolve();
  /** Returns how many engines there were. */
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT'): Promise<number> => {
    const ids = processesBelow(child.pid ?? 0);
    const engines = (
      await Promise.all(ids.map(async (id) => ((await isEngine(id)) ? [id] : [])))
    ).flat();
    for (const id of engines) {
      // it may have been replaced meanwhile
      try {
        process.kill(id, signal);
      } catch {}
    }
    return engines.length;
  };
  const hold = async (): Promise<void> => {
    while (holding) {
      await new Promise((done) => setTimeout(done, 50));
      if (holding) await signalAll('SIGSTOP');
    }
  };
  return {
    url,
    dataFolder,
    demoFile: (name) => join(dataFolder, 'demo', name),
    recodery: (...words) =>
      new Promise((done, fail) => {
        const run = spawn(process.execPath, [program, ...words], {
          env: environment,
          cwd: projectFolder,
        });
        let text = '';
        let complaint = '';
        run.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        run.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
        run.on('close', (code) =>
          code === 0 ? done(text) : fail(new Error(`exit ${code}: ${text}${complaint}`)),
        );
      }),
    async signalEngines(signal) {
      holding = false;
      // a round that is still under way would suspend engines after they were resumed
      await holder;
      if ((await signalAll(signal)) === 0) throw new Error('the product has no engine process');
      // the product replaces engines that hang: their replacements are suspended too
      if (signal === 'SIGSTOP') {
        holding = true;
        holder = hold();
      }
    },
    async stop() {
      holding = false;
      await holder;
      const ended = new Promise((done) => child.once('close', done));
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
