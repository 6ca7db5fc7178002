/** The emails of both outboxes as a resource of the administration, and the test email. */
import { resources } from '@recodery/contract/admin/resources';
import type { EmailNews } from '../../email/emails.ts';
import { findEmail, type ListedEmail, listOutboxes, retryEmail } from '../../email/list-emails.ts';
import type { Mailer } from '../../email/smtp.ts';
import { sendTestEmail } from '../../email/test-email.ts';
import type { Caller } from '../../organisations/caller.ts';
import { findAccount } from '../../organisations/accounts.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { PagedStore } from '../records/paged-records.ts';
import { type ActionOutcome, changesBetween, type TaskResult } from '../records/records.ts';
import { recordOf, type Values } from '../records/resource-store.ts';

/** The dependencies of emails. */
export interface EmailDeps {
  readonly db: Db;
  readonly publicUrl: string;
  readonly mailer: Mailer;
  readonly emailNews: EmailNews;
  /** Whether users sign in at an external provider. */
  readonly isExternal: boolean;
}

function valuesOf({ guid: _guid, createdOn, nextOn, sentOn, ...rest }: ListedEmail): Values {
  return {
    ...rest,
    createdOn: createdOn.toISOString(),
    nextOn: nextOn?.toISOString() ?? null,
    sentOn: sentOn?.toISOString() ?? null,
  };
}

export const emailStore: PagedStore = {
  declared: resources.emails,
  async list(db, { words, filters, isDescending, after, count }) {
    const { status, customerCode } = filters;
    const filter = { words, status, customerCode };
    const page = { after, isOldestFirst: !isDescending, count };
    const found = await listOutboxes(db, filter, page);
    const records = found.map((one) => [one.guid, valuesOf(one)] as const);
    return { records, searchedTo: null };
  },
  async find(db, guid) {
    const found = await findEmail(db, guid);
    return found && valuesOf(found);
  },
};

/** Sends an email again. @throws {Refusal} NOT_FOUND, FIELDS_NOT_ACCEPTED */
export async function actOnEmail(
  { db, emailNews, isExternal }: EmailDeps,
  guid: string,
): Promise<ActionOutcome> {
  const before = await emailStore.find(db, guid);
  const now = valuesOf(await retryEmail(db, guid, { news: emailNews, isExternal }));
  const { declared } = emailStore;
  const changes = {
    email: now['email'],
    ...changesBetween(declared, before ?? {}, now, {}, ['status', 'nextOn']),
  };
  return { item: recordOf(emailStore, guid, now), link: null, changes };
}

/** Sends an email to the caller, and returns the response of the mail server. */
export async function testEmail(
  { db, mailer, publicUrl }: EmailDeps,
  caller: Caller,
): Promise<TaskResult> {
  if (caller.kind !== 'person') throw new Error('only operators, who are people, send test emails');
  const account = await findAccount(db, caller.accountGuid);
  const ask = { to: caller.email, culture: account?.culture ?? null, publicUrl };
  const { outcome, text } = await sendTestEmail(mailer, ask);
  const states = { accepted: 'ok', stored: 'warning', failed: 'wrong' } as const;
  return { finding: { state: states[outcome], text } };
}
