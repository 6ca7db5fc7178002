/** The secret in a mail's link: derived from the operation, so that it can be written again, and known only by its hash. */
import { createHash, createHmac } from 'node:crypto';
import type { Secrets } from '../config/secrets.ts';

const keyPurpose = 'share';
/** Bytes of a token; as text 32 characters, so that the link stays on one line of a mail. */
const tokenBytes = 24;

/** What stands in the table instead of the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function deriveToken(key: Uint8Array, operationGuid: string): string {
  const code = createHmac('sha256', key).update(`recodery/1\nshare\n${operationGuid}`).digest();
  return code.subarray(0, tokenBytes).toString('base64url');
}

/** The hash of a new operation's token, and the number of the key that it was derived under. */
export async function createTokenHash(
  secrets: Pick<Secrets, 'getCurrentKey'>,
  operationGuid: string,
): Promise<{ readonly keyId: number; readonly tokenHash: Buffer }> {
  const { keyId, key } = await secrets.getCurrentKey(keyPurpose);
  return { keyId, tokenHash: hashToken(deriveToken(key, operationGuid)) };
}

/** The token of an operation's link, derived again under the key that it was made with. */
export async function getToken(
  secrets: Pick<Secrets, 'getKey'>,
  operationGuid: string,
  keyId: number,
): Promise<string> {
  const key = await secrets.getKey(keyPurpose, keyId);
  if (key === null) throw new Error(`there is no key ${keyId} for links`);
  return deriveToken(key, operationGuid);
}
