/** How each page interprets a decode, calls its entry point, and sends an encode. */
import { engineDefinitions } from '@recodery/contract/features/engines';
import { zeroGuid } from '@recodery/contract/api';
import { type Workflow, workflows } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import type { DecodedRead, Entry } from '../../../src/features/recoding/decoded-read.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { iconOf } from '../../../src/features/recoding/families/registry.ts';
import { familyPages } from './family-pages.ts';
import type { EncodeSource } from '../../../src/features/recoding/families/family-page.ts';
import { vehicleOf } from '../../../src/features/trays/rows/row-words.ts';
import {
  freshInputs,
  type Inputs,
  type SettledPart,
} from '../../../src/features/recoding/inputs.ts';
import { serveBrowser } from '../../api/browser.ts';
import {
  bootBenchResult,
  encodedResult,
  guid,
  kessv2Result,
  ktagResult,
  obdResult,
  operation,
  succeeded,
} from '../results.ts';

let seen: { address: string; body: Record<string, unknown> };
let answer: unknown;

serveBrowser((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString();
    seen = { address: `${request.method} ${request.url}`, body: body ? JSON.parse(body) : {} };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
});

const kess3Decode = { asyncOperationType: 'KESS3Decode' } as const;
const reads = {
  kessv2: () => familyPages.kessv2.readOf(succeeded(kessv2Result)),
  ktag: () => familyPages.ktag.readOf(succeeded(ktagResult, { asyncOperationType: 'KTAGDecode' })),
  bootBench: () => familyPages.kess3.readOf(succeeded(bootBenchResult, kess3Decode)),
  obd: () => familyPages.kess3.readOf(succeeded(obdResult, kess3Decode)),
};
const partNames = (read: DecodedRead) => read.parts.map(({ name }) => name);

describe('a decode', () => {
  // promise 2.encode.image
  test('of KESSv2 requires the modified file and downloads automatically', () => {
    const read = reads.kessv2();
    expect(partNames(read)).toEqual(['modified']);
    expect(read).toMatchObject({ arrivesByItself: true, isReencodePossible: true, duration: 300 });
    expect(read.decodedFile).toEqual({
      name: 'read.bin',
      size: 4096,
      url: kessv2Result.decodedFileURL,
    });
  });

  // promise 2.encode.image-original, 4.encode.kessv2-needs-original
  test.each([
    ['isOriginalFileNeeded', kessv2Result],
    ['isChecksumCorrectionNeeded', kessv2Result],
  ])('of KESSv2 also requires the original if %s', (flag, result) => {
    const read = familyPages.kessv2.readOf(succeeded({ ...result, [flag]: true }));
    expect(partNames(read)).toEqual(['modified', 'original']);
    expect(read.parts.every(({ isNeeded }) => isNeeded)).toBe(true);
    expect(read.isReencodePossible).toBe(false);
  });

  // promise 4.encode.reencode-original
  test('without an image can neither be downloaded nor encoded again', () => {
    const none = { ...kessv2Result, decodedFileURL: null, isOriginalFileNeeded: true };
    expect(familyPages.kessv2.readOf(succeeded(none))).toMatchObject({
      decodedFile: null,
      isReencodePossible: false,
    });
  });

  // promise 2.encode.ktag-components
  test('of K-TAG has components, and all of them download automatically', () => {
    const read = reads.ktag();
    expect(partNames(read)).toEqual(['flash', 'eeprom']);
    expect(read.parts.some(({ isNeeded, isRemovable }) => isNeeded || isRemovable)).toBe(false);
    expect(read).toMatchObject({ arrivesByItself: true, decodedFile: { name: 'components.zip' } });
  });

  // promise 1.work.obd-and-bench, 3.decode.eeprom-removed
  test('of KESS3 BootBench starts with the EEPROM removed and does not download automatically', () => {
    const read = reads.bootBench();
    const removed = read.parts.filter(({ startsRemoved }) => startsRemoved);
    expect(removed.map(({ name }) => name)).toEqual(['EEPROM']);
    expect(read).toMatchObject({ arrivesByItself: false, isReencodePossible: false });
  });

  // promise 1.work.obd-and-bench, 2.encode.image, 4.decode.kess3-comes, 4.encode.reencode-image
  test('of KESS3 OBD is an image that downloads automatically and can be encoded again', () => {
    const read = reads.obd();
    expect(partNames(read)).toEqual(['modified']);
    expect(read).toMatchObject({ arrivesByItself: true, isReencodePossible: true });
  });

  test('of another family, an encode, and a decode without a result are refused', () => {
    const others = [
      succeeded(obdResult, kess3Decode),
      succeeded(encodedResult, { asyncOperationType: 'KESSv2Encode' }),
      succeeded(null),
    ];
    for (const other of others) expect(() => familyPages.kessv2.readOf(other)).toThrow(/no decode/);
  });
});

const complete = (number: number): SettledPart => ({
  at: 'complete',
  file: { name: 'x.bin', size: 1 },
  fileGUID: guid(number),
  changes: null,
});

async function encode(
  page: Workflow,
  read: DecodedRead,
  differs: Partial<Inputs<SettledPart>> = {},
  source: EncodeSource = 'parts',
): Promise<typeof seen> {
  answer = operation();
  const fresh = freshInputs(read);
  const inputs = { ...fresh, ...differs, parts: { ...fresh.parts, ...differs.parts } };
  const notificationInfo = { email: 'garage@rossi.test', message: 'Ciao', isPrivate: true };
  await familyPages[page].encode({ read, source, inputs, contextData: 'c', notificationInfo });
  return seen;
}

describe('encoding', () => {
  const alongside = {
    contextData: 'c',
    notificationInfo: { email: 'garage@rossi.test', message: 'Ciao', isPrivate: true },
  };

  // promise 3.records.info, 7.recoding.kessv2-encode
  test('KESSv2 sends the modified file, and corrects the CVN only on request', async () => {
    const parts = { modified: complete(80) };
    expect(await encode('kessv2', reads.kessv2(), { parts })).toEqual({
      address: 'POST /api/kessv2/encode-file',
      body: {
        kessv2FileSlotGUID: guid(50),
        modifiedFileGUID: guid(80),
        originalFileGUID: null,
        willCorrectCVN: false,
        willCorrectChecksums: false,
        ...alongside,
      },
    });
    const { body } = await encode('kessv2', reads.kessv2(), { parts, correctsCVN: true });
    expect(body['willCorrectCVN']).toBe(true);
  });

  // promise 7.recoding.kessv2-reencode
  test('KESSv2 encodes the decoded file again with a separate call', async () => {
    expect(await encode('kessv2', reads.kessv2(), {}, 'decoded')).toEqual({
      address: 'POST /api/kessv2/reencode-decoded-file',
      body: { kessv2FileSlotGUID: guid(50), willCorrectCVN: false, ...alongside },
    });
  });

  // promise 7.recoding.ktag-encode
  test('K-TAG sends the modified components and takes the rest from the backup', async () => {
    const { address, body } = await encode('ktag', reads.ktag(), {
      parts: { flash: complete(80) },
    });
    expect(address).toBe('POST /api/ktag/encode-backup');
    expect(body).toEqual({
      ktagFileSlotGUID: guid(50),
      FlashFileGUID: guid(80),
      MicroFileGUID: null,
      EEPROMFileGUID: null,
      TuningFileGUID: null,
      willCorrectChecksums: false,
      ...alongside,
    });
  });

  // promise 7.recoding.kess3-bench
  test('KESS3 BootBench sends for each component whether it is modified or removed', async () => {
    const parts: Record<string, SettledPart> = {
      Flash: complete(80),
      Micro: { at: 'removed', kept: null },
    };
    const { address, body } = await encode('kess3', reads.bootBench(), { parts });
    expect(address).toBe('POST /api/kess3/encode-boot-bench-file');
    expect(body).toEqual({
      kess3FileSlotGUID: guid(50),
      willCorrectCVN: false,
      willSkipChecksum: false,
      willCorrectChecksums: false,
      FlashFileGUID: guid(80),
      MicroFileGUID: null,
      EEPROMFileGUID: null,
      MapFileGUID: null,
      RemoveFlash: false,
      RemoveMicro: true,
      RemoveEEPROM: true,
      RemoveMapFile: false,
      ...alongside,
    });
  });

  // promise 7.recoding.kess3-obd-zero
  test('KESS3 OBD encodes the decoded file again with an all-zero GUID', async () => {
    const { address, body } = await encode('kess3', reads.obd(), {}, 'decoded');
    expect(address).toBe('POST /api/kess3/encode-obd-file');
    expect(body['modifiedFileGUID']).toBe(zeroGuid);
  });

  test('omits the file of a component that was removed after its upload', async () => {
    const kept = { ...complete(80), at: 'complete' } as Extract<SettledPart, { at: 'complete' }>;
    const { body } = await encode('kess3', reads.bootBench(), {
      parts: { Flash: { at: 'removed', kept } },
    });
    expect(body).toMatchObject({ FlashFileGUID: null, RemoveFlash: true });
  });
});

describe('entering', () => {
  const common = {
    isAutoSendEnabled: true,
    autoSendDefaultAction: 'EncodeAndSend',
    defaultAutoSendAction: 'EncodeAndSend',
    isAutoSendNotificationPrivateByDefault: true,
    canUseReCod: true,
    takesForeignFiles: false,
    isDouble: false,
    someDeviceTakesForeignFiles: false,
    canUseUtility: true,
    engine: { name: 'built-in', kind: 'built-in', offers: engineDefinitions['built-in'].offers },
    foreignFileMasters: [],
    kess3CanSkipChecksum: true,
    kess3HasIsDebugFlag: true,
    kessv2ActiveFileSlotCreationResult: operation(),
    ktagActiveFileSlotCreationResult: operation(),
    kess3ActiveFileSlotCreationResult: operation(),
  };
  const enter = async (page: Workflow) => {
    answer = common;
    const device = { groupCode: 'G-10', masterDeviceSerialNumber: 'M-1' };
    return familyPages[page].enter(device, new AbortController().signal);
  };

  // promise 2.devices.choice
  test.each<[Workflow, string]>([
    ['kessv2', 'GET /api/kessv2?groupCode=G-10&masterDeviceSerialNumber=M-1'],
    ['ktag', 'GET /api/ktag?groupCode=G-10&masterDeviceSerialNumber=M-1'],
    ['kess3', 'GET /api/kess3?groupCode=G-10&masterDeviceSerialNumber=M-1&mode=recod'],
    ['kess3-utility', 'GET /api/kess3?groupCode=G-10&masterDeviceSerialNumber=M-1&mode=utility'],
  ])('%s calls %s and finds the operation that is still running', async (page, address) => {
    const { entry, active } = await enter(page);
    expect(seen.address).toBe(address);
    expect(active?.guid).toBe(guid(1));
    expect(entry).toMatchObject({
      isAutoSendEnabled: true,
      autoSendDefaultAction: 'EncodeAndSend',
    });
  });

  const entryWith = (hasDebugFlag: boolean, maySkipChecksum: boolean): Entry => ({
    isAutoSendEnabled: false,
    autoSendDefaultAction: 'Encode',
    isPrivateByDefault: true,
    canUseUtility: true,
    takesForeignFiles: false,
    isDouble: false,
    someDeviceTakesForeignFiles: false,
    hasDebugFlag,
    maySkipChecksum,
  });

  // promise 2.encode.skip-switch, 5.files.skip-by-flag-and-right, 5.files.skip-utility-obd
  // promise 5.files.skip-utility-bench, 5.files.skip-kess3-off
  test.each<[Workflow, boolean, boolean, boolean, boolean, boolean]>([
    // page, debug flag, skip permission; offered at decode, for OBD, for BootBench
    ['kess3', true, true, false, false, false],
    ['kess3-utility', false, false, false, false, false],
    ['kess3-utility', true, false, false, false, false],
    ['kess3-utility', false, true, false, false, true],
    ['kess3-utility', true, true, true, true, true],
    ['kessv2', true, true, false, false, false],
    ['ktag', true, true, false, false, false],
  ])(
    '%s with debug flag %s and skip permission %s offers to skip checksums at decode %s, for OBD %s, for BootBench %s',
    (id, debug, skip, decode, obd, bench) => {
      const page = familyPages[id];
      const entry = entryWith(debug, skip);
      expect(page.offersDecodeSkip(entry)).toBe(decode);
      expect(page.offersEncodeSkip(entry, reads.obd())).toBe(obd);
      expect(page.offersEncodeSkip(entry, reads.bootBench())).toBe(bench);
    },
  );

  // promise 2.encode.skip-switch
  test.each(['obd', 'bootBench'] as const)(
    'a protocol without checksum rules has none to skip: %s',
    (shape) => {
      const read = { ...reads[shape](), checksumRules: 0 };
      expect(familyPages['kess3-utility'].offersEncodeSkip(entryWith(true, true), read)).toBe(
        false,
      );
    },
  );
});

describe('in a list, a read is identified', () => {
  test.each(workflows)('on the page of %s by fields that the page shows', (id) => {
    const { identifiedBy, information } = familyPages[id];
    const shown = information.map(({ name }) => name);
    expect(shown).toEqual(expect.arrayContaining(identifiedBy.flat()));
    const slave = information.find(({ as }) => as === 'slave')?.name;
    expect(identifiedBy.at(-1)).toEqual([slave]);
  });

  test('by the first of several fields that is known', () => {
    const lines = (known: Readonly<Record<string, string>>) => {
      const information = { ...ktagResult.information, ...known };
      const ended = succeeded({ ...ktagResult, information }, { asyncOperationType: 'KTAGDecode' });
      const page = familyPages.ktag;
      return vehicleOf({ page, read: page.readOf(ended) });
    };
    expect(lines({ PRT: '2001 REF', FAMILY: 'EDC', SN: 'KTG-1' })).toEqual(['EDC', 'KTG-1']);
    expect(lines({ PRT: '2001 REF', Engine: '2.0' })).toEqual(['2001 REF', '2.0']);
  });
});

test('each page has an icon of its own, so that menus with all families can be scanned', () => {
  const icons = workflows.map((workflow) => renderToStaticMarkup(createElement(iconOf(workflow))));
  expect(new Set(icons.map((icon) => icon.replace(/ class="[^"]*"/, ''))).size).toBe(icons.length);
});
