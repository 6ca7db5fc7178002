/** The names of files that the portal makes. */
import { expect, test } from 'vitest';
import {
  automaticName,
  formatName,
  freeName,
  stripExtension,
} from '../../src/recoding/file-names.ts';

const parts = {
  family: 'ktag',
  slaveSerialNumber: 'KTG-000007',
  protocolId: 2001,
  time: new Date('2026-11-21T09:05:07.999Z'),
} as const;

// promise d7.results.names
test('the automatic name says family, slave, protocol and time', () => {
  expect(automaticName(parts)).toBe('K-TAG_KTG-000007_2001_20261121-090507');
});

// promise 3.preferences.formats
test.each([
  ['read.k2r', 'read'],
  ['my.read.file.k2r', 'my.read.file'],
  ['read', 'read'],
  ['.profile', '.profile'],
  ['Golf 2.0 TDI', 'Golf 2.0 TDI'],
  ['stage1.final version', 'stage1.final version'],
])('without its extension %s is %s', (name, stem) => {
  expect(stripExtension(name)).toBe(stem);
});

const names = { automatic: 'AUTO', readFile: 'Rossi $& 159.k2r' };
// promise 3.preferences.formats
test.each([
  ['%d', 'AUTO.moc'],
  ['%r', 'Rossi $& 159.moc'],
  ['%r-%d_v2', 'Rossi $& 159-AUTO_v2.moc'],
  ['100%', '100%.moc'],
  ['  ', 'AUTO.moc'],
  ['...', 'AUTO.moc'],
  ['a:b*c', 'a_b_c.moc'],
  ['CON', '_CON.moc'],
  ['../../etc/passwd', 'passwd.moc'],
])('the format %s gives %s', (format, name) => {
  expect(formatName(format, names, '.moc')).toBe(name);
});

test('a long name keeps its extension', () => {
  const name = formatName('%r', { ...names, readFile: `${'ß'.repeat(300)}.k2r` }, '.moc');
  expect(name.endsWith('.moc')).toBe(true);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
});

test.each([
  ['that is not taken stays as it is', 'tune.moc', ['other.moc'], 'tune.moc'],
  ['that is taken gets a number', 'tune.moc', ['tune.moc'], 'tune-2.moc'],
  ['gets the first number that is free', 'tune.moc', ['tune.moc', 'tune-2.moc'], 'tune-3.moc'],
  ['is taken in capital letters too', 'tune.moc', ['TUNE.MOC'], 'tune-2.moc'],
])('a name %s', (_, name, taken, free) => {
  expect(freeName(name, '.moc', taken)).toBe(free);
});

test('a name that is as long as it may be keeps its number and its length', () => {
  const name = formatName('%r', { ...names, readFile: 'x'.repeat(300) }, '.moc');
  const free = freeName(name, '.moc', [name]);
  expect(free).toMatch(/^x+-2\.moc$/);
  expect(free).toHaveLength(name.length);
});

test('a name that has as many bytes as it may keeps its number and its bytes', () => {
  const name = formatName('%r', { ...names, readFile: 'ß'.repeat(300) }, '.moc');
  const free = freeName(name, '.moc', [name]);
  expect(free).toMatch(/^ß+-2\.moc$/);
  expect(Buffer.byteLength(free)).toBeLessThanOrEqual(Buffer.byteLength(name));
});
