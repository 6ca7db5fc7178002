/** What the page shows for each result of a check, and what counts as a code and as a receipt. */
import { groupCode, readCode } from '@recodery/contract/receipt-code';
import type { ReceiptContent } from '@recodery/contract/features/receipts';
import { describe, expect, test } from 'vitest';
import { isReceiptFile } from '../../src/app/check-receipt/check.ts';
import { judgeReceipt, readReceipt } from '../../src/app/check-receipt/verdict.ts';

const hash = (digit: string): string => digit.repeat(64);
const content: ReceiptContent = {
  type: 'recodery-receipt',
  version: 1,
  code: '7K3M-9QXD-02HF-VT5B',
  portal: 'https://portal.test',
  encodedOn: '2026-11-23T07:41:00.000Z',
  family: 'kessv2',
  slave: 'KV2-000007',
  protocol: null,
  files: [
    { role: 'decoded', component: 'obd', size: 1, sha256: hash('1') },
    { role: 'modified', component: 'obd', size: 1, sha256: hash('2') },
    { role: 'encoded', component: null, size: 1, sha256: hash('3') },
  ],
};
const found = { check: 'found', content } as const;

describe('the verdict', () => {
  // promise d11.receipts.verify
  test.each([
    ['the encoded file', hash('3'), 'good', 'genuine'],
    ['the decoded file', hash('1'), 'good', 'decoded'],
    ['the modified file', hash('2'), 'good', 'modified'],
    ['another file', hash('4'), 'bad', 'differs'],
    ['no file', null, 'good', 'receiptOnly'],
  ] as const)('on %s', (_what, sha256, tone, title) => {
    expect(judgeReceipt(found, sha256, true)).toMatchObject({ tone, title, content });
  });

  test.each([
    ['unknown', true, 'bad', 'unknown'],
    ['unknown', false, 'open', 'unknownFile'],
    ['altered', true, 'bad', 'altered'],
    ['foreign', true, 'bad', 'foreign'],
  ] as const)('on a receipt that is %s shows no facts', (check, hasReceipt, tone, title) => {
    const verdict = judgeReceipt({ check, content: null }, hash('3'), hasReceipt);
    expect(verdict).toMatchObject({ tone, title, content: null });
  });
});

test.each([
  ['7K3M-9QXD-02HF-VT5B', '7K3M-9QXD-02HF-VT5B'],
  [' 7k3m 9qxd o2hf vt5b ', '7K3M-9QXD-02HF-VT5B'],
  ['iL00000000000000', '1100-0000-0000-0000'],
  ['7K3M-9QXD-02HF-VT5', null],
  ['7K3M-9QXD-02HF-VT5U', null],
  ['', null],
])('reads the code %j as %j', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});

test('writes a code in groups', () => {
  expect(groupCode('0123456789ABCDEF')).toBe('0123-4567-89AB-CDEF');
});

test('reads a receipt only from a JSON object with its three texts', () => {
  const receipt = { payload: 'a', protected: 'b', signature: 'c' };
  expect(readReceipt(JSON.stringify({ ...receipt, more: 1 }))).toEqual(receipt);
  for (const text of ['', '{', 'null', '[]', '{"payload":"a"}', '{"payload":1}'])
    expect(readReceipt(text)).toBeNull();
  expect(isReceiptFile({ name: 'Receipt.JSON', size: 900 })).toBe(true);
  expect(isReceiptFile({ name: 'receipt.json', size: 100_000 })).toBe(false);
  expect(isReceiptFile({ name: 'stage1.moc', size: 900 })).toBe(false);
});
