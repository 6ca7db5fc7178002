/** An operation that kills the process of its worker: it fails after three deaths, and takes no other operation along. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxDeaths } from '../../src/operations/operation-rules.ts';
import { insertOperation } from '../../src/operations/operations.ts';
import { quickStart } from '../fixtures/recodery-process.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace } from './workspace.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await createTestPlatform();
});
afterAll(() => platform.stop());

function startWorker(poison: string) {
  return spawn(process.execPath, [join(import.meta.dirname, 'poisoned-worker.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...quickStart, TEST_DATABASE: platform.databaseUrl, TEST_POISON: poison },
  });
}

function listOperations() {
  const rows = platform.db.selectFrom('operation').orderBy('created_on');
  return rows.select(['guid', 'status', 'attempt', 'error_name', 'result']).execute();
}

// promise d8.queue.worker-dies
test('an operation that kills its worker three times fails, and those next to it succeed', async () => {
  const workspace = await createWorkspace(platform.db);
  const guids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const row = workspace.operation();
    await platform.db.transaction().execute((trx) => insertOperation(trx, row, 100));
    guids.push(row.guid);
  }
  const [first = '', poison = '', last = ''] = guids;
  for (let death = 1; death <= maxDeaths; death += 1) {
    const [, signal] = await once(startWorker(poison), 'exit');
    expect(signal).toBe('SIGKILL');
    // as after eight seconds: the lease of a dead worker is not renewed
    await sql`update operation set lease_until = now() where status = 'running'`.execute(
      platform.db,
    );
  }
  const survivor = startWorker(poison);
  await expect
    .poll(async () =>
      (await listOperations()).every(({ result, error_name }) => result ?? error_name),
    )
    .toBe(true);
  survivor.kill('SIGKILL');
  await once(survivor, 'exit');
  const alone = { status: 'succeeded', attempt: 2, error_name: null, result: { beside: [] } };
  expect(await listOperations()).toMatchObject([
    { ...alone, guid: first },
    { guid: poison, status: 'failed', attempt: maxDeaths + 1, error_name: '-1073741819' },
    { ...alone, guid: last },
  ]);
});
