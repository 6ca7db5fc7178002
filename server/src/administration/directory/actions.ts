/** What else can be done to one record of a resource. */
import type { AnyValues, Resource } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { Clock } from '../../config/clock.ts';
import { type DirectoryDeps, lockDirectory } from '../../organisations/directory/directory.ts';
import { type Account, findAccount } from '../../organisations/accounts.ts';
import { renewKeyWithin } from '../../organisations/renew-slave-key.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Caller, OrganisationId } from '../../organisations/caller.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { FactorNews } from '../../sign-in/factors/factor-news.ts';
import { resetFactors } from '../../sign-in/factors/factors.ts';
import { createInvitationPath } from '../../sign-in/provider/invitations.ts';
import { signOutUser } from '../../sign-in/sign-out-user.ts';
import { readRecord, readRecordWithin, updateRecord } from './change-records.ts';
import type { ActionOutcome, Confirmed } from '../records/records.ts';
import {
  type DirectoryResource,
  refuseFields,
  type ResourceStore,
} from '../records/resource-store.ts';
import { requireConfirmed } from '../records/require-confirmed.ts';
import { stores } from './stores.ts';

/** The dependencies of the administration. */
export interface AdministrationDeps extends DirectoryDeps {
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'createKey' | 'getCurrentKey' | 'getKey' | 'listKeys'>;
  /** The origin that browsers use. */
  readonly publicUrl: string;
  /** Whether users sign in at an external provider, which manages their passwords. */
  readonly isExternal: boolean;
  /** Tells users that their second factors were removed. */
  readonly sendNews: FactorNews;
  /** Queues the email with an invitation; null: the portal has no mail server. */
  readonly mailInvitation:
    | ((
        trx: Db,
        mail: {
          readonly accountGuid: string;
          readonly organisationId: OrganisationId;
          readonly email: string;
          readonly culture: string;
          readonly expiresOn: Date;
        },
      ) => Promise<void>)
    | null;
}

/** An action on the record with this GUID. */
type Act = (
  deps: AdministrationDeps,
  guid: string,
  caller: Caller,
  asked: { readonly revision: string | null; readonly confirmed: Confirmed },
) => Promise<ActionOutcome>;

/** Sets values, as the form does after a confirmation. */
async function setValues(
  deps: AdministrationDeps,
  [store, guid]: readonly [ResourceStore, string],
  values: AnyValues,
  confirmed: Confirmed = {},
): Promise<ActionOutcome> {
  const change = { guid, values, revision: null, confirmed };
  const { record, changes } = await updateRecord(deps, store, change);
  return { item: record, link: null, changes };
}

/** An account that is misused is suspended immediately, even if it is the only manager. */
const suspend: Act = (deps, guid) =>
  setValues(deps, [stores.users, guid], { accountSuspended: true }, { withoutManager: true });

const restore: Act = (deps, guid) =>
  setValues(deps, [stores.users, guid], { accountSuspended: false });

/** A link with which a user sets a password. */
export async function createLink(
  deps: Pick<AdministrationDeps, 'clock' | 'publicUrl' | 'secrets'>,
  account: Account,
): Promise<string> {
  return deps.publicUrl + (await createInvitationPath(deps, account));
}

/** A stolen session must not get past the password and the second factors of its own account. */
function refuseOwn(guid: string, caller: Caller): void {
  if (caller.kind === 'person' && caller.accountGuid === guid)
    refuseFields({ email: 'OWN_ACCOUNT' });
}

const invite: Act = async (deps, guid, caller) => {
  const item = await readRecord(deps.db, stores.users, guid);
  refuseOwn(guid, caller);
  if (deps.isExternal) refuseFields({ email: 'EXTERNAL_SIGN_IN' });
  const account = await findAccount(deps.db, guid);
  if (account === null) throw new Refusal('NOT_FOUND');
  return { item, link: await createLink(deps, account), changes: {} };
};

const signOut: Act = async (deps, guid) => {
  const item = await readRecord(deps.db, stores.users, guid);
  await deps.db.transaction().execute((trx) => signOutUser(trx, guid));
  return { item, link: null, changes: {} };
};

/** For users who have lost their second factors. */
const removeFactors: Act = async (deps, guid, caller) => {
  const item = await readRecord(deps.db, stores.users, guid);
  refuseOwn(guid, caller);
  const removed = await deps.db
    .transaction()
    .execute((trx) => resetFactors(trx, guid, deps.sendNews));
  return { item, link: null, changes: { factors: { from: removed, to: [] } } };
};

/** For a slave whose key someone else may know. Only for someone who has seen its present key. */
const renewKey: Act = async ({ db, secrets }, guid, _caller, { revision }) =>
  db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const current = await readRecordWithin(trx, stores.slaves, guid);
    if (revision !== current.revision) throw new Refusal('RECORD_CHANGED', { current });
    const renewed = await renewKeyWithin(trx, secrets, guid);
    if (renewed === null) throw new Refusal('NOT_FOUND');
    if (renewed === 'vendor') refuseFields({ serial: 'VENDOR_KEY' });
    const item = await readRecordWithin(trx, stores.slaves, guid);
    return { item, link: null, changes: { key: renewed } };
  });

const actions: Readonly<Partial<Record<DirectoryResource, Readonly<Record<string, Act>>>>> = {
  users: {
    invite,
    signOut,
    removeFactors,
    suspend,
    restore,
  },
  organisations: {
    archive: (deps, guid) => setValues(deps, [stores.organisations, guid], { archived: true }),
    restore: (deps, guid, _caller, { confirmed }) =>
      setValues(deps, [stores.organisations, guid], { archived: false }, confirmed),
  },
  slaves: {
    revoke: (deps, guid) => setValues(deps, [stores.slaves, guid], { revoked: true }),
    restore: (deps, guid) => setValues(deps, [stores.slaves, guid], { revoked: false }),
    renewKey,
  },
};

/**
 * Carries out an action of a resource of the directory. `revision`: of the record that the caller has seen.
 * @throws {Refusal} CONFIRM_ACCOUNT, NOT_FOUND, FIELDS_NOT_ACCEPTED, RECORD_CHANGED
 */
export async function actOn(
  deps: AdministrationDeps,
  caller: Caller,
  asked: {
    readonly name: DirectoryResource;
    readonly action: string;
    readonly guid: string;
    readonly revision: string | null;
    readonly confirmed: Confirmed;
  },
): Promise<ActionOutcome> {
  const { name, action, guid } = asked;
  const known = actions[name] ?? {};
  const act = Object.hasOwn(known, action) ? known[action] : undefined;
  if (act === undefined) throw new Refusal('NOT_FOUND');
  const { confirmedActions = [] }: Resource = resources[name];
  if (confirmedActions.includes(action)) await requireConfirmed(deps.db, caller);
  return act(deps, guid, caller, asked);
}
