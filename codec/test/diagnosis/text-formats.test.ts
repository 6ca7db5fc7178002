/** Images that were saved as text: what is read from them, which line is damaged, and what can be converted. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hexRecord,
  sRecordLine,
  writeBase64,
  writeCArray,
  writeHexdump,
  writeIntelHex,
  writePlainHex,
  writeSRecord,
  writeTiTxt,
  writeXxd,
} from '../../samples/write-texts.ts';
import { generateMe7Image } from '../../samples/me7-images.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Finding } from '../../src/diagnosis/finding.ts';

const none = new Uint8Array();

/** The diagnosis of a text for a read that does not contain the image. */
const ofText = (text: string | Uint8Array, size: number | null = null): Finding | null =>
  diagnose({
    upload: typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
    image: null,
    others: [],
    accepts: ({ length }) => size === null || length === size,
    identify: () => null,
  });

const { image } = generateMe7Image({ seed: 1, program: 1 });

/** The diagnosis of a text for a read with an image. */
const ofTextFor = (read: Uint8Array, text: Uint8Array): Finding | null =>
  diagnose({
    upload: text,
    image: read,
    others: [],
    accepts: ({ length }) => length === read.length,
    identify: () => null,
  });

const lines = (...all: readonly string[]): string => all.join('\n');
const data = (offset: number, ...bytes: readonly number[]): string =>
  hexRecord(0, offset, Uint8Array.from(bytes));

const writers = {
  'intel-hex': (bytes) => writeIntelHex(bytes, 0x80_0000),
  's-record': (bytes) => writeSRecord(bytes, 0x80_0000),
  'ti-txt': (bytes) => writeTiTxt(bytes, 0xf000),
  'hex-dump': writeXxd,
  'hexdump -C': writeHexdump,
  'plain digits': writePlainHex,
  'c-array': writeCArray,
  base64: writeBase64,
} as const satisfies Record<string, (bytes: Uint8Array) => Uint8Array>;

const kindOf = (name: string): string =>
  name === 'hexdump -C' || name === 'plain digits' ? 'hex-dump' : name;

describe.each(Object.entries(writers))('%s', (name, write) => {
  test('gives the bytes that were written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ minLength: 64, maxLength: 700 }),
          // erased lines, which some programs abbreviate, and lines whose text is blank
          fc
            .tuple(fc.integer({ min: 4, max: 50 }), fc.constantFrom(0xff, 0x20))
            .map(([rows, value]) => new Uint8Array(16 * rows).fill(value)),
        ),
        (bytes) => {
          const found = ofText(write(bytes), bytes.length);
          expect(found?.kind).toBe(kindOf(name));
          expect(Buffer.from(found?.repair?.bytes ?? none).equals(bytes)).toBe(true);
          expect(found?.repair?.isLossless).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('gives them with CR, CR LF, a byte order mark, UTF-16 and an end-of-text byte', () => {
    const bytes = image.subarray(0x10000, 0x10200);
    const text = Buffer.from(write(bytes)).toString('latin1');
    const variants = [
      text.replaceAll('\n', '\r'),
      text.replaceAll('\n', '\r\n'),
      `\n\n${text}\n\n`,
      `${text}\x1a`,
      `\xef\xbb\xbf${text}`,
      Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1'),
    ];
    for (const variant of variants) {
      const { repair } = ofText(variant, bytes.length) ?? {};
      expect(
        Buffer.from(repair?.bytes ?? none).equals(bytes),
        JSON.stringify(variant.slice(0, 20)),
      ).toBe(true);
    }
  });

  test('is converted if it is the image of the read, also if bytes were exchanged', () => {
    const found = ofTextFor(image, write(image));
    expect(found).toMatchObject({ kind: kindOf(name), repair: { isLossless: true } });
    expect(Buffer.from(found?.repair?.bytes ?? none).equals(image)).toBe(true);
    const swapped = ofTextFor(image, write(Buffer.from(image).swap16()));
    expect(swapped).toMatchObject({ kind: kindOf(name), details: { content: 'swapped' } });
    expect(Buffer.from(swapped?.repair?.bytes ?? none).equals(image)).toBe(true);
  });
});

describe('Intel HEX', () => {
  test('reads the known example', () => {
    const found = ofText(':10010000214601360121470136007EFE09D2190140', 16);
    expect(Buffer.from(found?.repair?.bytes ?? none).toString('hex')).toBe(
      '214601360121470136007efe09d21901',
    );
  });

  test.each<[string, string, number, string]>([
    ['a wrong sum', lines(data(0, 1), `${data(1, 2).slice(0, -2)}00`), 2, 'checksum'],
    ['a short line', lines(data(0, 1), data(1, 2).slice(0, -2)), 2, 'length'],
    ['a half byte', lines(data(0, 1), `${data(1, 2)}0`), 2, 'length'],
    ['a letter', lines(data(0, 1), data(1, 2).replace(':01', ':0G')), 2, 'digits'],
    ['another type', lines(data(0, 1), hexRecord(6, 0, none)), 2, 'record-type'],
    ['a comment', lines(data(0, 1), '; comment'), 2, 'trailing-text'],
    ['a text behind a record', lines(data(0, 1), `${data(1, 2)} end`), 2, 'digits'],
    ['data after the end', lines(data(0, 1), hexRecord(1, 0, none), data(1, 2)), 3, 'after-end'],
    [
      'a record across a segment',
      lines(hexRecord(2, 0, Uint8Array.of(0x10, 0)), data(0xffff, 1, 2)),
      2,
      'segment-end',
    ],
    ['a damaged first line', lines(data(0, 1).replace('01', '02'), data(1, 2)), 1, 'length'],
  ])('names the line of %s', (_, text, line, problem) => {
    expect(ofText(text)).toMatchObject({
      kind: 'intel-hex',
      repair: null,
      details: { fault: { line, problem, otherLine: null } },
    });
  });

  test('names both lines that store different bytes at one address', () => {
    const text = lines(data(0x20, 1, 2, 3), data(0x10, 9), data(0x22, 4));
    expect(ofText(text)).toMatchObject({
      details: { fault: { line: 3, problem: 'overlap', otherLine: 1 } },
    });
  });

  test('accepts records in any order, equal bytes twice, lower case and no end record', () => {
    const text = lines(data(4, 5, 6), data(0, 1, 2, 3, 4), data(3, 4, 5).toLowerCase());
    const found = ofText(text, 6);
    expect([...(found?.repair?.bytes ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('reads segment and linear addresses, which replace each other', () => {
    const text = lines(
      hexRecord(2, 0, Uint8Array.of(0x10, 0)),
      data(0, 1),
      hexRecord(4, 0, Uint8Array.of(0, 1)),
      data(1, 2),
    );
    expect([...(ofText(text, 2)?.repair?.bytes ?? [])]).toEqual([1, 2]);
  });

  test('fills parts that are erased in the read', () => {
    const erased = image.findLastIndex((byte) => byte !== 0xff && byte !== 0) - 0x8000;
    const read = new Uint8Array(image).fill(0xff, 0x40000, 0x50000);
    const first = Buffer.from(writeIntelHex(read.subarray(0, 0x40000), 0)).toString();
    const rest = Buffer.from(writeIntelHex(read.subarray(0x50000), 0x50000)).toString();
    expect(erased).toBeGreaterThan(0x50000);
    const text = Buffer.from(first.replace(/:00000001FF\n$/, '') + rest);
    const found = ofTextFor(read, text);
    expect(found).toMatchObject({
      repair: { isLossless: true },
      details: { filled: [{ offset: 0x40000, length: 0x10000 }] },
    });
    expect(Buffer.from(found?.repair?.bytes ?? none).equals(read)).toBe(true);
  });

  test('offers the rest from the read, as not lossless, if the text lacks data', () => {
    const found = ofTextFor(image, writeIntelHex(image.subarray(0x10000, 0x20000), 0x81_0000));
    expect(found).toMatchObject({
      repair: { isLossless: false },
      details: {
        pieces: [{ from: 0, to: 0x10000, length: 0x10000 }],
        missing: [{ offset: 0, length: 0x10000 }, { offset: 0x20000 }],
      },
    });
    expect(Buffer.from(found?.repair?.bytes ?? none).equals(image)).toBe(true);
  });

  test('drops one value outside the image, and nothing else', () => {
    const textWith = (extra: Uint8Array): Uint8Array =>
      Buffer.concat([
        Buffer.from(`${hexRecord(4, 0, Uint8Array.of(0, 0xff))}\n${hexRecord(0, 0, extra)}\n`),
        writeIntelHex(image, 0),
      ]);
    const erased = ofTextFor(image, textWith(new Uint8Array(16).fill(0xff)));
    expect(erased).toMatchObject({ repair: { isLossless: true } });
    const other = ofTextFor(image, textWith(Uint8Array.of(1, 2, 3)));
    expect(other).toMatchObject({
      repair: null,
      details: { outside: [{ offset: 0xff_0000, length: 3, fill: null, start: '010203' }] },
    });
  });

  test('takes no memory for addresses: a file that spans 4 GiB is a few bytes', () => {
    const text = lines(
      data(0, 1, 2),
      hexRecord(4, 0, Uint8Array.of(0xff, 0xff)),
      data(0xfffe, 3, 4),
    );
    const found = ofTextFor(image, Buffer.from(text));
    expect(found).toMatchObject({ kind: 'intel-hex', repair: null, details: { stored: 4 } });
    const beyond = lines(hexRecord(4, 0, Uint8Array.of(0xff, 0xff)), data(0xffff, 3, 4));
    expect(ofText(beyond)).toMatchObject({ details: { fault: { line: 2, problem: 'address' } } });
  });
});

describe('S-record', () => {
  test('reads the known example', () => {
    const found = ofText('S1130000285F245F2212226A000424290008237C2A', 16);
    expect(Buffer.from(found?.repair?.bytes ?? none).toString('hex')).toBe(
      '285f245f2212226a000424290008237c',
    );
  });

  const one = sRecordLine(1, 2, 0, Uint8Array.of(1));
  test.each<[string, string, number, string]>([
    ['a wrong sum', lines(one, `${one.slice(0, -2)}00`), 2, 'checksum'],
    ['a reserved type', lines(one, one.replace('S1', 'S4')), 2, 'record-type'],
    ['a wrong count', lines(one, sRecordLine(5, 2, 2, none)), 2, 'record-count'],
    ['data after the end', lines(one, sRecordLine(9, 2, 0, none), one), 3, 'after-end'],
    ['a short line', lines(one, one.slice(0, -2)), 2, 'length'],
  ])('names the line of %s', (_, text, line, problem) => {
    expect(ofText(text)).toMatchObject({ kind: 's-record', details: { fault: { line, problem } } });
  });

  test('reads records with addresses of different lengths', () => {
    const text = lines(
      sRecordLine(1, 2, 0, Uint8Array.of(1)),
      sRecordLine(2, 3, 1, Uint8Array.of(2)),
      sRecordLine(3, 4, 2, Uint8Array.of(3)),
    );
    expect([...(ofText(text, 3)?.repair?.bytes ?? [])]).toEqual([1, 2, 3]);
  });
});

test.each<[string, string, string, number, string]>([
  ['TI-TXT without its end', 'ti-txt', lines('@F000', '01 02'), 2, 'no-end'],
  ['TI-TXT with a long group', 'ti-txt', lines('@F000', '01 02', '0304', 'q'), 3, 'length'],
  [
    'a dump with a gap',
    'hex-dump',
    lines('00000000: 0102  ..', '00000010: 0304  ..'),
    2,
    'address',
  ],
  ['a dump of swapped groups', 'hex-dump', '00000000: 4241  AB', 1, 'text-column'],
  ['a dump without a text', 'hex-dump', '00000000: 4241', 1, 'text-column'],
  [
    'a dump that repeats 4 GiB',
    'hex-dump',
    lines('00000000  41 41  |AA|', '*', 'FFFFFFFE'),
    3,
    'too-large',
  ],
  ['an array of words', 'c-array', '0x0001, '.repeat(9), 1, 'items'],
  ['half a byte', 'hex-dump', lines('00'.repeat(20), '0'), 2, 'length'],
])('names the line of %s', (_, kind, text, line, problem) => {
  expect(ofText(text)).toMatchObject({ kind, repair: null, details: { fault: { line, problem } } });
});

test.each<[string, string, string]>([
  ['web-page', 'html', '<!DOCTYPE html>\n<html lang="ru"><title>Войти</title>'],
  ['web-page', 'html', '<html><head>'],
  ['web-page', 'error-page', '404: Not Found'],
  ['xml', 'xml', '<?xml version="1.0"?><data/>'],
  ['text', 'json', '{"error": "expired"}'],
  ['text', 'pdf', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n\0\0'],
  ['pointer', 'git-lfs', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n'],
  ['text', 'plain', 'Hello, here is the file that you asked for.'],
  ['text', 'plain', 'dGhpcyBpcyBub3QgYmFzZTY0IGJlY2F1c2UgaXRzIGxlbmd0aCBpcyB3cm9uZw0000000'],
])('recognizes %s (%s), which stores no image', (kind, format, text) => {
  expect(ofText(text)).toMatchObject({ kind, details: { format }, repair: null });
});
