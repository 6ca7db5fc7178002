/** The audit entry of a call that starts work or stores a file is part of the same transaction: no crash separates them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  decode,
  sealImage,
  started,
  uploadImage,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** The lock under which waiting entries are appended to the chain. */
const chainLock = 7_263_329;

/** Whether the entries of an action were written by the transaction that recorded a file. */
async function entriesOf(action: string, fileGuid: string, mentioned = fileGuid) {
  const { rows } = await sql<{ isSame: boolean; actor: string; outcome: string }>`
    select audit_waiting.xmin = written.xmin as "isSame", entry::jsonb #>> '{actor,name}' as actor,
      entry::jsonb ->> 'outcome' as outcome
    from audit_waiting cross join stored_file as written
    where entry::jsonb ->> 'action' = ${action} and written.guid = ${fileGuid}
      and position(${mentioned} in entry) > 0`.execute(portal.platform.db);
  return rows;
}

test('the start of an operation and the upload of an image are recorded once, in their own transactions', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = new Uint8Array(4096);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image));
  const own = { isSame: true, actor: 'anna@demo.test', outcome: 'done' };
  // entries wait as long as someone else has the lock
  await portal.platform.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${chainLock})`.execute(connection);
    const upload = await uploadImage(anna, 'modified', slot, image);
    const { fileGUID } = upload.json as { fileGUID: string };
    expect(await entriesOf('kessv2.uploadModifiedFile', fileGUID)).toEqual([own]);

    const operation = started(await uploadRead(anna, sealImage(slave, 9000, image)));
    const { rows } = await sql<{ guid: string }>`
      select guid from stored_file where slot_guid = ${operation.slotGUID} and role = 'read'`.execute(
      portal.platform.db,
    );
    const read = await entriesOf('kessv2.uploadReadFile', rows[0]?.guid ?? '', operation.guid);
    expect(read).toEqual([own]);
    await sql`select pg_advisory_unlock(${chainLock})`.execute(connection);
  });
});
