/** The names of the files that the portal creates. */
import { expect, test } from 'vitest';
import { byFamily } from '../src/families/registry.ts';
import {
  automaticName,
  decodedFileName,
  decodedStem,
  encodedFileName,
  idFileName,
  readFileNameFormat,
  stripExtension,
} from '../src/file-names.ts';
import { clockIn } from '../src/time-zones.ts';

const parts = {
  family: 'ktag',
  slaveSerialNumber: 'KTG-000007',
  protocolId: 2001,
  time: new Date('2026-11-21T23:05:07.999Z'),
  timeZone: 'UTC',
} as const;

// promise d7.results.names
test('the automatic name contains family, slave, protocol and local time', () => {
  expect(automaticName(parts)).toBe('K-TAG_KTG-000007_2001_20261121-230507');
  expect(automaticName({ ...parts, timeZone: 'Europe/Rome' })).toBe(
    'K-TAG_KTG-000007_2001_20261122-000507',
  );
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

const { time, slaveSerialNumber, protocolId } = parts;
const names = {
  automatic: 'AUTO',
  readFile: 'Rossi $& 159.k2r',
  vin: 'ZAR 93900001234567',
  slaveSerialNumber,
  protocolId,
  label: 'Müller/Golf',
  hardware: '0261207955',
  software: '1037/360 987',
  time,
  timeZone: 'Europe/Rome',
};
const unknown = {
  ...names,
  ...{ vin: null, slaveSerialNumber: null, protocolId: null, label: null },
  ...{ hardware: null, software: null },
};
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

// promise 3.preferences.placeholders
test.each([
  ['%v', 'ZAR93900001234567.moc'],
  ['%s %p', 'KTG-000007 2001.moc'],
  ['%t', '20261122-000507.moc'],
  ['%c_%d', 'Müller_Golf_AUTO.moc'],
  ['%h_%w', '0261207955_1037_360 987.moc'],
])('the format %s contains the value: %s', (format, name) => {
  expect(encodedFileName('kess3', format, names)).toBe(name);
});

// promise 3.preferences.placeholders
test.each([
  ['%c_%d', 'AUTO.moc'],
  ['%d_%c', 'AUTO.moc'],
  ['%r_%c_%d', 'Rossi $& 159_AUTO.moc'],
  ['%r - %c %v - %d', 'Rossi $& 159 - AUTO.moc'],
  ['%d (%v)', 'AUTO.moc'],
  ['stage1%c_%d', 'stage1_AUTO.moc'],
  ['%c', 'AUTO.moc'],
  ['%v %s %p %c', 'AUTO.moc'],
])('the format %s without values results in %s', (format, name) => {
  expect(encodedFileName('kess3', format, unknown)).toBe(name);
});

// promise 3.preferences.placeholders
test('a VIN is in a name as a whole or not at all', () => {
  const long = { ...names, readFile: `${'r'.repeat(80)}.k2r` };
  expect(encodedFileName('kess3', '%r_%v', { ...long, readFile: 'r.k2r' })).toBe(
    'r_ZAR93900001234567.moc',
  );
  expect(encodedFileName('kess3', '%r_%v', long)).toBe(`${'r'.repeat(80)}.moc`);
  for (const vin of ['', 'no number', 'A1', '1'.repeat(33), 'ZÄR12345'])
    expect(encodedFileName('kess3', '%d_%v', { ...names, vin })).toBe('AUTO.moc');
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
    bflash: 'AUTO.sbdc',
    autotuner: 'AUTO.slave',
    flex: 'AUTO.mmf',
    autoflasher: 'AUTO.atf',
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
  ['%v %s %p %t %c', '%v %s %p %t %c', null],
  ['%d|%c', '%d|%c', 'character'],
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

test('a decoded file has at most 120 characters, with its extension and the number that tells it from others', () => {
  const names = {
    ...parts,
    automatic: 'AUTO',
    readFile: 'r'.repeat(200),
    vin: null,
    label: null,
    hardware: null,
    software: null,
  };
  const stem = decodedStem('%r', names);
  expect(decodedFileName(`${stem}-999`, 'eeprom')).toHaveLength(120);
  expect(decodedStem('%d', names)).toBe('AUTO');
});

test('the clock of a time zone is created once', () => {
  expect(clockIn('Europe/Rome')).toBe(clockIn('Europe/Rome'));
  expect(clockIn('Europe/Rome').format(parts.time)).toBe('2026-11-22 00:05:07');
});
