/** The KESS3 utility: unpack a backup, change it, compact it, and unpack the result again. */
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { inspect } from '@recodery/codec/simulator/slave';
import { tuneImage } from '@recodery/codec/sample-images/images';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { Mode } from '@recodery/contract/families/family';
import { decodeResult } from '@recodery/contract/families/kess3';
import { describe, expect, test } from 'vitest';
import {
  errorOf,
  expectImages,
  fetchByTicket,
  type Images,
  imagesOf,
  resultOf,
  seal,
  written,
} from './component-workflow.ts';
import { decodeKess3, encodeBench, encodeObd, uploadKess3 } from './kess3-workflow.ts';
import { protocolOf } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const fromUtility = '?fromUtility=true';

const { anna, slave } = await startJourney('kess3');

function unpack(protocolId: number, mode: Mode, images: Images) {
  const read = { protocolId, mode, images };
  return decodeKess3(anna, slave, read, { workflow: 'kess3-utility', query: fromUtility });
}

/** Unpacks a file that came from the portal. */
async function unpackAgain(url: string) {
  const bytes = await fetchByTicket(anna, url);
  const answer = await uploadKess3(anna, bytes, fromUtility);
  return decodeResult.parse(await resultOf(anna, answer));
}

// promise 1.work.utility, d7.results.utility-again
test('an OBD backup is unpacked, compacted with valid checksums, written by the slave, and unpacked again', async () => {
  const images = imagesOf(1001, 1, { obd: undefined });
  const image = images.get('obd') ?? new Uint8Array();
  const unpacked = await unpack(1001, 'obd', images);
  expect(unpacked.information).toMatchObject({ Mode: 'OBD', VIN: 'ZAR93900001234567' });
  expect(Buffer.compare(await fetchByTicket(anna, unpacked.obdDecodedFileURL ?? ''), image)).toBe(
    0,
  );
  const modified = tuneImage(protocolOf(1001), 'obd', image, 2);
  const compacted = await encodeObd(anna, unpacked.kess3FileSlotGUID, { modified });
  expect(compacted.name).toMatch(/\.moc$/);
  const out = (await written(anna, slave, compacted)).get('obd') ?? new Uint8Array();
  const scheme = findComponent(protocolOf(1001), 'obd')?.checksums;
  if (scheme === undefined) throw new Error('1001 has no checksums');
  expect(new Set(verifyChecksums(scheme, out).map(({ state }) => state))).toEqual(new Set(['ok']));
  const again = await unpackAgain(compacted.encodedFileURL);
  expect(Buffer.compare(await fetchByTicket(anna, again.obdDecodedFileURL ?? ''), out)).toBe(0);
  expect(again.information.VIN).toBe('ZAR93900001234567');
});

// promise 1.work.utility
test('a BootBench backup is unpacked, compacted with a removal, and unpacked again without the removed component', async () => {
  const images = imagesOf(9000, 3, { flash: 32 * 1024, micro: 8192, eeprom: 1024 });
  const unpacked = await unpack(9000, 'bootbench', images);
  const flash = (images.get('flash') ?? new Uint8Array()).toReversed();
  const compacted = await encodeBench(anna, unpacked.kess3FileSlotGUID, {
    Flash: flash,
    EEPROM: 'removed',
  });
  const expected: Images = new Map([
    ['flash', flash],
    ['micro', images.get('micro') ?? new Uint8Array()],
  ]);
  expectImages(await written(anna, slave, compacted), expected);
  const file = await fetchByTicket(anna, compacted.encodedFileURL);
  expect(inspect(file, slave.pairKey)).toMatchObject({ header: { kind: 'utility-backup' } });
  const again = await unpackAgain(compacted.encodedFileURL);
  expect(again.bootBenchComponents?.map(({ type }) => type)).toEqual(['Flash', 'Micro']);
});

test('a BootBench backup can be compacted without a component that its protocol requires, and unpacked again', async () => {
  const images = imagesOf(3002, 4, { micro: undefined, eeprom: undefined });
  const unpacked = await unpack(3002, 'bootbench', images);
  const changes = { Micro: 'removed' } as const;
  const compacted = await encodeBench(anna, unpacked.kess3FileSlotGUID, changes);
  const again = await unpackAgain(compacted.encodedFileURL);
  expect(again.bootBenchComponents?.map(({ type }) => type)).toEqual(['EEPROM']);
});

describe('a file in the wrong place', () => {
  const images = imagesOf(9000, 5, { obd: 4096 });
  const read = { protocolId: 9000, mode: 'obd', images } as const;

  test('is reported: a read in the utility, a backup in the recoding', async () => {
    const asRead = await uploadKess3(anna, seal(slave, read), fromUtility);
    expect(await errorOf(anna, asRead)).toMatchObject({ errorName: 'KESS3_FILE_NOT_RECOGNIZED' });
    const asBackup = await uploadKess3(anna, seal(slave, read, { workflow: 'kess3-utility' }));
    expect(await errorOf(anna, asBackup)).toMatchObject({ errorName: 'KESS3_FILE_NOT_RECOGNIZED' });
  });

  test('opens with skipped checksums in the utility as well', async () => {
    const image = imagesOf(1001, 6, { obd: undefined });
    const spoiled = tuneImage(protocolOf(1001), 'obd', image.get('obd') ?? new Uint8Array(), 7);
    const bytes = seal(
      slave,
      { protocolId: 1001, mode: 'obd', images: new Map([['obd', spoiled]]) },
      { workflow: 'kess3-utility' },
    );
    const refused = await uploadKess3(anna, bytes, fromUtility);
    expect(await errorOf(anna, refused)).toMatchObject({ errorName: 'KESS3_CHECKSUM_ERROR' });
    const flags = `${fromUtility}&skipChecksum=true&hasDebugFlag=true`;
    const passed = decodeResult.parse(await resultOf(anna, await uploadKess3(anna, bytes, flags)));
    expect(passed.warnings).toEqual(['KESS3_DECODED_WITH_CHECKSUM_ERROR']);
  });
});
