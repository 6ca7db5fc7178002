/** Owns the table invitation: the users whom managers have invited to their organisations. */
import { checkFields, type FieldErrors } from '@recodery/contract/admin/check-fields';
import {
  type Invitation,
  type Invited,
  type InvitationOutcome,
  mostInvitedAtOnce,
  mostOpenInvitations,
} from '@recodery/contract/admin/invitations';
import { usualMost } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import { type Account, findAccount, findAccountByEmail } from '../../organisations/accounts.ts';
import type { Caller } from '../../organisations/caller.ts';
import { applyDirectoryWithin, lockDirectory } from '../../organisations/directory/directory.ts';
import { foldEmail } from '../../organisations/email-rules.ts';
import { findOrganisation } from '../../organisations/organisations.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { invitationExpiry } from '../../sign-in/provider/invitations.ts';
import { type AdministrationDeps, createLink } from '../directory/actions.ts';
import { createRecordWithin, removeRecordWithin } from '../directory/change-records.ts';
import { refuseFields } from '../records/resource-store.ts';
import { stores } from '../directory/stores.ts';

/** Minutes before an address gets the next invitation; one that could not be delivered does not count. */
const invitationPause = 5;

/** The manager who calls, for the organisation of their current customer code. */
export type Manager = Pick<Caller, 'organisationId' | 'customerCode' | 'accountGuid'>;

/** What a manager asks for. */
export interface InvitationAsk {
  readonly email?: string | undefined;
  readonly emails?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly isManager?: boolean | undefined;
}

/**
 * The open invitations of an organisation. Once the user has a password or has signed in, or an operator has given them
 * another role or organisation, or suspended them, a manager must no longer get a link to the account.
 */
export function openInvitations(db: Db, organisationId: Manager['organisationId']) {
  return db
    .selectFrom('invitation')
    .innerJoin('account', 'account.guid', 'invitation.account_guid')
    .innerJoin('membership', (join) =>
      join
        .onRef('membership.account_guid', '=', 'invitation.account_guid')
        .onRef('membership.organisation_guid', '=', 'invitation.organisation_guid'),
    )
    .where('invitation.organisation_guid', '=', organisationId)
    .where('account.password_hash', 'is', null)
    .where('account.is_operator', '=', false)
    .where('account.has_portal_access', '=', true)
    .where('account.is_suspended', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_subject')
            .select('account_subject.account_guid')
            .whereRef('account_subject.account_guid', '=', 'account.guid'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership as other')
            .select('other.account_guid')
            .whereRef('other.account_guid', '=', 'account.guid')
            .whereRef('other.organisation_guid', '!=', 'invitation.organisation_guid'),
        ),
      ),
    );
}

/** When a link from this time expires; null: never. */
function expiryOf({ isExternal }: Pick<AdministrationDeps, 'isExternal'>, invitedOn: Date) {
  if (isExternal) return null;
  return invitationExpiry(invitedOn).toISOString();
}

/** The open invitations of the manager's organisation, newest first. */
export async function listOpenInvitations(
  deps: Pick<AdministrationDeps, 'db' | 'isExternal'>,
  { organisationId }: Manager,
): Promise<Invitation[]> {
  const rows = await openInvitations(deps.db, organisationId)
    .leftJoin('account as inviter', 'inviter.guid', 'invitation.invited_by')
    .orderBy('invitation.invited_on', 'desc')
    .orderBy('account.email')
    .select(['account.guid', 'account.email', 'account.display_name as name'])
    .select(['membership.is_manager as isManager', 'invitation.invited_on as invitedOn'])
    .select('inviter.display_name as invitedBy')
    .execute();
  return rows.map(({ invitedOn, ...row }) => ({
    ...row,
    invitedOn: invitedOn.toISOString(),
    expiresOn: expiryOf(deps, invitedOn),
  }));
}

/** The addresses of a request, each once. @throws {Refusal} FIELDS_NOT_ACCEPTED */
function readEmails({ email, emails = [], name }: InvitationAsk): readonly string[] {
  const all = [...(email === undefined ? [] : [email]), ...emails].map((one) => one.trim());
  const once = [...new Map(all.map((one) => [foldEmail(one), one])).values()];
  if (once.length === 0) refuseFields({ email: 'REQUIRED' });
  if (once.length > mostInvitedAtOnce) refuseFields({ emails: 'TOO_LONG' });
  if (name !== undefined) {
    const errors = checkFields(resources.users, { name }, 'update');
    refuseFields(once.length > 1 ? { name: 'INVALID' } : errors);
  }
  return once;
}

/** Whether an account belongs to the organisation. */
async function isMember(trx: Db, { organisationId }: Manager, { guid }: Account) {
  const rows = await trx
    .selectFrom('membership')
    .where('account_guid', '=', guid)
    .where('organisation_guid', '=', organisationId)
    .select('account_guid')
    .execute();
  return rows.length > 0;
}

/** Adds the user, or changes the invited one; returns why there is no invitation, if there is none. */
async function addUser(
  trx: Db,
  deps: AdministrationDeps,
  manager: Manager,
  { email, name, isManager }: InvitationAsk & { readonly email: string },
): Promise<{ readonly guid: string } | InvitationOutcome> {
  const { organisationId, customerCode } = manager;
  const open = await openInvitations(trx, organisationId).select('account.guid').execute();
  const managed = isManager === true ? [customerCode] : [];
  const account = await findAccountByEmail(trx, email);
  if (account === null) {
    if (open.length >= mostOpenInvitations) return 'tooMany';
    const { record } = await createRecordWithin(trx, deps, stores.users, {
      email,
      name: name ?? [...email.slice(0, email.indexOf('@'))].slice(0, usualMost).join(''),
      customerCodes: [customerCode],
      manager: managed,
      portalAccess: true,
    });
    return record;
  }
  if (open.every(({ guid }) => guid !== account.guid))
    return (await isMember(trx, manager, account)) ? 'alreadyUser' : 'notAvailable';
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(isManager === undefined ? {} : { manager: managed }),
  };
  const plan = await applyDirectoryWithin(trx, deps.secrets, { users: [{ email, ...changed }] });
  if ('mistakes' in plan) throw new Refusal('BAD_REQUEST');
  return account;
}

interface Invitee {
  readonly guid: string;
  readonly email: string;
  readonly invitedOn: Date;
  /** Whether the invitation is emailed if the portal can send emails. */
  readonly isMailed: boolean;
}

/** Whether the account was invited so recently that it gets no other invitation yet. */
async function isJustInvited(trx: Db, accountGuid: string): Promise<boolean> {
  const found = await trx
    .selectFrom('account_mail')
    .where('account_guid', '=', accountGuid)
    .where('status', '!=', 'failed')
    .where('created_on', '>', sql<Date>`now() - make_interval(mins => ${invitationPause})`)
    .select('guid')
    .executeTakeFirst();
  return found !== undefined;
}

/** Records an invitation, and queues its email; returns whether there is one. @throws {Refusal} FIELDS_NOT_ACCEPTED */
async function record(
  trx: Db,
  { mailInvitation }: AdministrationDeps,
  manager: Manager,
  { guid, email, invitedOn, isMailed }: Invitee,
): Promise<{ readonly guid: string; readonly isMailed: boolean }> {
  const { organisationId, accountGuid } = manager;
  const values = { invited_by: accountGuid, invited_on: invitedOn };
  if (mailInvitation !== null && isMailed && (await isJustInvited(trx, guid)))
    refuseFields({ email: 'JUST_INVITED' });
  await trx
    .insertInto('invitation')
    .values({ account_guid: guid, organisation_guid: organisationId, ...values })
    .onConflict((conflict) => conflict.column('account_guid').doUpdateSet(values))
    .execute();
  if (mailInvitation === null || !isMailed) return { guid, isMailed: false };
  const organisation = await findOrganisation(trx, organisationId);
  await mailInvitation(trx, {
    ...{ accountGuid: guid, organisationId, email },
    culture: organisation?.culture ?? '',
    expiresOn: invitationExpiry(invitedOn),
  });
  return { guid, isMailed: true };
}

/** For the user: where to set a password, or the portal if users sign in at an external provider. */
async function linkFor(deps: AdministrationDeps, guid: string): Promise<string> {
  const account = await findAccount(deps.db, guid);
  if (account === null) throw new Refusal('NOT_FOUND');
  return deps.isExternal ? deps.publicUrl : createLink(deps, account);
}

/**
 * Invites a user again who has not accepted yet: by email if `isMailed` and the portal can send emails. Otherwise returns
 * a link. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED if the user was emailed less than five minutes ago
 */
export async function renewInvitation(
  deps: AdministrationDeps,
  manager: Manager,
  guid: string,
  isMailed: boolean,
): Promise<string | null> {
  const invitedOn = deps.clock.now();
  const renewed = await deps.db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const open = await openInvitations(trx, manager.organisationId)
      .where('account.guid', '=', guid)
      .select('account.email')
      .executeTakeFirst();
    if (open === undefined) throw new Refusal('NOT_FOUND');
    return record(trx, deps, manager, { guid, email: open.email, invitedOn, isMailed });
  });
  return renewed.isMailed ? null : linkFor(deps, guid);
}

/** Invites one user in a transaction of its own, so that one address never undoes another. */
async function inviteOne(
  deps: AdministrationDeps,
  manager: Manager,
  ask: InvitationAsk & { readonly email: string },
): Promise<Invited> {
  const { email } = ask;
  const without = (outcome: InvitationOutcome) =>
    ({ email, outcome, guid: null, link: null, isMailed: false, expiresOn: null }) as const;
  if (checkFields(resources.users, { email }, 'create')['email'] !== undefined)
    return without('invalid');
  const invitedOn = deps.clock.now();
  const result = await deps.db
    .transaction()
    .execute(async (trx) => {
      await lockDirectory(trx);
      const added = await addUser(trx, deps, manager, ask);
      if (typeof added === 'string') return added;
      return record(trx, deps, manager, { guid: added.guid, email, invitedOn, isMailed: true });
    })
    .catch((error: unknown) => {
      // what only the directory finds, such as letters that look like others
      if (!(error instanceof Refusal) || error.code !== 'FIELDS_NOT_ACCEPTED') throw error;
      const { fields } = error.details as { readonly fields: FieldErrors };
      return fields['email'] === 'JUST_INVITED' ? 'justInvited' : 'invalid';
    });
  if (typeof result === 'string') return without(result);
  const link = result.isMailed ? null : await linkFor(deps, result.guid);
  return { ...result, email, outcome: 'invited', link, expiresOn: expiryOf(deps, invitedOn) };
}

/**
 * Adds users to the manager's organisation, each with an invitation; the outcome of each address, in the order of the
 * request. An address that has an account outside of the organisation is refused without saying where.
 * @throws {Refusal} FIELDS_NOT_ACCEPTED
 */
export async function inviteToOrganisation(
  deps: AdministrationDeps,
  manager: Manager,
  ask: InvitationAsk,
): Promise<Invited[]> {
  const items: Invited[] = [];
  for (const email of readEmails(ask))
    items.push(await inviteOne(deps, manager, { ...ask, email }));
  return items;
}

/** Removes the user of an open invitation; returns the email address. @throws {Refusal} NOT_FOUND */
export async function revokeOpenInvitation(
  deps: AdministrationDeps,
  { organisationId }: Manager,
  guid: string,
): Promise<string> {
  return deps.db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    // locked: the user may be setting a password
    const open = await openInvitations(trx, organisationId)
      .where(sql<boolean>`account.guid::text = ${guid.toLowerCase()}`)
      .select('account.email')
      .forUpdate()
      .executeTakeFirst();
    if (open === undefined) throw new Refusal('NOT_FOUND');
    await removeRecordWithin(trx, deps, stores.users, { guid: guid.toLowerCase(), confirmed: {} });
    return open.email;
  });
}
