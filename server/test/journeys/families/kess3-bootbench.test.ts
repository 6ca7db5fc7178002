/** The KESS3 BootBench journey: components modified, from the backup, removed; with checksums, CVN and maps file. */
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { cvnOf } from '@recodery/codec/checksum/cvn';
import { tuneImage } from '@recodery/codec/sample-images/images';
import { writeMapFile } from '@recodery/codec/protocols/map-file';
import type { ComponentSpec } from '@recodery/codec/protocols/shape';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { ComponentName } from '@recodery/contract/families/family';
import type { DecodeResult } from '@recodery/contract/families/kess3';
import { beforeAll, describe, expect, test } from 'vitest';
import { readZip } from '../../fixtures/read-zip.ts';
import {
  expectImages,
  fetchByTicket,
  type Images,
  imagesOf,
  keep,
  refuse,
  written,
} from './component-workflow.ts';
import { benchBody, type Change, decodeKess3, encodeBench, uploadPath } from './kess3-workflow.ts';
import { protocolOf } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const words = { Flash: 'flash', Micro: 'micro', EEPROM: 'eeprom', MapFile: 'mapfile' } as const;
type Word = keyof typeof words;

const { anna, slave } = await startJourney('kess3');

function decode(protocolId: number, images: Images): Promise<DecodeResult> {
  return decodeKess3(anna, slave, { protocolId, mode: 'bootbench', images });
}

function imageOf(images: Images, name: ComponentName): Uint8Array {
  const image = images.get(name);
  if (image === undefined) throw new Error(`there is no ${name}`);
  return image;
}

describe('open firmware (9000)', () => {
  const sizes = { flash: 64 * 1024, micro: 16 * 1024, eeprom: 1024, mapfile: 2048 };
  const images = imagesOf(9000, 1, sizes);
  const other = (word: Word) => imageOf(images, words[word]).toReversed();
  let decoded: DecodeResult;
  beforeAll(async () => {
    decoded = await decode(9000, images);
  });

  // promise 1.work.decode-kess3, 2.encode.bench-components, 3.decode.extensions
  test('is decoded into components, offered individually and in one zip', async () => {
    expect(decoded).toMatchObject({
      obdDecodedFileURL: null,
      obdDecodedFileName: null,
      obdDecodedFileSize: null,
      decodedFileName: 'components.zip',
      idFileName: `${decoded.name}.id`,
      information: { Mode: 'BootBench', Cks: null, Recognized: null },
    });
    const components = decoded.bootBenchComponents ?? [];
    expect(
      components.map(({ type, decodedFileName, size }) => [type, decodedFileName, size]),
    ).toEqual([
      ['Flash', `${decoded.name}.fls`, sizes.flash],
      ['Micro', `${decoded.name}.mpc`, sizes.micro],
      ['EEPROM', `${decoded.name}.epr`, sizes.eeprom],
      ['MapFile', `${decoded.name}.map`, sizes.mapfile],
    ]);
    const zip = readZip(await fetchByTicket(anna, decoded.decodedFileURL ?? ''));
    expect(zip.size).toBe(4);
    for (const { type, decodedFileURL, decodedFileName } of components) {
      const single = await fetchByTicket(anna, decodedFileURL);
      expect(Buffer.compare(single, imageOf(images, words[type]))).toBe(0);
      expect(Buffer.compare(single, zip.get(decodedFileName) ?? new Uint8Array())).toBe(0);
    }
  });

  // promise d7.results.restore, d7.results.removed
  test.each<{ readonly title: string; readonly changes: Partial<Record<Word, Change>> }>([
    { title: 'nothing changed', changes: {} },
    { title: 'the EEPROM removed', changes: { EEPROM: 'removed' } },
    { title: 'the Flash modified', changes: { Flash: other('Flash') } },
    { title: 'the maps file modified', changes: { MapFile: other('MapFile') } },
    {
      title: 'Flash and Micro modified, the rest removed',
      changes: {
        Flash: other('Flash'),
        Micro: other('Micro'),
        EEPROM: 'removed',
        MapFile: 'removed',
      },
    },
    {
      title: 'all modified',
      changes: {
        Flash: other('Flash'),
        Micro: other('Micro'),
        EEPROM: other('EEPROM'),
        MapFile: other('MapFile'),
      },
    },
    {
      title: 'everything except Micro removed',
      changes: { Flash: 'removed', EEPROM: 'removed', MapFile: 'removed' },
    },
  ])('comes back with $title', async ({ changes }) => {
    const encoded = await encodeBench(anna, decoded.kess3FileSlotGUID, changes);
    expect(encoded.name).toMatch(/^KESS3_KS3-000042_9000_\d{8}-\d{6}(-\d+)?\.moc$/);
    const expected = new Map<ComponentName, Uint8Array>();
    for (const [word, name] of Object.entries(words)) {
      const change = changes[word as Word];
      if (change !== 'removed') expected.set(name, change ?? imageOf(images, name));
    }
    expectImages(await written(anna, slave, encoded), expected);
  });

  // promise d7.results.all-removed
  test('is refused if nothing would be left', async () => {
    const slot = decoded.kess3FileSlotGUID;
    const all = {
      Flash: 'removed',
      Micro: 'removed',
      EEPROM: 'removed',
      MapFile: 'removed',
    } as const;
    const body = await benchBody(anna, slot, all);
    const answer = await anna.post('/api/kess3/encode-boot-bench-file', body);
    expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  });

  test('prefers a removal to a modified file of the same component', async () => {
    const slot = decoded.kess3FileSlotGUID;
    const body = {
      ...(await benchBody(anna, slot, { EEPROM: other('EEPROM') })),
      RemoveEEPROM: true,
    };
    const encoded = await encodeBench(anna, slot, {}, body);
    expect([...(await written(anna, slave, encoded)).keys()]).toEqual([
      'flash',
      'micro',
      'mapfile',
    ]);
  });

  // promise 7.recoding.kess3-modified
  test('is not a single image: neither a modified nor an original one is accepted, nor encoded', async () => {
    const slot = decoded.kess3FileSlotGUID;
    for (const component of ['mod', 'ori', 'TuningFile']) {
      const image = imageOf(images, 'flash');
      expect(await refuse(anna, uploadPath(slot, component), image)).toEqual([404, 'NOT_FOUND']);
    }
    const { fileGUID } = await keep(anna, uploadPath(slot, 'Flash'), imageOf(images, 'flash'));
    for (const modifiedFileGUID of [null, fileGUID]) {
      const body = { kess3FileSlotGUID: slot, modifiedFileGUID };
      const answer = await anna.post('/api/kess3/encode-obd-file', body);
      expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
    }
  });
});

describe('an ECU with checksums, a CVN and a maps file (3001)', () => {
  const names = ['flash', 'micro', 'eeprom'] as const;
  const images = imagesOf(3001, 2, { flash: undefined, micro: undefined, eeprom: undefined });
  const mapFile = writeMapFile(
    [{ name: 'Boost', address: 0x230000, columns: 16, rows: 16, unit: 2 }],
    imageOf(images, 'flash').length,
  );
  const specs = new Map(
    names.map((name): [ComponentName, ComponentSpec] => {
      const spec = findComponent(protocolOf(3001), name);
      if (spec === null) throw new Error(`3001 has no ${name}`);
      return [name, spec];
    }),
  );
  const states = (name: ComponentName, image: Uint8Array) => {
    const scheme = specs.get(name)?.checksums;
    if (scheme === undefined) throw new Error(`${name} has no checksums`);
    return [...new Set(verifyChecksums(scheme, image).map(({ state }) => state))];
  };

  // promise 1.work.map-file
  test('comes back with all checksums valid, and with the original’s CVN if requested', async () => {
    const decoded = await decode(3001, new Map([...images, ['mapfile', mapFile] as const]));
    expect(decoded.obdIsCVNCorrectionPossible).toBe(true);
    expect(decoded.information).toMatchObject({ Cks: 'OK', Recognized: 'OK' });
    const tuned = (name: ComponentName) =>
      tuneImage(protocolOf(3001), name, imageOf(images, name), 3);
    const cvn = specs.get('flash')?.cvn;
    if (cvn === undefined) throw new Error('3001 has no CVN');
    const slot = decoded.kess3FileSlotGUID;
    const changes = { Flash: tuned('flash'), EEPROM: tuned('eeprom') };
    const out = await written(
      anna,
      slave,
      await encodeBench(anna, slot, changes, { willCorrectCVN: true }),
    );
    expect([...out.keys()]).toEqual(['flash', 'micro', 'eeprom', 'mapfile']);
    for (const name of names)
      expect([name, states(name, imageOf(out, name))]).toEqual([name, ['ok']]);
    expect(cvnOf(cvn, imageOf(out, 'flash'))).toBe(cvnOf(cvn, imageOf(images, 'flash')));
    expect(Buffer.compare(imageOf(out, 'micro'), imageOf(images, 'micro'))).toBe(0);
    expect(Buffer.compare(imageOf(out, 'mapfile'), mapFile)).toBe(0);
    const left = await written(anna, slave, await encodeBench(anna, slot, changes));
    expect(cvnOf(cvn, imageOf(left, 'flash'))).not.toBe(cvnOf(cvn, imageOf(images, 'flash')));
    expect(states('flash', imageOf(left, 'flash'))).toEqual(['ok']);
  });
});
