/**
 * Everything that KESS3 refuses in recoding and utility: damaged files and wrong images, each with its own error name.
 */
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { writeMapFile } from '@recodery/codec/protocols/map-file';
import { decodeResult } from '@recodery/contract/families/kess3';
import { beforeAll, describe, expect, test } from 'vitest';
import { damages, firstOfEachCode } from '../../../../codec/test/damaged/damages.ts';
import {
  errorOf,
  type Images,
  imagesOf,
  keep,
  refuse,
  resultOf,
  seal,
  written,
} from './component-workflow.ts';
import { decodeKess3, encodeObd, uploadKess3, uploadPath } from './kess3-workflow.ts';
import { protocolOf, started } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const { portal, anna, slave } = await startJourney('kess3', {
  RECODERY_PARALLEL_OPERATIONS: '200',
});

/** The result of an upload: the error that the page receives, and the code in the row. */
async function failureOf(bytes: Uint8Array, query = '') {
  const answer = await uploadKess3(anna, bytes, query);
  const error = await errorOf(anna, answer);
  const row = portal.platform.db.selectFrom('operation').select('internal_code');
  const { guid } = started(answer);
  const { internal_code: code } = await row.where('guid', '=', guid).executeTakeFirstOrThrow();
  return { name: error?.errorName, code, detail: error?.detail ?? null };
}

const obdImage = (protocolId: number, seed = 1): Images =>
  imagesOf(protocolId, seed, { obd: undefined });

async function decodeObd(protocolId: number): Promise<string> {
  const read = { protocolId, mode: 'obd', images: obdImage(protocolId) } as const;
  return (await decodeKess3(anna, slave, read)).kess3FileSlotGUID;
}

async function decodeBench(protocolId: number, images: Images): Promise<string> {
  const read = { protocolId, mode: 'bootbench', images } as const;
  return (await decodeKess3(anna, slave, read)).kess3FileSlotGUID;
}

describe('a read file', () => {
  const own = damages.flatMap(({ names: [, , name], ...damage }) =>
    name === null ? [] : [{ ...damage, errorName: name }],
  );
  const expectFailure = async ({ make, code, errorName, workflow }: (typeof own)[number]) => {
    const failure = await failureOf(
      make(slave),
      workflow === 'kess3-utility' ? '?fromUtility=true' : '',
    );
    expect(failure).toMatchObject({ name: errorName, code });
    // a name for several codes
    if (['KESS3_GENERIC_ERROR_WITH_CODE', 'KESS3_BAD_HEADER'].includes(errorName))
      expect(failure.detail).toMatch(/./);
  };
  // in each run, `codec/test/damaged/damaged.test.ts` makes all of them, and `kessv2-refusals.test.ts` uploads them
  const [first, others] = firstOfEachCode(own);
  // promise 5.files.kessv2-on-kess3, 5.files.not-kess3, c.checks.damaged-kess3
  test.each(first)('$name fails with $errorName', (damage) => expectFailure(damage));
  test.each(others)('$name fails with $errorName', { tags: 'release' }, (damage) =>
    expectFailure(damage),
  );

  test('with wrong checksums fails with KESS3_CHECKSUM_ERROR, which names the rules', async () => {
    const image = obdImage(1001).get('obd') ?? new Uint8Array();
    const images = new Map([['obd', tuneImage(protocolOf(1001), 'obd', image, 2)] as const]);
    const failure = await failureOf(seal(slave, { protocolId: 1001, mode: 'obd', images }));
    expect(failure).toMatchObject({ name: 'KESS3_CHECKSUM_ERROR', code: 'READ_CHECKSUM_ERROR' });
    expect(failure.detail).toMatch(/[A-Z]/);
  });

  test('of an ECU that the protocol does not know fails with KESS3_INFO_RETRIEVAL_ERROR', async () => {
    const images = new Map([['obd', new Uint8Array(0x80000)] as const]);
    expect(await failureOf(seal(slave, { protocolId: 1001, mode: 'obd', images }))).toMatchObject({
      name: 'KESS3_INFO_RETRIEVAL_ERROR',
      code: 'ECU_NOT_RECOGNIZED',
    });
  });

  test('with a maps file that its protocol does not have fails with KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL', async () => {
    const images = imagesOf(3002, 1, { micro: undefined, eeprom: undefined });
    const withMap = new Map([...images, ['mapfile', new Uint8Array(2048)] as const]);
    const bytes = seal(slave, { protocolId: 3002, mode: 'bootbench', images: withMap });
    expect(await failureOf(bytes)).toMatchObject({ name: 'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL' });
  });

  test('without a component that its protocol requires fails with KESS3_COMPONENT_READ_ERROR', async () => {
    const images = imagesOf(3002, 1, { eeprom: undefined });
    const bytes = seal(slave, { protocolId: 3002, mode: 'bootbench', images });
    expect(await failureOf(bytes)).toMatchObject({
      name: 'KESS3_COMPONENT_READ_ERROR',
      detail: 'micro',
    });
  });

  // promise d5.devices.other-group
  test('of a slave in another group of the caller’s names only that group if another was chosen, and opens there', async () => {
    const other = await portal.getSlave('kess3', 'KS3-000043');
    const image = obdImage(1001);
    const bytes = seal(other, { protocolId: 1001, mode: 'obd', images: image });
    const failure = { name: 'KESS3_TOOL_NOT_FOUND', code: 'TOOL_NOT_FOUND', detail: 'G-11' };
    expect(await failureOf(bytes, '?groupCode=G-10')).toEqual(failure);
    expect(await failureOf(bytes, '?masterDeviceSerialNumber=KS3-M-0001')).toEqual(failure);
    const query = '?groupCode=G-11&masterDeviceSerialNumber=KS3-M-0002';
    const answer = await uploadKess3(anna, bytes, query);
    const decoded = decodeResult.parse(await resultOf(anna, answer));
    expect(decoded.information).toMatchObject({ 'Group Code': 'G-11', SN: 'KS3-000043' });
    // the slot stores its group: nothing needs to be selected again
    const encoded = await encodeObd(anna, decoded.kess3FileSlotGUID, {});
    expect([...(await written(anna, other, encoded)).keys()]).toEqual(['obd']);
  });

  // promise d5.devices.other-code
  test('of another customer code of the caller reveals nothing about it', async () => {
    const other = await portal.getSlave('kess3', 'KS3-002002');
    const bytes = seal(other, { protocolId: 1001, mode: 'obd', images: obdImage(1001) });
    expect(await failureOf(bytes)).toEqual({
      name: 'KESS3_WRONG_MASTER_CODE',
      code: 'WRONG_MASTER_CODE',
      detail: null,
    });
  });
});

const archive = Buffer.from('PK\u0003\u0004 and so on');

describe('a modified image of an OBD read', () => {
  test.each([
    ['of another size', () => new Uint8Array(1000), 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
    ['of another ECU', () => new Uint8Array(0x80000), 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
    [
      'that is still sealed',
      () => seal(slave, { protocolId: 1001, mode: 'obd', images: obdImage(1001) }),
      'KESS3_FILE_NOT_RECOGNIZED',
    ],
    ['in an archive', () => archive, 'KESS3_FILE_IS_ARCHIVE'],
    ['that is empty', () => new Uint8Array(), 'KESS3_PATH_OR_FILE_NOT_FOUND'],
  ])('%s is refused when it is uploaded', async (_, make, code) => {
    const slot = await decodeObd(1001);
    expect(await refuse(anna, uploadPath(slot, 'mod'), make())).toEqual([400, code]);
  });

  test('whose checksum cannot be corrected fails the encode, which names the rule', async () => {
    const slot = await decodeObd(1006);
    const image = obdImage(1006).get('obd') ?? new Uint8Array();
    // inside of the signed boot loader
    const modified = image.with(0x1000, (image[0x1000] ?? 0) ^ 0xff);
    const { fileGUID } = await keep(anna, uploadPath(slot, 'mod'), modified);
    const body = { kess3FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    const error = await errorOf(anna, await anna.post('/api/kess3/encode-obd-file', body));
    expect(error).toMatchObject({ errorName: 'KESS3_CHECKSUM_ERROR' });
    expect(error?.detail).toMatch(/[A-Z]/);
  });

  test('needs an original of the same ECU', async () => {
    const slot = await decodeObd(1003);
    const answer = await refuse(anna, uploadPath(slot, 'ori'), new Uint8Array(0x80000));
    expect(answer).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
  });
});

describe('a modified component', () => {
  const images = imagesOf(3001, 1, { flash: undefined, micro: undefined, eeprom: undefined });
  let slot: string;
  beforeAll(async () => {
    slot = await decodeBench(3001, images);
  });

  // promise 5.files.wrong-protocol
  test.each([
    ['of another size', () => new Uint8Array(1000), 'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT'],
    [
      'of another ECU',
      () => new Uint8Array(images.get('flash')?.length ?? 0),
      'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    ],
    [
      'that is still sealed',
      () => seal(slave, { protocolId: 3001, mode: 'bootbench', images }),
      'KESS3_FILE_NOT_RECOGNIZED',
    ],
    ['in an archive', () => archive, 'KESS3_FILE_IS_ARCHIVE'],
    ['that is empty', () => new Uint8Array(), 'KESS3_PATH_OR_FILE_NOT_FOUND'],
  ])('%s is refused when it is uploaded', async (_, make, code) => {
    expect(await refuse(anna, uploadPath(slot, 'Flash'), make())).toEqual([400, code]);
  });

  test('that is a maps file is refused for another image, and accepted if it fits', async () => {
    const maps = [{ name: 'Boost', address: 0x1000, columns: 8, rows: 8, unit: 1 }];
    const flashSize = images.get('flash')?.length ?? 0;
    const to = uploadPath(slot, 'MapFile');
    const processing = [400, 'KESS3_MAPS_FILE_PROCESSING_ERROR'];
    expect(await refuse(anna, to, writeMapFile(maps, 4711))).toEqual(processing);
    expect(await refuse(anna, to, new Uint8Array(0x100))).toEqual(processing);
    const kept = await keep(anna, to, writeMapFile(maps, flashSize));
    expect(kept.changes).toBeNull();
  });

  test('that is a maps file is refused for a protocol without maps files', async () => {
    const other = await decodeBench(
      3002,
      imagesOf(3002, 1, { micro: undefined, eeprom: undefined }),
    );
    const image = generateImage(protocolOf(3001), 'mapfile', 1);
    expect(await refuse(anna, uploadPath(other, 'MapFile'), image)).toEqual([
      400,
      'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
    ]);
  });
});

describe('a slot', () => {
  test('is refused if it was never decoded, and is not found if it is of another family', async () => {
    const failed = started(await uploadKess3(anna, new Uint8Array(100)));
    await anna.follow(failed);
    const calls = ['encode-obd-file', 'encode-boot-bench-file'];
    for (const call of calls) {
      const body = { kess3FileSlotGUID: failed.slotGUID };
      const answer = await anna.post(`/api/kess3/${call}`, body);
      expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    }
    const ktag = await anna.post('/api/ktag/encode-backup', { ktagFileSlotGUID: failed.slotGUID });
    expect([ktag.status, ktag.text]).toEqual([404, 'NOT_FOUND']);
    const zip = await anna.get(`/kess3/slots/${failed.slotGUID}/files/?fileType=All`);
    expect([zip.status, zip.text]).toEqual([404, 'NOT_FOUND']);
  });
});
