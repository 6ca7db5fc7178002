/** Uploads that were refused: the draft shows them to everyone, until a file is chosen for their part or they are dismissed. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  componentTypeOf,
  type ContainerFamily,
  containerFamilies,
  definitionOf,
} from '@recodery/contract/families/registry';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { slotDraft, type SlotDraft } from '@recodery/contract/features/slots';
import { sessionHeader, tabHeader, uploadHeader } from '@recodery/contract/headers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import type { Client } from '../fixtures/client.ts';
import { demoSlaves, readPaths } from '../fixtures/demo-devices.ts';
import { imageCallOf } from '../fixtures/family-calls.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { checkSlot } from './preflight/preflights.ts';

let portal: RunningPortal;
/** Two users of one organisation. */
let anna: Client;
let carla: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_MAX_FILE_MIB: '1' });
  const carlaHere = { email: 'carla@demo.test', name: 'Carla', customerCodes: ['CC-1001'] };
  await applyDirectory(portal.platform, { users: [carlaHere] });
  anna = await portal.signIn('anna@demo.test');
  carla = await portal.signIn('carla@demo.test');
});
afterAll(() => portal.stop());

interface Place {
  readonly family: ContainerFamily;
  /** The part, as the draft names it. */
  readonly part: string;
  readonly path: string;
  readonly field: string;
  readonly slot: string;
  readonly fits: Uint8Array;
}

/** Decodes a read of components, or of one image; returns the places of its files. */
async function readOf(family: ContainerFamily): Promise<readonly Place[]> {
  const mode = definitionOf(family).modes.bootbench === undefined ? 'obd' : 'bootbench';
  const images = imagesOf(9000, 3, mode === 'obd' ? { obd: 4096 } : { flash: 4096, eeprom: 1024 });
  const slave = await portal.getSlave(family, demoSlaves[family]);
  const read = seal(slave, { protocolId: 9000, mode, images });
  const ended = await anna.follow(started(await uploadTo(anna, readPaths[family], read)));
  expect(ended.error).toBeNull();
  const slot = ended.slotGUID ?? '';
  return [...images].map(([component, fits]) => ({
    ...{ family, slot, fits },
    part: component === 'obd' ? 'modified' : (componentTypeOf(family, component) ?? ''),
    ...imageCallOf({ family, mode }, slot, component),
  }));
}

async function draftOf({ slot }: Place, by = anna): Promise<SlotDraft> {
  return slotDraft.parse((await by.get(`/api/slots/${slot}/draft`)).json);
}

const refusedIn = async (place: Place, by = anna) =>
  ((await draftOf(place, by)).refused ?? []).map(({ part, name, errorCode }) => [
    part,
    name,
    errorCode,
  ]);

/** Uploads a file that fits; returns its GUID. */
async function keepFitting({ field, path, fits }: Place): Promise<string> {
  const answer = await anna.upload('PUT', path, { field, bytes: fits });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as UploadedFile).fileGUID;
}

/** Uploads a file of another size; returns the code of the refusal. */
async function refuse({ field, path }: Place, name = 'wrong.bin', headers = {}): Promise<string> {
  const file = { field, bytes: new Uint8Array(100), name, headers };
  const answer = await anna.upload('PUT', path, file);
  expect(answer.status).toBe(400);
  return answer.text;
}

async function put(place: Place, files: Readonly<Record<string, string | null>>): Promise<void> {
  const { version } = await draftOf(place);
  const answer = await anna.call('PUT', `/api/slots/${place.slot}/draft`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files, version }),
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

// promise 5.refused.kept
describe.each(containerFamilies)('a refused upload of %s', (family) => {
  test('stays in the draft of its part for every user, with its name and the reason', async () => {
    for (const place of await readOf(family)) {
      const code = await refuse(place);
      expect(await refusedIn(place, carla)).toContainEqual([place.part, 'wrong.bin', code]);
      const { refused = [], files } = await draftOf(place, carla);
      const found = refused.find(({ part }) => part === place.part);
      expect(found).toMatchObject({ size: 100, details: { sizes: { actual: 100 } } });
      expect(files).toEqual([]);
    }
  });

  test('leaves the draft when a file that fits arrives, and not when another part gets one', async () => {
    const [first, ...others] = await readOf(family);
    if (first === undefined) throw new Error('the read has no part');
    const code = await refuse(first);
    for (const other of others) await keepFitting(other);
    expect(await refusedIn(first)).toEqual([[first.part, 'wrong.bin', code]]);
    await keepFitting(first);
    expect(await refusedIn(first)).toEqual([]);
  });

  test('leaves the draft when a page names its part, which keeps the file before it', async () => {
    const [place] = await readOf(family);
    if (place === undefined) throw new Error('the read has no part');
    await refuse(place);
    await put(place, {});
    expect(await refusedIn(place)).toHaveLength(1);
    await put(place, { [place.part]: null });
    expect(await refusedIn(place)).toEqual([]);
    const fileGUID = await keepFitting(place);
    await refuse(place);
    expect((await draftOf(place)).files).toMatchObject([{ fileGUID }]);
    await put(place, { [place.part]: fileGUID });
    expect(await refusedIn(place)).toEqual([]);
    expect((await draftOf(place)).files).toMatchObject([{ fileGUID }]);
  });
});

test('a refused upload is announced as a version of the draft, and changes none of its fields', async () => {
  const [place] = await readOf('ktag');
  if (place === undefined) throw new Error('the read has no part');
  const { promise, resolve } = Promise.withResolvers<SlotDraft>();
  const stop = await carla.listen(({ name, record }) => {
    const draft = record as SlotDraft;
    if (name === 'draft' && draft.slotGUID === place.slot) resolve(draft);
  });
  await refuse(place);
  const announced = await promise.finally(stop);
  expect(announced).toMatchObject({ version: 1, refused: [{ part: place.part }], changes: [] });
  const { draft } = await checkSlot(anna, place.family, place.slot);
  expect(draft).not.toHaveProperty('refused');
});

test('a file that is too large to be received is noted without its name', async () => {
  const [place] = await readOf('ktag');
  if (place === undefined) throw new Error('the read has no part');
  const bytes = new Uint8Array(2 * 1024 * 1024);
  const answer = await anna.upload('PUT', place.path, { field: 'file', bytes, name: 'big.bin' });
  expect(answer.text).toBe('FILE_TOO_LARGE');
  expect(await refusedIn(place)).toEqual([[place.part, null, 'FILE_TOO_LARGE']]);
});

test('a file that a page refused before its upload is noted, and changes no choice', async () => {
  const [place] = await readOf('kess3');
  if (place === undefined) throw new Error('the read has no part');
  const { version } = await draftOf(place);
  const note = { name: 'sealed.tfc', size: 9, errorCode: 'INVALID_FILE', details: null };
  const answer = await anna.call('PUT', `/api/slots/${place.slot}/draft`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ version, removed: ['Flash', 'EEPROM'] },
      ...{ files: { [place.part]: null }, refused: { [place.part]: note } },
    }),
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await refusedIn(place, carla)).toEqual([[place.part, 'sealed.tfc', 'INVALID_FILE']]);
  expect((await draftOf(place)).removed).toEqual(['Flash', 'EEPROM']);
});

test('the note of a page is cut to what the draft stores', async () => {
  const [place] = await readOf('kessv2');
  if (place === undefined) throw new Error('the read has no part');
  const sizes = { actual: 1, allowed: Array.from({ length: 40 }, (_, at) => at) };
  const details = { detail: 'd'.repeat(900), cause: 'c'.repeat(90), sizes };
  const note = { name: 'stage1.zip', size: 9, errorCode: 'INVALID_FILE', details };
  const answer = await anna.put(`/api/slots/${place.slot}/draft`, {
    ...{ version: 0, files: {}, refused: { [place.part]: note } },
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const [noted] = (await draftOf(place)).refused ?? [];
  expect(noted?.details).toEqual({
    ...{ detail: 'd'.repeat(500), cause: 'c'.repeat(64) },
    sizes: { actual: 1, allowed: sizes.allowed.slice(0, 32) },
  });
});

test('an upload that was canceled before its refusal is not noted', async () => {
  const [place] = await readOf('ktag');
  if (place === undefined) throw new Error('the read has no part');
  await anna.post(`/api/slots/${place.slot}/cancel-upload`, { upload: 'gone' });
  await refuse(place, 'wrong.bin', { [uploadHeader]: 'gone' });
  expect(await refusedIn(place)).toEqual([]);
});

/** Notes a file for a place as the page of Anna's tab does, which knows this version of the draft. */
async function noteOnPage(place: Place, version: number): Promise<void> {
  const note = { name: 'stage1.zip', size: 9, errorCode: 'INVALID_FILE', details: null };
  const answer = await anna.call('PUT', `/api/slots/${place.slot}/draft`, {
    headers: { 'content-type': 'application/json', [tabHeader]: 'anna' },
    body: JSON.stringify({ version, files: {}, refused: { [place.part]: note } }),
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

// promise 5.refused.kept
test("the note of a page does not hide a file that another tab has added since the page's version", async () => {
  const [place, other] = await readOf('ktag');
  if (place === undefined || other === undefined) throw new Error('a part is missing');
  const { version } = await draftOf(place);
  await keepFitting(place);
  await noteOnPage(place, version);
  expect(await refusedIn(place)).toEqual([]);
  await noteOnPage(other, version);
  expect(await refusedIn(place)).toEqual([[other.part, 'stage1.zip', 'INVALID_FILE']]);
  await noteOnPage(place, (await draftOf(place)).version);
  expect(await refusedIn(place)).toContainEqual([place.part, 'stage1.zip', 'INVALID_FILE']);
});

/** Starts an upload of a file of another size; `finish` sends its body and returns the code of the refusal. */
async function startWrong({ path, field }: Place): Promise<{ finish: () => Promise<string> }> {
  const upload = request(new URL(path, anna.url), {
    method: 'PUT',
    headers: {
      [sessionHeader]: anna.sessionId,
      'content-type': 'multipart/form-data; boundary=cut',
      expect: '100-continue',
    },
  });
  const answered = new Promise<string>((resolve, reject) => {
    upload.once('error', reject).once('response', (response) => resolve(text(response)));
  });
  // the portal asks for the body after it has read the slot
  const asked = new Promise((resolve) => upload.once('continue', resolve));
  upload.flushHeaders();
  await asked;
  const head = `--cut\r\ncontent-disposition: form-data; name="${field}"; filename="slow.bin"\r\n\r\n`;
  return {
    finish: () => {
      upload.end(`${head}too short\r\n--cut--\r\n`);
      return answered;
    },
  };
}

// promise 5.refused.kept
test('an upload that is refused after another tab has added a file for its part is not noted', async () => {
  const [place, other] = await readOf('ktag');
  if (place === undefined || other === undefined) throw new Error('a part is missing');
  const overtaken = await startWrong(place);
  await keepFitting(place);
  await overtaken.finish();
  expect(await refusedIn(place)).toEqual([]);
  const alone = await startWrong(other);
  const code = await alone.finish();
  expect(await refusedIn(place)).toEqual([[other.part, 'slow.bin', code]]);
});
