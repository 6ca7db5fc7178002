/**
 * Checks the credentials from the sign-in form: counted first, then queued, with equal cost for unknown and known
 * accounts.
 */
import type { Db } from '../../../postgres/tables/schema.ts';
import { type Account, findAccount, findAccountByEmail } from '../../../organisations/accounts.ts';
import { foldEmail } from '../../../organisations/email-rules.ts';
import { aimAt, aimFromKnown, countAttempt, forgiveAttempts, waitFor } from '../attempts.ts';
import type { PasswordQueue } from './password-queue.ts';
import { isPassword } from './passwords.ts';

export interface PasswordCheckDeps {
  readonly db: Db;
  readonly hashing: PasswordQueue;
}

/** The submitted credentials, and the client's address. */
export interface SubmittedCredentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The id of the client's browser if it has signed in to the account before, else null. */
  findBrowser(accountGuid: string): Promise<string | null>;
}

/**
 * `busy`: too many requests are already waiting. `account` is null if there is none with this address. `isRight`: the
 * password is right, but may not be used here.
 */
export type PasswordCheck =
  | { readonly outcome: 'right'; readonly account: Account }
  | { readonly outcome: 'busy'; readonly account: Account | null }
  | { readonly outcome: 'wrong'; readonly account: Account | null; readonly isRight?: true }
  | { readonly outcome: 'wait'; readonly seconds: number; readonly account: Account | null };

/** Whether an address can be used in a database query at all. */
function canBeKnown(email: string): boolean {
  return email.length <= 254 && !email.includes('\0') && email.isWellFormed();
}

/**
 * Checks account and password. `mayEnter` is called for an account whose password was right; if it returns false, the
 * outcome is `wrong`, after the same time.
 */
export async function checkPassword(
  { db, hashing }: PasswordCheckDeps,
  { email, password, address, findBrowser }: SubmittedCredentials,
  mayEnter: (account: Account) => boolean,
): Promise<PasswordCheck> {
  // The counters know an account by its address: an unknown one has as many attempts, however it is spelled.
  const name = foldEmail(email);
  const account = await findAccountByEmail(db, canBeKnown(name) ? name : '');
  const browser = account === null ? null : await findBrowser(account.guid);
  const aim = browser === null ? aimAt(name, address) : aimFromKnown(name, browser);
  // Attempts that have to wait anyway take no place in the queue.
  const seconds = await waitFor(db, aim);
  if (seconds > 0) return { outcome: 'wait', seconds, account };
  const leave = await hashing.enter(
    browser === null || account === null ? { address } : { accountGuid: account.guid },
  );
  if (leave === null) return { outcome: 'busy', account };
  try {
    const counted = await countAttempt(db, aim);
    if ('waitSeconds' in counted) return { outcome: 'wait', seconds: counted.waitSeconds, account };
    const isRight = await isPassword(password, account?.passwordHash ?? null);
    if (account === null || !isRight) return { outcome: 'wrong', account };
    if (!mayEnter(account)) return { outcome: 'wrong', account, isRight };
    // The password may have been changed while this attempt was in the queue.
    const present = await findAccount(db, account.guid);
    if (present?.passwordHash !== account.passwordHash) return { outcome: 'wrong', account };
    await forgiveAttempts(db, aim);
    return { outcome: 'right', account };
  } finally {
    leave();
  }
}
