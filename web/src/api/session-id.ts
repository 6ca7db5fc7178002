/** The session id in the browser's storage: every tab reads and renews the same one. */

const storageKey = 'LLC';
/** Set while no one is signed in because a user has signed out. */
const signedOutKey = 'recodery.signedOut';
/** The names of what was told in this session, each once. */
const toldKey = 'recodery.told';
const listeners = new Set<() => void>();

/** The session id, or null when nobody is signed in. Read anew at each request, since another tab may have renewed it. */
export function readSessionId(): string | null {
  return localStorage.getItem(storageKey);
}

/** Keeps the session id; an answer's header renews it. */
export function keepSessionId(sessionId: string): void {
  localStorage.setItem(storageKey, sessionId);
}

/** Keeps the session id of a new sign-in. */
export function beginSession(sessionId: string): void {
  localStorage.removeItem(signedOutKey);
  localStorage.removeItem(toldKey);
  keepSessionId(sessionId);
}

/**
 * Notes a logout before the server is asked for it: another tab may see the session end before this one gets the
 * response.
 */
export function beginLogout(): void {
  localStorage.setItem(signedOutKey, '1');
}

/** The logout failed: the session goes on. */
export function cancelLogout(): void {
  localStorage.removeItem(signedOutKey);
}

/** Forgets the session id after a logout. */
export function forgetSessionId(): void {
  localStorage.removeItem(storageKey);
}

/** Whether the last session was ended by hand, here or in another tab. */
export function wasSignedOut(): boolean {
  return localStorage.getItem(signedOutKey) !== null;
}

/** Tells `listener` when the server no longer knows the session. Gives back how to stop listening. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Says that a request sent with `sessionId` was refused with 401.
 * A session that another tab has renewed or begun meanwhile is left alone.
 */
export function endSession(sessionId: string | null): void {
  if (readSessionId() !== sessionId) return;
  localStorage.removeItem(storageKey);
  for (const listener of listeners) listener();
}

/** True when it is asked for this name for the first time since the sign-in, whatever the tab. */
export function isFirstTime(name: string): boolean {
  const told = (localStorage.getItem(toldKey) ?? '').split(' ');
  if (told.includes(name)) return false;
  localStorage.setItem(toldKey, [...told, name].join(' ').trim());
  return true;
}
