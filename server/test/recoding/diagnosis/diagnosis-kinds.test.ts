/** Every kind of diagnosis by HTTP: each damage of the confusion table, and files that are no image, in one slot. */
import { hash } from 'node:crypto';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import {
  type Diagnosis,
  diagnosis,
  diagnosisKinds,
} from '@recodery/contract/features/recoding/diagnosis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damages } from '../../../../codec/samples/damages.ts';
import {
  writeBase64,
  writeCArray,
  writeHexdump,
  writePlainHex,
  writeSRecord,
  writeTiTxt,
  writeXxd,
} from '../../../../codec/samples/write-texts.ts';
import { zipOf } from '../../../../web/test/recoding/zip-of.ts';
import type { Answer, Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { decode, protocolOf, sealImage } from '../../journeys/families/kessv2-workflow.ts';
import { checkIn, checkSlot } from '../preflight/preflights.ts';

const protocol = protocolOf(1001);
const image = generateImage(protocol, 'obd', 1);
const tuned = tuneImage(protocol, 'obd', image, 2);
const subject = {
  image: tuned,
  other: generateImage(protocol, 'obd', 2),
  eeprom: new Uint8Array(4096),
  calibration: { at: 0x10000, length: 0x10000 },
};
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes);
const text = (...lines: readonly string[]) => Buffer.from(lines.join('\n'));

let portal: RunningPortal;
let anna: Client;
let slot: string;
let sealed: Uint8Array;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  sealed = sealImage(slave, 1001, image);
  slot = (await decode(anna, sealed)).kessv2SlotGUID;
});
afterAll(() => portal.stop());

interface Damaged {
  readonly kinds: readonly Diagnosis['kind'][];
  readonly isReversible: boolean;
  readonly make: () => Uint8Array | null | Promise<Uint8Array>;
}

const lossless = (kind: Diagnosis['kind'], make: Damaged['make']): Damaged => ({
  kinds: [kind],
  isReversible: true,
  make,
});
const noImage = (kind: Diagnosis['kind'], make: Damaged['make']): Damaged => ({
  ...lossless(kind, make),
  isReversible: false,
});

const all: Readonly<Record<string, Damaged>> = {
  ...Object.fromEntries(
    damages
      // what fits is no misfit, and another test has the other components
      .filter(({ kinds }) => kinds.length > 0 && !kinds.includes('other-component'))
      .map(({ make, ...damage }) => [damage.name, { ...damage, make: () => make(subject) }]),
  ),
  'a read file': noImage('sealed', () => sealed),
  'a zip of the image': lossless('archive', () => zipOf({ path: 'tune.bin', bytes: tuned })),
  'a zip of two files': noImage('archive', () =>
    zipOf({ path: 'tune.bin', bytes: tuned }, { path: 'note.txt', bytes: text('a note') }),
  ),
  'a zip with a password': noImage('archive-with-password', () =>
    zipOf({ path: 'tune.bin', bytes: tuned, password: 'secret' }),
  ),
  'S-records': lossless('s-record', () => writeSRecord(tuned, 0x10000)),
  'TI-TXT': lossless('ti-txt', () => writeTiTxt(tuned, 0)),
  xxd: lossless('hex-dump', () => writeXxd(tuned)),
  'hexdump -C': lossless('hex-dump', () => writeHexdump(tuned)),
  'plain hex': lossless('hex-dump', () => writePlainHex(tuned)),
  Base64: lossless('base64', () => writeBase64(tuned)),
  'a C array': lossless('c-array', () => writeCArray(tuned)),
  'a web page': noImage('web-page', () => text('<!doctype html>', '<title>Sign in</title>')),
  XML: noImage('xml', () => text('<?xml version="1.0"?>', '<XDFFORMAT version="1.60"/>')),
  'a note': noImage('text', () => text('Dear customer,', 'here is your tune.')),
  'a pointer of Git LFS': noImage('pointer', () =>
    text(
      'version https://git-lfs.github.com/spec/v1',
      `oid sha256:${'a'.repeat(64)}`,
      'size 1',
      '',
    ),
  ),
  'firmware of another maker': noImage('unrelated', () =>
    generateImage(protocolOf(1004), 'obd', 9).slice(0, 0x60000),
  ),
};

const seen = new Set<Diagnosis['kind']>();

const release = { tags: 'release' };

/** Whether a file is no damage, or the first of its kind. `tools/test/confusion.test.ts` diagnoses every damage in each run. */
function isUsual(name: string): boolean {
  const first = damages.find(({ kinds }) => kinds[0] === all[name]?.kinds[0]);
  return first?.name === name || damages.every((damage) => damage.name !== name);
}

/** With the refusal, or in the pre-flight if the file has the size and the identification of the image. */
async function diagnosisOf({ status, text: body }: Answer): Promise<Diagnosis> {
  if (status !== 200)
    return diagnosis.parse((JSON.parse(body) as { diagnosis: unknown }).diagnosis);
  const { values } = checkIn(await checkSlot(anna, 'kessv2', slot), 'fit');
  if (values === null) throw new Error('the file has no explanation');
  return values;
}

describe.each(Object.entries(all))('%s', (name, one) => {
  // promise 5.diagnosis.answer, 5.diagnosis.repair
  test('is explained, and repaired if nothing is lost', isUsual(name) ? {} : release, async () => {
    const bytes = await one.make();
    if (bytes === null) throw new Error('the image is too small for the damage');
    const answer = await anna.upload('PUT', `/api/kessv2/upload-modified-file/${slot}`, {
      field: 'modifiedFile',
      bytes,
      name: 'tune.bin',
      headers: { accept: 'application/problem+json' },
    });
    const found = await diagnosisOf(answer);
    expect(one.kinds).toContain(found.kind);
    seen.add(found.kind);
    const { repair } = found;
    if (!one.isReversible) {
      // what takes bytes from the read says so, and is never called lossless unless it is the tuned image
      expect(repair === null || !repair.isLossless || repair.sha256 === sha256(tuned)).toBe(true);
      return;
    }
    expect(repair).toMatchObject({ isLossless: true, sha256: sha256(tuned), size: tuned.length });
    const used = await anna.post(`/api/kessv2/slots/${slot}/repairs/${repair?.guid}`);
    expect([used.status, used.text]).toEqual([200, used.text]);
    const { fileGUID } = used.json as { fileGUID: string };
    expect(sha256((await anna.get(`/api/files/${fileGUID}`)).bytes)).toBe(sha256(tuned));
  });
});

test('refuses an empty file before anything is explained', async () => {
  const answer = await anna.upload('PUT', `/api/kessv2/upload-modified-file/${slot}`, {
    field: 'modifiedFile',
    bytes: new Uint8Array(),
    headers: { accept: 'application/problem+json' },
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(/MOD_EMPTY|FILE_EMPTY|"kind":"empty"/);
});

test('has explained every kind', () => {
  const elsewhere = ['empty', 'other-component'];
  expect(diagnosisKinds.filter((kind) => !seen.has(kind))).toEqual(elsewhere);
});
