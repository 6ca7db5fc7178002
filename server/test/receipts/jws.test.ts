/** The bytes of a receipt never change: one that an earlier version signed is checked and signed the same. */
import type { ReceiptContent, SignedReceipt } from '@recodery/contract/features/receipts';
import { expect, test } from 'vitest';
import { checkSignature, publicKeyOf, signReceipt } from '../../src/receipts/jws.ts';

const key = new Uint8Array(32).map((_byte, at) => at);
const content: ReceiptContent = {
  type: 'recodery-receipt',
  version: 1,
  code: '0000-0000-0000-0001',
  portal: 'https://portal.example.org',
  encodedOn: '2026-01-02T03:04:05.678Z',
  family: 'kess3',
  slave: 'KS3-000007',
  protocol: { id: 9000, name: 'REF-OPEN' },
  readChecksums: 'right',
  files: [{ role: 'encoded', component: null, size: 4096, sha256: 'ab'.repeat(32) }],
};
/** What version 0.9.0 signed, with code of its own. */
const old: SignedReceipt = {
  payload: [
    'eyJ0eXBlIjoicmVjb2RlcnktcmVjZWlwdCIsInZlcnNpb24iOjEsImNvZGUiOiIwMDAwLTAwMDAtMDAwMC0w',
    'MDAxIiwicG9ydGFsIjoiaHR0cHM6Ly9wb3J0YWwuZXhhbXBsZS5vcmciLCJlbmNvZGVkT24iOiIyMDI2LTAx',
    'LTAyVDAzOjA0OjA1LjY3OFoiLCJmYW1pbHkiOiJrZXNzMyIsInNsYXZlIjoiS1MzLTAwMDAwNyIsInByb3Rv',
    'Y29sIjp7ImlkIjo5MDAwLCJuYW1lIjoiUkVGLU9QRU4ifSwicmVhZENoZWNrc3VtcyI6InJpZ2h0IiwiZmls',
    'ZXMiOlt7InJvbGUiOiJlbmNvZGVkIiwiY29tcG9uZW50IjpudWxsLCJzaXplIjo0MDk2LCJzaGEyNTYiOiJh',
    'YmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFiYWJhYmFi',
    'In1dfQ',
  ].join(''),
  protected: [
    'eyJhbGciOiJFZERTQSIsImtpZCI6IjFJRzJ0TUg3SjJ3Ykpabk9mOExKelFpdEtmN0xNdm9BRWxzdURNVk01',
    'NFkiLCJ0eXAiOiJyZWNvZGVyeS1yZWNlaXB0In0',
  ].join(''),
  signature:
    '5ogkJkNKNwNa1j3sVLna29ItEJUezwU-iuBzR2fPAT6ecrJuZnn7ImYXfMGYO8lZBpehEoluDFTSo6V5mZ1lAg',
};

test('signs the bytes that version 0.9.0 signed, and accepts them', async () => {
  const publicKey = await publicKeyOf(key);
  expect(publicKey.kid).toBe('1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y');
  expect(await signReceipt(key, content)).toEqual(old);
  expect(await checkSignature(old, [publicKey])).toEqual({
    check: 'signed',
    content,
    key: publicKey,
  });
});

test.each(['payload', 'protected', 'signature'] as const)(
  'refuses another spelling of the same bytes as %s',
  async (member) => {
    const spelled = { ...old, [member]: `${old[member]}=` };
    const { check } = await checkSignature(spelled, [await publicKeyOf(key)]);
    expect(check).toBe('altered');
  },
);

test('refuses a header with another member', async () => {
  const header = Buffer.from(old.protected, 'base64url').toString().replace('}', ',"b64":true}');
  const forged = { ...old, protected: Buffer.from(header).toString('base64url') };
  expect((await checkSignature(forged, [await publicKeyOf(key)])).check).toBe('altered');
});
