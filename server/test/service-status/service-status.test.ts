/** The service status as workers come and go, and the page's configuration before sign-in. */
import { config as configSchema } from '@recodery/contract/features/service-status';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { setMaintenance } from '../../src/service-status/maintenance.ts';
import { readServiceStatus } from '../../src/service-status/service-status.ts';
import { noIsolation } from '../../src/engine/built-in/isolation.ts';
import { removeWorker, reportWorker } from '../../src/service-status/workers.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal(
    { RECODERY_SECRET: 'not to be told to anybody', RECODERY_COMPANY: 'Acme Ltd|VAT 123' },
    false,
  );
});
afterAll(() => portal.stop());

const status = async () => (await readServiceStatus(portal.platform.db)).statusCode;

// promise 7.around.status
test('without a worker the service is down; it is up from its first report until it leaves', async () => {
  const { db } = portal.platform;
  expect(await status()).toBe(503);
  const guid = newGuid();
  await reportWorker(db, guid, 2, noIsolation);
  expect(await status()).toBe(200);
  await removeWorker(db, guid);
  expect(await status()).toBe(503);
});

// promise d8.engine.status
test('a worker without a report for more than 15 s no longer counts', async () => {
  const { db } = portal.platform;
  const guid = newGuid();
  await reportWorker(db, guid, 1, noIsolation);
  // in a transaction, the clock of the database stands still, however busy the machine is
  const statusAfter = (seconds: number) =>
    db.transaction().execute(async (trx) => {
      await trx
        .updateTable('worker_report')
        .set({ reported_on: sql<Date>`now() - make_interval(secs => ${seconds})` })
        .execute();
      return (await readServiceStatus(trx)).statusCode;
    });
  expect(await statusAfter(14)).toBe(200);
  expect(await statusAfter(16)).toBe(503);
  await reportWorker(db, guid, 1, noIsolation);
  expect(await status()).toBe(200);
});

// promise d8.engine.status
test('maintenance suspends the service, regardless of what workers report; setting it twice changes nothing', async () => {
  const { db } = portal.platform;
  await reportWorker(db, newGuid(), 1, noIsolation);
  const changes = [await setMaintenance(db, true), await setMaintenance(db, true)];
  expect(changes).toEqual(['changed', 'none']);
  expect(await status()).toBe(503);
  expect(await setMaintenance(db, false)).toBe('changed');
  expect(await status()).toBe(200);
});

// promise d4.public.config
test('the page’s configuration is public and contains no secret', async () => {
  const answer = await fetch(`${portal.url}/api/config`);
  const text = await answer.text();
  const config = configSchema.parse(JSON.parse(text));
  expect(config.maxFileBytes).toBe(64 * 1024 * 1024);
  expect(config.companyLines).toEqual(['Acme Ltd', 'VAT 123']);
  expect(config.signInURL).toBe(`${portal.platform.config.publicUrl}/sso/start`);
  expect(Object.keys(config.links.userGuide)).toContain('it');
  expect(text).not.toMatch(/not to be told|postgres|file:/);
});
