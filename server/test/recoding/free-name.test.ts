/** A free name for a file whose name is taken. */
import { encodedFileName } from '@recodery/contract/file-names';
import { expect, test } from 'vitest';
import { freeName } from '../../src/recoding/free-name.ts';

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
