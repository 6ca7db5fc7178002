/**
 * The secret in an email's link: derived from the notification, so that it can be created again, and stored only as a
 * hash.
 */
import { createHash, createHmac } from 'node:crypto';
import { pathOf } from '@recodery/contract/api';
import { sharePage } from '@recodery/contract/features/share-links';
import type { Secrets } from '../secrets/secrets.ts';

/** The purpose of the keys from which tokens are derived. */
export const shareKeyPurpose = 'share';
/** Bytes of a token; as text 32 characters, so that the link fits on one line of an email. */
const tokenBytes = 24;

/** The hash that the table stores instead of the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function deriveToken(key: Uint8Array, notificationGuid: string): string {
  const code = createHmac('sha256', key).update(`recodery/1\nshare\n${notificationGuid}`).digest();
  return code.subarray(0, tokenBytes).toString('base64url');
}

/** The hash of a new notification's token, and the number of the key from which it was derived. */
export async function createTokenHash(
  secrets: Pick<Secrets, 'getCurrentKey'>,
  notificationGuid: string,
): Promise<{ readonly keyId: number; readonly tokenHash: Buffer }> {
  const { keyId, key } = await secrets.getCurrentKey(shareKeyPurpose);
  return { keyId, tokenHash: hashToken(deriveToken(key, notificationGuid)) };
}

/** The token of a notification's link, derived again from its original key. */
export async function getToken(
  secrets: Pick<Secrets, 'getKey'>,
  notificationGuid: string,
  keyId: number,
): Promise<string> {
  const key = await secrets.getKey(shareKeyPurpose, keyId);
  if (key === null) throw new Error(`there is no key ${keyId} for links`);
  return deriveToken(key, notificationGuid);
}

/**
 * The address of the public page, as an email contains it. A hyphen at the end is written `%2D`: email programs that
 * show plain text leave a last hyphen out of the link that they make.
 */
export function writeShareLink(publicUrl: string, token: string): string {
  return `${publicUrl}${pathOf(sharePage, { token })}`.replace(/-$/, '%2D');
}
