/** The engine of a vendor that speaks the Encoding API: every family and mode, and what is kept, shown and refused. */
import { randomBytes } from 'node:crypto';
import { generateImage } from '@recodery/codec/sample-images/images';
import { families, type Family } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../../fixtures/running-portal.ts';
import { startVendorPortal, vendorGroup, vendorName } from '../../fixtures/vendor-portal.ts';
import { addProgram } from '../../encoding-api/program.ts';
import { protocolOf, sealImage } from '../../journeys/families/kessv2-workflow.ts';
import {
  bytesOf,
  decode,
  decodeEnd,
  encodeEnd,
  encodeObdEnd,
  keep,
  readEncoded,
  someRead,
  upload,
} from './vendor-workflow.ts';

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

/** Every slot there is closed, now or soon. */
async function expectAllClosed(): Promise<void> {
  await expect
    .poll(() => [...vendor.slots.values()].filter(({ isClosed }) => !isClosed).length)
    .toBe(0);
}

async function download(url: unknown): Promise<Uint8Array> {
  return (await anna.get(String(url))).bytes;
}

// promise e3.work.foreign
describe('a foreign read', () => {
  test('of KESSv2 is decoded and encoded, byte for byte', async () => {
    const [image, modified, original] = [randomBytes(3000), randomBytes(3000), randomBytes(3000)];
    const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: image } });
    const { slotGUID, result } = await decode(anna, 'kessv2', bytes);
    expect(Buffer.compare(await download(result['decodedFileURL']), image)).toBe(0);
    const ended = await encodeEnd(anna, '/api/kessv2/encode-file', {
      kessv2FileSlotGUID: slotGUID,
      modifiedFileGUID: await keep(
        anna,
        `/api/kessv2/upload-modified-file/${slotGUID}`,
        'modifiedFile',
        modified,
      ),
      originalFileGUID: await keep(
        anna,
        `/api/kessv2/upload-original-file/${slotGUID}`,
        'originalFile',
        original,
      ),
    });
    const encoded = await readEncoded(anna, ended);
    expect(bytesOf(encoded.images['obd'])).toEqual(modified);
    expect(bytesOf(encoded.original)).toEqual(original);
  });

  test('of KESSv2 is encoded again as it was decoded', async () => {
    const image = randomBytes(3000);
    const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: image } });
    const { slotGUID } = await decode(anna, 'kessv2', bytes);
    const body = { kessv2FileSlotGUID: slotGUID };
    const ended = await encodeEnd(anna, '/api/kessv2/reencode-decoded-file', body);
    expect(bytesOf((await readEncoded(anna, ended)).images['obd'])).toEqual(image);
  });

  test('of K-TAG keeps the components that are not modified', async () => {
    const images = {
      Flash: randomBytes(4000),
      Micro: randomBytes(500),
      TuningFile: randomBytes(60),
    };
    const bytes = writeVendorRead({ family: 'ktag', images });
    const { slotGUID, result } = await decode(anna, 'ktag', bytes);
    const components = result['components'] as { type: string; decodedFileURL: string }[];
    expect(components.map(({ type }) => type)).toEqual(['flash', 'micro', 'tuningfile']);
    expect(Buffer.compare(await download(components[1]?.decodedFileURL), images.Micro)).toBe(0);
    const flash = randomBytes(4000);
    const path = `/api/ktag/upload-modified-component-file/${slotGUID}/flash`;
    const ended = await encodeEnd(anna, '/api/ktag/encode-backup', {
      ktagFileSlotGUID: slotGUID,
      FlashFileGUID: await keep(anna, path, 'file', flash),
    });
    const encoded = await readEncoded(anna, ended);
    expect(bytesOf(encoded.images['flash'])).toEqual(flash);
    expect(bytesOf(encoded.images['micro'])).toEqual(images.Micro);
    expect(bytesOf(encoded.images['tuningfile'])).toEqual(images.TuningFile);
  });

  test.each(['Flash', 'Micro', 'EEPROM', 'MapFile'])(
    'of KESS3 on the bench takes a modified %s',
    async (type) => {
      const images = { Flash: randomBytes(400), Micro: randomBytes(300), EEPROM: randomBytes(200) };
      const all = type === 'MapFile' ? { ...images, MapFile: randomBytes(100) } : images;
      const read = writeVendorRead({ family: 'kess3', images: all });
      const { slotGUID, result } = await decode(anna, 'kess3', read);
      expect(result['bootBenchComponents']).toHaveLength(Object.keys(all).length);
      const modified = randomBytes((all as Record<string, Buffer>)[type]?.length ?? 0);
      const path = `/api/kess3/upload-modified-file/${slotGUID}/${type}`;
      const ended = await encodeEnd(anna, '/api/kess3/encode-boot-bench-file', {
        kess3FileSlotGUID: slotGUID,
        [`${type.replace(/File$/, '')}FileGUID`]: await keep(anna, path, 'file', modified),
      });
      expect(ended.error).toBeNull();
      const encoded = await readEncoded(anna, ended);
      expect(bytesOf(encoded.images[type.toLowerCase().replace('mapfile', 'map')])).toEqual(
        modified,
      );
    },
  );

  test('of KESS3 by OBD is named by the vendor, and has neither protocol nor ID file', async () => {
    const { image, bytes } = someRead();
    const { result, slotGUID } = await decode(anna, 'kess3', bytes);
    expect(result).toMatchObject({
      name: 'a tuned car',
      idFileURL: null,
      idFileName: null,
      obdDecodedFileName: 'a tuned car.bin',
      obdDecodedFileSize: image.length,
      obdIsCVNCorrectionPossible: false,
      information: { Mode: 'OBD', Protocol: null, SN: null, 'Group Code': 'G-V' },
    });
    const ended = await encodeObdEnd(anna, slotGUID, randomBytes(image.length));
    expect(ended.result).toMatchObject({ name: 'tuned by the vendor.enc' });
    const lines = (await anna.get('/api/operations?count=2')).json as Record<string, unknown>[];
    expect(lines[0]).toMatchObject({
      protocolID: null,
      slaveSerialNumber: null,
      fileName: 'read.bin',
    });
    const log = await anna.get('/api/operations-log/kess3');
    expect(log.text).toContain('tuned by the vendor.enc');
  });

  test.each([
    [true, true],
    [false, false],
  ])('has its CVN corrected only where the vendor reports that it can be (%j)', async (can, is) => {
    const image = randomBytes(100);
    const read = { family: 'kess3', images: { OBD: image }, isCVNCorrectionPossible: can } as const;
    const { slotGUID, result } = await decode(anna, 'kess3', writeVendorRead(read));
    expect(result['obdIsCVNCorrectionPossible']).toBe(can);
    const ended = await encodeObdEnd(anna, slotGUID, randomBytes(100), { willCorrectCVN: true });
    expect((await readEncoded(anna, ended)).willCorrectCVN).toBe(is);
  });

  test('leaves no slot open', async () => {
    const { image, bytes } = someRead();
    const { slotGUID } = await decode(anna, 'kess3', bytes);
    await expectAllClosed();
    // which an encode reopens
    expect((await encodeObdEnd(anna, slotGUID, randomBytes(image.length))).error).toBeNull();
    await expectAllClosed();
  });

  test('is still refused by a master with the built-in engine', async () => {
    const path = '/api/kess3/upload-read-file?groupCode=G-10';
    const read = { field: 'readFile', bytes: someRead().bytes };
    const answer = await anna.upload('POST', path, read);
    const ended = await anna.follow(answer.json as { guid: string });
    expect(ended.error).toMatchObject({ errorName: 'KESS3_FILE_NOT_RECOGNIZED' });
  });
});

describe('a file in the container', () => {
  test('of another group’s master is not sent to the vendor: the page offers the switch', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const before = vendor.requests.length;
    const ended = await decodeEnd(anna, 'kessv2', sealImage(slave, 1001, randomBytes(512 * 1024)));
    expect(ended.error).toMatchObject({ errorName: 'WRONG_MASTER_CODE', detail: 'G-10' });
    expect(vendor.requests.slice(before).filter((line) => line.includes('decode'))).toEqual([]);
  });
});

describe('a program that chooses no master', () => {
  const path = '/api/kessv2/decode-read-file/a-customer';

  // promise e2.masters.foreign
  test('has a foreign file decoded by the first master whose engine accepts it', async () => {
    const program = await addProgram(portal, 'CC-1001');
    const image = randomBytes(700);
    const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: image } });
    const { result } = await program.succeed(await program.decode(path, bytes));
    expect((await program.download(result['decodedFileURL'])).bytes).toEqual(image);
  });

  test('has the container decoded by the master that it names', async () => {
    const program = await addProgram(portal, 'CC-1001');
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const image = generateImage(protocolOf(1001), 'obd', 1);
    const bytes = sealImage(slave, 1001, image);
    const { result } = await program.succeed(await program.decode(path, bytes));
    const { bytes: decoded } = await program.download(result['decodedFileURL']);
    expect(Buffer.compare(decoded, image)).toBe(0);
  });
});

// promise e3.work.offers
describe('what the vendor does not offer', () => {
  test('is reported on entry and in the list of engines', async () => {
    const entry = (await anna.get(`/api/kess3${vendorGroup}`)).json;
    const engine = {
      name: vendorName,
      kind: 'encoding-api',
      offers: {
        foreignFiles: true,
        utility: false,
        checksumSkip: false,
        componentRemoval: false,
        imageChecks: false,
      },
    };
    expect(entry).toMatchObject({
      engine,
      canUseUtility: false,
      kess3CanSkipChecksum: false,
      foreignFileMasters: [{ groupCode: 'G-V', masterDeviceSerialNumber: 'kess3-of-the-vendor' }],
    });
    expect((await anna.get('/api/kess3?groupCode=G-10')).json).toMatchObject({
      engine: { name: 'built-in', offers: { foreignFiles: false, utility: true } },
      canUseUtility: true,
    });
    const listed = (await anna.get('/api/engines')).json as { groupCode: string; family: Family }[];
    expect(listed.filter(({ groupCode }) => groupCode === 'G-V')).toMatchObject(
      families.toSorted().map((family) => ({
        family,
        masterDeviceSerialNumber: `${family}-of-the-vendor`,
        engine,
      })),
    );
  });

  test('is refused: the utility, skipped checksums, removed components', async () => {
    const utility = await anna.get(`/api/kess3${vendorGroup}&mode=utility`);
    expect([utility.status, utility.text]).toEqual([403, 'USER_NOT_AUTHORIZED_KESS3']);
    const path = `/api/kess3/upload-read-file${vendorGroup}&skipChecksum=true`;
    const { bytes } = someRead();
    const skipped = await anna.upload('POST', path, { field: 'readFile', bytes });
    expect([skipped.status, skipped.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    const images = { Flash: randomBytes(100), EEPROM: randomBytes(50) };
    const { slotGUID } = await decode(anna, 'kess3', writeVendorRead({ family: 'kess3', images }));
    const removed = await anna.post('/api/kess3/encode-boot-bench-file', {
      kess3FileSlotGUID: slotGUID,
      RemoveEEPROM: true,
    });
    expect([removed.status, removed.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  });

  test('an image of the wrong size, an empty one and an archive are refused anyway', async () => {
    const { image, bytes } = someRead();
    const { slotGUID } = await decode(anna, 'kess3', bytes);
    const path = `/api/kess3/upload-modified-file/${slotGUID}/mod`;
    const refuse = async (file: Uint8Array) => {
      const answer = await anna.upload('PUT', path, { field: 'file', bytes: file });
      return [answer.status, answer.text];
    };
    expect(await refuse(randomBytes(image.length + 1))).toEqual([
      400,
      'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    ]);
    expect(await refuse(new Uint8Array())).toEqual([400, 'KESS3_PATH_OR_FILE_NOT_FOUND']);
    expect(await refuse(Buffer.from('PK\u0003\u0004 and so on'))).toEqual([
      400,
      'KESS3_FILE_IS_ARCHIVE',
    ]);
    const kept = await anna.upload('PUT', path, {
      field: 'file',
      bytes: randomBytes(image.length),
    });
    expect(kept.json).toMatchObject({ changes: { size: image.length } });
  });
});

describe('a request', () => {
  test('names the customer and keeps the read’s name', async () => {
    const before = vendor.requests.length;
    await anna.follow(
      (await upload(anna, 'kess3', someRead().bytes, '../folder/read\u0007.kss')).json as {
        guid: string;
      },
    );
    const decodes = vendor.requests.slice(before).filter((line) => line.includes('decode'));
    expect(decodes).toEqual(['POST /base/api/kess3/decode-read-file/CC-1001']);
    expect([...vendor.slots.values()].at(-1)?.readFileName).toBe('read.kss');
  });
});
