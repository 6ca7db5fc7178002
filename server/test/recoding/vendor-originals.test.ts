/** Images that the engines of vendors decoded, kept as originals: of each make, and of a service with the Encoding API. */
import { definitionOf } from '@recodery/contract/families/registry';
import { job } from '@recodery/contract/features/jobs';
import { findOriginals, keepOriginal } from '@recodery/contract/features/originals';
import { afterAll, describe, expect, test } from 'vitest';
import { generateChecked } from '../../../tools/confusion/me7-checksums.ts';
import { decode as decodeByApi } from '../engine/vendor-workflow.ts';
import type { Client } from '../fixtures/client.ts';
import { startFakeVendor, writeVendorRead } from '../fixtures/fake-vendor.ts';
import { startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { allMakes } from '../fixtures/makes/makes.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import { started } from '../journeys/kessv2-workflow.ts';
import { checkIn, checkSlot } from './preflights.ts';

const image = generateChecked({ seed: 31 });
/** One byte of the calibration, which a checksum covers. */
const changed = image.map((byte, at) => (at === 0x11000 ? byte ^ 0x55 : byte));

interface Vendor {
  readonly family: string;
  readonly anna: Client;
  /** The slot of a decoded read. */
  readonly decode: (bytes: Uint8Array) => Promise<string>;
  readonly stop: () => Promise<void>;
}

async function startMake(make: (typeof allMakes)[number]): Promise<Vendor> {
  const { family } = make;
  const service = await startFakeService(make);
  const portal = await startTestPortal();
  await addMake(portal.platform, service);
  const anna = await portal.signIn('anna@demo.test');
  return {
    family,
    anna,
    async decode(bytes) {
      const name = `golf${definitionOf(family).readFileExtension}`;
      const file = { field: 'readFile', bytes: make.seal('Golf', bytes), name };
      const path = `/api/${family}/upload-read-file`;
      const { error, slotGUID } = await anna.follow(started(await anna.upload('POST', path, file)));
      expect(error).toBeNull();
      return slotGUID ?? '';
    },
    async stop() {
      await portal.stop();
      await service.stop();
    },
  };
}

async function startByApi(): Promise<Vendor> {
  const vendor = await startFakeVendor();
  const { portal, anna } = await startVendorPortal(vendor);
  return {
    family: 'kessv2',
    anna,
    async decode(bytes) {
      const read = writeVendorRead({ family: 'kessv2', images: { OBD: Buffer.from(bytes) } });
      return (await decodeByApi(anna, 'kessv2', read)).slotGUID;
    },
    async stop() {
      await portal.stop();
      await vendor.stop();
    },
  };
}

const vendors = [
  ...allMakes.map((make) => [make.family, () => startMake(make)] as const),
  ['the Encoding API', startByApi] as const,
];

describe.each(vendors)('a read that is decoded by %s', (_name, start) => {
  const vendor = start();
  afterAll(async () => (await vendor).stop());

  // promise 5.originals.vendors
  test('is kept as an original, and later reads are compared with it', async () => {
    const { anna, decode, family } = await vendor;
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
