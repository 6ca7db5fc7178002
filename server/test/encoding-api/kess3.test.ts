/** A program's workflow with KESS3 files through the Encoding API, in OBD and on the bench, byte for byte. */
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import type { ComponentName } from '@recodery/contract/families/family';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  expectImages,
  type Images,
  imagesOf,
  seal,
} from '../journeys/families/component-workflow.ts';
import { addProgram, type Program, type ProgramOperation } from './program.ts';

let portal: RunningPortal;
let program: Program;
beforeAll(async () => {
  portal = await startTestPortal();
  program = await addProgram(portal);
});
afterAll(() => portal.stop());

const guidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function decode(mode: 'obd' | 'bootbench', images: Images): Promise<ProgramOperation> {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const bytes = seal(slave, { protocolId: 9000, mode, images });
  return program.succeed(await program.decode('/api/kess3/decode-read-file/C-1', bytes));
}

/** The images in an encoded file, as the slave writes them. */
async function written({ result }: ProgramOperation): Promise<Images> {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const { name, bytes } = await program.download(result['encodedFileURL']);
  expect(name).toBe(result['name']);
  const { components } = acceptEncoded({ ...slave, file: bytes });
  return new Map(components.map((one) => [one.name, one.bytes]));
}

// promise e1.work.kess3
describe('an OBD read', () => {
  const images = imagesOf(9000, 1, { obd: 4096 });
  const image = images.get('obd') ?? new Uint8Array();
  const changed = image.toReversed();

  test('is decoded, modified and encoded', async () => {
    const decoded = await decode('obd', images);
    const { slotGUID: slot, result } = decoded;
    expect(result).toMatchObject({
      kess3Mode: 'OBD',
      bootBenchComponents: null,
      isCVNCorrectionPossible: false,
    });
    const image1 = await program.download(result['obdDecodedFileURL']);
    expect(image1.name).toBe(`${result['name']}.bin`);
    expect(Buffer.compare(image1.bytes, image)).toBe(0);

    const modifiedFileGUID = await program.keep(
      `/api/kess3/upload-modified-file/C-1/${slot}/OBDModified`,
      changed,
    );
    const encoded = await program.succeed(
      await program.post('/api/kess3/encode-obd-file', {
        userCustomerCode: 'C-1',
        kess3FileSlotGUID: slot,
        modifiedFileGUID,
      }),
    );
    expect(encoded).toMatchObject({ asyncOperationType: 6, slotGUID: slot });
    expect(encoded.result).toEqual({
      kess3FileSlotGUID: slot,
      kess3FileGUID: expect.stringMatching(guidForm),
      name: expect.stringMatching(/\.moc$/),
      encodedFileURL: expect.any(String),
    });
    expectImages(await written(encoded), new Map([['obd', changed]]));
    // the same file by its type
    const byType = await program.download(
      `/api/kess3/file-slots/${slot}/files/?fileType=OBDEncoded&download=true`,
    );
    expect(byType.name).toBe(encoded.result['name']);
  });

  test('is encoded as it was read when no modified file is named', async () => {
    const { slotGUID } = await decode('obd', images);
    const body = { userCustomerCode: 'C-1', kess3FileSlotGUID: slotGUID };
    const encoded = await program.succeed(
      await program.post('/api/kess3/encode-obd-file', { ...body, modifiedFileGUID: null }),
    );
    expectImages(await written(encoded), images);
  });

  test('is not encoded as a bench read', async () => {
    const { slotGUID } = await decode('obd', images);
    const body = { userCustomerCode: 'C-1', kess3FileSlotGUID: slotGUID };
    const answer = await program.post('/api/kess3/encode-boot-bench-file', body);
    expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  });
});

// promise e1.work.kess3
describe('a bench read', () => {
  const images = imagesOf(9000, 2, { flash: 65_536, micro: 16_384, eeprom: 1024, mapfile: 2048 });
  const other = (name: ComponentName) => (images.get(name) ?? new Uint8Array()).toReversed();
  const types = { Flash: 'flash', Micro: 'micro', EEPROM: 'eeprom', MapFile: 'mapfile' } as const;

  test('is decoded into components, each at its address and under its type', async () => {
    const { result, slotGUID: slot } = await decode('bootbench', images);
    expect(result).toMatchObject({ kess3Mode: 'BootBench', obdDecodedFileURL: null });
    expect(result).toHaveProperty('isCVNCorrectionPossible');
    expect(result.bootBenchComponents.map(({ type }) => type)).toEqual(Object.keys(types));
    for (const { type, decodedFileURL } of result.bootBenchComponents) {
      const expected = images.get(types[type as keyof typeof types]) ?? new Uint8Array();
      const byAddress = await program.download(decodedFileURL);
      const byType = await program.download(
        `/api/kess3/file-slots/${slot}/files/?fileType=BootBenchDecoded${type}&download=true`,
      );
      expect(Buffer.compare(byAddress.bytes, expected)).toBe(0);
      expect(Buffer.compare(byType.bytes, expected)).toBe(0);
    }
  });

  test.each([
    { field: 'flashFileGUID', type: 'Flash', name: 'flash' },
    { field: 'microFileGUID', type: 'Micro', name: 'micro' },
    { field: 'eepromFileGUID', type: 'EEPROM', name: 'eeprom' },
    { field: 'mapFileGUID', type: 'MapFile', name: 'mapfile' },
  ] as const)('keeps every component that the encode does not name beside $field', async (one) => {
    const { slotGUID: slot } = await decode('bootbench', images);
    const guid = await program.keep(
      `/api/kess3/upload-modified-file/other/${slot}/BootBenchModified${one.type}`,
      other(one.name),
    );
    const encoded = await program.succeed(
      await program.post('/api/kess3/encode-boot-bench-file', {
        userCustomerCode: 'another',
        kess3FileSlotGUID: slot,
        [one.field]: guid,
      }),
    );
    expect(encoded).toMatchObject({ asyncOperationType: 7, status: 1 });
    expectImages(await written(encoded), new Map([...images, [one.name, other(one.name)]]));
  });

  // promise e1.work.unnamed
  test('is encoded completely when the encode names no component', async () => {
    const { slotGUID } = await decode('bootbench', images);
    const body = { userCustomerCode: 'C-1', kess3FileSlotGUID: slotGUID };
    const encoded = await program.succeed(
      await program.post('/api/kess3/encode-boot-bench-file', body),
    );
    expectImages(await written(encoded), images);
  });
});
