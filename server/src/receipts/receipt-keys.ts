/** The keys that sign receipts: one is current, and all stay published, because receipts never expire. */
import type { ReceiptKey } from '@recodery/contract/receipts';
import type { Secrets } from '../secrets/secrets.ts';
import { publicKeyOf } from './jws.ts';

/** The purpose of the keys that sign receipts; each is the private key of Ed25519, 32 random bytes. */
export const receiptKeyPurpose = 'receipt';

/** The public keys of all receipts of this installation, retired ones included, newest first. */
export async function listReceiptKeys(
  secrets: Pick<Secrets, 'listKeys' | 'getKey'>,
): Promise<readonly ReceiptKey[]> {
  const valid = await secrets.listKeys(receiptKeyPurpose);
  const newest = Math.max(...valid.map(({ keyId }) => keyId));
  const keys: ReceiptKey[] = [];
  for (let keyId = newest; keyId > 0; keyId -= 1) {
    const key =
      valid.find((one) => one.keyId === keyId)?.key ??
      (await secrets.getKey(receiptKeyPurpose, keyId));
    if (key !== null) keys.push(publicKeyOf(key));
  }
  return keys;
}
