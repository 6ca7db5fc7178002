/** An engine program that does what the read file tells it to do, for the tests of the pool. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const held: Buffer[] = [];

const behaviors: Readonly<Record<string, (given: string, outFolder: string) => unknown>> = {
  'loop forever': () => {
    for (;;);
  },
  'never answer': () => undefined,
  abort: () => process.abort(),
  exit: () => process.exit(7),
  'break the memory': () => process.kill(process.pid, 'SIGSEGV'),
  'take memory': () => {
    for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, 1));
  },
  'fill the heap': () => {
    const all: object[] = [];
    for (;;) all.push({ all: [all.length] });
  },
  'read a file': (path) => readFileSync(path, 'utf8'),
  'write a file': (path) => writeFileSync(path, 'x'),
  'start a process': () => execFileSync('/bin/true'),
  'start a thread': () => new Worker('', { eval: true }),
  'return the environment': () => JSON.stringify({ env: process.env, argv: process.argv.slice(2) }),
  'link a component': (path, outFolder) => symlinkSync(path, join(outFolder, 'flash.bin')),
  'create a folder': (_given, outFolder) => mkdirSync(join(outFolder, 'flash.bin')),
  'return its process id': () => String(process.pid),
  'hold memory while idle': () => {
    held.push(Buffer.alloc(80 * 1024 * 1024, 1));
    return 'held';
  },
};

process.on('message', (task: { filePath: string; outFolder: string }) => {
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
