/** The fingerprints of a slot: the requirements for a file for each part, for every family. */
import { generateImage } from '@recodery/codec/sample-images/images';
import { BlockSums, blockBytesOf, type PartFingerprint } from '@recodery/contract/fingerprints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { imagesOf, resultOf, seal, uploadTo } from '../../journeys/families/component-workflow.ts';
import {
  decode,
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

async function partsOf(slot: string): Promise<PartFingerprint[]> {
  const answer = await anna.get(`/api/slots/${slot}/fingerprints`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as { parts: PartFingerprint[] }).parts;
}

/** The fingerprint that a page calculates from a file. */
function calculated(image: Uint8Array, of: 'decoded' | 'original') {
  const blockBytes = blockBytesOf(image.length);
  const sums = new BlockSums(blockBytes);
  sums.add(image);
  return { of, size: image.length, blockBytes, sums: sums.end() };
}

/** A read that contains no image, of an ECU that the library of originals does not have. */
const identificationOnly = {
  identificationOnly: true,
  information: {},
};

async function decodeBackup() {
  const slave = await portal.getSlave('ktag', 'KTG-000007');
  const images = imagesOf(9000, 1, { flash: 70_000, eeprom: 1024 });
  const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
  const result = await resultOf(anna, await uploadTo(anna, '/api/ktag/upload-read-backup', read));
  return { slot: (result as { ktagSlotGUID: string }).ktagSlotGUID, images };
}

// promise 2.places.fingerprints
test('gives the size and the fingerprint of each component, by its name in the family', async () => {
  const { slot, images } = await decodeBackup();
  const flash = images.get('flash') ?? new Uint8Array();
  const eeprom = images.get('eeprom') ?? new Uint8Array();
  expect(await partsOf(slot)).toEqual([
    { part: 'flash', sizes: [70_000], fingerprint: calculated(flash, 'decoded') },
    { part: 'eeprom', sizes: [1024], fingerprint: calculated(eeprom, 'decoded') },
  ]);
});

test('a maps file may have any size that the protocol allows', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const protocol = protocolOf(3001);
  const images = new Map(
    protocol.components.map(({ name }) => [name, generateImage(protocol, name, 1)]),
  );
  const read = seal(slave, { protocolId: 3001, mode: 'bootbench', images });
  const result = await resultOf(anna, await uploadTo(anna, '/api/kess3/upload-read-file', read));
  const parts = await partsOf((result as { kess3FileSlotGUID: string }).kess3FileSlotGUID);
  expect(parts.map(({ part, sizes }) => [part, sizes])).toEqual([
    ['Flash', [0x400000]],
    ['Micro', [0x200000]],
    ['EEPROM', [0x10000]],
    ['MapFile', { min: 0x30, max: 0x10000 }],
  ]);
  const map = images.get('mapfile') ?? new Uint8Array();
  expect(parts[3]?.fingerprint).toEqual(calculated(map, 'decoded'));
});

test('an image read has one part, and with the original two', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = generateImage(protocolOf(1003), 'obd', 1);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 1003, image));
  const print = calculated(image, 'decoded');
  const sizes = [image.length];
  const decoded = { sizes, fingerprint: print };
  expect(await partsOf(slot)).toEqual([
    { part: 'modified', ...decoded },
    { part: 'original', ...decoded },
  ]);
  const original = image.with(0x60000, 1);
  await keepImage(anna, 'original', slot, original);
  expect(await partsOf(slot)).toEqual([
    { part: 'modified', ...decoded },
    { part: 'original', sizes, fingerprint: calculated(original, 'original') },
  ]);
});

test('without an image, the sizes are those of the protocol, until there is an original', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = generateImage(protocolOf(1002), 'obd', 3);
  const { kessv2SlotGUID: slot } = await decode(
    anna,
    sealImage(slave, 1002, image, identificationOnly),
  );
  const nothing = { sizes: [0x80000], fingerprint: null };
  expect(await partsOf(slot)).toEqual([
    { part: 'modified', ...nothing },
    { part: 'original', ...nothing },
  ]);
  await keepImage(anna, 'original', slot, image);
  const fingerprint = calculated(image, 'original');
  expect((await partsOf(slot)).map((part) => part.fingerprint)).toEqual([fingerprint, fingerprint]);
});

test('refuses a slot that the caller does not have', async () => {
  const answer = await anna.get('/api/slots/01890000-0000-7000-8000-000000000000/fingerprints');
  expect([answer.status, answer.text]).toEqual([404, 'NOT_FOUND']);
});
