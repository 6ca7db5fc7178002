/** The page recognises files by the contract's rules; these tests compare them with the codec's. */

import { recogniseStart } from '@recodery/contract/recognise';
import { describe, expect, test } from 'vitest';
import { recognise } from '../src/recognise.ts';
import { damages } from './damaged/damages.ts';
import { forge } from './forge.ts';
import { noise, slaveOf } from './slaves.ts';

/** The contract's result in the codec's terms; it covers only family and kind. */
function inCodecWords(file: Uint8Array): string {
  const told = recogniseStart(file.subarray(0, 64));
  switch (told.outcome) {
    case 'container':
      return `${told.family} ${told.kind}`;
    case 'archive':
      return `FILE_IS_ARCHIVE_${told.archive.toUpperCase()}`;
    case 'text-transfer':
      return 'FILE_CORRUPTED_TEXT_TRANSFER';
    case 'empty':
      return 'FILE_EMPTY';
    case 'unknown':
      return 'FILE_NOT_RECOGNIZED';
  }
}

/** The codec's result, or FILE_NOT_RECOGNIZED if the page leaves the explanation to the server. */
function codecSays(file: Uint8Array): string {
  const told = recognise(file.subarray(0, 64), file.length);
  if (told.outcome === 'container') {
    return told.kind === null ? 'FILE_NOT_RECOGNIZED' : `${told.family} ${told.kind}`;
  }
  return told.internalCode;
}

describe('page and server recognize files in the same way', () => {
  test('archives, text transfers, empty and plain files', () => {
    const slave = slaveOf('kessv2');
    const codes = /^FILE_(EMPTY|NOT_RECOGNIZED|CORRUPTED_TEXT_TRANSFER|IS_ARCHIVE_.*)$/;
    const told = damages.filter(({ code }) => codes.test(code));
    expect(told.length).toBeGreaterThan(10);
    for (const { name, make } of told) {
      const file = make(slave);
      expect([name, inCodecWords(file)]).toEqual([name, codecSays(file)]);
    }
    expect(inCodecWords(noise(100))).toBe(codecSays(noise(100)));
  });

  // promise d7.results.agreement
  test.each(['kessv2', 'ktag', 'kess3'] as const)('every kind of container of %s', (family) => {
    for (let kind = 0; kind <= 6; kind += 1) {
      const file = forge({ family, kind });
      expect([kind, inCodecWords(file)]).toEqual([kind, codecSays(file)]);
    }
  });
});
