/**
 * Idempotency keys: a request that starts work has the same key until its response arrives, so that resending it after
 * a lost response does not start the work twice. The keys survive a reload, but a file that is chosen again counts as
 * another one.
 */
import { type Route, startsWork } from '@recodery/contract/api';
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import { idempotencyHeader } from '@recodery/contract/headers';
import { UploadFailed } from './lost-requests.ts';

/**
 * The keys of requests without a response and when they were sent, in milliseconds since 1970, by the hash of their
 * content.
 */
type Keys = Record<string, readonly [key: string, time: number]>;

/** Milliseconds for which a key is kept: after that, the same request counts as a new one. */
const longest = 600_000;
const storageKey = 'recodery.request-keys';
const fileNames = new WeakMap<File, string>();

function readKeys(): Keys {
  // Written by `setKey`.
  const keys: Keys = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
  const now = Date.now();
  return Object.fromEntries(Object.entries(keys).filter(([, [, time]]) => now - time < longest));
}

/** Keeps a key from now on; null: forgets it. */
function setKey(hash: string, key: string | null): void {
  const keys = readKeys();
  if (key === null) delete keys[hash];
  else keys[hash] = [key, Date.now()];
  sessionStorage.setItem(storageKey, JSON.stringify(keys));
}

/** 32 hexadecimal digits; `crypto.randomUUID` is missing where the portal is served without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A name that no other file has, even if the content is the same. */
function nameOf(file: File): string {
  const name = fileNames.get(file) ?? newKey();
  fileNames.set(file, name);
  return name;
}

/** 32 bits are enough: the server refuses a key whose content differs, and the key is then replaced. */
function hashOf({ content, file }: KeyedRequest): string {
  let hash = 0;
  for (const sign of content + (file && nameOf(file))) {
    hash = (Math.imul(hash, 31) + sign.charCodeAt(0)) | 0;
  }
  return `${hash}`;
}

/** Whether a failed request certainly started nothing. An earlier one with the same key may have. */
function hasStartedNothing(thrown: unknown): boolean {
  if (thrown instanceof UploadFailed) return !thrown.isSent;
  if (!(thrown instanceof Refusal)) return false;
  return statusOf(thrown.code) < 500 && thrown.code !== 'IDEMPOTENCY_KEY_IN_USE';
}

/** What is sent: `content` identifies the request, except for its file. */
export interface KeyedRequest {
  readonly content: string;
  readonly file: File | null;
}

/**
 * Sends a request with the headers of its key; a route that starts no work has none. The key is forgotten when `send`
 * resolves, when nothing can have been started with it, when the server knows it from a different request, and after
 * ten minutes. Throws what `send` throws, but never IDEMPOTENCY_KEY_REUSED.
 */
export async function withRequestKey<T>(
  route: Route,
  request: KeyedRequest,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (!startsWork(route)) return send({});
  const hash = hashOf(request);
  const known = readKeys()[hash];
  const key = known?.[0] ?? newKey();
  setKey(hash, key);
  try {
    const answer = await send({ [idempotencyHeader]: key });
    setKey(hash, null);
    return answer;
  } catch (thrown) {
    const isReused = thrown instanceof Refusal && thrown.code === 'IDEMPOTENCY_KEY_REUSED';
    const isOver = isReused || (!known && hasStartedNothing(thrown));
    // its time starts again: an upload may have taken minutes
    setKey(hash, isOver ? null : key);
    throw isReused ? new Refusal('GENERIC_ERROR') : thrown;
  }
}
