/** Engines that are stopped by a signal end with the process that started them, although they read no end of their input. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEngines, isProcessAlive, startRecodery } from '../../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const secret = randomBytes(32).toString('hex');
let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_SECRET: secret }, false);
});
afterAll(() => portal.stop());

test('a killed worker leaves no engine, not even a stopped one', async () => {
  const settings = { RECODERY_SECRET: secret, RECODERY_ROLES: 'worker' };
  const worker = await startRecodery(portal.platform, settings);
  await expect.poll(() => findEngines(worker.child), { timeout: 60_000 }).not.toEqual([]);
  const engines = findEngines(worker.child);
  for (const engine of engines) process.kill(engine, 'SIGSTOP');
  await worker.kill();
  await expect.poll(() => engines.filter(isProcessAlive), { timeout: 60_000 }).toEqual([]);
}, 180_000);
