/** Writes the operations log as CSV (RFC 4180), page by page, as fast as it is read: only one page is in memory. */
import { stringify } from 'csv-stringify/sync';
import type { Kysely } from 'kysely';
import type { Database } from '../postgres/tables/schema.ts';
import { describeEntry, logColumns } from './log-rules.ts';
import {
  findLogFiles,
  type LogEntry,
  type LogFile,
  type LogPlace,
  type LogQuestion,
  readLogPage,
} from './operations-log.ts';

/** Operations per page: only the first page determines the time to the first byte. */
const pageSizes = { first: 50, rest: 500 } as const;

type Request = LogEntry['request'];

export interface LogSource {
  readonly db: Kysely<Database>;
  /** The guids of an operation's input and output files. */
  listFiles(
    request: Request,
    result: Request | null,
  ): { readonly given: readonly string[]; readonly made: readonly string[] };
  nameProtocol(id: number): string | null;
}

/**
 * The pieces of the CSV: a byte order mark, because spreadsheets otherwise assume a legacy encoding, the header line,
 * and the operations, newest first. Nothing is locked: operations that start during the download are not included.
 */
export async function* writeLog(
  source: LogSource,
  question: LogQuestion,
): AsyncGenerator<string, void> {
  let from: LogPlace | null = null;
  let isFirst = true;
  do {
    const size = isFirst ? pageSizes.first : pageSizes.rest;
    const { entries, next } = await readLogPage(source.db, question, from, size);
    const lines = await describePage(source, question, entries);
    yield stringify(isFirst ? [[...logColumns], ...lines] : lines, {
      bom: isFirst,
      record_delimiter: 'windows',
    });
    isFirst = false;
    from = next;
  } while (from !== null);
}

async function describePage(
  source: LogSource,
  { organisationId, timeZone }: LogQuestion,
  entries: readonly LogEntry[],
): Promise<string[][]> {
  const named = entries.map(({ request, result }) => source.listFiles(request, result));
  const files = await findLogFiles(
    source.db,
    organisationId,
    named.flatMap(({ given, made }) => [...given, ...made]),
  );
  const pick = (guids: readonly string[]): LogFile[] =>
    guids.flatMap((guid) => files.get(guid) ?? []);
  return entries.map((entry, index) => {
    const { given = [], made = [] } = named[index] ?? {};
    const picked = { given: pick(given), made: pick(made) };
    return [...describeEntry(entry, picked, { nameProtocol: source.nameProtocol, timeZone })];
  });
}
