/** What the pre-flight reports about the checksums and the numbers of real control units. */
import { expect, test } from 'vitest';
import { generateDenso } from '../../samples/denso-images.ts';
import { generateEcuImage } from '../../samples/ecu-images.ts';
import { generateChecked } from '../../samples/me7-checksums.ts';
import { generateTriCore } from '../../samples/tricore-images.ts';
import type { ImageCheck } from '../../src/preflight/checks.ts';
import { preflightChecks, type PreflightComponent } from '../../src/preflight/preflight.ts';
import { recognizeImage } from '../../src/recognition/recognize.ts';

const stock = generateChecked({ seed: 31 });

function tune(image: Uint8Array, ...places: readonly number[]): Uint8Array {
  const tuned = new Uint8Array(image);
  for (const at of places) tuned[at] = (tuned[at] ?? 0) ^ 0x11;
  return tuned;
}

/** The checks of an encode whose engine does not report the protocol. */
function check(
  components: readonly PreflightComponent[],
  willCorrectChecksums = false,
): ImageCheck[] {
  return preflightChecks('kessv2', {
    ...{ protocolId: null, mode: 'obd', components, willCorrectChecksums },
    ...{ willCorrectCVN: false, willSkipChecksum: false },
    ...{ original: null, isOriginalFromLibrary: false, identification: null, library: null },
  });
}

function knownOf(decoded: Uint8Array | null, modified: Uint8Array, willCorrect = false) {
  const found = check([{ name: 'obd', decoded, modified }], willCorrect).find(
    ({ id }) => id === 'known-checksums',
  );
  if (found?.id !== 'known-checksums') throw new Error('not checked');
  return found;
}

// promise 5.known-checksums.check
test.each([
  ['a TriCore image', generateTriCore()],
  ['a Subaru Denso image', generateDenso(0x80000)],
])('%s is never plainly right: its scheme was never tried on a real image', (_, image) => {
  const { status, values } = knownOf(image, image);
  expect([status, values?.isProved, values?.canCorrect]).toEqual(['amber', false, false]);
  expect(values?.parts.map(({ state }) => state)).toEqual(['right']);
});

// promise 5.known-checksums.correct
test('a checksum that was wrong in the read is not corrected, and the others are', () => {
  const read = tune(stock, 0x17f80);
  const { status, values } = knownOf(read, tune(read, 0x11000), true);
  expect(status).toBe('amber');
  const states = values?.parts.filter(({ state }) => state !== 'right');
  expect(states?.map(({ name, state, wasWrong }) => [name, state, wasWrong])).toEqual([
    ['Byte sum', 'wrong', true],
    ['CRC', 'corrected', false],
    ['Multipoint 2', 'corrected', false],
  ]);
});

test('a correction is refused and not offered if everything wrong was wrong in the read', () => {
  const read = tune(stock, 0x17f80);
  expect(knownOf(read, read)).toMatchObject({ status: 'amber', values: { canCorrect: false } });
  expect(knownOf(read, read, true).fault?.internalCode).toBe('CHECKSUM_UNCORRECTABLE');
});

test('a correction is refused and not offered without a read to compare with', () => {
  const modified = tune(stock, 0x11000);
  expect(knownOf(null, modified).values?.canCorrect).toBe(false);
  expect(knownOf(null, modified, true).status).toBe('red');
});

// promise 5.known-checksums.check
test('a correction is refused if one of two modified images has no known scheme', () => {
  const other = new Uint8Array(4096).fill(7);
  const components = [
    { name: 'flash', decoded: stock, modified: tune(stock, 0x11000) },
    { name: 'eeprom', decoded: other, modified: tune(other, 1) },
  ] as const;
  const known = check(components, true).filter(({ id }) => id === 'known-checksums');
  expect(known.map(({ component, status }) => [component, status])).toEqual([
    ['flash', 'green'],
    ['eeprom', 'red'],
  ]);
});

// promise 5.known-checksums.check
test('an image of another control unit than the read is not right, and a correction of it is refused', () => {
  const other = new Uint8Array(stock.length).fill(7);
  const lost = knownOf(stock, other);
  expect(lost).toMatchObject({ status: 'amber', values: { parts: [], canCorrect: false } });
  expect(lost.values?.scheme).toBe('Bosch ME7');
  expect(lost.values?.lost).toEqual(knownOf(stock, stock).values?.parts.map(({ name }) => name));
  expect(knownOf(stock, other, true).fault?.internalCode).toBe('CHECKSUM_UNCORRECTABLE');
  // neither has a known scheme
  expect(knownOf(other, other)).toMatchObject({ status: 'unchecked', reason: 'no-known-scheme' });
});

test('a number of the read that the modified image has not is a change', () => {
  const { image } = generateEcuImage('siemens-ms43', 1);
  const hardware = recognizeImage(image)?.fields.find(({ name }) => name === 'hardware');
  const modified = new Uint8Array(image);
  const at = Buffer.from(image).indexOf(hardware?.text ?? '');
  for (let place = at; place !== -1; ) {
    modified.fill(0xff, place, place + (hardware?.text.length ?? 0));
    place = Buffer.from(modified).indexOf(hardware?.text ?? '');
  }
  const found = check([{ name: 'obd', decoded: image, modified }]).find(
    ({ id }) => id === 'identification',
  );
  expect([found?.status, found?.values]).toEqual([
    'amber',
    { changed: [{ name: 'hardware', before: hardware?.value, after: null }] },
  ]);
});
