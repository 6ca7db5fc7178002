/** The container's header: what is refused, with which code, and in which order. */

import { describe, expect, test } from 'vitest';
import { inspect } from '../../src/simulator/slave.ts';
import type { InternalCode } from '../../src/errors.ts';
import { checkKind, checkRawSize, readHeader, readRawHeader } from '../../src/container/header.ts';
import { forge, fieldBytes, numberBytes, tableOf } from '../forge.ts';
import type { Forgery } from '../forge.ts';
import { codeOf } from '../reads.ts';
import { noise, sealedRead, slaveOf } from '../slaves.ts';

const { pairKey } = slaveOf('kessv2');
const image = noise(1500);
const flash = { type: 6, bytes: image };

function outcomeOf(file: Uint8Array): string {
  return inspect(file, pairKey).outcome;
}

// promise c.format.bytes
test('a container built by hand can be read, and the codec writes the same bytes', () => {
  const info = { hardware: 'HW-1', software: 'SW-1', vin: 'ZAR93900001234567' };
  const byHand = forge({ info, components: [flash] });
  expect(sealedRead('kessv2', [{ name: 'obd', bytes: image }])).toEqual(byHand);
  expect(outcomeOf(byHand)).toBe('OK');
});

test('a header contains family, kind, devices, protocol and sizes', () => {
  const header = readHeader(forge({ components: [flash], minor: 7 }), 99_999);
  expect(header).toMatchObject({
    family: 'kessv2',
    kind: 'read-file',
    minor: 7,
    keyId: 1,
    masterDeviceSerialNumber: 'KV2-M-0001',
    slaveSerialNumber: 'KV2-000007',
    protocolId: 9000,
    mode: 'obd',
    readId: '101112131415161718191a1b1c1d1e1f',
    previous: null,
    number: null,
    segmentSize: 65_536,
  });
  expect(header.components).toEqual([
    { name: 'info', type: 0x10, size: 13 },
    { name: 'obd', type: 6, size: 1500 },
  ]);
});

const withField =
  (...added: [string, Uint8Array][]): Required<Forgery>['fields'] =>
  (usual) => [...usual, ...added];
const without =
  (type: string): Required<Forgery>['fields'] =>
  (usual) =>
    usual.filter(([name]) => name !== type);
const instead =
  (type: string, value: Uint8Array): Required<Forgery>['fields'] =>
  (usual) =>
    usual.map((field) => (field[0] === type ? [type, value] : field));

const text = (value: string): Uint8Array => Buffer.from(value);

const checkSize = (file: Uint8Array, size: number): void =>
  checkRawSize(readRawHeader(file, size), size);

describe('a header is refused', () => {
  test.each<[string, Forgery, InternalCode]>([
    ['of a newer major version', { major: 2 }, 'UNSUPPORTED_VERSION'],
    ['of major version 0', { major: 0 }, 'UNSUPPORTED_VERSION'],
    ['shorter than its preamble', { headerLength: 63 }, 'BAD_HEADER'],
    ['longer than the maximum', { headerLength: 65_537 }, 'BAD_HEADER'],
    ['that ends beyond the file', { headerLength: 65_536 }, 'FILE_TRUNCATED'],
    ['with a wrong CRC', { isCrcWrong: true }, 'BAD_HEADER'],
    ['with another suite', { suite: 2 }, 'UNSUPPORTED_SUITE'],
    ['with suite 0', { suite: 0 }, 'UNSUPPORTED_SUITE'],
    ['with a flag set', { flags: 0x8000 }, 'BAD_HEADER'],
    ['with segments below 4 KiB', { segmentLog2: 11 }, 'BAD_HEADER'],
    ['with segments above 1 MiB', { segmentLog2: 21 }, 'BAD_HEADER'],
    ['without master', { fields: without('MCOD') }, 'BAD_HEADER'],
    ['without slave', { fields: without('SSER') }, 'BAD_HEADER'],
    ['without protocol', { fields: without('PROT') }, 'BAD_HEADER'],
    ['without mode', { fields: without('MODE') }, 'BAD_HEADER'],
    ['without read id', { fields: without('RDID') }, 'BAD_HEADER'],
    ['without component table', { fields: without('COMP') }, 'BAD_HEADER'],
    ['with an empty serial number', { masterSerial: '' }, 'BAD_HEADER'],
    ['with a serial number of 33 bytes', { slaveSerial: 'x'.repeat(33) }, 'BAD_HEADER'],
    [
      'with a serial number that is no UTF-8',
      { fields: instead('SSER', Buffer.of(0xff)) },
      'BAD_HEADER',
    ],
    ['with a protocol of 3 bytes', { fields: instead('PROT', Buffer.alloc(3)) }, 'BAD_HEADER'],
    ['with an unknown mode', { mode: 3 }, 'BAD_HEADER'],
    ['with a read id of 15 bytes', { fields: instead('RDID', Buffer.alloc(15)) }, 'BAD_HEADER'],
    ['with an empty component table', { table: Buffer.alloc(0) }, 'BAD_HEADER'],
    ['with more than 16 components', { table: Buffer.alloc(1 + 17 * 52, 17) }, 'BAD_HEADER'],
    ['with half a component', { table: Buffer.from([1, ...Buffer.alloc(51)]) }, 'BAD_HEADER'],
    ['with a duplicate field', { fields: withField(['MCOD', text('X')]) }, 'BAD_HEADER'],
    [
      'with a doubled unknown field',
      { fields: withField(['zzzz', text('')], ['zzzz', text('')]) },
      'BAD_HEADER',
    ],
    [
      'with a field type that is no ASCII',
      { fields: withField(['mé\x00\x01', text('')]) },
      'BAD_HEADER',
    ],
    [
      'with a half field',
      { header: (bytes) => extended(bytes, Buffer.from('note')) },
      'BAD_HEADER',
    ],
    [
      'with a field that runs over its end',
      {
        header: (bytes) => extended(bytes, Buffer.concat([Buffer.from('note'), numberBytes(9, 4)])),
      },
      'BAD_HEADER',
    ],
    [
      'with an unknown critical field',
      { fields: withField(['XNEW', text('x')]) },
      'UNSUPPORTED_CRITICAL_FIELD',
    ],
    [
      'for its grammar before a critical field that it may have',
      { fields: (usual) => [...withField(['XNEW', text('x')])(usual), ['XNEW', text('')]] },
      'BAD_HEADER',
    ],
  ])('%s', (_, forgery, code) => {
    const file = forge({ components: [flash], ...forgery });
    expect(codeOf(() => readHeader(file, file.length))).toBe(code);
    expect(outcomeOf(file)).toBe(code);
  });
});

/** A header with extra bytes after its fields, and the correct length. */
function extended(header: Buffer, more: Buffer): Buffer {
  const longer = Buffer.concat([header, more]);
  longer.writeUInt32LE(longer.length, 16);
  return longer;
}

// promise c.format.minor
test('reads a higher minor version and unknown ancillary fields', () => {
  const fields = withField(['xnew', text('x')], ['tool', text('reader 1.2')], ['note', text('')]);
  const file = forge({ components: [flash], minor: 255, fields });
  expect(outcomeOf(file)).toBe('OK');
  expect(readHeader(file, file.length)).toMatchObject({ tool: 'reader 1.2', time: null, note: '' });
});

test('an unknown family is a bad header, but the container can still be inspected', () => {
  const file = forge({ components: [flash], familyByte: 9, kind: 77 });
  expect(codeOf(() => readHeader(file, file.length))).toBe('BAD_HEADER');
  expect(inspect(file, pairKey)).toMatchObject({ outcome: 'OK', header: { family: 9, kind: 77 } });
});

describe('checks the family before the kind', () => {
  const kindOf = (forgery: Forgery, family: 'kessv2' | 'ktag' | 'kess3'): string => {
    const file = forge({ components: [flash], ...forgery });
    return codeOf(() => checkKind(readHeader(file, file.length), family, ['read-file']));
  };
  test.each<[Forgery, 'kessv2' | 'ktag' | 'kess3', string]>([
    [{}, 'kessv2', 'OK'],
    [{}, 'ktag', 'WRONG_FAMILY_KESSV2'],
    [{ family: 'ktag' }, 'kess3', 'WRONG_FAMILY_KTAG'],
    [{ family: 'kess3' }, 'kessv2', 'WRONG_FAMILY_KESS3'],
    [{ kind: 3 }, 'kess3', 'WRONG_FAMILY_KESSV2'],
    [{ kind: 2 }, 'kessv2', 'WRONG_FILE_KIND'],
    [{ kind: 3 }, 'kessv2', 'WRONG_FILE_KIND'],
    [{ kind: 5 }, 'kessv2', 'WRONG_FILE_KIND'],
    [{ kind: 99 }, 'kessv2', 'WRONG_FILE_KIND'],
  ])('%j on the page of %s: %s', (forgery, family, code) => {
    expect(kindOf(forgery, family)).toBe(code);
  });

  test('an encoded file must contain the GUID of its read, and its number', () => {
    const check = (fields: Required<Forgery>['fields']): string => {
      const file = forge({ kind: 3, components: [flash], fields });
      return codeOf(() => checkKind(readHeader(file, file.length), 'kessv2', ['encoded-file']));
    };
    const previous: [string, Uint8Array] = ['PREV', Buffer.alloc(32)];
    expect(check(withField(previous, ['NUMB', numberBytes(1, 4)]))).toBe('OK');
    expect(check(withField(previous))).toBe('BAD_HEADER');
    expect(check(withField(['NUMB', numberBytes(1, 4)]))).toBe('BAD_HEADER');
  });
});

describe('compares declared sizes with the limits first, then with the file', () => {
  const mebibyte = 1024n * 1024n;
  const declared = (size: bigint): Buffer => tableOf([{ ...flash, size }]);
  test.each<[string, Forgery, InternalCode]>([
    ['a component above 16 MiB', { table: declared(16n * mebibyte + 1n) }, 'FILE_TOO_LARGE'],
    ['a component of 2^64 - 1 bytes', { table: declared(2n ** 64n - 1n) }, 'FILE_TOO_LARGE'],
    [
      'components of more than 64 MiB together',
      { table: tableOf([1, 2, 3, 4, 5].map((type) => ({ ...flash, type, size: 16n * mebibyte }))) },
      'FILE_TOO_LARGE',
    ],
    ['a payload above 64 MiB', { payloadLength: 64n * mebibyte + 1n }, 'FILE_TOO_LARGE'],
    ['a payload of 2^64 - 1 bytes', { payloadLength: 2n ** 64n - 1n }, 'FILE_TOO_LARGE'],
    ['an incomplete payload', { payloadLength: 1514n }, 'FILE_TRUNCATED'],
    ['a payload that ends before the file', { payloadLength: 1512n }, 'UNEXPECTED_TRAILING_DATA'],
    // The limits come first: a file that is too large is not reported as truncated.
    ['a missing payload declared too large', { payloadLength: 2n ** 40n }, 'FILE_TOO_LARGE'],
  ])('%s', (_, forgery, code) => {
    const file = forge({ components: [flash], ...forgery });
    expect(codeOf(() => checkSize(file, file.length))).toBe(code);
    expect(outcomeOf(file)).toBe(code);
  });

  test('a file of more than 64 MiB is too large, regardless of what its header declares', () => {
    const file = forge({ components: [flash] });
    expect(codeOf(() => checkSize(file, 64 * 1024 * 1024 + 1))).toBe('FILE_TOO_LARGE');
    expect(codeOf(() => checkSize(file, 64 * 1024 * 1024))).toBe('UNEXPECTED_TRAILING_DATA');
  });

  test('checks size and length before the MAC', () => {
    const file = forge({ components: [flash], isMacWrong: true });
    expect(outcomeOf(file.subarray(0, -1))).toBe('FILE_TRUNCATED');
    expect(outcomeOf(Buffer.concat([file, Buffer.of(0)]))).toBe('UNEXPECTED_TRAILING_DATA');
    expect(outcomeOf(file)).toBe('AUTHENTICATION_FAILED');
  });
});

test('reads the header from the first bytes of the file', () => {
  const note = Buffer.alloc(65_000, 0x61);
  const file = forge({ components: [flash], fields: (usual) => [...usual, ['note', note]] });
  const start = file.subarray(0, 65_536 + 36);
  expect(readHeader(start, file.length).note).toBe(note.toString());
  expect(() => readHeader(file.subarray(0, 4096), file.length)).toThrow(RangeError);
  expect(fieldBytes(['note', note]).length).toBe(65_008);
});
