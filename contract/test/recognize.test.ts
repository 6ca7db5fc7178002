/** What the first bytes of a file reveal. */
import { describe, expect, test } from 'vitest';
import { recognizeStart } from '../src/recognize.ts';
import type { Recognized } from '../src/recognize.ts';

const magic = [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0a];
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const container = (family: number, kind: number) => [...magic, 1, 0, family, kind, 1, 16, 0, 0];

describe('the first bytes of a file', () => {
  test.each<[string, number[], Recognized]>([
    [
      'a KESSv2 read file',
      container(1, 1),
      { outcome: 'recognized', family: 'kessv2', kind: 'read-file', isContainer: true },
    ],
    [
      'a K-TAG read backup',
      container(2, 2),
      { outcome: 'recognized', family: 'ktag', kind: 'read-backup', isContainer: true },
    ],
    [
      'a KESS3 encoded file',
      container(3, 3),
      { outcome: 'recognized', family: 'kess3', kind: 'encoded-file', isContainer: true },
    ],
    [
      'an encoded K-TAG backup',
      container(2, 4),
      { outcome: 'recognized', family: 'ktag', kind: 'encoded-backup', isContainer: true },
    ],
    [
      'a KESS3 utility backup',
      container(3, 5),
      { outcome: 'recognized', family: 'kess3', kind: 'utility-backup', isContainer: true },
    ],
    ['a container of an unknown family', container(255, 1), { outcome: 'unknown' }],
    ['a container of an unknown kind', container(1, 6), { outcome: 'unknown' }],
    ['a container truncated after its magic', magic, { outcome: 'unknown' }],
    ['nothing', [], { outcome: 'empty' }],
    ['a plain image', [0xff, 0xff, 0x00, 0x20, 1, 2, 3, 4], { outcome: 'unknown' }],
    ['a zip', [0x50, 0x4b, 3, 4, 0], { outcome: 'archive', archive: 'zip' }],
    [
      'a zip with a password',
      [0x50, 0x4b, 3, 4, 20, 0, 1, 0],
      { outcome: 'archive', archive: 'zip', hasPassword: true },
    ],
    ['an empty zip', [0x50, 0x4b, 5, 6], { outcome: 'archive', archive: 'zip' }],
    ['a 7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], { outcome: 'archive', archive: '7z' }],
    ['a rar', [...ascii('Rar!'), 0x1a, 7], { outcome: 'archive', archive: 'rar' }],
    ['a gzip', [0x1f, 0x8b, 8], { outcome: 'archive', archive: 'gzip' }],
    ['a bzip2', ascii('BZh9'), { outcome: 'archive', archive: 'bz2' }],
    ['a file that only starts like a bzip2', ascii('BZh0'), { outcome: 'unknown' }],
    ['an xz', [0xfd, ...ascii('7zXZ'), 0], { outcome: 'archive', archive: 'xz' }],
    ["an editor's swap file", ascii('b0VIM 8'), { outcome: 'archive', archive: 'vim' }],
    [
      'a container whose line ends became LF',
      [0x89, 0x54, 0x46, 0x43, 0x0a, 0x1a, 0x0a, 1, 0],
      { outcome: 'text-transfer' },
    ],
    [
      'a container whose line ends became CR LF',
      [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0d, 0x0a, 0x1a, 0x0d, 0x0a],
      { outcome: 'text-transfer' },
    ],
    ['a container that lost bit 7', [0x09, ...magic.slice(1)], { outcome: 'text-transfer' }],
    ['a prefix of the magic', magic.slice(0, 5), { outcome: 'unknown' }],
  ])('identify %s', (_, bytes, expected) => {
    expect(recognizeStart(Uint8Array.from(bytes))).toEqual(expected);
  });
});

test.each([
  ['<!DOCTYPE html><title>Sign in</title>', true],
  ['\ufeff\r\n  <HTML lang="en">', true],
  ['<head><title>', true],
  ['<header of a file', undefined],
  ['<?xml version="1.0"?>', undefined],
])('%j begins a web page: %s', (text, isWebPage) => {
  const bytes = new TextEncoder().encode(text);
  expect(recognizeStart(bytes)).toEqual({ outcome: 'unknown', ...(isWebPage && { isWebPage }) });
  // callers may have the whole file
  const whole = new Uint8Array(2 ** 21);
  whole.set(bytes);
  expect(recognizeStart(whole)).toMatchObject({
    outcome: 'unknown',
    ...(isWebPage && { isWebPage }),
  });
});
