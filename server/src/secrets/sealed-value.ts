/** Values at rest: JSON in a column of the database, sealed with the current key of a purpose. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

/** A JSON object. */
export type SealedObject = Readonly<Record<string, unknown>>;

/** What a value is sealed for: the key's purpose, and the row, so that no other row's value opens in its place. */
export interface SealedFor {
  readonly purpose: string;
  readonly row: string;
}

const cipherName = 'aes-256-gcm';
/** First byte of a sealed value: the version of the format. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + 4 + nonceBytes;

/** version(1) ‖ number of the key(4) ‖ nonce(12) ‖ ciphertext ‖ tag(16). */
export async function sealValue(
  secrets: Pick<Secrets, 'getCurrentKey'>,
  { purpose, row }: SealedFor,
  value: SealedObject,
): Promise<Buffer> {
  const { keyId, key } = await secrets.getCurrentKey(purpose);
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version);
  head.writeUInt32BE(keyId, 1);
  const nonce = randomBytes(nonceBytes);
  nonce.copy(head, headBytes - nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(row));
  const sealed = cipher.update(JSON.stringify(value), 'utf8');
  return Buffer.concat([head, sealed, cipher.final(), cipher.getAuthTag()]);
}

/** The value of {@link sealValue}. @throws when it was changed, belongs to another row, or its key is missing */
export async function openValue(
  secrets: Pick<Secrets, 'getKey'>,
  { purpose, row }: SealedFor,
  sealed: Buffer,
): Promise<SealedObject> {
  if (sealed.length < headBytes + tagBytes || sealed.readUInt8() !== version)
    throw new Error(`the value of ${row} is not sealed`);
  const key = await secrets.getKey(purpose, sealed.readUInt32BE(1));
  if (key === null) throw new Error(`the key of the value of ${row} is missing`);
  const nonce = sealed.subarray(headBytes - nonceBytes, headBytes);
  const cipher = createDecipheriv(cipherName, key, nonce).setAAD(Buffer.from(row));
  cipher.setAuthTag(sealed.subarray(-tagBytes));
  const text = Buffer.concat([
    cipher.update(sealed.subarray(headBytes, -tagBytes)),
    cipher.final(),
  ]);
  return JSON.parse(text.toString('utf8')) as SealedObject;
}
