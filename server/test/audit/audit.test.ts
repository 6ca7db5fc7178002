/** The audit trail: what is recorded of a real portal's calls, and that a changed, removed or inserted entry shows. */
import { randomBytes } from 'node:crypto';
import { generateImage } from '@recodery/codec/images/images';
import { routes } from '@recodery/contract/routes';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  appendWaiting,
  type AuditEvent,
  type AuditFilter,
  type ChainedEntry,
  deleteExpiredAudit,
  listAudit,
  recordAudit,
  verifyAudit,
} from '../../src/audit/audit.ts';
import { isRecorded } from '../../src/http/audit-requests.ts';
import type { Db } from '../../src/postgres/schema.ts';
import { createTestDatabase } from '../fixtures/test-database.ts';
import { decode, protocolOf, sealImage } from '../journeys/kessv2-workflow.ts';
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
    [
      'was given a hash of its own',
      `update audit_entry set hash = sha256('x') where position = 3`,
      3,
    ],
  ])('shows an entry that %s', async (_, change, position) => {
    await unlocked(change);
    expect(await verifyAudit(db)).toEqual({ isIntact: false, position });
  });

  test('shows with an earlier head that its end was removed, or that it was written anew', async () => {
    const { head } = (await verifyAudit(db)) as { head: { position: number; hash: string } };
    await unlocked('delete from audit_entry where position > 2');
    expect(await verifyAudit(db)).toMatchObject({ isIntact: true });
    expect(await verifyAudit(db, head)).toEqual({ isIntact: false, position: 3 });
    for (const action of ['other', 'another']) await recordAudit(db, event(action));
    await appendWaiting(db);
    expect(await verifyAudit(db)).toMatchObject({ isIntact: true });
    expect(await verifyAudit(db, head)).toEqual({ isIntact: false, position: 4 });
  });

  test('continues after its oldest entries have expired, and keeps the newest one', async () => {
    const { head } = (await verifyAudit(db)) as { head: { position: number; hash: string } };
    await unlocked("update audit_entry set recorded_on = recorded_on - interval '401 days'");
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
  const user = { kind: 'user', guid: expect.any(String), name: 'anna@demo.test' };

  test('records a decode from the upload to the download, with who and from where', async () => {
    const image = generateImage(protocolOf(9000), 'obd', 1, 64 * 1024);
    const result = await decode(anna, sealImage(slave, 9000, image), 'Giulia of Mr Rossi.tfc');
    await anna.get(result.decodedFileURL ?? '');
    const [, fileGuid = ''] = /\/api\/files\/([^?]+)/.exec(result.decodedFileURL ?? '') ?? [];
    expect(await entriesOf(result.kessv2SlotGUID)).toMatchObject([
      { actor: user, action: 'kessv2.uploadReadFile', from: '127.0.0.1', outcome: 'done' },
      { actor: { kind: 'worker' }, action: 'KESSv2Decode ended', outcome: 'done' },
    ]);
    expect(await entriesOf(fileGuid)).toMatchObject([
      { actor: user, action: 'slots.downloadFile', from: '127.0.0.1', outcome: 'done' },
    ]);
    const all = JSON.stringify(await listAll(db));
    expect(all).not.toMatch(/Rossi|ZAR93900001234567/);
    expect(all).not.toContain(anna.sessionId);
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

  test('records nothing of callers that it does not know', async () => {
    const guid = '01900000-0000-7000-8000-00000000dead';
    const answer = await fetch(
      `${portal.url}/api/files/${guid}?ticket=${randomBytes(9).toString('hex')}`,
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await entriesOf(guid)).toEqual([]);
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
      { actor: user, object: { fields: Object.keys(json as object) }, outcome: 'done' },
    ]);
  });
});

test('every call that changes something or gives a file is recorded, except those that only note what was seen', () => {
  const silent = [...routes]
    .filter(
      ([, route]) =>
        !isRecorded(route) && (route.verb !== 'GET' || route.parts.answer.kind === 'file'),
    )
    .map(([name]) => name);
  expect(silent.toSorted()).toEqual([
    'notifications.markAsInteractedByReceiver',
    'notifications.markAsInteractedBySender',
    'notifications.markAsReadByReceiver',
    'notifications.markAsReadBySender',
    'session.getLogo',
    'session.validateSsoToken',
    'share.shareDownload',
    'slots.putEncodeDraft',
    'slots.refreshFileURL',
  ]);
});
