/** What images are recognized as: in the result of a decode, with the job, in the search, and in the pre-flight. */
import { decodeResult as kess3Result } from '@recodery/contract/families/kess3';
import { decodeResult as ktagResult } from '@recodery/contract/families/ktag';
import { job } from '@recodery/contract/features/jobs/jobs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateEcuImage } from '../../../../codec/samples/ecu-images.ts';
import type { Client } from '../../fixtures/client.ts';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../../fixtures/running-portal.ts';
import { startVendorPortal } from '../../fixtures/vendor-portal.ts';
import { decode as decodeAtVendor, keep } from '../../engine/encoding-api/vendor-workflow.ts';
import { resultOf, seal, uploadTo } from '../../journeys/families/component-workflow.ts';
import { decode, sealImage, uploadImage } from '../../journeys/families/kessv2-workflow.ts';
import { checkIn, checkSlot } from '../preflight/preflights.ts';

let vendor: FakeVendor;
let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal, anna } = await startVendorPortal(vendor));
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

const ms43 = (seed: number) => generateEcuImage('siemens-ms43', seed);
const rusefi = generateEcuImage('rusefi', 1);
const unknown = new Uint8Array(4096).fill(7);

async function decodeImage(image: Uint8Array, name?: string) {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return decode(anna, sealImage(slave, 9000, image), name);
}

// promise 5.recognition.result
test('reports the family and each number of an image with its place', async () => {
  const { image, expected } = ms43(1);
  const { recognition } = await decodeImage(image);
  expect(recognition).toMatchObject({
    family: 'siemens-ms43',
    name: 'Siemens MS43',
    certainty: 'certain',
    isValidated: false,
    isSwapped: false,
  });
  const fields = recognition?.fields ?? [];
  expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toEqual(expected);
  for (const { offset, text } of fields) {
    expect(Buffer.from(image).toString('latin1', offset, offset + text.length)).toBe(text);
  }
});

// promise 5.recognition.unknown
test('reports nothing for an image that is not identified, whatever its file is called', async () => {
  const { recognition } = await decodeImage(unknown, 'Siemens MS43 5WK90027 6577355117.tfc');
  expect(recognition).toBeNull();
});

// promise 5.recognition.result
test('reports the recognition of each component, in every family', async () => {
  const images = new Map([
    ['flash', ms43(2).image],
    ['micro', rusefi.image],
    ['eeprom', unknown],
  ] as const);
  const ktagSlave = await portal.getSlave('ktag', 'KTG-000007');
  const ktag = seal(ktagSlave, { protocolId: 9000, mode: 'bootbench', images });
  const backup = await resultOf(anna, await uploadTo(anna, '/api/ktag/upload-read-backup', ktag));
  const kess3Slave = await portal.getSlave('kess3', 'KS3-000042');
  const kess3 = seal(kess3Slave, { protocolId: 9000, mode: 'bootbench', images });
  const read = await resultOf(anna, await uploadTo(anna, '/api/kess3/upload-read-file', kess3));
  const lists = [
    ktagResult.parse(backup).components,
    kess3Result.parse(read).bootBenchComponents ?? [],
  ];
  for (const components of lists) {
    expect(components.map(({ recognition }) => recognition?.family ?? null)).toEqual([
      'siemens-ms43',
      'rusefi',
      null,
    ]);
  }
  const obd = seal(kess3Slave, {
    protocolId: 9000,
    mode: 'obd',
    images: new Map([['obd', rusefi.image]]),
  });
  const single = await resultOf(anna, await uploadTo(anna, '/api/kess3/upload-read-file', obd));
  expect(kess3Result.parse(single).recognition?.family).toBe('rusefi');
});

// promise 5.recognition.job
test('stores the recognition with the job, which is found by the numbers in its image', async () => {
  const { image, expected } = ms43(3);
  const { kessv2SlotGUID: slot } = await decodeImage(image);
  const { recognized } = job.parse((await anna.get(`/api/jobs/${slot}`)).json);
  expect(recognized).toMatchObject([{ component: null, recognition: { family: 'siemens-ms43' } }]);
  for (const word of [expected.software, expected.hardware, `${expected.software} ms43`]) {
    const { json } = await anna.get(`/api/jobs?search=${encodeURIComponent(word ?? '')}`);
    const found = (json as { slotGUID: string }[]).map(({ slotGUID }) => slotGUID);
    expect([word, found]).toEqual([word, [slot]]);
  }
});

const other = ms43(5);

// promise 5.recognition.preflight
test('warns about a modified image of other software, where the protocol has no identification', async () => {
  const { image, expected } = ms43(4);
  const { kessv2SlotGUID: slot } = await decodeImage(image);
  const check = async (modified: Uint8Array) => {
    expect((await uploadImage(anna, 'modified', slot, modified)).status).toBe(200);
    return checkIn(await checkSlot(anna, 'kessv2', slot), 'identification');
  };
  const tuned = image.slice();
  tuned[0x20000] = (tuned[0x20000] ?? 0) ^ 1;
  expect(await check(tuned)).toMatchObject({ status: 'green', values: { changed: [] } });
  const software = { name: 'software', before: expected.software, after: other.expected.software };
  const hardware = { name: 'hardware', before: expected.hardware, after: other.expected.hardware };
  expect(await check(other.image)).toMatchObject({
    status: 'amber',
    values: { changed: [hardware, software] },
  });
  const nameless = image.slice().fill(0, 0x6ffb2, 0x6ffc0).fill(0, 0x3f80, 0x3f90);
  expect(await check(nameless.fill(0, 0x70040, 0x7004c))).toMatchObject({
    status: 'unchecked',
    reason: 'no-identification',
  });
});

// promise 5.recognition.vendor
test('recognizes and compares the images of a read that a vendor’s engine decoded', async () => {
  const { image } = ms43(4);
  const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: Buffer.from(image) } });
  const { slotGUID, result } = await decodeAtVendor(anna, 'kessv2', bytes);
  expect(result['recognition']).toMatchObject({ family: 'siemens-ms43', certainty: 'certain' });
  const path = `/api/kessv2/upload-modified-file/${slotGUID}`;
  await keep(anna, path, 'modifiedFile', other.image);
  const found = checkIn(await checkSlot(anna, 'kessv2', slotGUID), 'identification');
  expect(found).toMatchObject({ status: 'amber' });
});
