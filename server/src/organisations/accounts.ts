/** Owns the tables account and account_subject: who can sign in, with which password or provider identity. */
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { OrganisationId } from './caller.ts';
import type { ChangeOf } from './directory/directory-state-rules.ts';
import { foldEmail } from './email-rules.ts';
import { listOrganisationsOf, setMemberships } from './organisations.ts';

/** An account as the sign-in sees it. */
export interface Account {
  readonly guid: string;
  readonly email: string;
  readonly displayName: string;
  readonly culture: string | null;
  readonly passwordHash: string | null;
  /** Has a publicly known password: it can sign in only from this machine. */
  readonly isDemo: boolean;
}

function accounts(db: Db) {
  return db
    .selectFrom('account')
    .select([
      'account.guid',
      'account.email',
      'account.display_name as displayName',
      'account.culture',
      'account.password_hash as passwordHash',
      'account.is_demo as isDemo',
    ]);
}

/** The account with that email address, ignoring the case of ASCII letters, or null. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const row = await accounts(db)
    .where(sql<boolean>`lower(account.email collate "C") = ${foldEmail(email)}`)
    .executeTakeFirst();
  return row ?? null;
}

/** The same if the user can work for an organisation. */
export async function findActiveAccount(db: Db, email: string): Promise<Account | null> {
  const account = await findAccountByEmail(db, email);
  if (account === null) return null;
  const active = await listOrganisationsOf(db, account.guid);
  return active.length > 0 ? account : null;
}

/** Remembers that the user has followed a link that only the owner of the email address has received. */
export async function markEmailVerified(trx: Db, guid: string): Promise<void> {
  await trx
    .updateTable('account')
    .where('guid', '=', guid)
    .where('email_verified_on', 'is', null)
    .set({ email_verified_on: sql`now()` })
    .execute();
}

/** The email addresses of all accounts. */
export async function listEmails(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom('account').select('email').orderBy('email').execute();
  return rows.map(({ email }) => email);
}

/** An account by its guid, or null. */
export async function findAccount(db: Db, guid: string): Promise<Account | null> {
  const row = await accounts(db).where('account.guid', '=', guid).executeTakeFirst();
  return row ?? null;
}

/** Makes other changes to what belongs to an account wait until this transaction has ended. */
export async function lockAccount(trx: Db, guid: string): Promise<void> {
  await trx.selectFrom('account').select('guid').where('guid', '=', guid).forUpdate().execute();
}

/** The cultures that accounts have chosen, by their guid; null: none. */
export async function findCultures(
  db: Db,
  accountGuids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (accountGuids.length === 0) return new Map();
  const { rows } = await sql<{ guid: string; culture: string | null }>`
    select ${keepPlan} guid, culture from account where guid = any(${accountGuids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ guid, culture }) => [guid, culture]));
}

/**
 * The names of the users and client applications that started these operations of an organisation, by the operation's
 * guid. Users who have left the organisation are included.
 */
export async function findStarterNames(
  db: Db,
  organisationId: OrganisationId,
  operationGuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (operationGuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('operation')
    .leftJoin('account', 'account.guid', 'operation.account_guid')
    .leftJoin('client_application', 'client_application.guid', 'operation.client_guid')
    .select('operation.guid')
    .select(({ fn }) =>
      fn.coalesce('account.display_name', 'client_application.name').as('displayName'),
    )
    .where('operation.organisation_guid', '=', organisationId)
    .where('operation.guid', 'in', [...operationGuids])
    .execute();
  return new Map(
    rows.flatMap(({ guid, displayName }) =>
      displayName === null ? [] : [[guid, displayName] as const],
    ),
  );
}

/** Remembers the time zone of the browser that the user has the portal open in. */
export async function rememberTimeZone(db: Db, guid: string, timeZone: string): Promise<void> {
  await db
    .updateTable('account')
    .where('guid', '=', guid)
    .where('time_zone', 'is distinct from', timeZone)
    .set({ time_zone: timeZone })
    .execute();
}

/** The time zone of a user's browser, or null. `guid` null: no user. */
export async function findTimeZone(db: Db, guid: string | null): Promise<string | null> {
  if (guid === null) return null;
  const row = await db
    .selectFrom('account')
    .select('time_zone')
    .where('guid', '=', guid)
    .executeTakeFirst();
  return row?.time_zone ?? null;
}

/**
 * Sets an account's password hash unless it has changed since `account` was read; returns whether it did. A password
 * that the user has set is no longer publicly known.
 */
export async function setPasswordHash(
  db: Db,
  account: Pick<Account, 'guid' | 'passwordHash'>,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .where('guid', '=', account.guid)
    .where('password_hash', 'is not distinct from', account.passwordHash)
    .set({ password_hash: passwordHash, is_demo: false })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets what users choose themselves: the name that others see, and the language; null: that of the organisation. */
export async function setNameAndCulture(
  trx: Db,
  guid: string,
  { name, culture }: { readonly name: string; readonly culture: string | null },
): Promise<void> {
  await trx
    .updateTable('account')
    .where('guid', '=', guid)
    .set({ display_name: name, culture })
    .execute();
}

/** Gives accounts a publicly known password; without `emails`, all accounts. */
export async function makeDemoAccounts(
  trx: Db,
  passwordHash: string,
  emails?: readonly string[],
): Promise<void> {
  const update = trx.updateTable('account').set({ password_hash: passwordHash, is_demo: true });
  await (emails === undefined ? update : update.where('email', 'in', emails)).execute();
}

/** Adds, changes or removes a user. */
export async function applyUser(trx: Db, change: ChangeOf<'user'>): Promise<void> {
  const byKey = sql<boolean>`lower(email collate "C") = ${change.key}`;
  if (change.action === 'remove') {
    await trx.deleteFrom('account').where(byKey).execute();
    return;
  }
  const { email, name, culture, portalAccess, accountSuspended, operator } = change.record;
  const columns = {
    email,
    display_name: name,
    culture,
    has_portal_access: portalAccess,
    is_suspended: accountSuspended,
    is_operator: operator,
  };
  if (change.action === 'add')
    await trx
      .insertInto('account')
      .values({ guid: newGuid(), ...columns })
      .execute();
  else await trx.updateTable('account').where(byKey).set(columns).execute();
  const { guid } = await trx
    .selectFrom('account')
    .where(byKey)
    .select('guid')
    .executeTakeFirstOrThrow();
  await setMemberships(trx, guid, change.record);
}

/** The provider's claims about the user who signed in. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified the address: an unverified one must never open an existing account. */
  readonly isEmailVerified: boolean;
}

/** Why a provider's user has no account here: the provider reports no address, an unverified one, or an unknown one. */
export type UnknownIdentity = 'no-email' | 'unverified-email' | 'unknown-email';

/**
 * The account for a provider's user: by its subject if it has signed in before, else by its verified email address,
 * which is then permanently linked to the subject. If there is none, the reason.
 */
export async function findAccountOfIdentity(
  db: Db,
  identity: ProviderIdentity,
): Promise<Account | UnknownIdentity> {
  const known = await accounts(db)
    .innerJoin('account_subject', 'account_subject.account_guid', 'account.guid')
    .where('account_subject.issuer', '=', identity.issuer)
    .where('account_subject.subject', '=', identity.subject)
    .executeTakeFirst();
  if (known !== undefined) return known;
  if (identity.email === null) return 'no-email';
  if (!identity.isEmailVerified) return 'unverified-email';
  const account = await findAccountByEmail(db, identity.email);
  if (account === null) return 'unknown-email';
  await db
    .insertInto('account_subject')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      account_guid: account.guid,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return account;
}

/** Whether anyone can sign in, or why not: there are no users, or no user has a password here. */
export type WayIn = 'open' | 'no-user' | 'no-password';

/** Whether anyone can sign in. Demo accounts count while they are allowed; passwords count if they are stored here. */
export async function findWayIn(
  db: Db,
  counted: { readonly demo: boolean; readonly passwords: boolean },
): Promise<WayIn> {
  const { users, withPassword } = await db
    .selectFrom('account')
    .select(({ fn }) => [
      fn.countAll<number>().as('users'),
      fn.count<number>('password_hash').as('withPassword'),
    ])
    .where(({ eb, or, lit }) => or([lit(counted.demo), eb('is_demo', '=', false)]))
    .executeTakeFirstOrThrow();
  if (Number(users) === 0) return 'no-user';
  return counted.passwords && Number(withPassword) === 0 ? 'no-password' : 'open';
}
