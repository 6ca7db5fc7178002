/**
 * An engine program that tries each way out of its sandbox. As an engine, it makes the attempt named in the read file;
 * with arguments, it is ordinary code that Node does not restrict, like code that has taken over an engine.
 */
import { readFileSync, readSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EngineTask } from '../../../../src/engine/built-in/task.ts';
import { makeAnswer } from './engine-answers.ts';

/** The targets of the attempts. */
export interface Targets {
  /** A process that represents the portal. */
  readonly pid: number;
  /** The data folder, with a file `secret` and a unix socket `socket`. */
  readonly dataDir: string;
  /** A port of 127.0.0.1. */
  readonly port: number;
  /** The engine's own folder. */
  readonly folder: string;
}

function connect(address: { path: string } | { port: number; host: string }): Promise<void> {
  return import('node:net').then(
    ({ connect: open }) =>
      new Promise((resolve, reject) => {
        const socket = open(address, () => {
          socket.destroy();
          resolve();
        });
        socket.once('error', reject);
      }),
  );
}

/** Connects with a socket of a class that the code has found somewhere. */
function connectWith(Socket: unknown, { port }: Targets): Promise<void> {
  const socket = Reflect.construct(Socket as typeof import('node:net').Socket, []);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** Has the client that `Response` loads send a request. */
function dispatch({ port }: Targets): Promise<void> {
  Reflect.get(globalThis, 'Response');
  const client = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  const request = { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' };
  return client.request(request);
}

/** Loads a CommonJS file, and takes the loader from the module object that Node creates for it: it loads anything. */
async function takeLoader(targets: Targets): Promise<void> {
  const { writeFileSync: write } = await import('node:fs');
  const path = join(process.cwd(), 'module.cjs');
  write(path, 'exports.a = 1');
  const objects: object[] = [];
  Object.defineProperty(Object.prototype, 'id', {
    configurable: true,
    set(value) {
      objects.push(this);
      Object.defineProperty(this, 'id', { value, configurable: true, writable: true });
    },
  });
  await import(path).finally(() => Reflect.deleteProperty(Object.prototype, 'id'));
  const [module = {}] = objects;
  const Module = Reflect.get(module, 'constructor');
  const resolve = () => ({ url: 'node:net', format: 'builtin', shortCircuit: true });
  const hooks = Module.registerHooks({ resolve });
  const { Socket } = Module.prototype.require.call(module, 'node:net');
  hooks.deregister();
  return connectWith(Socket, targets);
}

const codeAsText = 'data:text/javascript,export const a = 1';

const attempts: Readonly<Record<string, (targets: Targets) => unknown>> = {
  'write to its own folder': ({ folder }) => writeFileSync(join(folder, 'own'), 'x'),
  'read the secret': ({ dataDir }) => readFileSync(join(dataDir, 'secret'), 'utf8'),
  'write to the data folder': ({ dataDir }) => writeFileSync(join(dataDir, 'written'), 'x'),
  'write with SQLite': async ({ dataDir }) => {
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(join(dataDir, 'sqlite')).exec('create table t (a)');
  },
  'read the environment of the portal': ({ pid }) => readFileSync(`/proc/${pid}/environ`),
  'connect to a port of this machine': ({ port }) => connect({ port, host: '127.0.0.1' }),
  'connect to the socket of PostgreSQL': ({ dataDir }) =>
    connect({ path: join(dataDir, 'socket') }),
  'fetch from this machine': ({ port }) => fetch(`http://127.0.0.1:${port}`),
  'connect with the class of an output': (targets) =>
    connectWith(Reflect.get(process, 'stderr').constructor, targets),
  'connect with the class of an output of the console': (targets) =>
    connectWith(Reflect.get(Reflect.get(globalThis, 'console'), '_stdout').constructor, targets),
  'connect with the class of the input': (targets) =>
    connectWith(Reflect.get(process, 'openStdin').call(process).destroy().constructor, targets),
  'connect with the client of fetch': dispatch,
  'connect with the loader of Node': takeLoader,
  'start a process': async () =>
    (await import('node:child_process')).execFileSync(process.execPath, ['--version']),
  'start a thread': async () => {
    const { Worker } = await import('node:worker_threads');
    await new Worker('', { eval: true }).terminate();
  },
  'run code with vm': async () => (await import('node:vm')).runInThisContext('1 + 1'),
  'run code from a text': () => Reflect.construct(Function, ['return 1'])(),
  'import code from a text': () => import(codeAsText),
  'open the inspector': async () => {
    const inspector = await import('node:inspector');
    inspector.open(0);
    inspector.close();
  },
  'use the internals of Node': () => Reflect.get(process, 'binding').call(process, 'fs'),
  'send SIGUSR1 to the portal': ({ pid }) => process.kill(pid, 'SIGUSR1'),
  'send SIGSTOP to the portal': ({ pid }) => process.kill(pid, 'SIGSTOP'),
  'send SIGKILL to the portal': ({ pid }) => process.kill(pid, 'SIGKILL'),
};

/** The names of all attempts, in an order in which they do not disturb each other. */
export const attemptNames = Object.keys(attempts);

/** These fill the disk: in one file, and in as many as fit. */
const floods: Readonly<Record<string, (targets: Targets) => unknown>> = {
  'write a large file': ({ folder }) => {
    for (let mebibytes = 0; mebibytes < 200; mebibytes += 1)
      writeFileSync(join(folder, 'large'), Buffer.alloc(2 ** 20), { flag: 'a' });
  },
  'write many files': ({ folder }) => {
    for (let number = 0; ; number += 1)
      writeFileSync(join(folder, String(number)), Buffer.alloc(2 ** 20));
  },
};

async function attempt(name: string, targets: Targets): Promise<string | null> {
  try {
    await { ...attempts, ...floods }[name]?.(targets);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** The result of each attempt: null, or the error that refused it. */
export type Results = Readonly<Record<string, string | null>>;

async function attemptAll(targets: Targets, names: readonly string[]): Promise<Results> {
  const results: Record<string, string | null> = {};
  for (const name of names) results[name] = await attempt(name, targets);
  return results;
}

/**
 * The program of an engine; see `EngineProgram`.
 * @public `entry.ts` imports it by its path
 */
export async function workOn(task: EngineTask): Promise<unknown> {
  if (task.kind !== 'decode') return { kind: 'answer', answer: { changes: null, isSimilar: true } };
  const { name, targets } = JSON.parse(readFileSync(task.filePath, 'utf8'));
  const folder = dirname(task.filePath);
  return makeAnswer({ said: await attempt(name, { ...targets, folder }) });
}

const [, program, targets, ...names] = process.argv;
if (program === import.meta.filename) {
  // when the engine would be ready for its first task
  console.log('ready');
  readSync(0, Buffer.alloc(1));
  console.log(JSON.stringify(await attemptAll(JSON.parse(targets ?? ''), names)));
}
