/**
 * Signs and checks receipts: JSON Web Signatures (RFC 7515) with Ed25519 (RFC 8037). Checking needs only public keys,
 * so that the command line can do it offline.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import {
  type ReceiptContent,
  type ReceiptKey,
  receiptContent,
  type SignedReceipt,
} from '@recodery/contract/features/receipts';
import { calculateJwkThumbprint, errors, FlattenedSign, flattenedVerify, importJWK } from 'jose';
import * as z from 'zod/mini';

/** The member `typ` of the header: a signature for a different purpose is not a receipt. */
const receiptType = 'recodery-receipt';

/** Before the 32 bytes of a private key: the fixed start of its PKCS #8 form (RFC 8410, section 7). */
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex');

function privateKeyOf(key: Uint8Array): KeyObject {
  const der = Buffer.concat([pkcs8Start, key]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The public part of a key of 32 bytes. */
export async function publicKeyOf(key: Uint8Array): Promise<ReceiptKey> {
  const { x = '' } = createPublicKey(privateKeyOf(key)).export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const { kty, crv } = jwk;
  return { kty, crv, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(jwk), x };
}

/** Signs a receipt with a key of 32 bytes. */
export async function signReceipt(
  key: Uint8Array,
  content: ReceiptContent,
): Promise<SignedReceipt> {
  const { kid } = await publicKeyOf(key);
  const signed = await new FlattenedSign(Buffer.from(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: receiptType })
    .sign(privateKeyOf(key));
  return {
    payload: signed.payload,
    protected: signed.protected ?? '',
    signature: signed.signature,
  };
}

/** A receipt in one line, the compact serialization of the same signature. */
export function writeCompact(receipt: SignedReceipt): string {
  return `${receipt.protected}.${receipt.payload}.${receipt.signature}`;
}

/** The receipt that {@link writeCompact} wrote. */
export function readCompact(line: string): SignedReceipt {
  const [header = '', payload = '', signature = ''] = line.split('.');
  return { payload, protected: header, signature };
}

/**
 * The result of a verification. `foreign`: it names none of the keys. `altered`: it does not match, or the signed text
 * is not a receipt.
 */
export type SignatureCheck =
  | { readonly check: 'signed'; readonly content: ReceiptContent; readonly key: ReceiptKey }
  | { readonly check: 'altered' | 'foreign' };

/**
 * The algorithm is fixed: if a header could choose it, so could a forger. Additional members could change the meaning.
 */
const header = z.strictObject({
  alg: z.literal('EdDSA'),
  kid: z.string(),
  typ: z.literal(receiptType),
});

/** Whether a text is canonical Base64url: otherwise, several texts mean the same bytes. */
function isCanonical(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** The value of a member; null if it is not JSON of this schema. */
function readMember<T>(text: string, schema: z.ZodMiniType<T>): T | null {
  // JSON.parse throws in a case that is a normal result here.
  try {
    return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}

/** Checks the signature of a receipt with the keys that the reader trusts. */
export async function checkSignature(
  receipt: SignedReceipt,
  keys: readonly ReceiptKey[],
): Promise<SignatureCheck> {
  const { payload, protected: head, signature } = receipt;
  const found = readMember(head, header);
  if (found === null || !isCanonical(head)) return { check: 'altered' };
  const key = keys.find(({ kid }) => kid === found.kid);
  if (key === undefined) return { check: 'foreign' };
  if (!isCanonical(payload) || !isCanonical(signature)) return { check: 'altered' };
  const isSigned = await flattenedVerify(receipt, await importJWK(key), {
    algorithms: ['EdDSA'],
  }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    },
  );
  const content = isSigned ? readMember(payload, receiptContent) : null;
  return content === null ? { check: 'altered' } : { check: 'signed', content, key };
}
