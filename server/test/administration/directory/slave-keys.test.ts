/** A new key for one slave: its former files are refused, those of its neighbors are not, and a move renews it again. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { renewKeyOf } from '../../../src/organisations/renew-slave-key.ts';
import { findSlaveBySerial } from '../../../src/organisations/devices.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import { readSlaveKey } from '../../../src/organisations/slave-key.ts';
import type { Client } from '../../fixtures/client.ts';
import { sealImage, started, uploadRead } from '../../journeys/families/kessv2-workflow.ts';
import { startWebhookPortal } from '../../webhooks/webhook-portal.ts';

const { portal, anna } = await startWebhookPortal();
const { db } = portal.platform;
const serial = 'KV2-000007';
const problem = { accept: 'application/problem+json' };
let olga: Client;
/** The key of the slave before any renewal. */
let first: Awaited<ReturnType<typeof portal.getSlave>>;
beforeAll(async () => {
  olga = await portal.signIn('olga@demo.test');
  first = await portal.getSlave('kessv2', serial);
  const added = (['KV2-NEIGHBOR', 'KV2-VENDOR'] as const).map((one) => ({ serial: one }));
  await applyDirectory(portal.platform, {
    organisations: [
      {
        customerCode: 'CC-1001',
        groupCodes: [
          { code: 'G-10', masters: [{ family: 'kessv2', serial: 'KV2-M-0001', slaves: added }] },
        ],
      },
    ],
  });
});

async function guidOf(name: string): Promise<string> {
  const { json } = await olga.get(`/api/admin/slaves?search=${name}`);
  const [found] = (json as { items: { guid: string }[] }).items;
  return found?.guid ?? '';
}

interface Shown {
  readonly revision: string;
  readonly keyNumber: number | null;
  readonly keyRenewedOn: string | null;
}

async function recordOf(name: string): Promise<Shown> {
  return (await olga.get(`/api/admin/slaves/${await guidOf(name)}`)).json as Shown;
}

/** Renews a key as a page does that shows the record; `seen`: an earlier record. */
async function renew(name: string, seen?: Shown) {
  const { revision } = seen ?? (await recordOf(name));
  return olga.call('POST', `/api/admin/slaves/${await guidOf(name)}/renewKey`, {
    headers: { ...problem, 'if-match': `"${revision}"` },
  });
}

/** The fault of a file under a former key. */
const formerKey = ['FILE_CORRUPTED', 'REVOKED_KEY'];

/** The outcome of decoding a read that a slave seals with the key that it has. */
async function decode(slave: Awaited<ReturnType<typeof portal.getSlave>>) {
  const read = sealImage(slave, 9000, new Uint8Array(4096).fill(7));
  const { status, error } = await anna.follow(started(await uploadRead(anna, read)));
  return status === 'succeeded' ? status : [error?.errorName, error?.cause];
}

test('a renewed key replaces that of one slave only, after the password, and is recorded', async () => {
  const [old, neighbor] = [
    await portal.getSlave('kessv2', serial),
    await portal.getSlave('kessv2', 'KV2-NEIGHBOR'),
  ];
  expect(await decode(old)).toBe('succeeded');
  await sql`update session set confirmed_on = null`.execute(db);
  expect((await renew(serial)).status).toBe(403);
  await sql`update session set confirmed_on = now()`.execute(db);
  expect((await renew(serial)).status).toBe(200);

  const now = await portal.getSlave('kessv2', serial);
  expect(now.keyId).toBeGreaterThan(old.keyId);
  expect(Buffer.from(now.pairKey)).not.toEqual(Buffer.from(old.pairKey));
  expect(await decode(old)).toEqual(formerKey);
  expect(await decode(now)).toBe('succeeded');
  expect(await decode(neighbor)).toBe('succeeded');
  expect(await portal.getSlave('kessv2', 'KV2-NEIGHBOR')).toEqual(neighbor);

  const { text } = await olga.get(`/api/admin/slaves/${await guidOf(serial)}/file`);
  expect(readSlaveKey(text)).toMatchObject({ slaveSerial: serial, keyId: now.keyId });
  const { rows } = await sql<{ entry: { object: object } }>`
    select entry::jsonb as entry from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = 'adminSlaves.act' and entry::jsonb ->> 'outcome' = 'done'`.execute(
    db,
  );
  expect(rows.at(-1)?.entry.object).toMatchObject({
    action: 'renewKey',
    changes: { key: { from: old.keyId, to: now.keyId } },
  });
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(now.pairKey).toString('hex'));
});

test('a key is renewed only by someone who has seen the present one', async () => {
  const seen = await recordOf(serial);
  const { keyId } = await portal.getSlave('kessv2', serial);
  expect(seen).toMatchObject({ keyNumber: keyId, keyRenewedOn: expect.any(String) });
  const outcomes = await Promise.all([renew(serial, seen), renew(serial, seen)]);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 412]));
  const now = await recordOf(serial);
  expect(now.keyNumber).toBe(keyId + 1);
  const refused = outcomes.find(({ status }) => status === 412);
  expect(JSON.parse(refused?.text ?? '')).toMatchObject({
    errorCode: 'RECORD_CHANGED',
    details: { current: now },
  });
  const path = `/api/admin/slaves/${await guidOf(serial)}/renewKey`;
  expect((await olga.call('POST', path, { headers: problem })).status).toBe(400);
  expect((await portal.getSlave('kessv2', serial)).keyId).toBe(keyId + 1);
  expect(await recordOf('KV2-NEIGHBOR')).toMatchObject({ keyNumber: 1, keyRenewedOn: null });
});

test('a slave with a renewed key gets another one with another master, and none that was in use', async () => {
  const to = (master: string) =>
    applyDirectory(portal.platform, {
      organisations: [
        {
          customerCode: 'CC-1001',
          groupCodes: [
            { code: 'G-10', masters: [{ family: 'kessv2', serial: master, slaves: [{ serial }] }] },
          ],
        },
      ],
    });
  const keys = [await portal.getSlave('kessv2', serial)];
  for (const master of ['KV2-M-0002', 'KV2-M-0001']) {
    expect(await to(master)).toHaveProperty('changes');
    keys.push(await portal.getSlave('kessv2', serial));
  }
  expect(new Set(keys.map(({ pairKey }) => Buffer.from(pairKey).toString('hex'))).size).toBe(3);
  const outcomes: unknown[] = [];
  for (const key of keys) outcomes.push(await decode(key));
  // the second one names the master that the slave has left
  expect(outcomes).toEqual([formerKey, ['WRONG_MASTER_CODE', 'TOOL_NOT_FOUND'], 'succeeded']);
});

test('a slave that is removed and added again gets another key, and none that it had', async () => {
  const removed = await portal.getSlave('kessv2', serial);
  const apply = (slave: { serial: string; remove?: true }) =>
    applyDirectory(portal.platform, {
      organisations: [
        {
          customerCode: 'CC-1001',
          groupCodes: [
            {
              code: 'G-10',
              masters: [{ family: 'kessv2', serial: 'KV2-M-0001', slaves: [slave] }],
            },
          ],
        },
      ],
    });
  await apply({ serial, remove: true });
  expect(await findSlaveBySerial(db, 'kessv2', serial)).toBeNull();
  await apply({ serial });
  const added = await portal.getSlave('kessv2', serial);
  expect(added.keyId).toBeGreaterThan(removed.keyId);
  expect(await decode(removed)).toEqual(formerKey);
  expect(await decode(first)).toEqual(formerKey);
  expect(await decode(added)).toBe('succeeded');

  // one whose key was never renewed has the same key again
  const neighbor = await portal.getSlave('kessv2', 'KV2-NEIGHBOR');
  await apply({ serial: 'KV2-NEIGHBOR', remove: true });
  await apply({ serial: 'KV2-NEIGHBOR' });
  expect(await portal.getSlave('kessv2', 'KV2-NEIGHBOR')).toEqual(neighbor);
});

test('the key of a slave of a vendor, or of none, is not renewed', async () => {
  const found = await findSlaveBySerial(db, 'kessv2', 'KV2-VENDOR');
  await sql`
    insert into engine_connection (guid, name, kind, url)
    values ('01900000-0000-7000-8000-0000000000ee', 'acme', 'encoding-api', 'https://acme.test')`.execute(
    db,
  );
  await sql`update master_device set connection_guid = '01900000-0000-7000-8000-0000000000ee'
    where guid = ${found?.master.guid}`.execute(db);
  const { status, text } = await renew('KV2-VENDOR');
  expect([status, text]).toEqual([400, expect.stringContaining('{"serial":"VENDOR_KEY"}')]);
  expect(await renewKeyOf(portal.platform, '01900000-0000-7000-8000-00000000dead')).toBeNull();
});
