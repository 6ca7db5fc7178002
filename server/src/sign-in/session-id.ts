/** The session id that the browser stores: the session, the generation of its id, and proof that we issued it. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { formatGuid } from '../config/guids.ts';

const guidBytes = 16;
const generationBytes = 4;
const proofBytes = 32;

/** The contents of a genuine session id. */
export interface SessionReference {
  readonly guid: string;
  readonly generation: number;
}

// As a key object: of raw bytes, Node first tests by catching an exception whether they are one.
function proofOf(body: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', createSecretKey(key))
    .update('recodery session id')
    .update(body)
    .digest();
}

/**
 * Writes the id of one generation of a session: base64url of guid (16 bytes), generation (4, big-endian) and their
 * HMAC-SHA-256. The same input gives the same id in every portal, so that two tabs that renew at once get the same id.
 */
export function writeSessionId(reference: SessionReference, key: Uint8Array): string {
  const body = Buffer.alloc(guidBytes + generationBytes);
  body.write(reference.guid.replaceAll('-', ''), 'hex');
  body.writeUInt32BE(reference.generation, guidBytes);
  return Buffer.concat([body, proofOf(body, key)]).toString('base64url');
}

/** Reads a session id; null when we did not issue it. Needs no database query. */
export function verifySessionId(text: string, key: Uint8Array): SessionReference | null {
  if (!/^[\w-]{70}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The last character has unused bits: of its sixteen spellings, accept only the one that we issue.
  if (bytes.toString('base64url') !== text) return null;
  const body = bytes.subarray(0, guidBytes + generationBytes);
  const proof = bytes.subarray(guidBytes + generationBytes);
  if (proof.length !== proofBytes || !timingSafeEqual(proof, proofOf(body, key))) return null;
  return {
    guid: formatGuid(body.subarray(0, guidBytes)),
    generation: body.readUInt32BE(guidBytes),
  };
}
