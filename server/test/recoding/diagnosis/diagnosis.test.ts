/** Uploads that do not fit: the diagnosis with the refusal or in the pre-flight, and the repair that it offers. */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { transform } from '@recodery/codec/diagnosis/transformations';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { diagnosis, type Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { job } from '@recodery/contract/features/jobs/jobs';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { releaseExpiredMisfits } from '../../../src/slots/misfits.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Answer, Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { imagesOf } from '../../journeys/families/component-workflow.ts';
import { decodeKess3, uploadPath } from '../../journeys/families/kess3-workflow.ts';
import { decode, protocolOf, sealImage } from '../../journeys/families/kessv2-workflow.ts';
import { checkSlot, idsWith, checkIn } from '../preflight/preflights.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const image = (id: number) => generateImage(protocolOf(id), 'obd', 1);
const tuned = (id: number) => tuneImage(protocolOf(id), 'obd', image(id), 2);
const twice = (bytes: Uint8Array) => new Uint8Array(Buffer.concat([bytes, bytes]));
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes);

async function decodeSlot(id: number): Promise<string> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return (await decode(anna, sealImage(slave, id, image(id)))).kessv2SlotGUID;
}

const accept = 'application/problem+json';

function upload(slot: string, bytes: Uint8Array, headers = {}): Promise<Answer> {
  const path = `/api/kessv2/upload-modified-file/${slot}`;
  return anna.upload('PUT', path, { field: 'modifiedFile', bytes, name: 'tune.bin', headers });
}

/** The diagnosis in a refusal. */
function diagnosisIn(answer: Answer): Diagnosis {
  expect(answer.status).toBe(400);
  return diagnosis.parse((JSON.parse(answer.text) as { diagnosis: unknown }).diagnosis);
}

const repairPath = (slot: string, { repair }: Diagnosis, family = 'kessv2') =>
  `/api/${family}/slots/${slot}/repairs/${repair?.guid}`;

async function useRepair(path: string): Promise<UploadedFile> {
  const answer = await anna.post(path);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as UploadedFile;
}

async function bytesOf(fileGUID: string): Promise<Uint8Array> {
  return (await anna.get(`/api/files/${fileGUID}`)).bytes;
}

const repairs: readonly (readonly [string, (tune: Uint8Array) => Uint8Array])[] = [
  ['repeated', twice],
  ['swapped', (bytes) => transform(bytes, 'pairs')],
  ['inside', (bytes) => new Uint8Array(Buffer.concat([Buffer.alloc(512, 0xff), bytes]))],
];

// promise 5.diagnosis.repair
test.each(repairs)(
  'repairs a file that is %s, and uses it like an upload',
  async (kind, damage) => {
    const slot = await decodeSlot(1001);
    const refused = await upload(slot, damage(tuned(1001)), { accept });
    const found = diagnosisIn(refused);
    expect(found).toMatchObject({
      kind,
      repair: { name: 'tune.bin', size: 0x80000, sha256: sha256(tuned(1001)), isLossless: true },
    });
    const used = await useRepair(repairPath(slot, found));
    expect(used.changes?.bytes).toBeGreaterThan(0);
    expect(sha256(await bytesOf(used.fileGUID))).toBe(sha256(tuned(1001)));
    const { draft } = await checkSlot(anna, 'kessv2', slot);
    expect(draft.files).toEqual({ modified: used.fileGUID });
  },
);

// promise 5.diagnosis.answer
test('answers a refused upload with one word, unless the caller accepts a problem document', async () => {
  const slot = await decodeSlot(1001);
  const answer = await upload(slot, twice(tuned(1001)));
  expect([answer.status, answer.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
});

// promise 5.diagnosis.timeline
test('shows the file as it came, the repair and its kind in the job', async () => {
  const slot = await decodeSlot(1001);
  const found = diagnosisIn(await upload(slot, twice(tuned(1001)), { accept }));
  const { fileGUID } = await useRepair(repairPath(slot, found));
  const { files } = job.parse((await anna.get(`/api/jobs/${slot}`)).json);
  const result = files.find((file) => file.fileGUID === fileGUID);
  expect(result).toMatchObject({
    replacedOn: null,
    repaired: { kind: 'repeated', details: { size: 0x100000, imageSize: 0x80000 } },
  });
  expect(result?.repaired?.details).toEqual(found.details);
  const came = files.find((file) => file.fileGUID === result?.repaired?.fileGUID);
  expect(came).toMatchObject({ role: 'modified', isThere: true, size: 0x100000 });
  expect(came?.replacedOn).not.toBeNull();
  expect(sha256(await bytesOf(came?.fileGUID ?? ''))).toBe(sha256(twice(tuned(1001))));
});

test('offers nothing for a file that is no image', async () => {
  const slot = await decodeSlot(1001);
  const page = await upload(slot, Buffer.from('<!doctype html><title>Sign in</title>'), { accept });
  expect(diagnosisIn(page)).toMatchObject({ kind: 'web-page', repair: null });
  const other = generateImage(protocolOf(1001), 'obd', 2);
  expect(diagnosisIn(await upload(slot, other, { accept }))).toMatchObject({
    kind: 'other-software',
    details: { identification: { file: { hardware: expect.any(String) } } },
    repair: null,
  });
});

describe('a repair', () => {
  test('can be used once, in its slot', async () => {
    const slot = await decodeSlot(1001);
    const otherSlot = await decodeSlot(1001);
    const found = diagnosisIn(await upload(slot, twice(tuned(1001)), { accept }));
    expect((await anna.post(repairPath(otherSlot, found))).status).toBe(404);
    await useRepair(repairPath(slot, found));
    expect((await anna.post(repairPath(slot, found))).status).toBe(404);
  });

  // promise 5.diagnosis.hour
  test('expires after an hour, and then uses no space', async () => {
    const slot = await decodeSlot(1001);
    const { db } = portal.platform;
    const readBytes = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select stored_bytes as bytes from organisation
        where guid = (select organisation_guid from slot where guid = ${slot})`.execute(db);
      return rows[0]?.bytes ?? 0;
    };
    const before = await readBytes();
    const found = diagnosisIn(await upload(slot, twice(tuned(1001)), { accept }));
    expect(await readBytes()).toBe(before + 3 * 0x80000);
    await sql`update misfit set expires_on = now() where guid = ${found.repair?.guid}`.execute(db);
    expect((await anna.post(repairPath(slot, found))).status).toBe(404);
    expect(await releaseExpiredMisfits(db, 100)).toBe(1);
    expect(await readBytes()).toBe(before);
  });
});

test('offers no repair without room for it', async () => {
  const slot = await decodeSlot(1001);
  const { db, config } = portal.platform;
  const change = (bytes: number) =>
    sql`
    update organisation set stored_bytes = stored_bytes + ${bytes}
    where guid = (select organisation_guid from slot where guid = ${slot})`.execute(db);
  const { rows } = await sql<{ bytes: number }>`
    select stored_bytes as bytes from organisation
    where guid = (select organisation_guid from slot where guid = ${slot})`.execute(db);
  // room for the upload of 1 MiB, but not for it and its repair
  const full = config.organisationBytes - (rows[0]?.bytes ?? 0) - 1.2 * 0x100000;
  await change(Math.floor(full));
  const found = diagnosisIn(await upload(slot, twice(tuned(1001)), { accept }));
  await change(-Math.floor(full));
  expect(found).toMatchObject({ kind: 'repeated', repair: null });
});

// promise 5.diagnosis.fit
test('names what is wrong with a file that only has the right size in the pre-flight, until it is repaired', async () => {
  const slot = await decodeSlot(9000);
  const swapped = transform(tuned(9000), 'fours');
  expect((await upload(slot, swapped)).status).toBe(200);
  const answer = await checkSlot(anna, 'kessv2', slot);
  expect(idsWith(answer, 'amber')).toContain('fit');
  const { values, part } = checkIn(answer, 'fit');
  expect(part).toBe('modified');
  expect(values).toMatchObject({
    kind: 'swapped',
    details: { transformation: 'fours' },
    repair: { sha256: sha256(tuned(9000)), isLossless: true },
  });
  if (values === null) throw new Error('the check has no values');
  await useRepair(repairPath(slot, values));
  const after = await checkSlot(anna, 'kessv2', slot);
  expect([after.status, idsWith(after, 'amber')]).toEqual(['green', []]);
});

// promise 5.diagnosis.unchecked
test('reports a file that hardly resembles the read, and cannot be explained, as unchecked', async () => {
  const slot = await decodeSlot(9000);
  // three of ten bytes in every part of the image: neither a tune nor a known damage
  const changed = image(9000).map((byte, at) => ((at * 7919) % 10 < 3 ? byte ^ 0x5a : byte));
  expect((await upload(slot, changed)).status).toBe(200);
  const answer = await checkSlot(anna, 'kessv2', slot);
  expect(checkIn(answer, 'fit')).toMatchObject({
    status: 'unchecked',
    part: 'modified',
    reason: 'not-certain',
    values: null,
  });
});

// promise 5.diagnosis.component
test('puts a file into the component that it belongs to', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const images = imagesOf(3001, 1, { flash: undefined, micro: undefined, eeprom: undefined });
  const read = { protocolId: 3001, mode: 'bootbench', images } as const;
  const { kess3FileSlotGUID: slot } = await decodeKess3(anna, slave, read);
  const eeprom = tuneImage(protocolOf(3001), 'eeprom', images.get('eeprom') ?? new Uint8Array(), 2);
  const refused = await anna.upload('PUT', uploadPath(slot, 'Flash'), {
    field: 'file',
    bytes: eeprom,
    headers: { accept },
  });
  const found = diagnosisIn(refused);
  expect(found).toMatchObject({ kind: 'other-component', details: { component: 'eeprom' } });
  const { fileGUID } = await useRepair(repairPath(slot, found, 'kess3'));
  const { draft } = await checkSlot(anna, 'kess3', slot);
  expect(draft.files).toEqual({ EEPROM: fileGUID });
});

// promise 5.diagnosis.component
test('takes an accepted file out of the component where it does not belong', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const size = 0x40000;
  const micro = imagesOf(9000, 2, { micro: size });
  const images = new Map([...imagesOf(9000, 1, { flash: size }), ...micro]);
  const read = { protocolId: 9000, mode: 'bootbench', images } as const;
  const { kess3FileSlotGUID: slot } = await decodeKess3(anna, slave, read);
  const bytes = tuneImage(protocolOf(9000), 'micro', micro.get('micro') ?? new Uint8Array(), 3);
  const accepted = await anna.upload('PUT', uploadPath(slot, 'Flash'), { field: 'file', bytes });
  expect(accepted.status).toBe(200);
  const { values } = checkIn(await checkSlot(anna, 'kess3', slot), 'fit');
  if (values === null) throw new Error('the check has no values');
  expect(values).toMatchObject({ kind: 'other-component', details: { component: 'micro' } });
  const { fileGUID } = await useRepair(repairPath(slot, values, 'kess3'));
  const { draft } = await checkSlot(anna, 'kess3', slot);
  expect(draft.files).toEqual({ Micro: fileGUID });
});

test('refuses a file for its own reason if another component, which would explain it, is damaged', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const images = imagesOf(3001, 1, { flash: undefined, micro: undefined, eeprom: undefined });
  const read = { protocolId: 3001, mode: 'bootbench', images } as const;
  const { kess3FileSlotGUID: slot } = await decodeKess3(anna, slave, read);
  const file = await portal.platform.db
    .selectFrom('stored_file')
    .select(['storage_key as key', 'size'])
    .where('slot_guid', '=', slot)
    .where('role', '=', 'decoded')
    .where('component', '=', 'micro')
    .executeTakeFirstOrThrow();
  const storage = (await openStorage(portal.platform.config)).unverified;
  await storage.put(file.key, Readable.from([Buffer.alloc(file.size)]));
  const bytes = images.get('eeprom') ?? new Uint8Array();
  const answer = await anna.upload('PUT', uploadPath(slot, 'Flash'), { field: 'file', bytes });
  expect([answer.status, answer.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT']);
});
