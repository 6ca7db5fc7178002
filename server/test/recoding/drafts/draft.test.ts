/** The draft of an encode: after a reload, the page finds everything that was uploaded and selected. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { EncodeDraft, EncodeDraftChange } from '@recodery/contract/features/slots';
import { uploadHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrganisationByCode } from '../../../src/organisations/organisations.ts';
import type { Db } from '../../../src/postgres/tables/schema.ts';
import { readDraft } from '../../../src/recoding/drafts/draft.ts';
import type { Answer, Client } from '../../fixtures/client.ts';
import { meanwhile } from '../../fixtures/database/meanwhile.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  type Images,
  imagesOf,
  keep,
  resultOf,
  seal,
  uploadTo,
} from '../../journeys/families/component-workflow.ts';
import { untilBlocked } from '../../fixtures/database/until-blocked.ts';
import {
  decode,
  encode,
  keepImage,
  protocolOf,
  sealImage,
} from '../../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const nothing = { removed: null, willCorrectCVN: false, willSkipChecksum: false };
const image = generateImage(protocolOf(9000), 'obd', 1, 4096);

async function draftOf(slot: string): Promise<EncodeDraft> {
  const answer = await anna.get(`/api/slots/${slot}/draft`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as EncodeDraft;
}

function put(slot: string, change: Partial<EncodeDraftChange>): Promise<Answer> {
  return anna.call('PUT', `/api/slots/${slot}/draft`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...nothing, files: {}, ...change }),
  });
}

async function save(slot: string, change: Partial<EncodeDraftChange>): Promise<void> {
  const answer = await put(slot, change);
  expect([answer.status, answer.text]).toEqual([204, '']);
}

async function cancel(slot: string, upload: string): Promise<void> {
  const answer = await anna.post(`/api/slots/${slot}/cancel-upload`, { upload });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

/** A KESSv2 slot of open firmware, decoded. */
async function decodeImage(): Promise<string> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return (await decode(anna, sealImage(slave, 9000, image))).kessv2SlotGUID;
}

/** A BootBench slot, decoded. */
async function decodeComponents(): Promise<{ readonly slot: string; readonly images: Images }> {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const images = imagesOf(9000, 1, { flash: 4096, eeprom: 1024 });
  const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
  const result = await resultOf(anna, await uploadTo(anna, '/api/kess3/upload-read-file', read));
  return { slot: (result as { kess3FileSlotGUID: string }).kess3FileSlotGUID, images };
}

const uploadPath = (slot: string): string => `/api/kessv2/upload-modified-file/${slot}`;

function formOf(): FormData {
  const form = new FormData();
  form.append('modifiedFile', new Blob([image.with(100, 1)]), 'modified.bin');
  return form;
}

/** The portal's end of the connection on which the next upload of an image arrives. */
function nextUpload(): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const channel = 'http.server.request.start';
  const look = (message: unknown): void => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (request.url?.includes('upload-modified') !== true) return;
    unsubscribe(channel, look);
    resolve(socket);
  };
  subscribe(channel, look);
  return promise;
}

/** Runs `work` while an upload to a slot is checked, but cannot be stored yet. */
async function beforeStored(slot: string, work: () => Promise<void>): Promise<void> {
  const { db } = portal.platform;
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('slot').select('guid').where('guid', '=', slot).forUpdate().execute();
    // the upload itself: what the decode leaves behind, such as the end of a restore kit, waits for the slot with other words
    await untilBlocked(db, 'for update');
    await work();
  });
}

test('a draft that is read while a new upload replaces its file is the old one or the new one', async () => {
  const slot = await decodeImage();
  const { db } = portal.platform;
  const organisationId = await findOrganisationByCode(db, 'CC-1001');
  if (organisationId === null) throw new Error('the organisation is not there');
  const upload = (seed: number) => keepImage(anna, 'modified', slot, image.with(100, seed));
  const read = async (from: Db) =>
    (await readDraft(from, { organisationId }, slot)).files.map(({ fileGUID }) => fileGUID);
  await upload(1);
  const before = await read(db);
  expect(before).toHaveLength(1);
  expect(await read(meanwhile(db, () => upload(2)))).toEqual(before);
  const after = await read(db);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
});

describe('an image', () => {
  // promise 4.resume.reload
  test('whose page is closed while it is checked is in the draft of the next page', async () => {
    const slot = await decodeImage();
    const upload = nextUpload();
    const close = new AbortController();
    const sent = anna
      .call('PUT', uploadPath(slot), { body: formOf(), signal: close.signal })
      .catch((thrown: unknown) => thrown);
    await beforeStored(slot, async () => {
      const socket = await upload;
      close.abort();
      if (!socket.destroyed) await once(socket, 'close');
    });
    expect(await sent).toBe(close.signal.reason);
    // waits for the same lock, after the upload
    await save(slot, { willCorrectCVN: true });
    const { files } = await draftOf(slot);
    expect(files.map(({ part, name }) => [part, name])).toEqual([['modified', 'modified.bin']]);
  });

  test('that was canceled while it was checked is not stored; another upload for its part is', async () => {
    const slot = await decodeImage();
    const upload = (name: string): Promise<Answer> =>
      anna.call('PUT', uploadPath(slot), { headers: { [uploadHeader]: name }, body: formOf() });
    await cancel(slot, 'upload-1');
    await save(slot, { files: { modified: null } });
    // the choices of another tab do not undo it
    await save(slot, { willCorrectCVN: true });
    const canceled = await upload('upload-1');
    expect([canceled.status, canceled.text]).toEqual([400, 'UPLOAD_INTERRUPTED']);
    expect((await draftOf(slot)).files).toEqual([]);
    const { rows } = await sql`
      select 1 from stored_file where slot_guid = ${slot} and role = 'modified'`.execute(
      portal.platform.db,
    );
    expect(rows).toEqual([]);
    expect((await upload('upload-2')).status).toBe(200);
    expect((await draftOf(slot)).files).toHaveLength(1);
  });

  test('that was canceled after it arrived is taken back, unless the draft has another one by then', async () => {
    const slot = await decodeImage();
    const upload = (name: string): Promise<Answer> =>
      anna.call('PUT', uploadPath(slot), { headers: { [uploadHeader]: name }, body: formOf() });
    const guids = async () => (await draftOf(slot)).files.map(({ fileGUID }) => fileGUID);
    await upload('upload-1');
    const first = await guids();
    await upload('upload-2');
    await cancel(slot, 'upload-2');
    expect(await guids()).toEqual(first);
    await upload('upload-3');
    const third = await guids();
    expect(third).not.toEqual(first);
    await cancel(slot, 'upload-2');
    expect(await guids()).toEqual(third);
    // a page that did not see that it arrived saves its choices, and cancels it later
    await save(slot, { willCorrectCVN: true });
    await cancel(slot, 'upload-3');
    expect(await guids()).toEqual(first);
  });

  test.each([
    ['the older first', ['upload-2', 'upload-3']],
    ['the newer first', ['upload-3', 'upload-2']],
  ])(
    'does not come back when the one that replaced it is canceled too, %s',
    async (_, canceled) => {
      const slot = await decodeImage();
      const guids = async () => (await draftOf(slot)).files.map(({ fileGUID }) => fileGUID);
      const upload = async (name: string): Promise<readonly string[]> => {
        const headers = { [uploadHeader]: name };
        await anna.call('PUT', uploadPath(slot), { headers, body: formOf() });
        return guids();
      };
      const first = await upload('upload-1');
      await upload('upload-2');
      await upload('upload-3');
      for (const name of canceled) await cancel(slot, name);
      expect(await guids()).toEqual(first);
      await cancel(slot, 'upload-1');
      expect(await guids()).toEqual([]);
    },
  );

  test('has an empty draft after it is decoded', async () => {
    expect(await draftOf(await decodeImage())).toMatchObject({ ...nothing, files: [], version: 0 });
  });

  // promise 4.resume.reload
  test('keeps both uploads with their check results, without the page saving anything', async () => {
    const slot = await decodeImage();
    const modified = await keepImage(anna, 'modified', slot, image.with(100, 1).with(101, 2));
    const original = await keepImage(anna, 'original', slot, image);
    const file = { name: 'file.bin', size: image.length };
    expect((await draftOf(slot)).files).toEqual([
      { ...file, part: 'modified', fileGUID: modified.fileGUID, changes: modified.changes },
      { ...file, part: 'original', fileGUID: original.fileGUID, changes: null },
    ]);
    expect(modified.changes?.size).toBe(image.length);
  });

  test('keeps the switches, and a file that replaces another', async () => {
    const slot = await decodeImage();
    await keepImage(anna, 'modified', slot, image);
    await save(slot, { willCorrectCVN: true, willSkipChecksum: true });
    const second = await keepImage(anna, 'modified', slot, image);
    const draft = await draftOf(slot);
    expect(draft.files.map(({ fileGUID }) => fileGUID)).toEqual([second.fileGUID]);
    expect([draft.willCorrectCVN, draft.willSkipChecksum]).toEqual([true, true]);
  });

  test('removes a file from the draft, and restores it', async () => {
    const slot = await decodeImage();
    const { fileGUID } = await keepImage(anna, 'modified', slot, image);
    await save(slot, { files: { modified: null } });
    expect((await draftOf(slot)).files).toEqual([]);
    await save(slot, { files: { modified: fileGUID } });
    expect((await draftOf(slot)).files).toHaveLength(1);
  });

  test('keeps its draft through an encode', async () => {
    const slot = await decodeImage();
    const { fileGUID } = await keepImage(anna, 'modified', slot, image);
    await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID });
    expect((await draftOf(slot)).files).toHaveLength(1);
  });

  test.each([
    ['a component that the family does not have', { files: { Flash: null } }],
    ['a removal that the family does not have', { removed: ['EEPROM'] }],
    ['an invalid part', { files: { __proto__x: null } }],
    ['the removal of its only image', { removed: ['modified'] }],
    ['no switches', { willCorrectCVN: undefined }],
  ])('refuses %s', async (_, change) => {
    const slot = await decodeImage();
    // an undefined switch is missing from the JSON
    const answer = await put(slot, change);
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
    expect(await draftOf(slot)).toMatchObject({ ...nothing, files: [], changes: [] });
  });
});

describe('components', () => {
  test("keep their files and removals by the family's names", async () => {
    const { slot, images } = await decodeComponents();
    const flash = images.get('flash') ?? new Uint8Array();
    const path = `/api/kess3/upload-modified-file/${slot}/Flash`;
    const { fileGUID } = await keep(anna, path, flash.with(7, 7));
    expect((await draftOf(slot)).removed).toBeNull();
    await save(slot, { removed: ['EEPROM', 'EEPROM'] });
    const draft = await draftOf(slot);
    expect(draft.removed).toEqual(['EEPROM']);
    expect(draft.files.map(({ part, fileGUID: guid }) => [part, guid])).toEqual([
      ['Flash', fileGUID],
    ]);
  });

  test('refuse the file of another component', async () => {
    const { slot, images } = await decodeComponents();
    const flash = images.get('flash') ?? new Uint8Array();
    const { fileGUID } = await keep(anna, `/api/kess3/upload-modified-file/${slot}/Flash`, flash);
    const answer = await put(slot, { files: { EEPROM: fileGUID } });
    expect([answer.status, answer.text]).toEqual([404, 'NOT_FOUND']);
  });
});
