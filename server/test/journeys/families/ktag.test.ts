/**
 * The K-TAG journey from the read backup to what the slave accepts: individual components, all together, modified and
 * from the backup.
 */
import { verifyChecksums } from '@recodery/codec/checksum/checksum';
import { tuneImage } from '@recodery/codec/sample-images/images';
import { findComponent } from '@recodery/codec/protocols/protocols';
import type { ComponentName } from '@recodery/contract/families/family';
import { type DecodeResult, decodeResult } from '@recodery/contract/families/ktag';
import { beforeAll, describe, expect, test } from 'vitest';
import { readZip } from '../../fixtures/read-zip.ts';
import {
  encodeBy,
  expectImages,
  fetchByTicket,
  type Images,
  imagesOf,
  keep,
  refuse,
  resultOf,
  seal,
  uploadTo,
  written,
} from './component-workflow.ts';
import { protocolOf } from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const path = '/api/ktag/upload-read-backup';
const small = { flash: 64 * 1024, micro: 16 * 1024, eeprom: 1024, tuningfile: 2048 };

const { anna, slave } = await startJourney('ktag');

async function decode(protocolId: number, images: Images, name?: string): Promise<DecodeResult> {
  const bytes = seal(slave, { protocolId, mode: 'bootbench', images });
  return decodeResult.parse(await resultOf(anna, await uploadTo(anna, path, bytes, name)));
}

function uploadPath(slot: string, component: string): string {
  return `/api/ktag/upload-modified-component-file/${slot}/${component}`;
}

/** Encodes with these modified components; the others come from the backup. */
async function encode(slot: string, modified: Partial<Record<string, Uint8Array>> = {}) {
  const words: Readonly<Record<string, string>> = {
    flash: 'FlashFileGUID',
    micro: 'MicroFileGUID',
    eeprom: 'EEPROMFileGUID',
    tuningfile: 'TuningFileGUID',
  };
  const body: Record<string, unknown> = { ktagFileSlotGUID: slot };
  for (const [component, bytes] of Object.entries(modified)) {
    const kept = await keep(anna, uploadPath(slot, component), bytes ?? new Uint8Array());
    body[words[component] ?? ''] = kept.fileGUID;
  }
  return encodeBy(anna, '/api/ktag/encode-backup', body);
}

describe('a backup of open firmware (9000)', () => {
  const images = imagesOf(9000, 1, small);
  let decoded: DecodeResult;
  beforeAll(async () => {
    decoded = await decode(9000, images, 'Giulia bench.ktg');
  });

  // promise 1.work.decode-ktag, 3.decode.ktag-fields, 3.decode.extensions, 4.encode.id-extension
  test('results in a file per component, a zip, an ID file and the lines of the information panel', async () => {
    expect(decoded).toMatchObject({
      ktagSlotID: decoded.ktagSlotGUID,
      readFileName: 'Giulia bench.ktg',
      decodedFileName: 'components.zip',
      idFileName: `${decoded.name}.id`,
      checksumRules: 0,
      warnings: [],
      information: { PRT: '9000 REF-OPEN', VIN: 'ZAR93900001234567', HW: 'HW-1', SW: 'SW-1' },
    });
    expect(decoded.name).toMatch(/^K-TAG_KTG-000007_9000_\d{8}-\d{6}(-\d+)?$/);
    expect(decoded.components.map(({ type, size }) => [type, size])).toEqual(Object.entries(small));
    expect(decoded.components.map(({ decodedFileName }) => decodedFileName)).toEqual(
      ['.fls', '.mpc', '.epr', '.tun'].map((extension) => `${decoded.name}${extension}`),
    );
    const single = await Promise.all(
      decoded.components.map(
        async ({ type, decodedFileURL }): Promise<[ComponentName, Uint8Array]> => [
          type,
          await fetchByTicket(anna, decodedFileURL),
        ],
      ),
    );
    expectImages(new Map(single), images);
    const id = JSON.parse(
      Buffer.from(await fetchByTicket(anna, decoded.idFileURL ?? '')).toString(),
    );
    expect(id).toMatchObject({ format: 'tfc-id/1', slaveSerial: 'KTG-000007' });
  });

  test('results in one zip of all components, with their names', async () => {
    const zip = readZip(await fetchByTicket(anna, decoded.decodedFileURL));
    const names = decoded.components.map(({ decodedFileName }) => decodedFileName);
    expect([...zip.keys()].toSorted()).toEqual(names.toSorted());
    for (const { type, decodedFileName } of decoded.components) {
      const packed = zip.get(decodedFileName) ?? new Uint8Array();
      expect([type, Buffer.compare(packed, images.get(type) ?? new Uint8Array())]).toEqual([
        type,
        0,
      ]);
    }
  });

  // promise d7.results.restore
  test('is restored completely if nothing is modified', async () => {
    const encoded = await encode(decoded.ktagSlotGUID);
    expect(encoded.name).toMatch(/^K-TAG_KTG-000007_9000_\d{8}-\d{6}(-\d+)?\.unq$/);
    expectImages(await written(anna, slave, encoded), images);
  });

  test.each<{ readonly names: readonly ComponentName[] }>([
    { names: ['flash'] },
    { names: ['micro'] },
    { names: ['eeprom'] },
    { names: ['tuningfile'] },
    { names: ['flash', 'eeprom'] },
    { names: ['flash', 'micro', 'eeprom', 'tuningfile'] },
  ])('comes back with $names modified, the others from the backup', async ({ names }) => {
    const modified = Object.fromEntries(
      names.map((name) => [name, (images.get(name) ?? new Uint8Array()).toReversed()]),
    );
    const encoded = await encode(decoded.ktagSlotGUID, modified);
    const expected = new Map([...images].map(([name, bytes]) => [name, modified[name] ?? bytes]));
    expectImages(await written(anna, slave, encoded), expected);
  });

  // promise 7.recoding.ktag-modified
  test('has only its four components', async () => {
    const slot = decoded.ktagSlotGUID;
    for (const component of ['ROM', 'mapfile', 'obd', 'mod', '..%2Fflash']) {
      expect(await refuse(anna, uploadPath(slot, component), new Uint8Array(1024))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    }
  });
});

describe('an ECU with checksums (2002)', () => {
  test('comes back as it was modified, with corrected checksums and an unchanged EEPROM', async () => {
    const images = imagesOf(2002, 2, { flash: undefined, eeprom: undefined });
    const decoded = await decode(2002, images);
    const protocol = protocolOf(2002);
    const schemes = protocol.components.map(({ checksums }) => checksums?.length ?? 0);
    expect(decoded.checksumRules).toBe(schemes.reduce((sum, rules) => sum + rules, 0));
    const flash = images.get('flash') ?? new Uint8Array();
    const modified = tuneImage(protocol, 'flash', flash, 3);
    const scheme = findComponent(protocol, 'flash')?.checksums;
    if (scheme === undefined) throw new Error('2002 has no checksums');
    const states = (image: Uint8Array) =>
      new Set(verifyChecksums(scheme, image).map(({ state }) => state));
    expect(states(modified)).toContain('mismatch');
    const encoded = await encode(decoded.ktagSlotGUID, { flash: modified });
    const out = await written(anna, slave, encoded);
    const outFlash = out.get('flash') ?? new Uint8Array();
    expect(states(outFlash)).toEqual(new Set(['ok']));
    const differing = outFlash.filter((byte, at) => byte !== modified[at]).length;
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThanOrEqual(scheme.length * 8);
    expectImages(
      new Map([['eeprom', out.get('eeprom') ?? new Uint8Array()]]),
      new Map([['eeprom', images.get('eeprom') ?? new Uint8Array()]]),
    );
  });
});
