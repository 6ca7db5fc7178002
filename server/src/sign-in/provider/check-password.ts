/**
 * Checks the credentials from the sign-in form: counted first, then queued, with equal cost for unknown and known
 * accounts.
 */
import type { Semaphore } from '../../http/semaphore.ts';
import type { Db } from '../../postgres/schema.ts';
import { type Account, findAccountByEmail } from '../../organisations/accounts.ts';
import { aimAt, countAttempt, forgiveAttempts, waitFor } from './attempts.ts';
import { isPassword } from './passwords.ts';

/** Hashing keeps cores and threads busy: two at once leave enough for the rest of the portal. */
export const passwordPlaces = { atOnce: 2, waitMs: 10_000, mostWaiting: 60 };
/** The only group of the semaphore for hashing. */
export const passwordGroup = 'password';

export interface PasswordCheckDeps {
  readonly db: Db;
  /** The semaphore for requests that need a password hashed. */
  readonly hashing: Semaphore;
}

/** The submitted credentials, and the client's address. */
export interface Typed {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/** `busy`: too many requests are waiting already. */
export type Checked =
  | { readonly outcome: 'right'; readonly account: Account }
  | { readonly outcome: 'wrong' | 'busy' }
  | { readonly outcome: 'wait'; readonly seconds: number };

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
  { email, password, address }: Typed,
  mayEnter: (account: Account) => boolean,
): Promise<Checked> {
  const account = canBeKnown(email) ? await findAccountByEmail(db, email) : null;
  // Uses the account if there is one: the database matches more spellings of an address than this code.
  const aim = aimAt(account?.guid ?? email.trim().toLowerCase(), address);
  // Attempts that have to wait anyway take no place in the queue.
  const seconds = await waitFor(db, aim);
  if (seconds > 0) return { outcome: 'wait', seconds };
  const leave = await hashing.enter(passwordGroup);
  if (leave === null) return { outcome: 'busy' };
  try {
    const counted = await countAttempt(db, aim);
    if ('waitSeconds' in counted) return { outcome: 'wait', seconds: counted.waitSeconds };
    const isRight = await isPassword(password, account?.passwordHash ?? null);
    if (account === null || !isRight || !mayEnter(account)) return { outcome: 'wrong' };
    await forgiveAttempts(db, aim);
    return { outcome: 'right', account };
  } finally {
    leave();
  }
}
