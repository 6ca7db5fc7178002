/** Texts of millions of records, which take seconds. */
import { expect, test } from 'vitest';
import { hexRecord } from '../../samples/write-texts.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';

const ofText = (text: string) =>
  diagnose({
    upload: Buffer.from(text, 'latin1'),
    image: null,
    others: [],
    accepts: () => true,
    identify: () => null,
  });

test('reads a million records in any order, and stops after four million', () => {
  const record = (offset: number) =>
    `${hexRecord(0, offset & 0xffff, Uint8Array.of(offset & 0xff))}\n`;
  const block = Array.from({ length: 0x10000 }, (_, index) => record(0xffff - index)).join('');
  const many = Array.from(
    { length: 16 },
    (_, high) => `${hexRecord(4, 0, Uint8Array.of(0, 15 - high))}\n${block}`,
  ).join('');
  const found = ofText(many);
  expect(found).toMatchObject({ details: { stored: 0x10_0000 }, repair: { isLossless: true } });
  expect(found?.repair?.bytes.every((byte, at) => byte === (at & 0xff))).toBe(true);
  // the same bytes over and over
  expect(ofText(many.repeat(4))).toMatchObject({
    details: { fault: { problem: 'too-large' } },
  });
});
