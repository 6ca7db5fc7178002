/** Files can be downloaded with a ticket or a session, only by their organisation, completely or in ranges. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '@recodery/contract/api';
import { sessionHeader } from '@recodery/contract/headers';
import { downloadFile, refreshFileURL } from '@recodery/contract/features/slots';
import { sql } from 'kysely';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { newGuid } from '../../src/config/guids.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import { type VerifiedStorage, verifyReads } from '../../src/storage/verified-storage.ts';
import { serveFiles } from '../../src/slots/files/files-routes.ts';
import { findSlot, slotInsert } from '../../src/slots/slots.ts';
import {
  deleteStoredFile,
  findStoredFile,
  insertStoredFiles,
  listStoredFiles,
} from '../../src/slots/files/stored-files.ts';
import { readStorageUse } from '../../src/organisations/storage-quota.ts';
import { createTickets, type Tickets } from '../../src/slots/sending/tickets.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { callerOf, openTestServer, type TestServer } from '../http/test-server.ts';

const bytes = randomBytes(100_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const ours = mintOrganisationId(newGuid());
const theirs = mintOrganisationId(newGuid());
const slotGuid = newGuid();
const fileGuid = newGuid();
const hour = 3_600_000;

let platform: TestPlatform;
let storage: VerifiedStorage;
let tickets: Tickets;
let folder: string;
let url: string;
let server: TestServer;
const start = Date.now();
let later = 0;
let log: readonly string[];

beforeAll(async () => {
  platform = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'recodery-slots-'));
  storage = verifyReads(await openFileStorage(folder));
  tickets = createTickets({
    secrets: platform.secrets,
    // a fixed time: on a slow machine, seconds can pass between two requests
    clock: { now: () => new Date(start + later) },
  });
  const { db } = platform;
  for (const [guid, customerCode] of [
    [ours, 'CC-1'],
    [theirs, 'CC-2'],
  ] as const) {
    const row = { guid, customer_code: customerCode, name: customerCode };
    await db.insertInto('organisation').values(row).execute();
  }
  await slotInsert(db, {
    guid: slotGuid,
    organisationId: ours,
    accountGuid: null,
    clientGuid: null,
    family: 'kessv2',
    workflow: 'kessv2',
    groupCode: 'G-1',
    readFileName: 'read.slv',
    masterDeviceGuid: null,
    connectionGuid: null,
  }).execute();
  await store(fileGuid, 'Öl "1".bin');
  const deps = { db, storage, tickets, findSharer: async () => null, noteReceived: async () => {} };
  server = await openTestServer({
    routes: new Map<string, Route>(Object.entries({ downloadFile, refreshFileURL })),
    serve: (router) => serveFiles(router, deps),
  });
  ({ url, log } = server);
});
afterAll(async () => {
  await server.close();
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

async function store(guid: string, name: string, retentionDays = 30): Promise<void> {
  const storageKey = `test/${guid}`;
  await storage.put(
    storageKey,
    (async function* () {
      yield bytes;
    })(),
  );
  await insertStoredFiles(platform.db, [
    {
      guid,
      organisationId: ours,
      slotGuid,
      role: 'read',
      component: null,
      name,
      size: bytes.length,
      sha256,
      storageKey,
      retentionDays,
    },
  ]);
}
const download = (headers: Record<string, string> = {}, guid = fileGuid, query = '') =>
  fetch(`${url}/api/files/${guid}${query}`, { headers });
const asOurs = { [sessionHeader]: ours };
const asTheirs = { [sessionHeader]: theirs };
const read = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('a download', () => {
  // promise d6.files.attachment
  test('returns the complete file, as an attachment with its name and checksum', async () => {
    const answer = await download(asOurs);
    expect(answer.status).toBe(200);
    expect((await read(answer)).equals(bytes)).toBe(true);
    expect(answer.headers.get('x-content-sha256')).toBe(sha256);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="?l \\"1\\".bin"; filename*=UTF-8''%C3%96l%20%221%22.bin`,
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^sandbox;.*frame-ancestors 'none'/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  // promise d6.files.ranges
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-10', 99_990, 100_000],
    ['bytes=99990-200000', 99_990, 100_000],
    ['bytes=-200000', 0, 100_000],
  ])('returns the range %s', async (range, from, to) => {
    const answer = await download({ ...asOurs, range });
    expect(answer.status).toBe(206);
    expect((await read(answer)).equals(bytes.subarray(from, to))).toBe(true);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/100000`);
  });

  test.each(['bytes=5-1', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    'returns the complete file for %s',
    async (range) => {
      const answer = await download({ ...asOurs, range });
      expect(answer.status).toBe(200);
      expect((await read(answer)).length).toBe(bytes.length);
    },
  );

  test.each(['bytes=100000-', 'bytes=-0', 'bytes=999999-1000000'])(
    'reports that %s is beyond its end',
    async (range) => {
      const answer = await download({ ...asOurs, range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get('content-range')).toBe('bytes */100000');
    },
  );

  test('continues only with the very same file', async () => {
    const range = 'bytes=50000-';
    const same = await download({ ...asOurs, range, 'if-range': `"${sha256}"` });
    expect(same.status).toBe(206);
    const other = await download({ ...asOurs, range, 'if-range': '"another"' });
    expect(other.status).toBe(200);
    expect((await read(other)).length).toBe(bytes.length);
  });

  // promise d6.files.etag
  test('is not repeated for a client that has it', async () => {
    const answer = await download({ ...asOurs, 'if-none-match': `"x", W/"${sha256}"` });
    expect(answer.status).toBe(304);
    expect((await read(answer)).length).toBe(0);
  });

  test('returns only its headers if they are all that is requested', async () => {
    const answer = await fetch(`${url}/api/files/${fileGuid}`, { method: 'HEAD', headers: asOurs });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(answer.headers.get('x-content-sha256')).toBe(sha256);
  });
});

describe('a ticket', () => {
  const mint = (guid = fileGuid, organisation = ours) =>
    tickets.mintFileURL(bearerOf(organisation), guid);
  const use = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers });

  // promise d6.files.ticket-hour
  test('opens its file without a session, for an hour', async () => {
    const path = await mint();
    expect((await read(await use(path))).equals(bytes)).toBe(true);
    later = hour - 1000;
    expect((await use(path)).status).toBe(200);
    later = hour + 1000;
    const late = await use(path);
    later = 0;
    expect(late.status).toBe(404);
    expect(await late.text()).toBe('NOT_FOUND');
  });

  // promise d6.files.ticket-bound
  test('is invalid if a single character differs', async () => {
    const path = await mint();
    const [start = '', ticket = ''] = path.split('ticket=');
    for (let at = 0; at < ticket.length; at += 1) {
      const letter =
        ticket[at] === 'A' ? 'B' : ticket[at] === '1' ? '2' : ticket[at] === '.' ? '-' : '1';
      const wrong = `${start}ticket=${ticket.slice(0, at)}${letter}${ticket.slice(at + 1)}`;
      expect((await use(wrong)).status, wrong).toBe(404);
    }
    expect((await use(`${path}=`)).status).toBe(404);
    expect((await use(`${path}.x`)).status).toBe(404);
    expect((await use(path.toUpperCase().replace('/API/FILES', '/api/files'))).status).not.toBe(
      200,
    );
  });

  // promise d6.files.ticket-bound
  test('opens neither another file, nor the same one for another organisation', async () => {
    const other = newGuid();
    await store(other, 'other.bin');
    const ticket = (await mint()).split('?')[1];
    expect((await use(`/api/files/${other}?${ticket}`)).status).toBe(404);
    expect((await use(await mint(fileGuid, theirs))).status).toBe(404);
  });

  test('for the zip of a slot opens no file', async () => {
    const zip = await tickets.mintZipURL(bearerOf(ours), 'ktag', fileGuid);
    const ticket = new URL(zip, url).searchParams.get('ticket');
    expect((await use(`/api/files/${fileGuid}?ticket=${ticket}`)).status).toBe(404);
  });

  test('works without a valid session, and an invalid one does not affect a valid session', async () => {
    expect((await use(await mint(), { [sessionHeader]: 'dead' })).status).toBe(200);
    expect((await download(asOurs, fileGuid, '?ticket=rubbish')).status).toBe(200);
  });

  test('is invalid after its key was retired', async () => {
    const path = await mint();
    const { keyId } = await platform.secrets.getCurrentKey('ticket');
    await platform.secrets.createKey('ticket');
    expect((await use(path)).status).toBe(200);
    await platform.secrets.retireKey('ticket', keyId);
    expect((await use(path)).status).toBe(404);
  });

  // promise d6.files.fresh
  test('is renewed for its organisation only', async () => {
    const ask = (headers: Record<string, string>, guid = fileGuid) =>
      fetch(`${url}/api/files/${guid}/ticket`, { method: 'POST', headers });
    const fresh = (await (await ask(asOurs)).json()) as { url: string };
    expect((await use(fresh.url)).status).toBe(200);
    expect((await ask(asTheirs)).status).toBe(404);
    expect((await ask({})).status).toBe(401);
    expect((await ask(asOurs, newGuid())).status).toBe(404);
  });
});

describe('a caller without access to a file', () => {
  test.each([
    ['without session and ticket must sign in', {}, 401, 'API_ERROR_UNAUTHORIZED'],
    [
      'with an ended session must sign in',
      { [sessionHeader]: 'dead' },
      401,
      'API_ERROR_UNAUTHORIZED',
    ],
    ['of another organisation finds nothing', asTheirs, 404, 'NOT_FOUND'],
    [
      'without access to the portal is refused',
      { ...asOurs, 'x-nora': 'yes' },
      403,
      'USER_NO_RIGHTS',
    ],
  ])('%s', async (_who, headers, status, code) => {
    const answer = await download(headers);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(code);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  // promise 8.http.404-download
  test('does not find a file that was deleted or has expired', async () => {
    const [deleted, expired] = [newGuid(), newGuid()];
    await store(deleted, 'deleted.bin');
    await deleteStoredFile(platform.db, ours, deleted);
    await store(expired, 'expired.bin', 0);
    for (const guid of [deleted, expired]) {
      const answer = await download(asOurs, guid);
      expect(await answer.text()).toBe('NOT_FOUND');
      expect(answer.headers.get('content-disposition')).toBeNull();
    }
  });
});

describe('slots and files', () => {
  test('of another organisation are not found', async () => {
    const { db } = platform;
    expect((await findSlot(db, ours, slotGuid))?.readFileName).toBe('read.slv');
    expect(await findSlot(db, theirs, slotGuid)).toBeNull();
    expect((await listStoredFiles(db, ours, slotGuid)).map(({ guid }) => guid)).toContain(fileGuid);
    expect(await findStoredFile(db, theirs, fileGuid)).toBeNull();
    expect(await listStoredFiles(db, theirs, slotGuid)).toEqual([]);
    await deleteStoredFile(db, theirs, fileGuid);
    expect((await findStoredFile(db, ours, fileGuid))?.guid).toBe(fileGuid);
  });

  test('count toward the storage of their organisation until they are deleted', async () => {
    const { db } = platform;
    expect((await readStorageUse(db, theirs)).usedBytes).toBe(0);
    const before = (await readStorageUse(db, ours)).usedBytes;
    const guid = newGuid();
    await store(guid, 'more.bin');
    expect((await readStorageUse(db, ours)).usedBytes).toBe(before + bytes.length);
    await deleteStoredFile(db, ours, guid);
    expect((await readStorageUse(db, ours)).usedBytes).toBe(before);
  });

  test('are kept for as many days as they were given', async () => {
    const guid = newGuid();
    await store(guid, 'ten.bin', 10);
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from expires_on - now()) / 86400 as days from stored_file where guid = ${guid}`.execute(
      platform.db,
    );
    expect(Number(rows[0]?.days)).toBeCloseTo(10, 2);
  });
});

test('the log names who downloads: the account of a session, the organisation of a ticket', async () => {
  const begin = log.length;
  await (await fetch(url + (await tickets.mintFileURL(bearerOf(ours), fileGuid)))).bytes();
  await (
    await fetch(`${url}/api/files/${fileGuid}`, { headers: { [sessionHeader]: ours } })
  ).bytes();
  await expect.poll(() => log.length).toBe(begin + 2);
  const [byTicket, bySession] = log.slice(begin).map((line) => JSON.parse(line));
  expect([byTicket.organisation, byTicket.account]).toEqual([ours, undefined]);
  expect(bySession.account).toBe(callerOf(ours).accountGuid);
});
