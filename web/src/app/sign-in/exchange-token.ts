/**
 * Exchanges the one-time token for a session. Without the contract's schemas, which alone are larger than this page.
 */
import { sessionHeader } from '@recodery/contract/headers';
import { beginSession, readSessionId } from '../../api/session-id.ts';

/** The keys of the texts that explain the failure. */
export type SignInOutcome = 'signed in' | 'failed.expired' | 'failed.network' | 'failed.generic';

/** Calls `POST /api/auth/validate-sso-token/{token}` and stores the session id that it returns. */
export async function trade(token: string): Promise<SignInOutcome> {
  const address = `/api/auth/validate-sso-token/${encodeURIComponent(token)}`;
  // when the user only has to sign in again, the server resumes the existing session
  const kept = readSessionId();
  const headers = kept === null ? {} : { [sessionHeader]: kept };
  const response = await fetch(address, { method: 'POST', cache: 'no-store', headers }).catch(
    () => null,
  );
  if (response === null) return 'failed.network';
  if (response.status === 401) return 'failed.expired';
  if (!response.ok) return 'failed.generic';
  const session: unknown = await response.json();
  const hasId = typeof session === 'object' && session !== null && 'sessionID' in session;
  if (!hasId || typeof session.sessionID !== 'string') return 'failed.generic';
  beginSession(session.sessionID);
  return 'signed in';
}
