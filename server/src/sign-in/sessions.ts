/**
 * Owns the table session: how a session is created, renewed, authenticated, switched to another customer code and
 * ended.
 */
import { sessionHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { mintOrganisationId, type Person } from '../organisations/caller.ts';
import { listOrganisationsOf, rightsColumns, rightsOf } from '../organisations/organisations.ts';
import { notify } from '../postgres/announce.ts';
import { newGuid } from '../config/guids.ts';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ProvedAccount } from './confirmed-sessions.ts';
import { isPassive } from './passive-calls.ts';
import { type SessionReference, verifySessionId, writeSessionId } from './session-id.ts';

/** The dependencies of sessions: the database, whose clock decides, and the session key. */
export interface SessionDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'listKeys'>;
}

// PostgreSQL intervals, so that only the database's clock is used.
const renewalAge = sql`interval '15 minutes'`;
const oldGenerationLife = sql`interval '60 seconds'`;
const idleLife = sql`interval '8 hours'`;
const wholeLife = sql`interval '24 hours'`;
// Activity is recorded at most this often, so that not every read causes a write.
const activityGrain = sql`interval '30 seconds'`;

/** The purpose of the keys that sign session ids. */
export const sessionKeyPurpose = 'session';

async function sessionKey(deps: SessionDeps): Promise<Uint8Array> {
  return (await deps.secrets.getCurrentKey(sessionKeyPurpose)).key;
}

/**
 * Reads a session id under any key that is not retired: a renewed one also under the previous key. Null when we did not
 * issue it.
 */
export async function readPresentedSession(
  deps: SessionDeps,
  presentedId: string,
): Promise<SessionReference | null> {
  for (const { key } of await deps.secrets.listKeys(sessionKeyPurpose)) {
    const presented = verifySessionId(presentedId, key);
    if (presented !== null) return presented;
  }
  return null;
}

/** Where a session was started, for the list in which its user recognizes it. */
export interface SessionDevice {
  readonly userAgent: string | null;
  readonly address: string;
}

/**
 * Creates a session of an account under its first customer code; returns the session's guid, or null when the account
 * belongs to no organisation.
 */
export async function createSession(
  db: Db,
  account: ProvedAccount,
  device: SessionDevice | null = null,
): Promise<string | null> {
  const [first] = await listOrganisationsOf(db, account.accountGuid);
  if (first === undefined) return null;
  const guid = newGuid();
  await db
    .insertInto('session')
    .values({
      guid,
      account_guid: account.accountGuid,
      organisation_guid: first.guid,
      id_token: account.idToken,
      confirmed_on: account.authenticatedOn ?? null,
      with_factor: account.isWithFactor ?? false,
      user_agent: device?.userAgent ?? null,
      address: device?.address ?? null,
    })
    .execute();
  return guid;
}

/** The active sessions, with their users and organisations. */
export function livingSessions(db: Db) {
  return (
    db
      .selectFrom('session')
      .innerJoin('account', 'account.guid', 'session.account_guid')
      // Users who have left the organisation, or are suspended from it, no longer have a session under it.
      .innerJoin('membership', (join) =>
        join
          .onRef('membership.account_guid', '=', 'session.account_guid')
          .onRef('membership.organisation_guid', '=', 'session.organisation_guid'),
      )
      .innerJoin('organisation', 'organisation.guid', 'session.organisation_guid')
      .where('membership.is_suspended', '=', false)
      .where('account.is_suspended', '=', false)
      .where('organisation.is_archived', '=', false)
      .where('session.ended_on', 'is', null)
      .where(sql<boolean>`session.last_active_on > now() - ${idleLife}`)
      .where(sql<boolean>`session.created_on > now() - ${wholeLife}`)
  );
}

function livingSession(db: Db, guid: string) {
  return livingSessions(db).where('session.guid', '=', guid);
}

const findForCall = buildOnce((db: Db, guid: string) =>
  livingSession(db, guid)
    .modifyFront(keepPlan)
    .select([
      'session.generation',
      'session.must_sign_in_again',
      'session.generation_presented_on',
      sql<boolean>`session.generation_on < now() - ${renewalAge}`.as('is_renewal_due'),
      sql<boolean>`coalesce(session.generation_presented_on > now() - ${oldGenerationLife}, true)`.as(
        'does_old_generation_live',
      ),
      sql<boolean>`session.last_active_on < now() - ${activityGrain}`.as('is_activity_due'),
      'account.guid as account_guid',
      'account.email',
      'account.display_name',
      'account.has_portal_access',
      'account.is_operator',
      'membership.is_manager',
      'organisation.guid as organisation_guid',
      'organisation.customer_code',
    ])
    .select(rightsColumns),
);

type SessionRow = Awaited<ReturnType<typeof findForCall>>[number];

/** The caller, and the session id to use from now on if it differs from the one that was sent. */
export interface Authentication {
  readonly caller: Person;
  readonly renewedSession: string | null;
}

/**
 * Creates the function that authenticates requests. It refuses with `API_ERROR_UNAUTHORIZED` when there is no active
 * session, with `SIGN_IN_AGAIN` when the user must sign in at the provider again.
 */
export function createAuthenticate(
  deps: SessionDeps,
): (request: Pick<FastifyRequest, 'headers' | 'method' | 'url'>) => Promise<Authentication> {
  return async (request) => {
    const presented = request.headers[sessionHeader.toLowerCase()];
    if (typeof presented !== 'string') throw new Refusal('API_ERROR_UNAUTHORIZED');
    return authenticate(deps, presented, !isPassive(request.method, request.url));
  };
}

/** Checks a session id; `isUsersDoing` is false for streams and polling, which do not keep it alive. */
export async function authenticate(
  deps: SessionDeps,
  presentedId: string,
  isUsersDoing: boolean,
): Promise<Authentication> {
  const presented = await readPresentedSession(deps, presentedId);
  if (presented === null) throw new Refusal('API_ERROR_UNAUTHORIZED');
  const [row] = await findForCall(deps.db, presented.guid);
  if (row === undefined || !isGenerationAlive(row, presented.generation))
    throw new Refusal('API_ERROR_UNAUTHORIZED');
  if (row.must_sign_in_again) throw new Refusal('SIGN_IN_AGAIN');
  const generation = await recordSessionUse(deps.db, presented, row, isUsersDoing);
  return {
    caller: callerOf(presented.guid, row),
    renewedSession:
      generation === presented.generation
        ? null
        : writeSessionId({ guid: presented.guid, generation }, await sessionKey(deps)),
  };
}

function isGenerationAlive(row: SessionRow, generation: number): boolean {
  if (generation === row.generation) return true;
  return generation === row.generation - 1 && row.does_old_generation_live;
}

/** Records the changes of this use, and returns the current generation. */
async function recordSessionUse(
  db: Db,
  presented: SessionReference,
  row: SessionRow,
  isUsersDoing: boolean,
): Promise<number> {
  const isCurrent = presented.generation === row.generation;
  const renews = isCurrent && row.is_renewal_due;
  const isFirstUse = isCurrent && row.generation_presented_on === null;
  if (isUsersDoing && row.is_activity_due)
    await db
      .updateTable('session')
      .where('guid', '=', presented.guid)
      .set({ last_active_on: sql`now()` })
      .execute();
  // Both statements name the generation: of two concurrent requests the second changes nothing, and both get the same
  // result.
  if (renews)
    await db
      .updateTable('session')
      .where('guid', '=', presented.guid)
      .where('generation', '=', presented.generation)
      .set({
        generation: presented.generation + 1,
        generation_on: sql`now()`,
        generation_presented_on: null,
      })
      .execute();
  else if (isFirstUse)
    await db
      .updateTable('session')
      .where('guid', '=', presented.guid)
      .where('generation', '=', presented.generation)
      .where('generation_presented_on', 'is', null)
      .set({ generation_presented_on: sql`now()` })
      .execute();
  return renews ? presented.generation + 1 : row.generation;
}

function callerOf(sessionGuid: string, row: SessionRow): Person {
  return {
    kind: 'person',
    sessionGuid,
    accountGuid: row.account_guid,
    clientGuid: null,
    email: row.email,
    displayName: row.display_name,
    hasPortalAccess: row.has_portal_access,
    isOperator: row.is_operator,
    isManager: row.is_manager,
    organisationId: mintOrganisationId(row.organisation_guid),
    customerCode: row.customer_code,
    rights: rightsOf(row),
  };
}

/**
 * Those of the sessions that have not ended and whose users need not sign in again. Streams check this at intervals,
 * because they must close with their session.
 */
export async function findOpenSessions(
  db: Db,
  sessionGuids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Person, 'customerCode' | 'hasPortalAccess'>>> {
  if (sessionGuids.length === 0) return new Map();
  const rows = await livingSessions(db)
    .where(sql<boolean>`session.guid = any(${sessionGuids}::uuid[])`)
    .where('session.must_sign_in_again', '=', false)
    .select(['session.guid', 'organisation.customer_code', 'account.has_portal_access'])
    .execute();
  return new Map(
    rows.map(({ guid, customer_code: customerCode, has_portal_access: hasPortalAccess }) => [
      guid,
      { customerCode, hasPortalAccess },
    ]),
  );
}

/**
 * The facts of an active session from which it is described, with the newest form of its id; refuses
 * `API_ERROR_UNAUTHORIZED` when it has ended. `logoVersion` changes with the logo.
 */
export async function getSessionFacts(deps: SessionDeps, sessionGuid: string) {
  const row = await livingSession(deps.db, sessionGuid)
    .select([
      'session.generation',
      'session.account_guid as accountGuid',
      'account.display_name as displayName',
      'account.culture',
      'account.has_portal_access as hasPortalAccess',
      'account.is_operator as isOperator',
      'membership.is_manager as isManager',
      'organisation.guid as organisationGuid',
      'organisation.customer_code as customerCode',
      'organisation.name as organisationName',
      sql<string | null>`left(encode(sha256(organisation.logo), 'hex'), 16)`.as('logoVersion'),
    ])
    .select(rightsColumns)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('API_ERROR_UNAUTHORIZED');
  const reference = { guid: sessionGuid, generation: row.generation };
  const sessionId = writeSessionId(reference, await sessionKey(deps));
  return { ...row, sessionId, rights: rightsOf(row) };
}

/** Switches the session to another customer code of its account; false when the account has no such code. */
export async function setCustomerCode(
  db: Db,
  caller: Pick<Person, 'sessionGuid' | 'accountGuid'>,
  customerCode: string,
): Promise<boolean> {
  const wanted = await db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.guid', 'membership.organisation_guid')
    .where('membership.account_guid', '=', caller.accountGuid)
    .where('membership.is_suspended', '=', false)
    .where('organisation.is_archived', '=', false)
    .where('organisation.customer_code', '=', customerCode)
    .select('organisation.guid')
    .executeTakeFirst();
  if (wanted === undefined) return false;
  const changed = await db
    .updateTable('session')
    .where('guid', '=', caller.sessionGuid)
    .where('account_guid', '=', caller.accountGuid)
    .where('organisation_guid', '!=', wanted.guid)
    .set({ organisation_guid: wanted.guid })
    .returning('guid')
    .executeTakeFirst();
  if (changed !== undefined) await announceSession(db, caller.sessionGuid);
  return true;
}

/** Announces to the streams of a session, in all portals and tabs, that it has changed or ended. */
export async function announceSession(db: Db, sessionGuid: string): Promise<void> {
  await notify(db, { kind: 'session', guid: sessionGuid, organisation: null });
}

/** Ends a session; returns the provider's id token, which ends the session there, or null. */
export async function endSession(db: Db, sessionGuid: string): Promise<string | null> {
  const row = await db
    .updateTable('session')
    .where('guid', '=', sessionGuid)
    .where('ended_on', 'is', null)
    .set({ ended_on: sql`now()` })
    .returning('id_token')
    .executeTakeFirst();
  if (row !== undefined) await announceSession(db, sessionGuid);
  return row?.id_token ?? null;
}

/** Requires all sessions of an account to sign in at the provider again, for example after a password change. */
export async function requireSignInAgain(db: Db, accountGuid: string): Promise<void> {
  const asked = await db
    .updateTable('session')
    .where('account_guid', '=', accountGuid)
    .where('ended_on', 'is', null)
    .where('must_sign_in_again', '=', false)
    .set({ must_sign_in_again: true })
    .returning('guid')
    .execute();
  for (const { guid } of asked) await announceSession(db, guid);
}

/**
 * Continues a session whose user had to sign in again and has done so: returns its guid, or null when the browser's id
 * is not such a session of this account. Its id changes, so that a stolen copy remains useless.
 */
export async function resumeSession(
  db: Db,
  presented: SessionReference,
  account: ProvedAccount,
): Promise<string | null> {
  const [row] = await findForCall(db, presented.guid);
  if (row === undefined || !isGenerationAlive(row, presented.generation)) return null;
  const resumed = await db
    .updateTable('session')
    .where('guid', '=', presented.guid)
    .where('account_guid', '=', account.accountGuid)
    .where('generation', '=', row.generation)
    .where('must_sign_in_again', '=', true)
    .set({
      must_sign_in_again: false,
      // plus two: the previous generation stays valid for a while
      generation: sql`generation + 2`,
      generation_on: sql`now()`,
      generation_presented_on: null,
      last_active_on: sql`now()`,
      confirmed_on: account.authenticatedOn ?? null,
      with_factor: account.isWithFactor ?? false,
      id_token: account.idToken,
    })
    .returning('guid')
    .executeTakeFirst();
  return resumed?.guid ?? null;
}

/** Deletes sessions that ended more than a day ago; called by the sweep. */
export async function sweepSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('session')
    .where('created_on', '<', sql<Date>`now() - interval '2 days'`)
    .execute();
}
