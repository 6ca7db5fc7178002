/** The page recognizes files by the contract's rules; these tests compare them with the codec's. */

import { containerFamilies } from '@recodery/contract/families/registry';
import { recognizeStart } from '@recodery/contract/recognize';
import { describe, expect, test } from 'vitest';
import { readHeader } from '../../src/container/header.ts';
import { CodecError } from '../../src/errors.ts';
import { damages } from '../damaged/damages.ts';
import { forge } from '../forge.ts';
import { noise, slaveOf } from '../slaves.ts';

/** The contract's result in the codec's terms; it covers only family and kind. */
function inCodecWords(file: Uint8Array): string {
  const recognized = recognizeStart(file.subarray(0, 64));
  switch (recognized.outcome) {
    case 'recognized':
      return `${recognized.family} ${recognized.kind}`;
    case 'archive':
      return `FILE_IS_ARCHIVE_${recognized.archive.toUpperCase()}`;
    case 'text-transfer':
      return 'FILE_CORRUPTED_TEXT_TRANSFER';
    case 'empty':
      return 'FILE_EMPTY';
    case 'unknown':
      return 'FILE_NOT_RECOGNIZED';
  }
}

/** The codec's result, or FILE_NOT_RECOGNIZED if the page leaves the explanation to the server. */
function codecResult(file: Uint8Array): string {
  try {
    const { family, kind } = readHeader(file, file.length);
    return kind === null ? 'FILE_NOT_RECOGNIZED' : `${family} ${kind}`;
  } catch (error) {
    if (error instanceof CodecError) return error.internalCode;
    throw error;
  }
}

describe('page and server recognize files in the same way', () => {
  test('archives, text transfers, empty and plain files', () => {
    const slave = slaveOf('kessv2');
    const codes = /^FILE_(EMPTY|NOT_RECOGNIZED|CORRUPTED_TEXT_TRANSFER|IS_ARCHIVE_.*)$/;
    const recognized = damages.filter(({ code }) => codes.test(code));
    expect(recognized.length).toBeGreaterThan(10);
    for (const { name, make } of recognized) {
      const file = make(slave);
      expect([name, inCodecWords(file)]).toEqual([name, codecResult(file)]);
    }
    expect(inCodecWords(noise(100))).toBe(codecResult(noise(100)));
  });

  // promise d7.results.agreement
  test.each(containerFamilies)('every kind of container of %s', (family) => {
    for (let kind = 0; kind <= 6; kind += 1) {
      const file = forge({ family, kind });
      expect([kind, inCodecWords(file)]).toEqual([kind, codecResult(file)]);
    }
  });
});
