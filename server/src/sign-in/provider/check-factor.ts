/** Checks the code of an authenticator app, or a recovery code, after the right password. */
import { recordAudit } from '../../audit/audit.ts';
import type { Log } from '../../config/log.ts';
import type { Account } from '../../organisations/accounts.ts';
import { type AppDeps, spendAppCode } from '../factors/authenticator-apps.ts';
import { countFailure, forgetFailures } from '../factors/factor-failures.ts';
import type { FactorNews } from '../factors/factor-news.ts';
import { isRecoveryCode, spendCode } from '../factors/recovery-codes.ts';
import { type Aim, aimAt, aimFromKnown, countAttempt, forgiveAttempts } from './attempts.ts';

export interface FactorCheckDeps extends AppDeps {
  readonly log: Log;
  readonly sendNews: FactorNews;
}

export type FactorChecked =
  | { readonly outcome: 'right' | 'wrong' }
  | { readonly outcome: 'wait'; readonly seconds: number };

/** What was entered. `browser`: the id of a browser that the account knows, or null. */
interface Entered {
  readonly code: string;
  readonly browser: string | null;
  readonly address: string;
}

/**
 * Who guesses here knows the password: the limit counts the account, wherever the attempts come from. Browsers that the
 * account knows have one of their own, so that its owner can still sign in. Both limits are the account's: what happens to
 * one account never makes another wait.
 */
function aimAtApps(accountGuid: string, { browser }: Entered): Aim {
  return aimFromKnown(`second factor of ${accountGuid}`, browser ?? `any other of ${accountGuid}`);
}

/**
 * Recovery codes have 80 bits, so that only the work is limited: guessed app codes never keep the owner from using one,
 * nor do guessed recovery codes from elsewhere.
 */
function aimAtRecovery(accountGuid: string, { browser, address }: Entered): Aim {
  const account = `recovery codes of ${accountGuid}`;
  return browser === null ? aimAt(account, address) : aimFromKnown(account, browser);
}

/** Checks a code, which is then used up. */
export async function checkFactor(
  deps: FactorCheckDeps,
  account: Account,
  entered: Entered,
): Promise<FactorChecked> {
  const isRecovery = isRecoveryCode(entered.code);
  const aim = (isRecovery ? aimAtRecovery : aimAtApps)(account.guid, entered);
  const counted = await countAttempt(deps.db, aim);
  if ('waitSeconds' in counted) return { outcome: 'wait', seconds: counted.waitSeconds };
  const check = isRecovery ? checkRecoveryCode : checkAppCode;
  const checked = await check(deps, account, entered);
  if (checked.outcome === 'right') await forgiveAttempts(deps.db, aim);
  return checked;
}

async function checkAppCode(
  deps: FactorCheckDeps,
  { guid: accountGuid }: Account,
  { code, browser }: Entered,
): Promise<FactorChecked> {
  const { db, sendNews } = deps;
  const at = { accountGuid, browser };
  const counted = await countFailure(db, at);
  if ('waitSeconds' in counted) return { outcome: 'wait', seconds: counted.waitSeconds };
  if (await spendAppCode(deps, accountGuid, code)) {
    await forgetFailures(db, at);
    return { outcome: 'right' };
  }
  if (counted.isNews)
    await db.transaction().execute((trx) => sendNews(trx, { accountGuid, kind: 'factor-guessed' }));
  return { outcome: 'wrong' };
}

async function checkRecoveryCode(
  { db, sendNews }: FactorCheckDeps,
  { guid, email }: Account,
  { code, address }: Entered,
): Promise<FactorChecked> {
  const isSpent = await db.transaction().execute(async (trx) => {
    if (!(await spendCode(trx, guid, code))) return false;
    await sendNews(trx, { accountGuid: guid, kind: 'recovery-code-used' });
    await recordAudit(trx, {
      actor: { kind: 'user', guid, name: email },
      action: 'recovery code used',
      from: address,
      outcome: 'done',
    });
    return true;
  });
  return { outcome: isSpent ? 'right' : 'wrong' };
}
