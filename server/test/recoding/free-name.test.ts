/** A free name for a file whose name is taken. */
import { encodedFileName } from '@recodery/contract/file-names';
import { expect, test } from 'vitest';
import { commonBeginning, freeName } from '../../src/recoding/free-name.ts';

const names = {
  automatic: 'AUTO',
  vin: null,
  slaveSerialNumber: null,
  protocolId: null,
  label: null,
  hardware: null,
  software: null,
  time: new Date('2026-11-21T09:05:07Z'),
  timeZone: 'UTC',
};

test.each([
  ['that is free is unchanged', 'tune.moc', ['other.moc'], 'tune.moc'],
  ['that is taken gets a number', 'tune.moc', ['tune.moc'], 'tune-2.moc'],
  ['gets the first number that is free', 'tune.moc', ['tune.moc', 'tune-2.moc'], 'tune-3.moc'],
  ['is compared without regard to case', 'tune.moc', ['TUNE.MOC'], 'tune-2.moc'],
])('a name %s', (_, name, taken, free) => {
  expect(freeName(name, '.moc', taken)).toBe(free);
});

test('a name of the maximum length keeps its length when it gets a number', () => {
  const name = encodedFileName('kessv2', '%r', { ...names, readFile: 'x'.repeat(300) });
  const free = freeName(name, '.moc', [name]);
  expect(free).toMatch(/^x+-2\.moc$/);
  expect(free).toHaveLength(name.length);
});

test('a name of the maximum bytes does not exceed them when it gets a number', () => {
  const name = encodedFileName('kessv2', '%r', { ...names, readFile: 'ß'.repeat(300) });
  const free = freeName(name, '.moc', [name]);
  expect(free).toMatch(/^ß+-2\.moc$/);
  expect(Buffer.byteLength(free)).toBeLessThanOrEqual(Buffer.byteLength(name));
});

test.each(['tune', 'x'.repeat(300), 'Größe', 'Ölwechsel', `${'a'.repeat(126)} b`])(
  'the names made of %s have a beginning in common, ignoring case',
  (stem) => {
    const beginning = commonBeginning(stem).toLowerCase();
    const taken: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const free = freeName(stem, '', taken);
      expect(free.toLowerCase().slice(0, beginning.length)).toBe(beginning);
      taken.push(free);
    }
    expect(beginning).toMatch(/^[ -~]*$/);
  },
);

test('the common beginning of ASCII names is all of the name', () => {
  expect(commonBeginning('KV2-000007_1001')).toBe('KV2-000007_1001');
});
