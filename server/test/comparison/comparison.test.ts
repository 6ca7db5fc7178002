/**
 * Two images of an organisation are compared, by region and by area; windows of bytes; sealed and foreign files are
 * refused.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionHeader } from '@recodery/contract/headers';
import type { Route } from '@recodery/contract/api';
import {
  compareFiles,
  comparison,
  listComparable,
  readBytes,
} from '@recodery/contract/features/comparison';
import type { ComponentName } from '@recodery/contract/families/family';
import type { AuditEvent } from '../../src/audit/audit.ts';
import { serveComparisons } from '../../src/comparison/comparison-routes.ts';
import { newGuid } from '../../src/config/guids.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { slotInsert, slotDescription } from '../../src/slots/slots.ts';
import { type FileRole, insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import { type VerifiedStorage, verifyReads } from '../../src/storage/verified-storage.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import { openTestServer, type TestServer } from '../http/test-server.ts';

const ours = mintOrganisationId(newGuid());
const theirs = mintOrganisationId(newGuid());
const slotGuid = newGuid();
const image = randomBytes(0x80000);

let platform: TestPlatform;
let storage: VerifiedStorage;
let folder: string;
const recorded: AuditEvent[] = [];
let url: string;
let server: TestServer;

/** The image with different bytes at these offsets. */
function changed(...places: readonly (readonly [at: number, length: number])[]): Buffer {
  const copy = Buffer.from(image);
  for (const [at, length] of places)
    for (let index = at; index < at + length; index += 1) copy[index] = (copy[index] ?? 0) ^ 0xff;
  return copy;
}

async function store(
  bytes: Uint8Array,
  role: FileRole = 'modified',
  component: ComponentName | null = 'obd',
): Promise<string> {
  const guid = newGuid();
  const storageKey = `test/${guid}`;
  const { size, sha256 } = await storage.put(
    storageKey,
    (async function* () {
      yield bytes;
    })(),
  );
  await insertStoredFiles(platform.db, [
    {
      ...{ guid, organisationId: ours, slotGuid, role, component, name: `${role}.bin` },
      ...{ size, sha256, storageKey, retentionDays: 30 },
    },
  ]);
  return guid;
}

beforeAll(async () => {
  platform = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'recodery-comparison-'));
  storage = verifyReads(await openFileStorage(folder));
  const { db } = platform;
  for (const [guid, customerCode] of [
    [ours, 'CC-1'],
    [theirs, 'CC-2'],
  ] as const) {
    const row = { guid, customer_code: customerCode, name: customerCode };
    await db.insertInto('organisation').values(row).execute();
  }
  await slotInsert(db, {
    ...{ guid: slotGuid, organisationId: ours, accountGuid: null, clientGuid: null },
    ...{ family: 'kessv2', workflow: 'kessv2', groupCode: 'G-1', readFileName: 'read.slv' },
    ...{ masterDeviceGuid: null, connectionGuid: null },
  }).execute();
  await slotDescription(db, ours, slotGuid, {
    ...{ masterDeviceGuid: null, slaveDeviceGuid: null, slaveSerialNumber: null },
    ...{ slaveOwnerGuid: null, keyId: null, mode: 'obd', protocolId: 1001, vin: null, facts: {} },
    isDouble: false,
  }).execute();
  server = await openTestServer({
    routes: new Map(
      Object.entries({ compareFiles, listComparable, readBytes }).map(
        ([name, route]): [string, Route] => [`comparison.${name}`, route],
      ),
    ),
    serve: (router) => serveComparisons(router, { db, storage }),
    recorded,
  });
  ({ url } = server);
});
afterAll(async () => {
  await server.close();
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

async function get(path: string, organisation: string = ours): Promise<Response> {
  return fetch(`${url}/api/files/${path}`, { headers: { [sessionHeader]: organisation } });
}

async function compare(before: string, after: string, query = '') {
  const response = await get(`${before}/comparison/${after}${query}`);
  expect(response.status).toBe(200);
  return comparison.parse(await response.json());
}

async function windowOf(guid: string, query: string) {
  const response = await get(`${guid}/bytes${query}`);
  expect(response.status).toBe(200);
  const { from, size, data } = readBytes.parts.answer.schema.parse(await response.json());
  return { from, size, bytes: Buffer.from(data, 'base64') };
}

describe('a comparison of two images', () => {
  // promise c1.map.regions
  test('lists each region with its offset, its length and the kinds of its areas', async () => {
    const before = await store(image, 'decoded');
    const after = await store(
      changed([0x100, 4], [0x10000, 1], [0x4fffe, 4], [0x60010, 2], [0x60100, 2], [0x70000, 1]),
    );
    const found = await compare(before, after);
    expect(found.regions).toEqual([
      { offset: 0x100, length: 4, bytes: 4, kinds: ['protected'] },
      { offset: 0x10000, length: 1, bytes: 1, kinds: ['code'] },
      { offset: 0x4fffe, length: 4, bytes: 4, kinds: ['code', 'calibration'] },
      { offset: 0x60010, length: 2, bytes: 2, kinds: ['identification'] },
      { offset: 0x60100, length: 2, bytes: 2, kinds: ['checksum'] },
      { offset: 0x70000, length: 1, bytes: 1, kinds: [] },
    ]);
    expect(found).toMatchObject({ size: 0x80000, bytes: 14, regionCount: 6, first: 0 });
    expect(found.fraction).toBeCloseTo(14 / 0x80000, 12);
    expect(found.bytesByKind).toEqual([
      { kind: 'protected', bytes: 4 },
      { kind: 'code', bytes: 3 },
      { kind: 'calibration', bytes: 2 },
      { kind: 'identification', bytes: 2 },
      { kind: 'checksum', bytes: 2 },
      { kind: null, bytes: 1 },
    ]);
    expect(found.before).toMatchObject({ fileGUID: before, role: 'decoded', size: 0x80000 });
    expect(found.after).toMatchObject({ fileGUID: after, role: 'modified', name: 'modified.bin' });
  });

  // promise c1.map.overview
  test('counts the changed bytes in each cell of the overview', async () => {
    const found = await compare(await store(image), await store(changed([255, 2], [0x7ffff, 1])));
    const { cellBytes, cells } = found.overview;
    expect(cellBytes).toBe(256);
    expect(cells).toHaveLength(0x80000 / 256);
    expect([cells[0], cells[1], cells.at(-1)]).toEqual([1, 1, 1]);
    expect(cells.reduce((sum, bytes) => sum + bytes, 0)).toBe(3);
  });

  test('finds nothing in equal images, and in an image and itself', async () => {
    const before = await store(image);
    const none = { bytes: 0, fraction: 0, regionCount: 0, regions: [], bytesByKind: [] };
    expect(await compare(before, await store(image))).toMatchObject(none);
    expect(await compare(before, before)).toMatchObject(none);
  });

  // promise c1.map.sizes
  test('counts the bytes that only one image has as changed, and returns both sizes', async () => {
    const before = await store(image);
    const after = await store(changed([10, 1]).subarray(0, 0x70000));
    for (const found of [await compare(before, after), await compare(after, before)]) {
      expect(found).toMatchObject({ size: 0x80000, bytes: 0x10001, regionCount: 2 });
      expect(found.regions[1]).toMatchObject({ offset: 0x70000, length: 0x10000 });
      expect([found.before.size, found.after.size].toSorted((a, b) => a - b)).toEqual([
        0x70000, 0x80000,
      ]);
    }
  });

  // promise c1.map.pages
  test('returns many regions in pages, by number or by offset', async () => {
    const places = Array.from({ length: 1500 }, (_, index): [number, number] => [index * 100, 2]);
    const before = await store(image);
    const after = await store(changed(...places));
    const whole = await compare(before, after);
    expect(whole).toMatchObject({ regionCount: 1500, bytes: 3000, first: 0 });
    expect(whole.regions).toHaveLength(500);
    expect((await compare(before, after, '?count=9999')).regions).toHaveLength(1000);
    const page = await compare(before, after, '?first=1400&count=200');
    expect(page).toMatchObject({ first: 1400, regionCount: 1500, bytes: 3000 });
    expect(page.regions.map(({ offset }) => offset)).toEqual(
      places.slice(1400).map(([offset]) => offset),
    );
    // 701 is in the region that begins at 700, 702 is after it
    for (const [at, first] of [
      [0, 0],
      [701, 7],
      [702, 8],
      [0x7ffff, 1500],
    ]) {
      const found = await compare(before, after, `?at=${at}&count=1`);
      expect(found.first).toBe(first);
      expect(found.regions).toEqual(first === 1500 ? [] : [whole.regions[first ?? 0]]);
    }
  });

  test('returns no areas for a component that the protocol does not have', async () => {
    const before = await store(image, 'decoded', 'flash');
    const found = await compare(before, await store(changed([0, 1]), 'modified', 'flash'));
    expect(found).toMatchObject({ areas: [], bytesByKind: [{ kind: null, bytes: 1 }] });
  });
});

describe('a window of bytes', () => {
  // promise c1.bytes.window
  test('contains the requested bytes, fewer at the end, and none beyond it', async () => {
    const guid = await store(image);
    expect(await windowOf(guid, '?from=1000&count=16')).toEqual({
      from: 1000,
      size: image.length,
      bytes: image.subarray(1000, 1016),
    });
    expect((await windowOf(guid, `?from=${image.length - 3}&count=16`)).bytes).toHaveLength(3);
    expect((await windowOf(guid, '?from=9999999&count=16')).bytes).toHaveLength(0);
  });

  // promise c1.bytes.bound
  test('has at most 64 KiB', async () => {
    const guid = await store(image);
    expect((await windowOf(guid, '')).bytes).toHaveLength(4096);
    expect((await windowOf(guid, '?count=9999999')).bytes).toHaveLength(65_536);
    for (const query of ['?from=-1', '?from=1e3', '?count=x', '?count=12345678901'])
      expect((await get(`${guid}/bytes${query}`)).status).toBe(400);
  });
});

// promise c1.bytes.recorded
test('records that someone reads a file in windows, once for each file and caller', async () => {
  const [one, other] = [await store(image), await store(image)];
  recorded.length = 0;
  // it downloads nothing, and does not count for the windows that follow
  const headers = { [sessionHeader]: ours };
  await fetch(`${url}/api/files/${one}/bytes`, { method: 'HEAD', headers });
  for (const from of [0, 100, 200]) await windowOf(one, `?from=${from}`);
  await windowOf(other, '');
  await windowOf(one, '');
  expect((await get(`${one}/bytes`, theirs)).status).toBe(404);
  expect((await get(`${one}/bytes`, theirs)).status).toBe(404);
  expect(recorded.map(({ action, object, outcome }) => ({ action, object, outcome }))).toEqual(
    [
      [one, 'done'],
      [other, 'done'],
      // every refused attempt
      [one, 'NOT_FOUND'],
      [one, 'NOT_FOUND'],
    ].map(([fileGUID, outcome]) => ({
      action: 'comparison.readBytes',
      object: { fileGUID },
      outcome,
    })),
  );
});

// promise c1.rights.own
test('refuses sealed files, and does not find files of other organisations', async () => {
  const own = await store(image, 'decoded');
  for (const role of ['read', 'id', 'encoded'] as const) {
    const sealed = await store(image, role, null);
    for (const path of [
      `${own}/comparison/${sealed}`,
      `${sealed}/comparison/${own}`,
      `${sealed}/bytes`,
    ]) {
      const response = await get(path);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('OPERATION_NOT_POSSIBLE');
      expect((await get(path, theirs)).status).toBe(404);
    }
  }
  for (const path of [`${own}/comparison/${own}`, `${own}/bytes`])
    expect((await get(path, theirs)).status).toBe(404);
});

// promise d8.storage.verified
test('refuses a file whose bytes are missing or have changed', async () => {
  const own = await store(image);
  const [lost, changed] = [await store(image), await store(image)];
  await storage.delete(`test/${lost}`);
  const other = Uint8Array.from(image, (byte, at) => (at === image.length - 1 ? byte ^ 1 : byte));
  await storage.put(`test/${changed}`, Readable.from([other]));
  for (const damaged of [lost, changed])
    for (const path of [`${own}/comparison/${damaged}`, `${damaged}/bytes?from=0&count=16`]) {
      const answer = await get(path);
      expect([answer.status, await answer.text()], path).toEqual([410, 'FILE_DAMAGED']);
    }
});
