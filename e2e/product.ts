/** Starts the built product for journeys, the audit and the guide's pictures, with its own data folder and port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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

/** The ids of all descendant processes. */
async function processesBelow(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    ids.map((id) =>
      readFile(`/proc/${id}/stat`, 'utf8').then(
        (stat) => Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]),
        () => -1,
      ),
    ),
  );
  const children = ids.filter((_, at) => parents[at] === parent);
  const below = await Promise.all(children.map(processesBelow));
  return [...children, ...below.flat()];
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
  let holding: NodeJS.Timeout | undefined;
  /** Returns how many engines there were. */
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT'): Promise<number> => {
    const ids = await processesBelow(child.pid ?? 0);
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
      clearInterval(holding);
      if ((await signalAll(signal)) === 0) throw new Error('the product has no engine process');
      // the product replaces engines that hang: their replacements are suspended too
      if (signal === 'SIGSTOP') holding = setInterval(() => void signalAll(signal), 50);
    },
    async stop() {
      clearInterval(holding);
      const ended = new Promise((done) => child.once('close', done));
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
