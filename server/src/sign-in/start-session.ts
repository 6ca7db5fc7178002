/** Exchanges the one-time token of a sign-in for a session. */
import {
  createSession,
  readPresentedSession,
  resumeSession,
  type SessionDeps,
  type SessionDevice,
} from './sessions.ts';
import { redeemSsoToken } from './sso-tokens.ts';

/** What a browser presents: the token, its own id, and the id of its session that may have to sign in again. */
export interface SessionRequest {
  readonly token: string;
  readonly browser: string;
  readonly sessionId: string | null;
  readonly device: SessionDevice;
}

/**
 * Starts a session, or continues the presented one under its chosen customer code if it waits for this sign-in. Null
 * when the token is not valid, or its account belongs to no organisation.
 */
export async function startSession(
  deps: SessionDeps,
  { token, browser, sessionId, device }: SessionRequest,
): Promise<{ readonly accountGuid: string; readonly sessionGuid: string } | null> {
  // before the transaction, which already uses a connection: the keys may have to be read
  const waiting = sessionId === null ? null : await readPresentedSession(deps, sessionId);
  return deps.db.transaction().execute(async (trx) => {
    const account = await redeemSsoToken(trx, token, browser);
    if (account === null) return null;
    const resumed = waiting === null ? null : await resumeSession(trx, waiting, account);
    const sessionGuid = resumed ?? (await createSession(trx, account, device));
    return sessionGuid === null ? null : { accountGuid: account.accountGuid, sessionGuid };
  });
}
