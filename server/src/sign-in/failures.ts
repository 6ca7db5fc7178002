/**
 * Owns the table sign_in_failure: the last failed sign-ins with their reason, for operators. Anyone can cause them, so they
 * are bounded: each portal records some per minute, and of one address some per hour, and the newest of each reason stay,
 * so that one reason never hides another.
 */
import type { SignInFailureReason } from '@recodery/contract/admin/sign-in-resources';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Failures of one reason that are kept, and the days after which they are deleted. */
export const keptFailures = { ofReason: 200, days: 30 } as const;
/** Failures of one reason that a portal records in a minute. */
const mostPerMinute = 30;
/** Those of one network address in an hour, so that one visitor does not displace the others. */
const mostOfAddress = 20;
/** Maximum characters of the texts that a provider decides. */
const longest = { email: 254, detail: 300 } as const;

/** A sign-in that failed. Never what a user has typed: it can be a password. */
export interface SignInFailed {
  readonly reason: SignInFailureReason;
  /** The account, if it is known. */
  readonly accountGuid?: string | null;
  /** The email address that an external provider has reported. */
  readonly email?: string | null;
  readonly address: string;
  /** What the provider answered. */
  readonly detail?: string | null;
}

/**
 * Records a failed sign-in in the background: the time of a response must not show which reason was recorded, or whether
 * one was. An error is logged: it never changes what the user sees.
 */
export type RecordFailure = (failed: SignInFailed) => void;

/** The recorder of a portal. */
export interface FailureRecorder {
  readonly record: RecordFailure;
  /** Waits for what is being recorded; called when the portal closes. */
  flush(): Promise<void>;
}

/** A text of a provider as PostgreSQL can store it, on one line. */
function storable(text: string | null | undefined, most: number): string | null {
  const shown = (text ?? '')
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return shown === '' ? null : shown.slice(0, most).toWellFormed();
}

/** Creates the function that records the failures of a portal. `uptimeMs`: milliseconds since any moment. */
export function createFailureRecorder(
  { db, log }: { readonly db: Db; readonly log: Log },
  uptimeMs: () => number = () => performance.now(),
): FailureRecorder {
  const hasRoom = createBudget(60_000, mostPerMinute, uptimeMs);
  const hasRoomOfAddress = createBudget(3_600_000, mostOfAddress, uptimeMs);
  const pending = new Set<Promise<void>>();
  return {
    record: (failed) => {
      const budget = budgetOf(failed.reason);
      if (!hasRoom(budget, () => hasRoomOfAddress(`${budget} ${failed.address}`))) return;
      const work = insertFailure(db, failed)
        .catch((error: unknown) => log.warn({ error }, 'could not record a failed sign-in'))
        .finally(() => pending.delete(work));
      pending.add(work);
    },
    flush: async () => void (await Promise.all(pending)),
  };
}

/** What counts together: a budget of its own would show whether an address is known. */
function budgetOf(reason: SignInFailureReason): SignInFailureReason {
  return reason === 'unknown-address' ? 'wrong-password' : reason;
}

/** Counts per key and period. Nothing is counted if there is no room, or if `next` returns false. */
function createBudget(
  periodMs: number,
  most: number,
  uptimeMs: () => number,
): (key: string, next?: () => boolean) => boolean {
  let period = 0;
  let counts = new Map<string, number>();
  return (key, next = () => true) => {
    const now = Math.floor(uptimeMs() / periodMs);
    if (now !== period) {
      period = now;
      counts = new Map();
    }
    const before = counts.get(key) ?? 0;
    if (before >= most || !next()) return false;
    counts.set(key, before + 1);
    return true;
  };
}

async function insertFailure(db: Db, failed: SignInFailed): Promise<void> {
  const { reason, accountGuid = null, address } = failed;
  await db
    .insertInto('sign_in_failure')
    .values({
      guid: newGuid(),
      reason,
      account_guid: accountGuid,
      email: storable(failed.email, longest.email),
      address,
      detail: storable(failed.detail, longest.detail),
    })
    .execute();
}

/** A failed sign-in, for operators. */
export interface ListedFailure {
  readonly guid: string;
  readonly reason: SignInFailureReason;
  /** Null: it is not known whose sign-in it was. */
  readonly email: string | null;
  readonly failedOn: Date;
  readonly address: string | null;
  readonly detail: string | null;
}

/** Which failures to list, and how many. */
export interface FailureAsk {
  /** Texts that a failure contains, in any case. */
  readonly words?: readonly string[];
  readonly reason?: string | undefined;
  readonly guid?: string;
  /** The GUID of the last one of the page before. */
  readonly after?: string | undefined;
  readonly isOldestFirst?: boolean;
  readonly count: number;
}

/** Failed sign-ins, the newest first unless asked otherwise. */
export async function listFailures(
  db: Db,
  { words = [], reason, guid, after, isOldestFirst = false, count }: FailureAsk,
): Promise<readonly ListedFailure[]> {
  const order = isOldestFirst ? sql`asc` : sql`desc`;
  const conditions = [
    sql`true`,
    ...(reason === undefined ? [] : [sql`one.reason = ${reason}`]),
    ...(guid === undefined ? [] : [sql`one.guid = ${guid}::uuid`]),
    ...(after === undefined
      ? []
      : [sql`one.guid ${isOldestFirst ? sql`>` : sql`<`} ${after}::uuid`]),
    ...words.map(
      (word) =>
        sql`strpos(lower(concat_ws(' ', account.email, one.email, one.address, one.detail)), ${word.toLowerCase()}) > 0`,
    ),
  ];
  const { rows } = await sql<ListedFailure>`
    select one.guid, one.reason, coalesce(account.email, one.email) as email, one.failed_on as "failedOn",
      one.address, one.detail
    from sign_in_failure as one left join account on account.guid = one.account_guid
    where ${sql.join(conditions, sql` and `)} order by one.guid ${order} limit ${count}`.execute(
    db,
  );
  return rows;
}

/** Deletes old failures, and all but the newest of each reason; called by the sweep. */
export async function sweepSignInFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where('failed_on', '<', sql<Date>`now() - make_interval(days => ${keptFailures.days})`)
    .execute();
  await sql`delete from sign_in_failure where guid in (
    select guid from (
      select guid, row_number() over (partition by reason order by guid desc) as place from sign_in_failure
    ) as ranked where place > ${keptFailures.ofReason})`.execute(db);
}
