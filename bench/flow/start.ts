/**
 * Measures how soon the product responds after a start of an installed and built tree: `npm start`, from the command to
 * the first 200 of /readyz.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { createFolder } from '../support/demo.ts';
import { median } from '../support/median.ts';

const projectDir = resolve(import.meta.dirname, '../..');
const rounds = 5;
/** Milliseconds within which a second start must respond. */
const demanded = 5000;

function start(dataDir: string, port: number): ChildProcess {
  return spawn('npm', ['start', '--silent'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, RECODERY_DATA_DIR: dataDir, RECODERY_PORT: String(port) },
  });
}

/** Starts, waits for the first response, stops again; returns the milliseconds until that response. */
async function measure(dataDir: string): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = start(dataDir, port);
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error('the product did not start');
    await wait(10);
  }
  const milliseconds = performance.now() - began;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  // npm may exit before the processes it started.
  while (existsSync(join(dataDir, 'locks/serve.json'))) await wait(10);
  return milliseconds;
}

const dataDir = await createFolder();
try {
  const first = await measure(dataDir);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await measure(dataDir));
  const later = median(times);
  console.log(`first start (creates the database and the demo workspace): ${Math.round(first)} ms`);
  console.log(`later starts: median ${Math.round(later)} ms of ${rounds}, at most ${demanded} ms`);
  if (later > demanded) process.exitCode = 1;
} finally {
  await rm(dataDir, { recursive: true, maxRetries: 50, retryDelay: 100 });
}
