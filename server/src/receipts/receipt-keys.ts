/** The keys that sign receipts: one is current, and all stay published, because receipts never expire. */
import type { ReceiptKey } from '@recodery/contract/features/receipts';
import type { NumberedKey, Secrets } from '../secrets/secrets.ts';
import { publicKeyOf } from './jws.ts';

/** The purpose of the keys that sign receipts; each is the private key of Ed25519, 32 random bytes. */
export const receiptKeyPurpose = 'receipt';

type Keys = Pick<Secrets, 'listKeys' | 'getKey'>;

/** The public keys by their numbers: a number is never reused for a different key. */
const known = new WeakMap<Keys, Map<number, ReceiptKey>>();

/** The public keys of all receipts of this installation, retired ones included, newest first. */
export async function listReceiptKeys(secrets: Keys): Promise<readonly ReceiptKey[]> {
  const valid = await secrets.listKeys(receiptKeyPurpose);
  const newest = Math.max(...valid.map(({ keyId }) => keyId));
  const ours = known.get(secrets) ?? new Map<number, ReceiptKey>();
  known.set(secrets, ours);
  const keys: ReceiptKey[] = [];
  for (let keyId = newest; keyId > 0; keyId -= 1) {
    const key = ours.get(keyId) ?? (await readPublicKey(secrets, valid, keyId));
    if (key === null) continue;
    ours.set(keyId, key);
    keys.push(key);
  }
  return keys;
}

async function readPublicKey(
  secrets: Keys,
  valid: readonly NumberedKey[],
  keyId: number,
): Promise<ReceiptKey | null> {
  const key =
    valid.find((one) => one.keyId === keyId)?.key ??
    (await secrets.getKey(receiptKeyPurpose, keyId));
  return key === null ? null : publicKeyOf(key);
}
