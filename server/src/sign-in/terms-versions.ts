/** Owns the table terms_version: the terms of use that operators write in the browser. */
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Texts in Markdown by the two letters of their language. */
export type TermsTexts = Readonly<Record<string, string>>;

/** What a draft contains. */
export interface TermsDraft {
  readonly version: string;
  readonly articles: readonly string[];
  readonly texts: TermsTexts;
  /** False: users who have accepted the version before are not asked. */
  readonly asksAgain: boolean;
}

/** A version of the terms as it is stored. */
export interface TermsVersion extends TermsDraft {
  readonly guid: string;
  /** Null: a draft. */
  readonly publishedOn: Date | null;
}

const columns = ['guid', 'version', 'articles', 'texts'] as const;

/** All versions: those that were published last first, then the drafts. */
export async function listTermsVersions(db: Db): Promise<readonly TermsVersion[]> {
  const rows = await db
    .selectFrom('terms_version')
    .select([...columns, 'asks_again as asksAgain', 'published_on as publishedOn'])
    .orderBy(sql`published_on desc nulls last`)
    .orderBy('guid', 'desc')
    .execute();
  return rows.map((row) => ({
    ...row,
    articles: row.articles as readonly string[],
    texts: row.texts as TermsTexts,
  }));
}

const rowOf = ({ version, articles, texts, asksAgain }: TermsDraft) => ({
  version,
  articles: JSON.stringify(articles),
  texts: JSON.stringify(texts),
  asks_again: asksAgain,
});

/** Adds a draft; returns its GUID. */
export async function addTermsDraft(trx: Db, draft: TermsDraft): Promise<string> {
  const guid = newGuid();
  await trx
    .insertInto('terms_version')
    .values({ guid, ...rowOf(draft) })
    .execute();
  return guid;
}

/** Changes a draft; a published version stays as it is. */
export async function changeTermsDraft(trx: Db, guid: string, draft: TermsDraft): Promise<void> {
  await trx
    .updateTable('terms_version')
    .set(rowOf(draft))
    .where('guid', '=', guid)
    .where('published_on', 'is', null)
    .execute();
}

/** Removes a draft; a published version stays. */
export async function removeTermsDraft(trx: Db, guid: string): Promise<void> {
  await trx
    .deleteFrom('terms_version')
    .where('guid', '=', guid)
    .where('published_on', 'is', null)
    .execute();
}

/** Puts a draft in force from now on. */
export async function publishTermsDraft(trx: Db, guid: string): Promise<void> {
  await trx
    .updateTable('terms_version')
    // two versions are never published at the same time, even if the clock was set back
    .set({
      published_on: sql<Date>`greatest(clock_timestamp(),
        (select max(published_on) + interval '1 millisecond' from terms_version))`,
    })
    .where('guid', '=', guid)
    .where('published_on', 'is', null)
    .execute();
}

/** The terms that apply now. */
export interface CurrentTerms {
  readonly version: string;
  readonly articles: readonly string[];
  /** Where they come from: the environment takes precedence over the page. */
  readonly source: 'environment' | 'page' | 'default';
  /** The versions that count as accepted: the current one, and those before it that it does not ask again. */
  readonly counting: readonly string[];
}

/** The terms that apply now; `configured` are those of the environment. */
export async function readCurrentTerms(
  db: Db,
  configured: Pick<Config['terms'], 'version' | 'articles' | 'variables'>,
): Promise<CurrentTerms> {
  const { version, articles, variables } = configured;
  const fixed = { version, articles, counting: [version] };
  if (variables.length > 0) return { ...fixed, source: 'environment' };
  const published = await listPublished(db);
  const [current] = published;
  if (current === undefined) return { ...fixed, source: 'default' };
  const last = published.findIndex(({ asksAgain }) => asksAgain);
  const counting = published.slice(0, last === -1 ? undefined : last + 1);
  const counted = counting.map((one) => one.version);
  return {
    version: current.version,
    articles: current.articles as readonly string[],
    source: 'page',
    // those that applied before the first published version
    counting: last === -1 ? [...counted, version] : counted,
  };
}

/** The published versions without their texts, newest first: every visit reads them. */
function listPublished(db: Db) {
  return db
    .selectFrom('terms_version')
    .select(['version', 'articles', 'asks_again as asksAgain'])
    .where('published_on', 'is not', null)
    .orderBy('published_on', 'desc')
    .execute();
}

/** The texts of the version in force that operators wrote in the browser; null: there is none. */
export async function readCurrentTexts(db: Db): Promise<TermsTexts | null> {
  const row = await db
    .selectFrom('terms_version')
    .select('texts')
    .where('published_on', 'is not', null)
    .orderBy('published_on', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : (row.texts as TermsTexts);
}
