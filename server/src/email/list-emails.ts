/** Both outboxes as one list, for operators: the emails with files, and those about accounts. */
import { Refusal } from '@recodery/contract/refusal';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { AccountMailKind } from '../postgres/tables/sign-in-tables.ts';
import { retryAccountMail } from './account-emails.ts';
import { type EmailNews, type MailStatus, retryMail } from './emails.ts';

/** An email of either outbox. */
export interface ListedEmail {
  readonly guid: string;
  readonly email: string;
  readonly status: MailStatus;
  readonly kind: AccountMailKind | 'file';
  /** Of the organisation on whose behalf it is sent; null: of the portal. */
  readonly customerCode: string | null;
  readonly createdOn: Date;
  /** When a waiting email is due. */
  readonly nextOn: Date | null;
  readonly sentOn: Date | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** Which emails to list; absent: all. */
export interface EmailFilter {
  readonly status?: string | undefined;
  readonly customerCode?: string | undefined;
  /** Texts that the address or the error contains, in any case. */
  readonly words?: readonly string[];
  readonly guid?: string;
}

/** Where a page begins: only older emails, or only newer ones. */
export interface EmailPage {
  readonly after?: string | undefined;
  readonly isOldestFirst?: boolean;
  readonly count: number;
}

/** The conditions of both tables, which have these columns in common. */
function conditionsOf(
  { status, words = [], guid }: EmailFilter,
  page: EmailPage,
): RawBuilder<unknown> {
  const { after, isOldestFirst = false } = page;
  const all = [
    // the content of a deleted email was erased
    sql`one.email <> ''`,
    ...(status === undefined ? [] : [sql`one.status = ${status}`]),
    ...(guid === undefined ? [] : [sql`one.guid = ${guid}::uuid`]),
    // GUIDs begin with the time of their creation
    ...(after === undefined
      ? []
      : [isOldestFirst ? sql`one.guid > ${after}::uuid` : sql`one.guid < ${after}::uuid`]),
    ...words.map(
      (word) =>
        sql`strpos(lower(one.email || ' ' || coalesce(one.last_error, '')), ${word.toLowerCase()}) > 0`,
    ),
  ];
  return sql.join(all, sql` and `);
}

/** A page of the emails, newest first unless the page says otherwise. */
export async function listOutboxes(
  db: Db,
  filter: EmailFilter,
  page: EmailPage,
): Promise<readonly ListedEmail[]> {
  const isOurs = conditionsOf(filter, page);
  const order = page.isOldestFirst === true ? sql`asc` : sql`desc`;
  const { customerCode } = filter;
  const ofCode =
    customerCode === undefined ? sql`true` : sql`organisation.customer_code = ${customerCode}`;
  const partOf = (table: string, kind: RawBuilder<unknown>) => sql`
    (select one.guid, one.email, one.status, ${kind} as kind, customer_code as "customerCode",
        one.created_on as "createdOn", case when one.status = 'waiting' then one.due_on end as "nextOn",
        one.sent_on as "sentOn", one.attempt as attempts, one.last_error as error
      from ${sql.table(table)} as one left join organisation on organisation.guid = one.organisation_guid
      where ${isOurs} and ${ofCode} order by one.guid ${order} limit ${page.count})`;
  const { rows } = await sql<ListedEmail>`
    select * from (${partOf('mail', sql`'file'`)} union all ${partOf('account_mail', sql`one.kind`)}) as every
    order by guid ${order} limit ${page.count}`.execute(db);
  return rows;
}

/** One email, or null. */
export async function findEmail(db: Db, guid: string): Promise<ListedEmail | null> {
  const [found = null] = await listOutboxes(db, { guid }, { count: 1 });
  return found;
}

/**
 * Sends a failed email again, and a waiting one at once.
 * @throws {Refusal} NOT_FOUND, or FIELDS_NOT_ACCEPTED if it was sent, withdrawn, or its link has expired
 */
export async function retryEmail(db: Db, guid: string, news: EmailNews): Promise<ListedEmail> {
  return db.transaction().execute(async (trx) => {
    const found = await findEmail(trx, guid);
    if (found === null) throw new Refusal('NOT_FOUND');
    const isOpen = found.status === 'waiting' || found.status === 'failed';
    const isRetried =
      isOpen &&
      (await (found.kind === 'file' ? retryMail(trx, guid, news) : retryAccountMail(trx, guid)));
    if (!isRetried) {
      const why = isOpen ? 'LINK_EXPIRED' : 'FIXED';
      throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { email: why } });
    }
    return (await findEmail(trx, guid)) ?? found;
  });
}
