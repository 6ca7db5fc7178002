/**
 * Signs and checks receipts: JSON Web Signatures (RFC 7515) with Ed25519 (RFC 8037). Checking needs only public keys,
 * so that the command line can do it offline.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import {
  type ReceiptContent,
  type ReceiptKey,
  receiptContent,
  type SignedReceipt,
} from '@recodery/contract/features/receipts';
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
export function publicKeyOf(key: Uint8Array): ReceiptKey {
  const { x = '' } = createPublicKey(privateKeyOf(key)).export({ format: 'jwk' });
  // its members in the order and form that RFC 7638 defines for thumbprints
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: thumbprint.digest('base64url'),
    x,
  };
}

function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Signs a receipt with a key of 32 bytes. */
export function signReceipt(key: Uint8Array, content: ReceiptContent): SignedReceipt {
  const header = encodeJson({ alg: 'EdDSA', kid: publicKeyOf(key).kid, typ: receiptType });
  const payload = encodeJson(content);
  const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKeyOf(key));
  return { payload, protected: header, signature: signature.toString('base64url') };
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

/** Decodes Base64url; null unless it is canonical, because otherwise several texts mean the same bytes. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function readJson<T>(text: string, schema: z.ZodMiniType<T>): T | null {
  const bytes = decode(text);
  if (bytes === null) return null;
  // JSON.parse throws in a case that is a normal result here.
  try {
    return schema.safeParse(JSON.parse(bytes.toString())).data ?? null;
  } catch {
    return null;
  }
}

/** Checks the signature of a receipt with the keys that the reader trusts. */
export function checkSignature(
  receipt: SignedReceipt,
  keys: readonly ReceiptKey[],
): SignatureCheck {
  const found = readJson(receipt.protected, header);
  if (found === null) return { check: 'altered' };
  const key = keys.find(({ kid }) => kid === found.kid);
  if (key === undefined) return { check: 'foreign' };
  const signature = decode(receipt.signature);
  const isSigned =
    signature !== null &&
    verify(
      null,
      Buffer.from(`${receipt.protected}.${receipt.payload}`),
      createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' }),
      signature,
    );
  const content = isSigned ? readJson(receipt.payload, receiptContent) : null;
  return content === null ? { check: 'altered' } : { check: 'signed', content, key };
}
