/**
 * All components of a slot as one zip: complete, with its length, only for callers with access, and released when the
 * client disconnects.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Route } from '@recodery/contract/api';
import { sessionHeader } from '@recodery/contract/headers';
import type { ComponentName } from '@recodery/contract/families/family';
import { portalRoutes } from '@recodery/contract/family-routes/registry';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { newGuid } from '../../src/config/guids.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import { type VerifiedStorage, verifyReads } from '../../src/storage/verified-storage.ts';
import { sendComponents } from '../../src/slots/sending/send-components.ts';
import { slotInsert } from '../../src/slots/slots.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { createTickets, type Tickets } from '../../src/slots/sending/tickets.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { openTestServer, type TestServer } from '../http/test-server.ts';

const { ktag, kess3 } = portalRoutes;

const ours = mintOrganisationId(newGuid());
const theirs = mintOrganisationId(newGuid());

let platform: TestPlatform;
let storage: VerifiedStorage;
let tickets: Tickets;
let folder: string;
let url: string;
let server: TestServer;
const start = Date.now();
let later = 0;
/** Tests that wait for the next file to be opened in the storage. */
const awaitingFile: ((file: Readable) => void)[] = [];

beforeAll(async () => {
  platform = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'recodery-components-'));
  const files = await openFileStorage(folder);
  storage = verifyReads({
    ...files,
    async get(...question) {
      const stream = await files.get(...question);
      for (const resolve of awaitingFile.splice(0)) resolve(stream);
      return stream;
    },
  });
  // a fixed time: on a slow machine, seconds can pass between two requests
  const clock = { now: () => new Date(start + later) };
  tickets = createTickets({ secrets: platform.secrets, clock });
  const { db } = platform;
  for (const [guid, code] of [
    [ours, 'CC-1'],
    [theirs, 'CC-2'],
  ] as const) {
    await db.insertInto('organisation').values({ guid, customer_code: code, name: code }).execute();
  }
  const deps = { db, storage, tickets };
  server = await openTestServer({
    routes: new Map<string, Route>([
      ['ktag', ktag.downloadAllFiles],
      ['kess3', kess3.downloadAllFiles],
    ]),
    serve(router) {
      router.serve(ktag.downloadAllFiles, (asked) => sendComponents(deps, 'ktag', asked));
      router.serve(kess3.downloadAllFiles, (asked) => sendComponents(deps, 'kess3', asked));
    },
  });
  ({ url } = server);
});
afterAll(async () => {
  await server.close();
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

interface NewFile {
  readonly component: ComponentName;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A decoded slot with these components, and a read file that is not one of them. */
async function makeSlot(components: readonly NewFile[]): Promise<string> {
  const slotGuid = newGuid();
  const slot = {
    organisationId: ours,
    accountGuid: null,
    clientGuid: null,
    family: 'ktag',
  } as const;
  await slotInsert(platform.db, {
    ...slot,
    guid: slotGuid,
    workflow: 'ktag',
    groupCode: 'G-1',
    readFileName: 'read.tfc',
    masterDeviceGuid: null,
    connectionGuid: null,
  }).execute();
  const read = { component: null, name: 'read.tfc', bytes: randomBytes(10) };
  for (const file of [read, ...components]) {
    const guid = newGuid();
    const storageKey = `test/${guid}`;
    const written = await storage.put(storageKey, inOnePiece(file.bytes));
    const role = file.component === null ? 'read' : 'decoded';
    const { component, name } = file;
    const row = {
      guid,
      organisationId: ours,
      slotGuid,
      role,
      component,
      name,
      storageKey,
    } as const;
    await insertStoredFiles(platform.db, [{ ...row, ...written, retentionDays: 30 }]);
  }
  return slotGuid;
}

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes;
}

/** The next file that is opened in the storage. The head of a zip can be sent before its first file is open. */
function nextFile(): Promise<Readable> {
  const { promise, resolve } = Promise.withResolvers<Readable>();
  awaitingFile.push(resolve);
  return promise;
}

/** Resolves when a file is closed, or if it already is. */
async function closed(file: Readable): Promise<void> {
  if (!file.closed) await once(file, 'close');
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(url + path, { headers, method });
}

const own = { [sessionHeader]: ours };
const flash = { component: 'flash', name: 'Größe “1”.fls', bytes: randomBytes(300_000) } as const;
const eeprom = { component: 'eeprom', name: 'x.epr', bytes: randomBytes(512) } as const;

// promise 7.recoding.kess3-zip, d6.files.zip
test('the zip contains only the components, by their names, and its length is known', async () => {
  const slot = await makeSlot([flash, eeprom]);
  const answer = await ask(await tickets.mintZipURL(bearerOf(ours), 'ktag', slot));
  const bytes = await answer.bytes();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bytes.length),
    'content-disposition': 'attachment; filename=components.zip',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  const zip = readZip(bytes);
  expect([...zip.keys()]).toEqual([flash.name, eeprom.name]);
  for (const { name, bytes: expected } of [flash, eeprom]) {
    expect(Buffer.compare(zip.get(name) ?? new Uint8Array(), expected)).toBe(0);
  }
});

test('its head is sent without its bytes, and without keeping a file open', async () => {
  const slot = await makeSlot([flash]);
  const path = `/ktag/slots/${slot}/files/?fileType=All`;
  const whole = await ask(path, own);
  const length = String((await whole.bytes()).length);
  const opening = nextFile();
  const head = await ask(path, own, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, length]);
  const file = await opening;
  await closed(file);
});

// promise d6.files.zip
test('it can be downloaded with a session, with a ticket, and with a ticket next to an ended session', async () => {
  const slot = await makeSlot([eeprom]);
  const byTicket = await tickets.mintZipURL(bearerOf(ours), 'ktag', slot);
  const ways = [
    await ask(`/ktag/slots/${slot}/files/?fileType=All`, own),
    await ask(`/ktag/slots/${slot}/files/`, own),
    await ask(byTicket),
    await ask(byTicket, { [sessionHeader]: 'dead' }),
    await ask(byTicket, { [sessionHeader]: theirs }),
  ];
  expect(ways.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await Promise.all(ways.map((answer) => answer.bytes()));
});

test('no one else can download it', async () => {
  const slot = await makeSlot([eeprom]);
  const path = `/ktag/slots/${slot}/files/?fileType=All`;
  const good = await tickets.mintZipURL(bearerOf(ours), 'ktag', slot);
  const file = (await tickets.mintFileURL(bearerOf(ours), slot)).split('ticket=')[1] ?? '';
  const foreign =
    (await tickets.mintZipURL(bearerOf(theirs), 'ktag', slot)).split('ticket=')[1] ?? '';
  const asked: readonly (readonly [string, Record<string, string>, number])[] = [
    [path, {}, 401],
    [path, { [sessionHeader]: 'dead' }, 401],
    [path, { [sessionHeader]: theirs }, 404],
    [path, { ...own, 'x-nora': '1' }, 403],
    [`${path}&ticket=${file}`, {}, 404],
    [`${path}&ticket=${foreign}`, {}, 404],
    [`${good}x`, {}, 404],
    [good.replace('/ktag/', '/kess3/'), {}, 404],
    [`/ktag/slots/${slot}/files/?fileType=Flash`, own, 404],
    [`/ktag/slots/${newGuid()}/files/`, own, 404],
    ['/ktag/slots/x/files/', own, 404],
  ];
  for (const [at, headers, status] of asked) {
    expect([at, (await ask(at, headers)).status]).toEqual([at, status]);
  }
  later = 3_600_000;
  const late = await ask(good);
  later = 0;
  expect(late.status).toBe(404);
});

test('a slot that is deleted or has no components has no zip', async () => {
  const deleted = await makeSlot([eeprom]);
  await sql`update slot set deleted_on = now() where guid = ${deleted}`.execute(platform.db);
  for (const slot of [deleted, await makeSlot([])]) {
    const answer = await ask(`/ktag/slots/${slot}/files/?fileType=All`, own);
    expect([answer.status, await answer.text()]).toEqual([404, 'NOT_FOUND']);
  }
});

/** Where the EEPROM of a new slot is stored. */
async function storeEeprom() {
  const slot = await makeSlot([flash, eeprom]);
  const files = platform.db.selectFrom('stored_file').where('slot_guid', '=', slot);
  const row = await files.where('component', '=', 'eeprom').select('storage_key').execute();
  return { address: `/ktag/slots/${slot}/files/?fileType=All`, key: row[0]?.storage_key ?? '' };
}

// promise d8.storage.verified, 8.http.410
test.each([
  ['is missing', (key: string) => storage.delete(key)],
  [
    'has another size than its row states',
    (key: string) => storage.put(key, inOnePiece(randomBytes(100))),
  ],
])('a file that %s refuses the zip before anything of it is sent', async (_what, damage) => {
  const { address, key } = await storeEeprom();
  await damage(key);
  const answer = await ask(address, own);
  expect([answer.status, await answer.text()]).toEqual([410, 'FILE_DAMAGED']);
});

test('a file whose bytes have changed interrupts the download, so that it is not mistaken for complete', async () => {
  const { address, key } = await storeEeprom();
  await storage.put(key, inOnePiece(randomBytes(eeprom.bytes.length)));
  const download = ask(address, own).then((answer) => answer.bytes());
  await expect(download).rejects.toThrow();
});

test('an interrupted download closes its current file', async () => {
  // More than a connection buffers while no one reads from it.
  const big = { ...flash, bytes: new Uint8Array(32 * 1024 * 1024) };
  const slot = await makeSlot([big]);
  const opening = nextFile();
  const request = httpGet(url + (await tickets.mintZipURL(bearerOf(ours), 'ktag', slot)));
  const [[answer], file] = await Promise.all([once(request, 'response'), opening]);
  expect([answer.statusCode, file.destroyed]).toEqual([200, false]);
  request.destroy();
  await closed(file);
  expect(file.readableEnded).toBe(false);
});
