/**
 * The two cookies of the sign-in: one identifies the browser that started it, the other what the browser must bring
 * back from the provider.
 */
import { createHmac } from 'node:crypto';
import { sign, unsign } from '@fastify/cookie';

/** Identifies the browser that started a sign-in; the one-time token is valid only in that browser. */
export const browserCookie = 'recodery-browser';

/**
 * The full name of a cookie. With https, browsers accept a cookie of this name only from this host and for all its
 * paths.
 */
export function cookieName(name: string, publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** The attributes of the sign-in's cookies; without `maxAge` they end with the browser's session. */
export function cookieOptions(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

/** One cookie per sign-in, named by its state, so that two tabs do not interfere with each other. */
export const signInCookiePrefix = 'recodery-sign-in-';

/** How long a sign-in may take, in seconds: users may have to look up their password. */
export const signInSeconds = 3600;

/** What a browser must bring back from the provider. It is stored in the browser, because any portal may receive it. */
export interface SignInMemory {
  readonly state: string;
  /** A path of this site. */
  readonly returnTo: string;
  /** Milliseconds since 1970. */
  readonly begunOn: number;
}

/**
 * A value for one sign-in that only this installation can create: the PKCE verifier, the nonce. It is derived from the
 * state, so no cookie contains it.
 */
export function deriveFromState(
  purpose: 'verifier' | 'nonce',
  state: string,
  cookieKey: Uint8Array,
): string {
  return createHmac('sha256', cookieKey)
    .update(`recodery sign-in ${purpose}\n${state}`)
    .digest('base64url');
}

/**
 * Writes the contents of the cookie as a signed value: base64url, so that no signature is a value of {@link
 * deriveFromState}.
 */
export function writeMemory(memory: SignInMemory, cookieKey: Uint8Array): string {
  return sign(Buffer.from(JSON.stringify(memory)).toString('base64url'), Buffer.from(cookieKey));
}

/** Reads a cookie value of {@link writeMemory}; null when it is not ours or too old at `now` (ms since 1970). */
export function readMemory(text: string, cookieKey: Uint8Array, now: number): SignInMemory | null {
  const { valid, value } = unsign(text, Buffer.from(cookieKey));
  if (!valid) return null;
  const memory: SignInMemory = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
  return now - memory.begunOn < signInSeconds * 1000 ? memory : null;
}

/** Where a signed-in browser may be redirected: a path of this site. Everything else becomes `/`. */
export function safeReturnPath(wanted: string | undefined): string {
  // `//host` and `/\host` leave the site, also after dot segments are resolved; browsers first remove control
  // characters.
  const isSafe = (text: string): boolean =>
    /^\/[^\p{Cc}\\]*$/u.test(text) && !text.includes('//') && text.length <= 512;
  return wanted !== undefined && isSafe(wanted) ? wanted : '/';
}
