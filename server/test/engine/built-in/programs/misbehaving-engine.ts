/** An engine program that misbehaves as named in the read file, for the tests of the pool. */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, readFileSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineTask } from '../../../../src/engine/built-in/task.ts';
import { makeAnswer, sayAnything } from './engine-answers.ts';

const held: Buffer[] = [];
/** Process ids are not unique: each engine may see only itself. */
const identity = randomUUID();

const behaviors: Readonly<Record<string, (given: string, outFolder: string) => unknown>> = {
  'loop forever': () => {
    for (;;);
  },
  'never answer': () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  abort: () => process.abort(),
  exit: () => process.exit(7),
  'take memory': () => {
    for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, 1));
  },
  'fill the heap': () => {
    const all: object[] = [];
    for (;;) all.push({ all: [all.length] });
  },
  'read a file': (path) => readFileSync(path, 'utf8'),
  'return the environment': () => JSON.stringify({ env: process.env, argv: process.argv.slice(2) }),
  'name its channels': () =>
    ['send', 'channel', 'stdin', 'stdout', 'stderr'].filter((name) => name in process),
  'link a component': (path, outFolder) => symlinkSync(path, join(outFolder, 'flash.bin')),
  'send nothing': () => sayAnything(null),
  'send an unknown message': () => sayAnything({ kind: 'other' }),
  'send no JSON': () => writeSync(1, Buffer.from('\0\0\0\x04what')),
  'send an answer of another task': () =>
    sayAnything({ kind: 'answer', answer: { size: 1, correctedChecksums: 0 } }),
  'send two answers': () => {
    sayAnything(makeAnswer({ said: 'one' }));
    sayAnything(makeAnswer({ said: 'two' }));
  },
  'send an endless message': () => {
    writeSync(1, Buffer.alloc(4, 0xff));
    for (;;) writeSync(1, Buffer.alloc(65_536, 0x5b));
  },
  'send a deep message': () => {
    const text = '['.repeat(2 ** 20);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    writeSync(1, Buffer.concat([length, Buffer.from(text)]));
  },
  'close its pipes': () => {
    for (const pipe of [0, 1, 2]) closeSync(pipe);
    for (;;);
  },
  'create a folder': (_given, outFolder) => mkdirSync(join(outFolder, 'flash.bin')),
  // a path from its own folder, as long as the system allows: from the root it is longer
  'nest folders': () => mkdirSync('a/'.repeat(2045), { recursive: true }),
  'return its identity': () => identity,
  'hold memory while idle': () => {
    held.push(Buffer.alloc(80 * 1024 * 1024, 1));
    return 'held';
  },
};

/**
 * The program of these engines; see `EngineProgram`.
 * @public `entry.ts` imports it by its path
 */
export function workOn(task: EngineTask): unknown {
  if (task.kind !== 'decode') return { kind: 'answer', answer: { changes: null, isSimilar: true } };
  const [behavior = '', given = ''] = readFileSync(task.filePath, 'utf8').split(': ');
  // The pool expects these texts from the real engine.
  try {
    const said = String(behaviors[behavior]?.(given, task.outFolder));
    return makeAnswer({ said, components: /^(link|create)/.test(behavior) ? ['flash'] : [] });
  } catch (error) {
    return { kind: 'failure', stack: String(error), code: null };
  }
}
