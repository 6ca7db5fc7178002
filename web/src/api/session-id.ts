/** The session id in the browser's storage: every tab reads and renews the same one. */

const storageKey = 'LLC';
const listeners = new Set<() => void>();

/** The session id, or null when nobody is signed in. Read anew at each request, since another tab may have renewed it. */
export function readSessionId(): string | null {
  return localStorage.getItem(storageKey);
}

/** Keeps the session id; an answer's header renews it. */
export function keepSessionId(sessionId: string): void {
  localStorage.setItem(storageKey, sessionId);
}

/** Forgets the session id, after a logout. */
export function forgetSessionId(): void {
  localStorage.removeItem(storageKey);
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
  forgetSessionId();
  for (const listener of listeners) listener();
}
