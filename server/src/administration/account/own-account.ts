/** What users change about their own account: name, language, password, and which of their sessions go on. */
import type { AccountSession, OwnAccount } from '@recodery/contract/admin/account';
import { checkFields } from '@recodery/contract/admin/check-fields';
import { resources } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import { Throttled } from '../../http/requests/throttled.ts';
import { usualRetryAfter } from '../../http/problem.ts';
import { findAccount, setNameAndCulture, setPasswordHash } from '../../organisations/accounts.ts';
import type { Person } from '../../organisations/caller.ts';
import { lockDirectory } from '../../organisations/directory/directory.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { checkPassword } from '../../sign-in/provider/passwords/check-password.ts';
import type { PasswordQueue } from '../../sign-in/provider/passwords/password-queue.ts';
import { refusePassword } from '../../sign-in/provider/passwords/refuse-password.ts';
import { hashPassword } from '../../sign-in/provider/passwords/passwords.ts';
import { forgetProviderRecordsOf } from '../../sign-in/provider/records.ts';
import { announceSessionsOf, endSessionsOf, listSessionsOf } from '../../sign-in/own-sessions.ts';
import { endSession } from '../../sign-in/sessions.ts';
import { forgetSsoTokensOf } from '../../sign-in/sso-tokens.ts';
import type { FieldChanges } from '../records/records.ts';
import { refuseFields } from '../records/resource-store.ts';

export interface OwnAccountDeps {
  readonly db: Db;
  readonly hashing: PasswordQueue;
}

/** The caller's account. */
export async function readAccount(
  db: Db,
  { accountGuid }: Pick<Person, 'accountGuid'>,
): Promise<OwnAccount> {
  const account = await findAccount(db, accountGuid);
  if (account === null) throw new Refusal('API_ERROR_UNAUTHORIZED');
  const { email, displayName: name, culture, passwordHash } = account;
  return { email, name, culture, hasPassword: passwordHash !== null };
}

/** Changes name and language; returns what has changed. @throws {Refusal} FIELDS_NOT_ACCEPTED */
export async function changeAccount(
  db: Db,
  { accountGuid }: Person,
  { name, culture }: Pick<OwnAccount, 'name' | 'culture'>,
): Promise<FieldChanges> {
  refuseFields(checkFields(resources.users, { name, culture }, 'update'));
  return db.transaction().execute(async (trx) => {
    // a change of the directory would write back what it has read before
    await lockDirectory(trx);
    const before = await readAccount(trx, { accountGuid });
    await setNameAndCulture(trx, accountGuid, { name, culture });
    await announceSessionsOf(trx, accountGuid);
    return {
      ...(before.name === name ? {} : { name: [before.name, name] as const }),
      ...(before.culture === culture ? {} : { culture: [before.culture, culture] as const }),
    };
  });
}

/**
 * Checks the caller's password; a wrong one counts as an attempt to sign in. Returns the hash of the right one. `field`:
 * where it was typed.
 * @throws {Refusal} FIELDS_NOT_ACCEPTED, API_ERROR_THROTTLING
 */
export async function checkOwnPassword(
  deps: OwnAccountDeps,
  { email, sessionGuid }: Person,
  asked: { readonly password: string; readonly address: string; readonly field: string },
): Promise<string | null> {
  const { password, address, field } = asked;
  const checked = await checkPassword(
    deps,
    // the session knows the account, as a browser does that has signed in before
    { email, password, address, findBrowser: async () => sessionGuid },
    () => true,
  );
  if (checked.outcome === 'wait') throw new Throttled('API_ERROR_THROTTLING', checked.seconds);
  if (checked.outcome === 'busy') throw new Throttled('API_ERROR_THROTTLING', usualRetryAfter);
  if (checked.outcome === 'wrong') refuseFields({ [field]: 'WRONG_PASSWORD' });
  return checked.account?.passwordHash ?? null;
}

/**
 * Sets a new password if the old one is right. Ends all other sessions, and sign-ins that have begun.
 * @throws {Refusal} FIELDS_NOT_ACCEPTED, API_ERROR_THROTTLING
 */
export async function changeOwnPassword(
  deps: OwnAccountDeps,
  caller: Person,
  asked: { readonly oldPassword: string; readonly newPassword: string; readonly address: string },
): Promise<void> {
  const { db, hashing } = deps;
  const { oldPassword, newPassword, address } = asked;
  const { accountGuid, email, displayName, customerCode } = caller;
  const typed = { password: oldPassword, address, field: 'oldPassword' };
  const oldHash = await checkOwnPassword(deps, caller, typed);
  const why = refusePassword(newPassword, [email, displayName, customerCode]);
  if (why !== null) refuseFields({ newPassword: why });
  const leave = await hashing.enter({ accountGuid });
  if (leave === null) throw new Throttled('API_ERROR_THROTTLING', usualRetryAfter);
  const passwordHash = await hashPassword(newPassword).finally(leave);
  await db.transaction().execute(async (trx) => {
    // someone else may have changed it since it was checked
    const old = { guid: accountGuid, passwordHash: oldHash };
    if (!(await setPasswordHash(trx, old, passwordHash)))
      refuseFields({ oldPassword: 'WRONG_PASSWORD' });
    await forgetProviderRecordsOf(trx, accountGuid);
    await forgetSsoTokensOf(trx, accountGuid);
    await endOthers(trx, caller);
  });
}

/** The caller's sessions. */
export async function listOwnSessions(db: Db, caller: Person): Promise<readonly AccountSession[]> {
  const sessions = await listSessionsOf(db, caller.accountGuid);
  return sessions.map(({ guid, device, address, createdOn, lastSeenOn }) => ({
    guid,
    device,
    address,
    createdOn: createdOn.toISOString(),
    lastSeenOn: lastSeenOn.toISOString(),
    isCurrent: guid === caller.sessionGuid,
  }));
}

/** Ends all sessions of the caller but the one that calls. */
export async function endOthers(db: Db, { accountGuid, sessionGuid }: Person): Promise<void> {
  await endSessionsOf(db, accountGuid, sessionGuid);
}

/** Ends one of the caller's sessions. @throws {Refusal} NOT_FOUND */
export async function endOwn(db: Db, { accountGuid }: Person, wanted: string): Promise<void> {
  const sessions = await listSessionsOf(db, accountGuid);
  if (!sessions.some(({ guid }) => guid === wanted)) throw new Refusal('NOT_FOUND');
  await endSession(db, wanted);
}
