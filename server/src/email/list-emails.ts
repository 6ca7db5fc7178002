/** Both outboxes as one list, for operators: the emails with files, and those about accounts. */
import { Refusal } from '@recodery/contract/refusal';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import type { AccountMailKind } from '../postgres/tables/sign-in-tables.ts';
import { noReader, retryAccountMail } from './account-emails.ts';
import { type EmailNews, type MailStatus, retryMail } from './emails.ts';

/**
 * The status of an email as operators see it. `outbox`: stored as a file, because there is no mail server; `no-user`:
 * no user has the address.
 */
export type ListedStatus = MailStatus | 'outbox' | 'no-user';

/** An email of either outbox. */
export interface ListedEmail {
  readonly guid: string;
  readonly email: string;
  readonly status: ListedStatus;
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

/** What differs between the tables. */
const outboxes = [
  {
    table: 'mail',
    kind: sql`'file'`,
    // withdrawing a file changes only its notification once its email has failed or was sent
    status: sql`case
      when exists (select from notification where notification.guid = one.guid and revoked_on is not null) then 'revoked'
      when one.status = 'sent' and one.way = 'outbox' then 'outbox'
      else one.status end`,
  },
  {
    table: 'account_mail',
    kind: sql`one.kind`,
    status: sql`case
      when one.status = 'failed' and one.last_error = ${noReader} then 'no-user'
      when one.status = 'sent' and one.way = 'outbox' then 'outbox'
      else one.status end`,
  },
];

/** The conditions of both tables, which have these columns in common. */
function conditionsOf(
  { status, words = [], guid }: EmailFilter,
  page: EmailPage,
  statusOf: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { after, isOldestFirst = false } = page;
  const all = [
    // the content of a deleted email was erased
    sql`one.email <> ''`,
    ...(status === undefined ? [] : [sql`${statusOf} = ${status}`]),
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
  const order = page.isOldestFirst === true ? sql`asc` : sql`desc`;
  const { customerCode } = filter;
  const ofCode =
    customerCode === undefined ? sql`true` : sql`organisation.customer_code = ${customerCode}`;
  const parts = outboxes.map(
    ({ table, kind, status }) => sql`
    (select one.guid, one.email, ${status} as status, ${kind} as kind, customer_code as "customerCode",
        one.created_on as "createdOn", case when ${status} = 'waiting' then one.due_on end as "nextOn",
        one.sent_on as "sentOn", one.attempt as attempts, one.last_error as error
      from ${sql.table(table)} as one left join organisation on organisation.guid = one.organisation_guid
      where ${conditionsOf(filter, page, status)} and ${ofCode} order by one.guid ${order} limit ${page.count})`,
  );
  const { rows } = await sql<ListedEmail>`
    select * from (${sql.join(parts, sql` union all `)}) as every
    order by guid ${order} limit ${page.count}`.execute(db);
  return rows;
}

/** One email, or null. */
export async function findEmail(db: Db, guid: string): Promise<ListedEmail | null> {
  const [found = null] = await listOutboxes(db, { guid }, { count: 1 });
  return found;
}

/** What sending again depends on. */
export interface RetryDeps {
  readonly news: EmailNews;
  /** Whether users sign in at an external provider, so that emails about accounts do not expire. */
  readonly isExternal: boolean;
}

const isOpen = ({ status }: ListedEmail): boolean => status === 'waiting' || status === 'failed';

/**
 * Sends a failed email again, and a waiting one at once.
 * @throws {Refusal} NOT_FOUND, or FIELDS_NOT_ACCEPTED if it was sent, withdrawn, has no reader, or is too old
 */
export async function retryEmail(
  db: Db,
  guid: string,
  { news, isExternal }: RetryDeps,
): Promise<ListedEmail> {
  return db.transaction().execute(async (trx) => {
    const found = await findEmail(trx, guid);
    if (found === null) throw new Refusal('NOT_FOUND');
    const isRetried =
      isOpen(found) &&
      (await (found.kind === 'file'
        ? retryMail(trx, guid, news)
        : retryAccountMail(trx, guid, isExternal)));
    const now = (await findEmail(trx, guid)) ?? found;
    if (isRetried) return now;
    const why = isOpen(now) ? 'LINK_EXPIRED' : 'EMAIL_CLOSED';
    throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { email: why } });
  });
}
