/** Images that the engines of vendors decoded, kept as originals: of each make, and of a service with the Encoding API. */
import { job } from '@recodery/contract/features/jobs/jobs';
import { findOriginals, keepOriginal } from '@recodery/contract/features/originals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateChecked } from '../../../../codec/samples/me7-checksums.ts';
import { type Vendor, vendors } from '../../engine/all-vendors.ts';
import { checkIn, checkSlot } from '../preflight/preflights.ts';

const image = generateChecked({ seed: 31 });
/** One byte of the calibration, which a checksum covers. */
const changed = image.map((byte, at) => (at === 0x11000 ? byte ^ 0x55 : byte));

describe.each(vendors)('a read that is decoded by %s', (name, start) => {
  // one of each module of makes' services, and the Encoding API
  const ofEach = name === 'bflash' || name === 'autoflasher' ? { tags: 'release' } : {};
  let vendor: Vendor;
  beforeAll(async () => {
    vendor = await start();
  });
  afterAll(() => vendor.stop());

  // promise 5.originals.vendors
  test('is kept as an original, and later reads are compared with it', ofEach, async () => {
    const { anna, family, ...one } = vendor;
    const decode = async (bytes: Uint8Array): Promise<string> => {
      const { error, slotGUID } = await one.decode(one.seal(bytes));
      expect(error).toBeNull();
      return slotGUID ?? '';
    };
    const fileOf = async (slot: string) => {
      const { files } = job.parse((await anna.get(`/api/jobs/${slot}`)).json);
      return files.find(({ role }) => role === 'decoded')?.fileGUID ?? '';
    };
    const first = await decode(image);
    const before = checkIn(await checkSlot(anna, family, first), 'already-tuned');
    expect(before).toMatchObject({ status: 'unchecked', values: null });

    const answer = await anna.post(`/api/files/${await fileOf(first)}/original`);
    const { original, reason } = keepOriginal.parts.answer.schema.parse(answer.json);
    expect(reason).toBeNull();
    expect(original).toMatchObject({ slotGUID: first, software: expect.stringMatching(/^1037/) });

    const equal = await decode(image);
    const found = await anna.get(`/api/files/${await fileOf(equal)}/originals`);
    expect(findOriginals.parts.answer.schema.parse(found.json)).toMatchObject({
      own: null,
      others: [{ isEqual: true, slotGUID: first }],
    });
    expect(checkIn(await checkSlot(anna, family, equal), 'already-tuned')).toMatchObject({
      status: 'green',
      values: { bytes: 0, kept: { slotGUID: first } },
    });

    const tuned = await decode(changed);
    expect(checkIn(await checkSlot(anna, family, tuned), 'already-tuned')).toMatchObject({
      status: 'amber',
      values: { bytes: 1, kept: { slotGUID: first } },
    });
    const refused = await anna.post(`/api/files/${await fileOf(tuned)}/original`);
    expect(keepOriginal.parts.answer.schema.parse(refused.json)).toEqual({
      original: null,
      reason: 'checksums-wrong',
    });
  });
});
