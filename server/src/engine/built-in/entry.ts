/** Where every engine process starts: locks itself down, loads its program, and gives it one task after the other. */
import { endLoading } from './lockdown.ts';
import { readTask, say } from './engine-pipes.ts';
import type { EngineProgram } from './task.ts';

const [, , program = ''] = process.argv;
const { workOn } = (await import(program)) as EngineProgram;
endLoading();
// A signal to the whole group is meant for the worker, which lets its engines finish their tasks.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
say({ kind: 'ready' });
for (let task = readTask(); task !== null; task = readTask()) {
  say({ kind: 'begun' });
  const message = workOn(task);
  // only programs of tests wait: in the engine's, no other code ever runs between two tasks
  say(message instanceof Promise ? await message : message);
}
process.exit(0);
