/** An engine program that misbehaves as named in the read file, for the tests of the pool. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const held: Buffer[] = [];
/** Process ids are not unique: each engine may see only itself. */
const identity = randomUUID();

const behaviors: Readonly<Record<string, (given: string, outFolder: string) => unknown>> = {
  'loop forever': () => {
    for (;;);
  },
  'never answer': () => undefined,
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
  'link a component': (path, outFolder) => symlinkSync(path, join(outFolder, 'flash.bin')),
  'send nothing': () => process.send?.(null),
  'send an unknown message': () => process.send?.({ kind: 'other' }),
  'create a folder': (_given, outFolder) => mkdirSync(join(outFolder, 'flash.bin')),
  'return its identity': () => identity,
  'hold memory while idle': () => {
    held.push(Buffer.alloc(80 * 1024 * 1024, 1));
    return 'held';
  },
};

interface Task {
  readonly kind: string;
  readonly filePath: string;
  readonly outFolder: string;
}

process.on('message', (task: Task) => {
  process.send?.({ kind: 'begun' });
  if (task.kind === 'check-modified') {
    process.send?.({ kind: 'answer', answer: { changes: null } });
    return;
  }
  const [behavior = '', given = ''] = readFileSync(task.filePath, 'utf8').split(': ');
  if (behavior === 'never answer') return;
  // The pool expects these texts from the real engine.
  try {
    const information = { said: behaviors[behavior]?.(given, task.outFolder) };
    const components = /^(link|create)/.test(behavior) ? [{ name: 'flash' }] : [];
    process.send?.({ kind: 'answer', answer: { information, components } });
  } catch (error) {
    process.send?.({ kind: 'failure', stack: String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ kind: 'ready' });
