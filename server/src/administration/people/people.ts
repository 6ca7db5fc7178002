/** The people of one organisation as a resource: what their managers see of them, and can change. */
import type { FieldErrors } from '@recodery/contract/admin/check-fields';
import { people } from '@recodery/contract/admin/people';
import type { AnyValues } from '@recodery/contract/admin/resource';
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import type { DirectoryFile } from '../../organisations/directory/directory-file.ts';
import type { UserRecord } from '../../organisations/directory/directory-state-rules.ts';
import { foldEmail } from '../../organisations/email-rules.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { endSessionsUnder } from '../../sign-in/own-sessions.ts';
import { livingSessions } from '../../sign-in/sessions.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { readRecord, updateRecord } from '../directory/change-records.ts';
import { type Manager, openInvitations, renewInvitation } from './invitations.ts';
import type { ActionOutcome } from '../records/records.ts';
import {
  type DirectoryView,
  refuseFields,
  type ResourceStore,
  textIn,
  type Values,
} from '../records/resource-store.ts';

/** What the directory does not know of a person. */
interface Facts {
  readonly isInvited: boolean;
  readonly mail: string | null;
  readonly isVerified: boolean;
  readonly sessions: number;
}

/** The facts of the organisation's people, by the GUIDs of their accounts. */
async function readFacts(db: Db, { organisationId }: Manager): Promise<ReadonlyMap<string, Facts>> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.guid', 'membership.account_guid')
    .leftJoin('account_mail', (join) =>
      join
        .onRef('account_mail.account_guid', '=', 'membership.account_guid')
        .onRef('account_mail.organisation_guid', '=', 'membership.organisation_guid'),
    )
    .where('membership.organisation_guid', '=', organisationId)
    .select(['account.guid', 'account_mail.status as mail'])
    .select(sql<boolean>`account.email_verified_on is not null`.as('isVerified'))
    .execute();
  const open = await openInvitations(db, organisationId).select('account.guid').execute();
  const invited = new Set(open.map(({ guid }) => guid));
  const counts = await livingSessions(db)
    .where('session.organisation_guid', '=', organisationId)
    .groupBy('session.account_guid')
    .select(['session.account_guid as guid', sql<number>`count(*)::int`.as('sessions')])
    .execute();
  const sessions = new Map(counts.map((row) => [row.guid, row.sessions]));
  return new Map(
    rows.map(({ guid, mail, isVerified }) => {
      const isInvited = invited.has(guid);
      const ownMail = isInvited ? mail : null;
      return [guid, { isInvited, mail: ownMail, isVerified, sessions: sessions.get(guid) ?? 0 }];
    }),
  );
}

const unknown: Facts = { isInvited: false, mail: null, isVerified: false, sessions: 0 };

/** A list with or without the manager's customer code. */
const withCode = (codes: readonly string[], code: string, isIn: unknown): string[] =>
  isIn === true ? [...new Set([...codes, code])] : codes.filter((one) => one !== code);

/** The person as a record of the organisation with this customer code. */
function valuesOf(user: UserRecord, code: string, facts: Facts): Values {
  const { isInvited, mail, isVerified, sessions } = facts;
  const suspended = user.suspended.includes(code);
  return {
    email: user.email,
    name: user.name,
    state: suspended || user.accountSuspended ? 'suspended' : isInvited ? 'invited' : 'active',
    manager: user.manager.includes(code),
    suspended,
    mail,
    emailVerified: isVerified,
    sessions,
  };
}

/** The user of a record. */
function userOf({ state }: DirectoryView, values: AnyValues): UserRecord {
  const user = state.users.get(foldEmail(textIn(values, 'email')));
  if (user === undefined) throw new Refusal('NOT_FOUND');
  return user;
}

/** The file that takes a person out of the organisation. */
function removalOf(user: UserRecord, code: string): DirectoryFile {
  const { email } = user;
  if (user.operator) refuseFields({ email: 'IS_OPERATOR' });
  const without = (codes: readonly string[]) => codes.filter((one) => one !== code);
  const customerCodes = without(user.customerCodes);
  // an account of this organisation only
  if (customerCodes.length === 0 && user.accountSuspended)
    // a new invitation would give the access back
    refuseFields({ email: 'OPERATOR_SUSPENDED' });
  if (customerCodes.length === 0) return { users: [{ email, remove: true }] };
  const [manager, suspended] = [without(user.manager), without(user.suspended)];
  return { users: [{ email, customerCodes, manager, suspended }] };
}

/** Opens the people of the manager's organisation. */
export async function openPeople(db: Db, manager: Manager): Promise<ResourceStore> {
  const { customerCode: code, organisationId } = manager;
  const facts = await readFacts(db, manager);
  return {
    declared: people,
    keepsManager: true,
    keyOf: (values) => foldEmail(textIn(values, 'email')),
    read: ({ state, guids }) =>
      new Map(
        [...state.users].flatMap(([key, user]) => {
          const guid = guids.users.get(key);
          if (guid === undefined || !user.customerCodes.includes(code)) return [];
          return [[guid, valuesOf(user, code, facts.get(guid) ?? unknown)] as const];
        }),
      ),
    findErrors: (values, view): FieldErrors => {
      const user = userOf(view, values);
      if (values['suspended'] === true) return user.operator ? { suspended: 'IS_OPERATOR' } : {};
      return !user.accountSuspended || !user.suspended.includes(code)
        ? {}
        : { suspended: 'OPERATOR_SUSPENDED' };
    },
    write: (values, _before, view) => {
      const { email, ...user } = userOf(view, values);
      const flag = (name: 'manager' | 'suspended') => withCode(user[name], code, values[name]);
      return { users: [{ email, manager: flag('manager'), suspended: flag('suspended') }] };
    },
    remove: (values, view) => removalOf(userOf(view, values), code),
    // sessions must not continue when the user is restored
    onChanged: async (trx, guid, now) => {
      if (now['suspended'] === true) await endSessionsUnder(trx, guid, organisationId);
    },
  };
}

/** Carries out an action on a person. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED */
export async function actOnPerson(
  deps: AdministrationDeps,
  manager: Manager,
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const store = await openPeople(deps.db, manager);
  const item = await readRecord(deps.db, store, guid);
  if (action === 'suspend' || action === 'restore') {
    // only an operator can undo what an operator has done
    if (action === 'restore' && item['state'] === 'suspended' && item['suspended'] !== true)
      refuseFields({ suspended: 'OPERATOR_SUSPENDED' });
    const values = { suspended: action === 'suspend' };
    const change = { guid, values, revision: null, confirmed: {} };
    const { changes } = await updateRecord(deps, store, change);
    return { ...(await present(deps.db, manager, guid)), link: null, changes };
  }
  if (action === 'signOut') {
    await deps.db
      .transaction()
      .execute((trx) => endSessionsUnder(trx, guid, manager.organisationId));
    return { ...(await present(deps.db, manager, guid)), link: null, changes: {} };
  }
  if ((action !== 'resend' && action !== 'invite') || item['state'] !== 'invited')
    throw new Refusal('NOT_FOUND');
  const link = await renewInvitation(deps, manager, guid, action === 'resend');
  return { ...(await present(deps.db, manager, guid)), link, changes: {} };
}

/** The person as they are now. */
async function present(db: Db, manager: Manager, guid: string) {
  return { item: await readRecord(db, await openPeople(db, manager), guid) };
}
