/** The session id in the browser's storage: every tab reads and renews the same one. */

const storageKey = 'LLC';
/** Set while no one is signed in because the user has signed out. */
const signedOutKey = 'recodery.signedOut';
/** The names of the messages that were shown in this session, each once. */
const shownKey = 'recodery.shown';
const listeners = new Set<() => void>();
/** The sign-out that this tab has requested, and whether it has learned since that the session has ended; null: none. */
let ownLogout: { readonly sessionId: string | null; isEndSeen: boolean } | null = null;

/** The session id, or null when no one is signed in. Read at each request, because another tab may have renewed it. */
export function readSessionId(): string | null {
  return localStorage.getItem(storageKey);
}

/** Stores the session id; a response header renews it. */
export function keepSessionId(sessionId: string): void {
  localStorage.setItem(storageKey, sessionId);
}

/** Stores the session id of a new sign-in. */
export function beginSession(sessionId: string): void {
  ownLogout = null;
  localStorage.removeItem(signedOutKey);
  localStorage.removeItem(shownKey);
  keepSessionId(sessionId);
}

/**
 * Records a sign-out before the request is sent: another tab may see the session end before this one gets the response.
 */
export function beginLogout(): void {
  ownLogout = { sessionId: readSessionId(), isEndSeen: false };
  localStorage.setItem(signedOutKey, '1');
}

/** The sign-out failed: the session continues, unless another request has shown that it ended. */
export function cancelLogout(): void {
  const ended = ownLogout?.isEndSeen === true ? ownLogout.sessionId : null;
  ownLogout = null;
  const now = readSessionId();
  // another tab may have started a new session since
  if (ended !== null && (now === null || now === ended)) expireSession(now);
  else localStorage.removeItem(signedOutKey);
}

/** Removes the session id after a sign-out, and what this tab remembers of the user's work. */
export function forgetSessionId(): void {
  localStorage.removeItem(storageKey);
  sessionStorage.clear();
}

/** Whether the user ended the last session, here or in another tab. */
export function wasSignedOut(): boolean {
  return localStorage.getItem(signedOutKey) !== null;
}

/**
 * Calls `listener` when the session has ended: the server no longer recognizes it, or another tab has removed it. Returns
 * the function that unsubscribes.
 */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Only the response to this tab's own sign-out may navigate it: it contains the provider's sign-out address. */
function reportEnd(): void {
  if (ownLogout !== null) ownLogout.isEndSeen = true;
  else for (const listener of listeners) listener();
}

/** Watches for a session that another tab ends; called once at the start. */
export function watchSessionOfTabs(): void {
  globalThis.addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && newValue === null) reportEnd();
  });
}

/**
 * Reports that a request sent with `sessionId` was refused with 401. A session that another tab has renewed or started
 * in the meantime stays unchanged.
 */
export function expireSession(sessionId: string | null): void {
  if (readSessionId() !== sessionId) return;
  if (ownLogout === null) localStorage.removeItem(storageKey);
  reportEnd();
}

/** True the first time this name is passed since the sign-in, across all tabs. */
export function isFirstTime(name: string): boolean {
  const shown = (localStorage.getItem(shownKey) ?? '').split(' ');
  if (shown.includes(name)) return false;
  localStorage.setItem(shownKey, [...shown, name].join(' ').trim());
  return true;
}
