/** Owns the table terms_acceptance: who has accepted the terms of use, in which version. */
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Whether an account has accepted one of these versions of the terms. */
export async function hasAcceptedTerms(
  db: Db,
  accountGuid: string,
  versions: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('terms_acceptance')
    .where('account_guid', '=', accountGuid)
    .where('terms_version', 'in', versions)
    .select('accepted_on')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an account accepts this version; a repeat keeps the first time. */
export async function acceptTerms(
  db: Db,
  accountGuid: string,
  termsVersion: string,
): Promise<void> {
  await db
    .insertInto('terms_acceptance')
    .values({ account_guid: accountGuid, terms_version: termsVersion, guid: newGuid() })
    .onConflict((conflict) => conflict.columns(['account_guid', 'terms_version']).doNothing())
    .execute();
}

/** Numbers of accounts by the version that they have accepted. */
export async function countAcceptances(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('terms_acceptance')
    .groupBy('terms_version')
    .select(({ fn }) => ['terms_version as version', fn.countAll<number>().as('count')])
    .execute();
  return new Map(rows.map(({ version, count }) => [version, Number(count)]));
}

/** An acceptance, for operators. */
export interface Acceptance {
  readonly guid: string;
  readonly email: string;
  readonly name: string;
  readonly version: string;
  readonly acceptedOn: Date;
}

/** Acceptances that contain all words, in the order of their time. */
export async function listAcceptances(
  db: Db,
  { words, guid }: { readonly words?: readonly string[]; readonly guid?: string },
  page: {
    readonly after?: string | undefined;
    readonly isDescending: boolean;
    readonly count: number;
  },
): Promise<readonly Acceptance[]> {
  const { after, isDescending, count } = page;
  const order = isDescending ? sql`desc` : sql`asc`;
  const conditions = [
    sql`true`,
    ...(guid === undefined ? [] : [sql`one.guid = ${guid}::uuid`]),
    ...(after === undefined
      ? []
      : [
          sql`(one.accepted_on, one.guid) ${isDescending ? sql`<` : sql`>`}
            (select accepted_on, guid from terms_acceptance where guid = ${after}::uuid)`,
        ]),
    ...(words ?? []).map(
      (word) =>
        sql`strpos(lower(account.email || ' ' || account.display_name || ' ' || terms_version), ${word.toLowerCase()}) > 0`,
    ),
  ];
  const { rows } = await sql<Acceptance>`
    select one.guid, account.email, account.display_name as name, terms_version as version, one.accepted_on as "acceptedOn"
    from terms_acceptance as one join account on account.guid = one.account_guid
    where ${sql.join(conditions, sql` and `)}
    order by one.accepted_on ${order}, one.guid ${order} limit ${count}`.execute(db);
  return rows;
}
