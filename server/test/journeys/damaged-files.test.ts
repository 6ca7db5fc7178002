/** A stored file whose bytes have changed is never used: not by an encode, a check or a download, and its name is shown. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileRole } from '../../src/slots/files/stored-files.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { errorOf } from './families/component-workflow.ts';
import { decode, keepImage, protocolOf, sealImage } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let storage: Storage;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  storage = (await openStorage(portal.platform.config)).unverified;
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** A decoded KESSv2 read with a modified image. */
async function prepare() {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = generateImage(protocolOf(1001), 'obd', 1);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 1001, image));
  const modified = tuneImage(protocolOf(1001), 'obd', image, 2);
  const { fileGUID } = await keepImage(anna, 'modified', slot, modified);
  return { slot, modified, fileGUID };
}

/** Changes one byte of a stored file, as a broken disk does. Returns its name. */
async function damage(slot: string, role: FileRole): Promise<string> {
  const file = await portal.platform.db
    .selectFrom('stored_file')
    .select(['name', 'storage_key as key'])
    .where('slot_guid', '=', slot)
    .where('role', '=', role)
    .executeTakeFirstOrThrow();
  const bytes = await buffer(await storage.get(file.key));
  bytes[40_000 % bytes.length] = (bytes[40_000 % bytes.length] ?? 0) ^ 1;
  await storage.put(file.key, Readable.from([bytes]));
  return file.name;
}

/** What matters of the response to a call. */
async function ask(verb: string, path: string, body?: FormData) {
  const headers = { accept: 'application/problem+json' };
  const answer = await anna.call(verb, path, { headers, ...(body ? { body } : {}) });
  const { errorCode, details } = JSON.parse(answer.text) as Record<string, unknown>;
  const unwanted = ['retry-after', 'content-disposition'].filter((name) =>
    answer.headers.has(name),
  );
  return { status: answer.status, errorCode, details, unwanted };
}

const refusalOf = (detail: string) => ({
  status: 410,
  errorCode: 'FILE_DAMAGED',
  details: { detail },
  unwanted: [],
});

// promise d8.storage.verified
test.each(['modified', 'read'] as const)(
  'an encode whose %s file has changed fails and names it, and there is no receipt',
  async (role) => {
    const { slot, fileGUID } = await prepare();
    const name = await damage(slot, role);
    const asked = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const answer = await anna.post('/api/kessv2/encode-file', asked);
    const fault = { errorName: 'FILE_DAMAGED', cause: 'FILE_DAMAGED', detail: name };
    expect(await errorOf(anna, answer)).toMatchObject(fault);
    const receipts = portal.platform.db.selectFrom('receipt').where('slot_guid', '=', slot);
    expect(await receipts.selectAll().execute()).toEqual([]);
  },
);

// promise d8.storage.verified
test.each(['modified', 'decoded'] as const)(
  'a pre-flight whose %s file has changed is refused and names it',
  async (role) => {
    const { slot } = await prepare();
    const name = await damage(slot, role);
    expect(await ask('GET', `/api/kessv2/slots/${slot}/preflight`)).toEqual(refusalOf(name));
  },
);

test('an upload that would be compared with a changed decoded file is refused and names it', async () => {
  const { slot, modified } = await prepare();
  const name = await damage(slot, 'decoded');
  const form = new FormData();
  form.append('modifiedFile', new File([modified], 'again.bin'));
  expect(await ask('PUT', `/api/kessv2/upload-modified-file/${slot}`, form)).toEqual(
    refusalOf(name),
  );
});

// promise d8.storage.verified, 8.http.410
test('a download of a changed file is refused and names it, without a time to retry', async () => {
  const { slot, fileGUID } = await prepare();
  const name = await damage(slot, 'modified');
  expect(await ask('GET', `/api/files/${fileGUID}`)).toEqual(refusalOf(name));
});
