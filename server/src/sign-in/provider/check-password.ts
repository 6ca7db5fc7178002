/** Checks what was typed into the sign-in form: counted first, then in turn, and as dear for a stranger as for a user. */
import type { Kysely } from 'kysely';
import type { Turnstile } from '../../http/turnstile.ts';
import type { Database } from '../../postgres/schema.ts';
import { type Account, findAccountByEmail } from './accounts.ts';
import { aimAt, countAttempt, forgiveAttempts, waitFor } from './attempts.ts';
import { isPassword } from './passwords.ts';

/** Hashing keeps cores and threads busy: two at once leave the portal enough to go on with. */
export const passwordPlaces = { atOnce: 2, waitMs: 10_000, mostWaiting: 60 };
/** The one group of the turnstile before the hashing. */
export const passwordGroup = 'password';

export interface PasswordCheckDeps {
  readonly db: Kysely<Database>;
  /** Where whoever wants a password hashed waits for his turn. */
  readonly hashing: Turnstile;
}

/** What somebody typed, and from which address. */
export interface Typed {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/** `busy`: too many wait already. */
export type Checked =
  | { readonly outcome: 'right'; readonly account: Account }
  | { readonly outcome: 'wrong' | 'busy' }
  | { readonly outcome: 'wait'; readonly seconds: number };

/** Whether an address can be asked for in the database at all. */
function canBeKnown(email: string): boolean {
  return email.length <= 254 && !email.includes('\0') && email.isWellFormed();
}

/**
 * Checks account and password. `mayEnter` is asked of an account whose password was right; when it says no the answer is
 * `wrong`, after the same time.
 */
export async function checkPassword(
  { db, hashing }: PasswordCheckDeps,
  { email, password, address }: Typed,
  mayEnter: (account: Account) => boolean,
): Promise<Checked> {
  const account = canBeKnown(email) ? await findAccountByEmail(db, email) : null;
  // By the account where there is one: the database knows more spellings of an address than we.
  const aim = aimAt(account?.guid ?? email.trim().toLowerCase(), address);
  // Whoever has to wait anyway takes no place in the queue.
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
