/** How a file is recognized by its first bytes. */

import { describe, expect, test } from 'vitest';
import type { InternalCode } from '../../src/errors.ts';
import { type Header, readHeader } from '../../src/container/header.ts';
import { CodecError } from '../../src/errors.ts';
import { forge } from '../forge.ts';
import { noise } from '../slaves.ts';

function headerOf(file: Uint8Array): Header {
  return readHeader(file, file.length);
}

function codeOf(file: Uint8Array): string {
  try {
    headerOf(file);
    return 'a header';
  } catch (error) {
    if (error instanceof CodecError) return error.internalCode;
    throw error;
  }
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const filled = (start: Buffer): Buffer => Buffer.concat([start, noise(200)]);

describe('a container', () => {
  test.each([
    [
      { family: 'kessv2', kind: 1 },
      { family: 'kessv2', kind: 'read-file' },
    ],
    [
      { family: 'ktag', kind: 2 },
      { family: 'ktag', kind: 'read-backup' },
    ],
    [
      { family: 'kess3', kind: 3 },
      { family: 'kess3', kind: 'encoded-file' },
    ],
    [
      { family: 'ktag', kind: 4 },
      { family: 'ktag', kind: 'encoded-backup' },
    ],
    [
      { family: 'kess3', kind: 5 },
      { family: 'kess3', kind: 'utility-backup' },
    ],
    [
      { family: 'kess3', kind: 6 },
      { family: 'kess3', kind: null },
    ],
  ] as const)('%j is recognized as %j', (forgery, told) => {
    expect(headerOf(forge(forgery))).toMatchObject(told);
  });
});

describe('an archive', () => {
  // promise 5.files.archives
  test.each<[string, InternalCode]>([
    ['504b0304', 'FILE_IS_ARCHIVE_ZIP'],
    ['504b0506', 'FILE_IS_ARCHIVE_ZIP'],
    ['504b0708', 'FILE_IS_ARCHIVE_ZIP'],
    ['377abcaf271c', 'FILE_IS_ARCHIVE_7Z'],
    ['526172211a07', 'FILE_IS_ARCHIVE_RAR'],
    ['1f8b08', 'FILE_IS_ARCHIVE_GZIP'],
    ['425a6831', 'FILE_IS_ARCHIVE_BZ2'],
    ['425a6839', 'FILE_IS_ARCHIVE_BZ2'],
    ['fd377a585a00', 'FILE_IS_ARCHIVE_XZ'],
    ['623056494d', 'FILE_IS_ARCHIVE_VIM'],
  ])('that starts with %s is %s, alone or with more data after it', (start, code) => {
    expect(codeOf(hex(start))).toBe(code);
    expect(codeOf(filled(hex(start)))).toBe(code);
    expect(codeOf(hex(start).subarray(0, -1))).toBe('FILE_NOT_RECOGNIZED');
  });

  test.each(['425a6830', '425a683a', '504b0102', '1f8b07', '62305649'])(
    'is not a file that starts with %s',
    (start) => {
      expect(codeOf(filled(hex(start)))).toBe('FILE_NOT_RECOGNIZED');
    },
  );
});

describe('a text transfer', () => {
  test.each([
    ['of CR LF to LF', '895446430a1a0a'],
    ['of LF to CR LF', '895446430d0d0a1a0d0a'],
    ['of a lone LF to CR LF', '895446430d0a1a0d0a'],
    ['that lost bit 7', '095446430d0a1a0a'],
  ])('%s is recognized', (_, start) => {
    expect(codeOf(filled(hex(start)))).toBe('FILE_CORRUPTED_TEXT_TRANSFER');
  });

  test('is recognized from 8 bytes, not from fewer', () => {
    expect(codeOf(hex('895446430d0d0a1a'))).toBe('FILE_CORRUPTED_TEXT_TRANSFER');
    expect(codeOf(hex('895446430a1a0a00'))).toBe('FILE_CORRUPTED_TEXT_TRANSFER');
    expect(codeOf(hex('895446430a1a0a'))).toBe('FILE_NOT_RECOGNIZED');
  });
});

test('a prefix of the magic is truncated, and no bytes at all are an empty file', () => {
  const file = forge();
  expect(codeOf(file.subarray(0, 0))).toBe('FILE_EMPTY');
  for (let length = 1; length < 64; length += 1) {
    expect([length, codeOf(file.subarray(0, length))]).toEqual([length, 'FILE_TRUNCATED']);
  }
  expect(codeOf(file.subarray(0, 64))).toBe('FILE_TRUNCATED');
});

test('refuses a newer version, a header out of bounds and an unknown family', () => {
  expect(codeOf(forge({ major: 2 }))).toBe('UNSUPPORTED_VERSION');
  expect(codeOf(forge({ headerLength: 63 }))).toBe('BAD_HEADER');
  expect(codeOf(forge({ familyByte: 255 }))).toBe('BAD_HEADER');
});

test('does not recognize plain firmware, and does not mistake it for an archive', () => {
  expect(codeOf(noise(4096))).toBe('FILE_NOT_RECOGNIZED');
  expect(codeOf(Buffer.alloc(4096, 0xff))).toBe('FILE_NOT_RECOGNIZED');
});
