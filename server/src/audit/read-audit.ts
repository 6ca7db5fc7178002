/** Reads and checks the audit trail. */
import { sql } from 'kysely';
import type { Db } from '../postgres/tables/schema.ts';
import { readSnapshot } from '../postgres/snapshot.ts';
import { type ChainedEntry, type AuditEntry, hashEntry, start } from './audit.ts';

/** Which entries to read; absent: all. */
export interface AuditFilter {
  readonly from?: Date;
  readonly to?: Date;
  /** GUID of an organisation. */
  readonly organisation?: string;
  /** Email address of a user, or name of another actor. */
  readonly actor?: string;
  /** The beginning of an action, such as `kess3.` or `sign-in`. */
  readonly action?: string;
  /** Texts that an entry contains, in any case. */
  readonly words?: readonly string[];
}

/** Whether an entry contains a word in lower case. The collation `C` lowers ASCII alone, in a fraction of the time. */
function contains(word: string) {
  const isAscii = /^[\x20-\x7e]*$/.test(word);
  return isAscii
    ? sql<boolean>`strpos(lower(entry collate "C"), ${word} collate "C") > 0`
    : sql<boolean>`strpos(lower(entry), ${word}) > 0`;
}

/** The entries that pass a filter, in no order; `text` is the entry as it was hashed. */
function narrowed(db: Db, filter: AuditFilter) {
  let query = db
    .selectFrom('audit_entry')
    .select(['position', 'entry as text', 'recorded_on as recordedOn', 'hash']);
  if (filter.from !== undefined) query = query.where('recorded_on', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('recorded_on', '<', filter.to);
  if (filter.organisation !== undefined)
    query = query.where(
      sql<boolean>`lower(entry::jsonb #>> '{organisation}') = lower(${filter.organisation})`,
    );
  // a name may be an email address: as in `organisations/email-rules`
  if (filter.actor !== undefined)
    query = query.where(
      sql<boolean>`lower((entry::jsonb #>> '{actor,name}') collate "C") = lower(${filter.actor} collate "C")`,
    );
  if (filter.action !== undefined)
    query = query.where(sql<boolean>`starts_with(entry::jsonb ->> 'action', ${filter.action})`);
  for (const word of filter.words ?? []) query = query.where(contains(word.toLowerCase()));
  return query;
}

/** Reads the chain in pages, in order. */
async function* readChain(
  db: Db,
  filter: AuditFilter,
): AsyncGenerator<{ position: number; text: string; recordedOn: Date; hash: Buffer }> {
  for (let after = 0; ; ) {
    const query = narrowed(db, filter)
      .where('position', '>', after)
      .orderBy('position')
      .limit(1000);
    const rows = await query.execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

/** The entries that pass the filter, oldest first. */
export async function* listAudit(db: Db, filter: AuditFilter = {}): AsyncGenerator<ChainedEntry> {
  for await (const row of readChain(db, filter)) yield chained(row);
}

const chained = (row: { position: number; text: string; hash: Buffer }): ChainedEntry => ({
  position: row.position,
  entry: JSON.parse(row.text) as AuditEntry,
  hash: row.hash.toString('hex'),
});

/** Part of the trail: at most `count` entries, only those beyond a position. */
export interface AuditPage {
  readonly beyond?: number;
  readonly count: number;
}

/** A page of the trail. `searchedTo`: the position beyond which a search continues; null: it reached the end. */
export interface FoundAudit {
  readonly entries: readonly ChainedEntry[];
  readonly searchedTo: number | null;
}

/**
 * Entries that a search or a filter reads at once. No index finds any part of an entry, and a word or a name that is in
 * none of them must not keep a request waiting until the whole trail was read.
 */
export const searchedAtOnce = 50_000;

/** Whether entries can be left out, so that a page may have to read any number of them. */
const isNarrowed = ({ words = [], ...filters }: AuditFilter): boolean =>
  words.length > 0 || Object.values(filters).some((value) => value !== undefined);

/** The newest entries that pass the filter, newest first. */
export async function listNewestAudit(
  db: Db,
  filter: AuditFilter,
  { beyond, count }: AuditPage,
): Promise<FoundAudit> {
  const { first, last } = await readEnds(db);
  const top = Math.min(beyond ?? last + 1, last + 1);
  const bottom = isNarrowed(filter) ? top - searchedAtOnce : first;
  const rows = await narrowed(db, filter)
    .where('position', '<', top)
    .where('position', '>=', bottom)
    .orderBy('position', 'desc')
    .limit(count)
    .execute();
  const isWhole = rows.length === count || bottom <= first;
  return { entries: rows.map(chained), searchedTo: isWhole ? null : bottom };
}

/** The oldest entries that pass the filter, oldest first. */
export async function listOldestAudit(
  db: Db,
  filter: AuditFilter,
  { beyond = 0, count }: AuditPage,
): Promise<FoundAudit> {
  const { first, last } = await readEnds(db);
  const bottom = Math.max(beyond, first - 1);
  const top = isNarrowed(filter) ? bottom + searchedAtOnce : last;
  const rows = await narrowed(db, filter)
    .where('position', '>', bottom)
    .where('position', '<=', top)
    .orderBy('position')
    .limit(count)
    .execute();
  const isWhole = rows.length === count || top >= last;
  return { entries: rows.map(chained), searchedTo: isWhole ? null : top };
}

/** The first and the last position; 1 and 0 if there are no entries. */
async function readEnds(db: Db): Promise<{ readonly first: number; readonly last: number }> {
  const { first, last } = await db
    .selectFrom('audit_entry')
    .select(({ fn }) => [fn.min('position').as('first'), fn.max('position').as('last')])
    .executeTakeFirstOrThrow();
  return { first: Number(first ?? 1), last: Number(last ?? 0) };
}

/** The entry at a position, or null. */
export async function findAuditEntry(db: Db, position: number): Promise<ChainedEntry | null> {
  const row = await narrowed(db, {}).where('position', '=', position).executeTakeFirst();
  return row === undefined ? null : chained(row);
}

/** A position in the chain with its hash, as an operator has noted it. */
export interface ChainHead {
  readonly position: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/**
 * The result of a check: the last entry, or the first position that does not fit. `isIntact` null: the present entries
 * fit, but the noted entry and others after it have expired or were removed, so nothing connects it with the first one.
 */
export type ChainCheck =
  | { readonly isIntact: true | null; readonly first: number; readonly head: ChainHead | null }
  | { readonly isIntact: false; readonly position: number };

/**
 * Checks that no entry was changed, removed or inserted. The oldest entry is trusted, because those before it have
 * expired. `noted`, an earlier head, also shows whether the end was cut off or the whole chain was rewritten.
 */
export function verifyAudit(db: Db, noted: ChainHead | null = null): Promise<ChainCheck> {
  // from one snapshot: entries that expire during the check would look removed
  return readSnapshot(db, (snapshot) => verifyChain(snapshot, noted));
}

/** Whether the column by which entries are found and expire contains the time in the entry. */
function isTimeOf(text: string, recordedOn: Date): boolean {
  return new Date((JSON.parse(text) as AuditEntry).on).getTime() === recordedOn.getTime();
}

async function verifyChain(trx: Db, noted: ChainHead | null): Promise<ChainCheck> {
  let first: number | null = null;
  let head = null as ChainHead | null;
  let previous: Buffer = start;
  for await (const { position, text, recordedOn, hash } of readChain(trx, {})) {
    const isFirst = first === null;
    first ??= position;
    const isNext = isFirst || position === (head?.position ?? 0) + 1;
    const isAfterNoted = isFirst && noted?.position === position - 1;
    if (isAfterNoted) previous = Buffer.from(noted.hash, 'hex');
    const isTrusted = isFirst && position > 1 && !isAfterNoted;
    const isBound = isTrusted || hashEntry(previous, position, text).equals(hash);
    if (!isNext || !isBound || !isTimeOf(text, recordedOn)) return { isIntact: false, position };
    head = { position, hash: hash.toString('hex') };
    if (noted?.position === position && noted.hash !== head.hash)
      return { isIntact: false, position };
    previous = hash;
  }
  if (noted !== null && (head === null || head.position < noted.position))
    return { isIntact: false, position: (head?.position ?? 0) + 1 };
  first ??= 1;
  const isConnected = noted === null || noted.position >= first - 1;
  return { isIntact: isConnected ? true : null, first, head };
}

/** The result of a check as a sentence. `head`: the newest entry, for a later check; null: there is none. */
export interface ExplainedCheck {
  readonly isIntact: boolean;
  readonly text: string;
  readonly head: string | null;
}

/** Explains the result of a check to operators. */
export function explainCheck(check: ChainCheck): ExplainedCheck {
  if (check.isIntact === false)
    return {
      isIntact: false,
      text: `The audit trail was changed at position ${check.position}. Keep a copy of the database, and compare it with a backup.`,
      head: null,
    };
  if (check.isIntact === null)
    return {
      isIntact: false,
      text: `The audit trail begins at position ${check.first}. Entries after the position in --head have expired or were removed, so the check is not possible. Pass a newer result of "audit verify" to --head.`,
      head: null,
    };
  const { head, first } = check;
  if (head === null) return { isIntact: true, text: 'The audit trail is empty.', head };
  const text = `Entries ${first} to ${head.position} are complete and unchanged.`;
  return { isIntact: true, text, head: `${head.position}:${head.hash}` };
}
