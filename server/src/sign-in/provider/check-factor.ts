/** Checks the code of an authenticator app, or a recovery code, after the right password. */
import { recordAudit } from '../../audit/audit.ts';
import type { Account } from '../../organisations/accounts.ts';
import { type AppDeps, spendAppCode } from '../factors/authenticator-apps.ts';
import type { FactorNews } from '../factors/factor-news.ts';
import { spendCode } from '../factors/recovery-codes.ts';
import { type Aim, aimFromKnown, countAttempt, forgiveAttempts } from './attempts.ts';

export interface FactorCheckDeps extends AppDeps {
  readonly sendNews: FactorNews;
}

export type FactorChecked =
  | { readonly outcome: 'right' | 'wrong' }
  | { readonly outcome: 'wait'; readonly seconds: number };

/**
 * Who guesses here knows the password: the limit counts the account, wherever the attempts come from. Browsers that the
 * account knows have one of their own, so that its owner can still sign in. Both limits are the account's: what happens to
 * one account never makes another wait.
 */
function aimOf(accountGuid: string, browser: string | null): Aim {
  return aimFromKnown(`second factor of ${accountGuid}`, browser ?? `any other of ${accountGuid}`);
}

/** Checks a code, which is then used up. `browser`: the id of a browser that the account knows, or null. */
export async function checkFactor(
  deps: FactorCheckDeps,
  account: Account,
  typed: { readonly code: string; readonly browser: string | null; readonly address: string },
): Promise<FactorChecked> {
  const { db, sendNews } = deps;
  const aim = aimOf(account.guid, typed.browser);
  const counted = await countAttempt(db, aim);
  if ('waitSeconds' in counted) return { outcome: 'wait', seconds: counted.waitSeconds };
  if (!(await spendAppCode(deps, account.guid, typed.code))) {
    const isSpent = await db.transaction().execute(async (trx) => {
      if (!(await spendCode(trx, account.guid, typed.code))) return false;
      await sendNews(trx, { accountGuid: account.guid, kind: 'recovery-code-used' });
      await recordAudit(trx, {
        actor: { kind: 'user', guid: account.guid, name: account.email },
        action: 'recovery code used',
        from: typed.address,
        outcome: 'done',
      });
      return true;
    });
    if (!isSpent) return { outcome: 'wrong' };
  }
  await forgiveAttempts(db, aim);
  return { outcome: 'right' };
}
