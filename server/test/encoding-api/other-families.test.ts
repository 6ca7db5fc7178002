/** A program's workflow with KESSv2 and K-TAG files through the Encoding API, byte for byte. */
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import type { ComponentName } from '@recodery/contract/families/family';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  expectImages,
  type Images,
  imagesOf,
  seal,
} from '../journeys/families/component-workflow.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { addProgram, type Program, type ProgramOperation } from './program.ts';

let portal: RunningPortal;
let program: Program;
beforeAll(async () => {
  portal = await startTestPortal();
  program = await addProgram(portal);
});
afterAll(() => portal.stop());

async function written(slave: Slave, { result }: ProgramOperation): Promise<Images> {
  const { bytes } = await program.download(result['encodedFileURL']);
  const { components } = acceptEncoded({ ...slave, file: bytes });
  return new Map(components.map((one) => [one.name, one.bytes]));
}

// promise e1.work.kessv2
describe('KESSv2', () => {
  const image = imagesOf(9000, 3, { obd: 4096 }).get('obd') ?? new Uint8Array();

  test('is decoded, modified and encoded', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, image);
    const path = '/api/kessv2/decode-read-file/C-1';
    const decoded = await program.succeed(await program.decode(path, read));
    const { slotGUID: slot, result } = decoded;
    expect(decoded['asyncOperationType']).toBe(1);
    expect(result).toEqual({
      kessv2FileSlotGUID: slot,
      name: expect.stringMatching(/KV2-000007/),
      decodedFileURL: expect.any(String),
      isCVNCorrectionPossible: false,
      isChecksumCorrectionNeeded: false,
    });
    for (const address of [
      result['decodedFileURL'],
      `/api/kessv2/file-slots/${slot}/files/?fileType=Decoded&download=true`,
    ]) {
      const { name, bytes } = await program.download(address);
      expect(name).toBe(`${result['name']}.bin`);
      expect(Buffer.compare(bytes, image)).toBe(0);
    }
    const upload = (type: string, bytes: Uint8Array) =>
      program.keep(`/api/kessv2/upload-modified-file/C-1/${slot}/${type}`, bytes);
    const changed = image.toReversed();
    const encoded = await program.succeed(
      await program.post('/api/kessv2/encode-file', {
        userCustomerCode: 'C-1',
        kessv2FileSlotGUID: slot,
        modifiedFileGUID: await upload('Modified', changed),
        originalFileGUID: await upload('Original', image),
        willCorrectCVN: false,
      }),
    );
    expect(encoded['asyncOperationType']).toBe(2);
    expect(Object.keys(encoded.result)).toEqual([
      'kessv2FileSlotGUID',
      'kessv2FileGUID',
      'name',
      'encodedFileURL',
    ]);
    expectImages(await written(slave, encoded), new Map([['obd', changed]]));
    const id = await program.download(`/api/kessv2/file-slots/${slot}/files/?fileType=IDFile`);
    expect(id.name).toBe(`${result['name']}.id`);
  });
});

// promise e1.work.ktag
describe('K-TAG', () => {
  const images = imagesOf(9000, 4, { flash: 65_536, micro: 16_384, eeprom: 1024 });
  const types = { Flash: 'flash', Micro: 'micro', EEPROM: 'eeprom' } as const;

  // promise e1.work.unnamed
  test('is decoded, modified and encoded; what is not named stays', async () => {
    const slave = await portal.getSlave('ktag', 'KTG-000007');
    const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
    const path = '/api/ktag/decode-read-backup/C-1';
    const decoded = await program.succeed(await program.decode(path, read));
    const { slotGUID: slot, result } = decoded;
    expect(decoded['asyncOperationType']).toBe(3);
    expect(Object.keys(result)).toEqual(['ktagFileSlotGUID', 'name', 'components']);
    expect(result.components.map(({ type }) => type)).toEqual(Object.keys(types));
    for (const { type, decodedFileURL } of result.components) {
      const expected = images.get(types[type as keyof typeof types]) ?? new Uint8Array();
      const byAddress = await program.download(decodedFileURL);
      const byType = await program.download(
        `/api/ktag/file-slots/${slot}/files/?fileType=Decoded${type}&download=true`,
      );
      expect(Buffer.compare(byAddress.bytes, expected)).toBe(0);
      expect(Buffer.compare(byType.bytes, expected)).toBe(0);
    }
    const micro = (images.get('micro') ?? new Uint8Array()).toReversed();
    const encoded = await program.succeed(
      await program.post('/api/ktag/encode-backup', {
        userCustomerCode: 'C-1',
        ktagFileSlotGUID: slot,
        microFileGUID: await program.keep(
          `/api/ktag/upload-modified-file/C-1/${slot}/Micro`,
          micro,
        ),
      }),
    );
    expect(encoded['asyncOperationType']).toBe(4);
    expect(encoded.result).toHaveProperty('ktagFileGUID');
    const expected = new Map<ComponentName, Uint8Array>([...images, ['micro', micro]]);
    expectImages(await written(slave, encoded), expected);
  });
});
