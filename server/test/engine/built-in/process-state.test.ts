/** What the portal counts against the limits of an engine: also what it has started, from any of its threads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { readProcessState } from '../../../src/engine/built-in/process-state.ts';

const heldMiB = 96;
const holder = `const held = Buffer.alloc(${heldMiB} * 2 ** 20, 1); console.log(held.length); process.stdin.resume()`;
const starter = `
  const { spawn } = require('node:child_process');
  const { Worker, isMainThread } = require('node:worker_threads');
  if (process.argv[1] === 'thread' && isMainThread)
    new Worker(process.argv[2], { eval: true, argv: ['started'] });
  else
    spawn(process.execPath, ['--eval', ${JSON.stringify(holder)}], { stdio: 'inherit' });
`;

let stop: () => Promise<unknown>;
afterEach(() => stop());

test.runIf(process.platform === 'linux').each(['process', 'thread'])(
  'memory of a process that its %s has started is counted',
  async (how) => {
    const engine = spawn(process.execPath, ['--eval', starter, how, starter]);
    stop = async () => {
      engine.stdin.end();
      await once(engine, 'exit');
    };
    await once(engine.stdout, 'data');
    expect(readProcessState(engine.pid ?? 0).resident).toBeGreaterThan(heldMiB * 2 ** 20);
  },
);
