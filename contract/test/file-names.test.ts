/** The names of the files that the portal creates. */
import { expect, test } from 'vitest';
import { byFamily } from '../src/families/registry.ts';
import {
  automaticName,
  decodedFileName,
  encodedFileName,
  idFileName,
  readFileNameFormat,
  stripExtension,
} from '../src/file-names.ts';

const parts = {
  family: 'ktag',
  slaveSerialNumber: 'KTG-000007',
  protocolId: 2001,
  time: new Date('2026-11-21T09:05:07.999Z'),
} as const;

// promise d7.results.names
test('the automatic name contains family, slave, protocol and time', () => {
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
])('the format %s results in %s', (format, name) => {
  expect(encodedFileName('kessv2', format, names)).toBe(name);
});

test('a long name keeps its extension', () => {
  const name = encodedFileName('kessv2', '%r', { ...names, readFile: `${'ß'.repeat(300)}.k2r` });
  expect(name.endsWith('.moc')).toBe(true);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
});

// promise d7.results.names
test('the extension depends on the family and the component', () => {
  expect(byFamily((family) => encodedFileName(family, '%d', names))).toEqual({
    kessv2: 'AUTO.moc',
    ktag: 'AUTO.unq',
    kess3: 'AUTO.moc',
  });
  expect(decodedFileName('AUTO', 'eeprom')).toBe('AUTO.epr');
  expect(idFileName('AUTO')).toBe('AUTO.id');
});

// promise 3.preferences.formats
test.each([
  ['', '', null],
  ['   ', '', null],
  ['%d', '%d', null],
  [' %r  (%d)\t100% ', '%r (%d) 100%', null],
  ['e\u0301%d', 'é%d', null],
  ['%x', '%x', 'placeholder'],
  ['%%d', '%%d', 'placeholder'],
  ['a/%d', 'a/%d', 'character'],
  ['%d\\', '%d\\', 'character'],
  ['%d:', '%d:', 'character'],
  ['.%d', '.%d', 'character'],
  ['%d . ', '%d .', 'character'],
  ['con', 'con', 'name'],
  ['\u202e%d', '\u202e%d', 'name'],
  ['文'.repeat(77), '文'.repeat(77), 'name'],
])('the format %j is stored as %j; its fault: %s', (text, format, fault) => {
  expect(readFileNameFormat(text)).toEqual({ format, fault });
});
