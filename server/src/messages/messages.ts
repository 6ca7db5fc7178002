/** Owns the table operator_message: the operator's messages to all users, by language and period. */
import type { Message } from '@recodery/contract/features/messages';
import { sql } from 'kysely';
import { notify } from '../postgres/announce.ts';
import { isGuid, newGuid } from '../config/guids.ts';
import { inTransaction } from '../postgres/tables/in-transaction.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Two letters: the language of messages for users whose own language has none. */
const fallback = 'en';

/** A message as the operator sees it. */
export interface OperatorMessage {
  readonly guid: string;
  readonly language: string;
  readonly text: string;
  readonly shownFrom: Date;
  /** null: until it is removed. */
  readonly shownTo: Date | null;
  readonly state: 'coming' | 'shown' | 'past';
}

/** A new message; without a start time it is shown immediately. */
export interface NewMessage {
  /** Two letters, one of the product's. */
  readonly language: string;
  readonly text: string;
  readonly shownFrom: Date | null;
  readonly shownTo: Date | null;
}

/** Records a message and announces it to every open page; returns its guid. */
export async function addMessage(db: Db, message: NewMessage): Promise<string> {
  const guid = newGuid();
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('operator_message')
      .values({
        guid,
        language: message.language,
        text: message.text,
        shown_from: message.shownFrom ?? sql<Date>`now()`,
        shown_to: message.shownTo,
      })
      .execute();
    await announce(trx);
  });
  return guid;
}

/** Changes a message, and announces it to every open page. */
export async function changeMessage(trx: Db, guid: string, message: NewMessage): Promise<void> {
  await trx
    .updateTable('operator_message')
    .where('guid', '=', guid)
    .set({
      language: message.language,
      text: message.text,
      shown_from: message.shownFrom ?? sql<Date>`now()`,
      shown_to: message.shownTo,
    })
    .execute();
  await announce(trx);
}

/**
 * Removes a message and announces it to every open page; false when no message has that guid, which can be any text.
 */
export async function removeMessage(db: Db, guid: string): Promise<boolean> {
  if (!isGuid(guid)) return false;
  return inTransaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('operator_message')
      .where('guid', '=', guid.toLowerCase())
      .returning('guid')
      .executeTakeFirst();
    if (row !== undefined) await announce(trx);
    return row !== undefined;
  });
}

function announce(trx: Db): Promise<void> {
  return notify(trx, { kind: 'message', guid: null, organisation: null });
}

/** All messages, including expired ones, in the order in which they are shown. */
export async function listAllMessages(db: Db): Promise<readonly OperatorMessage[]> {
  return db
    .selectFrom('operator_message')
    .select(['guid', 'language', 'text', 'shown_from as shownFrom', 'shown_to as shownTo'])
    .select(
      sql<OperatorMessage['state']>`case when shown_from > now() then 'coming'
        when shown_to <= now() then 'past' else 'shown' end`.as('state'),
    )
    .orderBy('shown_from')
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
}

/**
 * The messages that are currently shown in a language, oldest first; in English when it has none. `language` is two
 * letters or a tag that begins with them.
 */
export async function listShownMessages(
  db: Db,
  language: string | undefined,
): Promise<readonly Message[]> {
  const wanted = language?.slice(0, 2).toLowerCase() ?? fallback;
  const rows = await db
    .selectFrom('operator_message')
    .select(['guid', 'text', 'language'])
    .where('language', 'in', [wanted, fallback])
    .where('shown_from', '<=', sql<Date>`now()`)
    .where((eb) => eb.or([eb('shown_to', 'is', null), eb('shown_to', '>', sql<Date>`now()`)]))
    .orderBy('shown_from')
    .orderBy('created_on')
    .orderBy('guid')
    .execute();
  const own = rows.filter((row) => row.language === wanted);
  return (own.length > 0 ? own : rows).map(({ guid, text }) => ({ guid, text }));
}
