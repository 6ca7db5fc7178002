/**
 * The audit trail: what is recorded of a real portal's calls, and that a changed, removed or inserted entry is
 * detected.
 */
import { randomBytes } from 'node:crypto';
import { generateImage } from '@recodery/codec/sample-images/images';
import { routes } from '@recodery/contract/routes';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  appendWaiting,
  type AuditEvent,
  type ChainedEntry,
  deleteExpiredAudit,
  recordAudit,
} from '../../src/audit/audit.ts';
import { type AuditFilter, listAudit, verifyAudit } from '../../src/audit/read-audit.ts';
import { addClient } from '../../src/clients/clients.ts';
import { isRecorded } from '../../src/http/requests/audit-requests.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { createTestDatabase } from '../fixtures/database/test-database.ts';
import { decode, protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { startJourney } from '../journeys/workflow-setup.ts';

async function listAll(db: Db, filter?: AuditFilter): Promise<readonly ChainedEntry[]> {
  const entries: ChainedEntry[] = [];
  for await (const entry of listAudit(db, filter)) entries.push(entry);
  return entries;
}

describe('the chain', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  afterAll(() => database.drop());
  const event = (action: string): AuditEvent => ({
    actor: { kind: 'operator', name: 'root' },
    action,
    object: { name: 'Zürich\n"x"' },
    outcome: 'done',
  });
  const unlocked = async (change: string): Promise<void> => {
    await sql`alter table audit_entry disable trigger all`.execute(db);
    await sql.raw(change).execute(db);
    await sql`alter table audit_entry enable trigger all`.execute(db);
  };
  beforeEach(async () => {
    await unlocked('truncate audit_entry, audit_waiting');
    for (const action of ['one', 'two', 'three', 'four']) await recordAudit(db, event(action));
    await appendWaiting(db);
  });

  test('has each entry once, in order, however many workers append', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, at) => recordAudit(db, event(`more ${at}`))));
    const appended = await Promise.all(Array.from({ length: 6 }, () => appendWaiting(db)));
    expect(appended.reduce((sum, count) => sum + count, 0)).toBe(200);
    const entries = await listAll(db);
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
    expect(new Set(entries.map(({ entry }) => entry.action)).size).toBe(204);
    expect(await verifyAudit(db)).toMatchObject({
      isIntact: true,
      first: 1,
      head: { position: 204 },
    });
  });

  test('refuses every change in the database', async () => {
    for (const change of [
      'update audit_entry set entry = entry where position = 2',
      'delete from audit_entry where position = 4',
      'truncate audit_entry',
    ])
      await expect(sql.raw(change).execute(db)).rejects.toThrow('never changed');
  });

  test.each([
    [
      'was changed',
      `update audit_entry set entry = replace(entry, 'two', 'six') where position = 2`,
      2,
    ],
    ['was removed', 'delete from audit_entry where position = 2', 3],
    [
      'was inserted',
      `update audit_entry set position = 9 where position = 4;
       insert into audit_entry select 4, entry, recorded_on, hash from audit_entry where position = 3;
       update audit_entry set position = 5 where position = 9`,
      4,
    ],
    ['was given its own hash', `update audit_entry set hash = sha256('x') where position = 3`, 3],
    [
      'was given another time',
      `update audit_entry set recorded_on = recorded_on - interval '1 day' where position = 2`,
      2,
    ],
  ])('shows an entry that %s', async (_, change, position) => {
    await unlocked(change);
    expect(await verifyAudit(db)).toEqual({ isIntact: false, position });
  });

  test('shows with an earlier head that its end was removed, or that it was rewritten', async () => {
    const { head } = (await verifyAudit(db)) as { head: { position: number; hash: string } };
    await unlocked('delete from audit_entry where position > 2');
    expect(await verifyAudit(db)).toMatchObject({ isIntact: true });
    expect(await verifyAudit(db, head)).toEqual({ isIntact: false, position: 3 });
    for (const action of ['other', 'another']) await recordAudit(db, event(action));
    await appendWaiting(db);
    expect(await verifyAudit(db)).toMatchObject({ isIntact: true });
    expect(await verifyAudit(db, head)).toEqual({ isIntact: false, position: 4 });
  });

  /** Records old entries: for each number of days, that many of them. */
  async function recordOldEntries(days: readonly number[], count = 1): Promise<void> {
    for (const ago of days) {
      await sql`
        insert into audit_waiting (guid, entry)
        select gen_random_uuid(), json_build_object('on', now() - make_interval(days => ${ago}),
          'actor', '{}'::json, 'action', 'past', 'outcome', 'done')::text
        from generate_series(1, ${count}::int)`.execute(db);
      while ((await appendWaiting(db)) > 0);
    }
  }

  describe('of which the oldest entries have expired', () => {
    beforeEach(() => unlocked('truncate audit_entry'));

    test('continues, and keeps the newest one', async () => {
      await recordOldEntries([401], 4);
      const { head } = (await verifyAudit(db)) as { head: { position: number; hash: string } };
      expect(await deleteExpiredAudit(db, 400, 2)).toBe(2);
      expect(await verifyAudit(db, head)).toEqual({ isIntact: true, first: 3, head });
      expect(await deleteExpiredAudit(db, 400, 100)).toBe(1);
      await recordAudit(db, event('five'));
      await appendWaiting(db);
      expect(await verifyAudit(db, head)).toMatchObject({
        isIntact: true,
        first: 4,
        head: { position: 5 },
      });
    });

    test('has no gap where entries were appended in a different order than they were recorded', async () => {
      for (const ago of [402, 399, 401, 1]) await recordOldEntries([ago]);
      expect(await deleteExpiredAudit(db, 400, 100)).toBe(1);
      expect(await verifyAudit(db)).toMatchObject({ isIntact: true, first: 2 });
    });

    test('is intact while they are deleted', async () => {
      await recordOldEntries([401], 2200);
      await recordOldEntries([1]);
      const sweep = () => deleteExpiredAudit(db, 400, 2100);
      expect(await verifyAudit(meanwhile(db, sweep))).toMatchObject({
        isIntact: true,
        head: { position: 2201 },
      });
      expect(await verifyAudit(db)).toMatchObject({ isIntact: true, first: 2101 });
    });

    test('is compared with an earlier head as long as that is in the trail or right before it', async () => {
      await recordOldEntries([401], 2);
      const { head } = (await verifyAudit(db)) as { head: { position: number; hash: string } };
      await recordOldEntries([401, 1]);
      expect(await deleteExpiredAudit(db, 400, 2)).toBe(2);
      expect(await verifyAudit(db, head)).toMatchObject({ isIntact: true, first: 3 });
      const other = { ...head, hash: '0'.repeat(64) };
      expect(await verifyAudit(db, other)).toEqual({ isIntact: false, position: 3 });
      expect(await deleteExpiredAudit(db, 400, 1)).toBe(1);
      expect(await verifyAudit(db, head)).toMatchObject({ isIntact: null, first: 4 });
    });
  });
});

describe('a portal', async () => {
  const { portal, anna, slave } = await startJourney('kessv2');
  const { db } = portal.platform;
  /** The entries about one thing, once all that was recorded is in the chain. */
  async function entriesOf(guid: string): Promise<readonly ChainedEntry['entry'][]> {
    while ((await appendWaiting(db)) > 0);
    const all = await listAll(db);
    return all
      .map(({ entry }) => entry)
      .filter(({ object }) => JSON.stringify(object).includes(guid));
  }
  /**
   * The entries about one thing once there are `count`, by actor and action. A worker can finish before the entry of
   * the upload is written, and the entry of a download is written while the bytes are sent.
   */
  async function sortedEntriesOf(guid: string, count: number) {
    await expect.poll(() => entriesOf(guid)).toHaveLength(count);
    const place = ({ actor, action }: ChainedEntry['entry']) => `${actor.kind} ${action}`;
    return (await entriesOf(guid)).toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  }
  /** The newest entries, oldest first. */
  async function newestEntries(count: number): Promise<readonly ChainedEntry['entry'][]> {
    while ((await appendWaiting(db)) > 0);
    return (await listAll(db)).slice(-count).map(({ entry }) => entry);
  }
  const countEntries = async (): Promise<number> => (await newestEntries(Infinity)).length;
  const user = { kind: 'user', guid: expect.any(String), name: 'anna@demo.test' };

  test('records a decode from the upload to the download, with who and from where', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 1, 64 * 1024);
    const result = await decode(anna, sealImage(slave, 9000, image), 'Giulia of Mr Rossi.tfc');
    const url = new URL(result.decodedFileURL ?? '', portal.url);
    await anna.get(url.href);
    // only with the ticket
    await (await fetch(url)).bytes();
    const [, fileGuid = ''] = /\/api\/files\/([^?]+)/.exec(result.decodedFileURL ?? '') ?? [];
    expect(await sortedEntriesOf(result.kessv2SlotGUID, 2)).toMatchObject([
      { actor: user, action: 'kessv2.uploadReadFile', from: '127.0.0.1', outcome: 'done' },
      { actor: { kind: 'worker' }, action: 'KESSv2Decode ended', outcome: 'done' },
    ]);
    const organisation = await findOrganisationByCode(db, 'CC-1001');
    const download = { organisation, action: 'slots.downloadFile', from: '127.0.0.1' };
    expect(await sortedEntriesOf(fileGuid, 2)).toMatchObject([
      { ...download, actor: { kind: 'anyone' }, outcome: 'done' },
      { ...download, actor: user, outcome: 'done' },
    ]);
    const all = JSON.stringify(await listAll(db));
    expect(all).not.toMatch(/Rossi|ZAR93900001234567/);
    expect(all).not.toContain(anna.sessionId);
  });

  test('records what a program downloads through the Encoding API', async () => {
    const { client: program } = await portal.addClient();
    const image = generateImage(protocolOf(9000), 'obd', 2, 64 * 1024);
    const { decodedFileURL, kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, image));
    const [, file = ''] = /\/api\/files\/([^?]+)/.exec(decodedFileURL ?? '') ?? [];
    const slot = `/encoding-api/api/kessv2/file-slots/${kessv2SlotGUID}`;
    expect((await program.get(`${slot}/files/${file}`)).status).toBe(200);
    expect((await program.get(`${slot}/files?fileType=Decoded`)).status).toBe(200);
    const download = { actor: { kind: 'client' }, outcome: 'done' };
    const entries = await sortedEntriesOf(kessv2SlotGUID, 4);
    expect(entries.slice(0, 2)).toMatchObject([
      {
        ...download,
        action: 'kessv2.findFile',
        object: { slot: kessv2SlotGUID, fileType: 'Decoded' },
      },
      { ...download, action: 'kessv2.getFile', object: { slot: kessv2SlotGUID, fileGUID: file } },
    ]);
  });

  test('records what was refused, with its code', async () => {
    const guid = '01900000-0000-7000-8000-00000000beef';
    expect((await anna.get(`/api/files/${guid}`)).status).toBe(404);
    expect(await entriesOf(guid)).toMatchObject([
      {
        actor: user,
        action: 'slots.downloadFile',
        object: { fileGUID: guid },
        outcome: 'NOT_FOUND',
      },
    ]);
  });

  test('records a part of many refused calls of one user, and how many others there were', async () => {
    const refuse = (digits: string) => luca.get(`/api/files/${nobody}${digits}`);
    const luca = await portal.signIn('luca@demo.test');
    const nobody = '01900000-0000-7000-8000-0000bead';
    for (let at = 0; at < 40; at += 1) await refuse(String(at).padStart(4, '0'));
    const entries = await entriesOf(nobody);
    expect(entries.length).toBeGreaterThanOrEqual(30);
    const counted = entries.map(({ object }) => Number(object?.['unrecordedRefusals'] ?? 0));
    // on a slow machine, a minute may pass meanwhile
    expect(entries.length + counted.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(40);
    expect(entries.length).toBeLessThan(40);
  });

  test('does not record unknown callers', async () => {
    const guid = '01900000-0000-7000-8000-00000000dead';
    const answer = await fetch(
      `${portal.url}/api/files/${guid}?ticket=${randomBytes(9).toString('hex')}`,
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await entriesOf(guid)).toEqual([]);
  });

  test('records a client application that calls from a network that is not allowed', async () => {
    const organisationId = await findOrganisationByCode(db, 'CC-1001');
    if (organisationId === null) throw new Error('there is no CC-1001');
    const { clientApplicationGUID, secretKey } = await addClient(portal.platform, {
      organisationId,
      name: 'Back office',
      allowedNetworks: ['192.0.2.0/24'],
      expiresOn: null,
    });
    const path = '/api/access-tokens/request';
    const answer = await anna.post(path, { clientApplicationGUID, secretKey });
    expect(answer.text).toBe('IP_NOT_ALLOWED');
    expect(await entriesOf(clientApplicationGUID)).toMatchObject([
      {
        actor: { kind: 'anyone' },
        action: 'clients.requestAccessToken',
        from: '127.0.0.1',
        outcome: 'IP_NOT_ALLOWED',
      },
    ]);
    expect(JSON.stringify(await listAll(db))).not.toContain(secretKey);
  });

  test('does not record refused calls of strangers, however many they send', async () => {
    const before = await countEntries();
    const ask = (body: unknown) =>
      fetch(`${portal.url}/api/access-tokens/request`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const guid = '01900000-0000-7000-8000-00000000cafe';
    expect((await ask({ madeUp: guid })).status).toBe(400);
    expect((await ask({ clientApplicationGUID: guid, secretKey: guid })).status).toBe(403);
    const statuses = await Promise.all(
      Array.from({ length: 125 }, async () => (await ask({})).status),
    );
    expect(statuses).toContain(429);
    expect(await countEntries()).toBe(before);
  });

  test('records a parameter that the database cannot store, and only the beginning of a long one', async () => {
    expect((await anna.get(`/api/files/%00${'x'.repeat(900)}`)).status).toBe(404);
    const [entry] = await newestEntries(1);
    expect(entry).toMatchObject({
      actor: user,
      action: 'slots.downloadFile',
      outcome: 'NOT_FOUND',
    });
    expect(entry?.object).toEqual({ fileGUID: `\ufffd${'x'.repeat(99)}` });
  });

  test('does not record a download if only the headers were requested', async () => {
    const before = await countEntries();
    expect((await anna.call('HEAD', '/api/operations-log/kess3')).status).toBe(200);
    expect(await countEntries()).toBe(before);
  });

  test('records which settings were changed, without their values', async () => {
    const { json } = await anna.get('/api/preferences/');
    const answer = await anna.call('PUT', '/api/preferences/', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    expect(answer.status).toBe(200);
    while ((await appendWaiting(db)) > 0);
    const entries = await listAll(db, { action: 'preferences.' });
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      { actor: user, object: { fields: ['organisationPreferences'] }, outcome: 'done' },
    ]);
  });

  test('does not record the contents of an invalid body', async () => {
    const guid = '01900000-0000-7000-8000-00000000fade';
    const members = Array.from({ length: 1000 }, (_, at) => [`member ${at}`, guid]);
    const answer = await anna.call('PUT', '/api/preferences/', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(members)),
    });
    expect(answer.status).toBe(400);
    const [entry] = await newestEntries(1);
    expect(entry).toMatchObject({ action: 'preferences.putPreferences', outcome: 'BAD_REQUEST' });
    expect(entry?.object).toEqual({});
  });
});

test('every call that changes something or returns a file is recorded, except those that only record what was seen', () => {
  const silent = [...routes]
    .filter(
      ([, route]) =>
        !isRecorded(route) && (route.verb !== 'GET' || route.parts.answer.kind === 'file'),
    )
    .map(([name]) => name);
  expect(silent.toSorted()).toEqual([
    'directory.previewDirectory',
    'notifications.markAsInteractedByReceiver',
    'notifications.markAsInteractedBySender',
    'notifications.markAsReadByReceiver',
    'notifications.markAsReadBySender',
    'receipts.checkReceipt',
    'receipts.downloadReceipt',
    'session.getLogo',
    'session.validateSsoToken',
    'setup.draftSetupPasskey',
    'setup.setUp',
    'setup.testSetupEmail',
    'share.shareDownload',
    'slots.cancelUpload',
    'slots.putEncodeDraft',
    'slots.refreshFileURL',
    'trays.createTrayTicket',
  ]);
});
