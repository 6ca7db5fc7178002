/**
 * Owns the table factor_failure: slows down who knows a password and guesses the codes of an authenticator app, for as
 * long as it goes on.
 */
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';

/** Failures after which the user is told, and one attempt an hour is left. */
const mostFailures = 20;
const slowPace = sql`interval '1 hour'`;
/** Failures are forgotten after a day without another one. */
const memory = sql`interval '1 day'`;

/** Whose code is guessed, and where: a browser that the account knows, or null for all others together. */
export interface FailureAt {
  readonly accountGuid: string;
  readonly browser: string | null;
}

const originOf = ({ browser }: FailureAt): string =>
  browser === null ? 'other' : `browser ${browser}`;

/** An attempt that was counted, or how many seconds the caller has to wait. */
export type FailureCounted = { readonly isNews: boolean } | { readonly waitSeconds: number };

/**
 * Counts an attempt as failed before it is made, so that parallel ones cannot exceed the limit; a right code calls
 * {@link forgetFailures}. `isNews`: if it fails, the user must be told.
 */
export async function countFailure(db: Db, at: FailureAt): Promise<FailureCounted> {
  const { accountGuid } = at;
  const origin = originOf(at);
  const { rows } = await sql<{ failures: number }>`
    insert into factor_failure as present (account_guid, origin, failures, last_failed_on)
    values (${accountGuid}, ${origin}, 1, now())
    on conflict (account_guid, origin) do update set last_failed_on = now(),
      failures = case when present.last_failed_on < now() - ${memory} then 1 else present.failures + 1 end
      where present.failures < ${mostFailures} or present.last_failed_on < now() - ${slowPace}
    returning failures`.execute(db);
  const [counted] = rows;
  if (counted !== undefined) return { isNews: counted.failures === mostFailures };
  const { rows: waiting } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from last_failed_on + ${slowPace} - now()))::int as seconds
    from factor_failure where account_guid = ${accountGuid} and origin = ${origin}`.execute(db);
  return { waitSeconds: Math.max(1, waiting[0]?.seconds ?? 1) };
}

/** Forgets the failures of an account there, after a right code. */
export async function forgetFailures(db: Db, at: FailureAt): Promise<void> {
  await db
    .deleteFrom('factor_failure')
    .where('account_guid', '=', at.accountGuid)
    .where('origin', '=', originOf(at))
    .execute();
}

/** Deletes failures that no longer count; called by the sweep. */
export async function sweepFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('factor_failure')
    .where('last_failed_on', '<', sql<Date>`now() - ${memory}`)
    .execute();
}
