/** Decoded images that users keep as originals, and the later reads that are compared with them. */
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { job } from '@recodery/contract/features/jobs/jobs';
import { findOriginals, keepOriginal, listOriginals } from '@recodery/contract/features/originals';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateChecked } from '../../../../codec/samples/me7-checksums.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import {
  decode,
  keepImage,
  protocolOf,
  sealImage,
} from '../../journeys/families/kessv2-workflow.ts';
import { checkIn, checkSlot, idsWith } from '../preflight/preflights.ts';

let portal: RunningPortal;
let anna: Client;
let paolo: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  [anna, paolo] = await Promise.all([
    portal.signIn('anna@demo.test'),
    portal.signIn('paolo@demo.test'),
  ]);
});
afterAll(() => portal.stop());

const schemaOf = <R extends { parts: { answer: { schema: S } } }, S>(
  route: R,
): R['parts']['answer']['schema'] => route.parts.answer.schema;

/** A decoded read of an image: its slot, and the GUID of its decoded file. */
async function decodeImage(image: Uint8Array, protocol = 9000, client = anna) {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID: slot } = await decode(client, sealImage(slave, protocol, image));
  const { files } = job.parse((await client.get(`/api/jobs/${slot}`)).json);
  return { slot, file: files.find(({ role }) => role === 'decoded')?.fileGUID ?? '' };
}

async function keep(file: string, client = anna) {
  const answer = await client.post(`/api/files/${file}/original`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return schemaOf(keepOriginal).parse(answer.json);
}

async function find(file: string, client = anna) {
  return schemaOf(findOriginals).parse((await client.get(`/api/files/${file}/originals`)).json);
}

const me7 = generateChecked({ seed: 21 });
/** One byte of the calibration, which a checksum covers. */
function changed(image: Uint8Array, at: number): Uint8Array {
  const copy = image.slice();
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

// promise 5.originals.keep, 5.originals.compared, 5.originals.managed
test('keeps an image with its job, compares later reads with it, and lets managers remove it', async () => {
  const first = await decodeImage(me7);
  const { original, reason } = await keep(first.file, paolo);
  expect(reason).toBeNull();
  expect(original).toMatchObject({
    fileGUID: first.file,
    slotGUID: first.slot,
    software: expect.stringMatching(/^1037/),
    size: me7.length,
    keptBy: 'Paolo Serra',
  });
  expect((await find(first.file)).own?.keptBy).toBe('Paolo Serra');
  expect(job.parse((await anna.get(`/api/jobs/${first.slot}`)).json).isKept).toBe(true);

  const equal = await decodeImage(me7);
  expect(await find(equal.file)).toMatchObject({ own: null, others: [{ isEqual: true }] });
  const same = await checkSlot(anna, 'kessv2', equal.slot);
  expect(checkIn(same, 'already-tuned')).toMatchObject({
    status: 'green',
    values: { bytes: 0, kept: { slotGUID: first.slot, keptBy: 'Paolo Serra' } },
  });

  const other = await decodeImage(changed(me7, 0x11000));
  expect(await find(other.file)).toMatchObject({ own: null, others: [{ isEqual: false }] });
  const tuned = await checkSlot(anna, 'kessv2', other.slot);
  expect(idsWith(tuned, 'amber')).toContain('already-tuned');
  expect(checkIn(tuned, 'already-tuned').values).toMatchObject({ bytes: 1 });

  const free = () => anna.put(`/api/jobs/${first.slot}/keep`, { isKept: false });
  expect([(await free()).status, (await free()).text]).toEqual([400, 'JOB_HAS_ORIGINAL']);
  const { files } = job.parse((await anna.get(`/api/jobs/${first.slot}`)).json);
  expect(files.flatMap((one) => (one.isOriginal ? [one.fileGUID] : []))).toEqual([first.file]);
  const listed = async (client: Client) =>
    schemaOf(listOriginals)
      .parse((await client.get('/api/originals')).json)
      .map(({ fileGUID }) => fileGUID);
  expect(await listed(paolo)).toEqual([first.file]);
  expect(await listed(await portal.signIn('luca@demo.test'))).toEqual([]);
  expect((await paolo.delete(`/api/originals/${first.file}`)).status).toBe(403);
  expect((await anna.delete(`/api/originals/${first.file}`)).status).toBe(204);
  expect((await anna.delete(`/api/originals/${first.file}`)).status).toBe(404);
  expect(await listed(anna)).toEqual([]);
  expect((await free()).status).toBe(204);
});

// promise 5.originals.refused
test('refuses an image with wrong or unknown checksums, with the reason', async () => {
  const reasonOf = async (image: Uint8Array, protocol?: number) =>
    (await keep((await decodeImage(image, protocol)).file)).reason;
  expect(await reasonOf(changed(me7, 0x11000))).toBe('checksums-wrong');
  expect(await reasonOf(new Uint8Array(4096).fill(7))).toBe('checksums-unknown');
  const image = generateImage(protocolOf(1001), 'obd', 1);
  expect(await reasonOf(image, 1001)).toBeNull();
});

// promise 5.originals.keep
test('loses an original with its job, and refuses files that no read contained', async () => {
  const image = generateImage(protocolOf(1001), 'obd', 5);
  const { slot, file } = await decodeImage(image, 1001);
  await keep(file);
  const { fileGUID } = await keepImage(
    anna,
    'modified',
    slot,
    tuneImage(protocolOf(1001), 'obd', image, 2),
  );
  const refused = await anna.post(`/api/files/${fileGUID}/original`);
  expect([refused.status, refused.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  const later = await decodeImage(image, 1001);
  expect((await find(later.file)).others).toHaveLength(1);
  expect((await anna.delete(`/api/jobs/${slot}`)).status).toBe(204);
  expect((await find(later.file)).others).toHaveLength(0);
});
