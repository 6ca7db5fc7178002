/** The audit trail as a resource of the administration: its entries, its export, and its check. */
import { resources } from '@recodery/contract/admin/resources';
import { stringify } from 'csv-stringify/sync';
import { sql } from 'kysely';
import { appendWaiting, type ChainedEntry } from '../../audit/audit.ts';
import {
  type AuditFilter,
  explainCheck,
  findAuditEntry,
  listAudit,
  listNewestAudit,
  listOldestAudit,
  verifyAudit,
} from '../../audit/read-audit.ts';
import { disarm } from '../../config/csv-rules.ts';
import { findOrganisationByCode } from '../../organisations/organisations.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { PageAsk, PagedStore } from '../records/paged-records.ts';
import type { TaskResult } from '../records/records.ts';
import type { Values } from '../records/resource-store.ts';

/** An entry has no GUID: its position takes the place of one. */
const guidAt = (position: number): string =>
  `00000000-0000-0000-0000-${position.toString(16).padStart(12, '0')}`;
const positionOf = (guid: string): number => Number.parseInt(guid.slice(-12), 16);

/** Waiting entries that a list appends before it reads: a page is not to wait for all that a worker has left. */
const listedAtOnce = 100;

/** Customer codes by the GUID of their organisation. */
type Codes = ReadonlyMap<string, string>;

/** The customer codes of the organisations that these entries are about. */
async function readCodes(db: Db, entries: readonly ChainedEntry[]): Promise<Codes> {
  const guids = new Set(entries.flatMap(({ entry }) => entry.organisation ?? []));
  if (guids.size === 0) return new Map();
  const rows = await db
    .selectFrom('organisation')
    .where('guid', '=', sql<string>`any(${[...guids]}::uuid[])`)
    .select(['guid', 'customer_code'])
    .execute();
  return new Map(rows.map(({ guid, customer_code }) => [guid, customer_code]));
}

function valuesOf({ position, entry, hash }: ChainedEntry, codes: Codes): Values {
  const { on, actor, action, object = {}, from, outcome, organisation } = entry;
  return {
    on,
    who: actor.name ?? actor.guid ?? null,
    whoKind: actor.kind,
    action,
    outcome,
    // of an organisation that was removed, the GUID is left
    customerCode: organisation === undefined ? null : (codes.get(organisation) ?? organisation),
    address: from ?? null,
    position,
    details: JSON.stringify(object, null, 2),
    hash,
  };
}

/** The filter of the trail; null: no entry can pass it. */
async function filterOf(
  db: Db,
  { words, filters }: Pick<PageAsk, 'words' | 'filters'>,
): Promise<AuditFilter | null> {
  const { who, action, customerCode, from, to } = filters;
  const organisation =
    customerCode === undefined ? null : await findOrganisationByCode(db, customerCode);
  if (customerCode !== undefined && organisation === null) return null;
  return {
    words,
    ...(organisation === null ? {} : { organisation }),
    ...(who === undefined ? {} : { actor: who }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
  };
}

export const auditStore: PagedStore = {
  declared: resources.audit,
  async list(db, ask) {
    // what was done a moment ago may still wait for a worker; later pages show what was there before
    if (ask.after === undefined) await appendWaiting(db, listedAtOnce);
    const filter = await filterOf(db, ask);
    if (filter === null) return { records: [], searchedTo: null };
    const place = ask.after === undefined ? {} : { beyond: positionOf(ask.after) };
    const page = { ...place, count: ask.count };
    const read = ask.isDescending ? listNewestAudit : listOldestAudit;
    const { entries, searchedTo } = await read(db, filter, page);
    const codes = await readCodes(db, entries);
    const records = entries.map((one) => [guidAt(one.position), valuesOf(one, codes)] as const);
    return { records, searchedTo: searchedTo === null ? null : guidAt(searchedTo) };
  },
  async find(db, guid) {
    const found = await findAuditEntry(db, positionOf(guid));
    return found && valuesOf(found, await readCodes(db, [found]));
  },
};

/** What an export contains. */
type ExportAsk = Pick<PageAsk, 'words' | 'filters'>;

/** The entries of an export, oldest first, with all that were recorded before it. */
async function* exportedEntries(db: Db, ask: ExportAsk): AsyncGenerator<ChainedEntry> {
  while ((await appendWaiting(db)) > 0);
  const filter = await filterOf(db, ask);
  if (filter !== null) yield* listAudit(db, filter);
}

/** The entries that pass a filter, oldest first, as lines of JSON. */
export async function* writeAuditLines(db: Db, ask: ExportAsk): AsyncGenerator<string> {
  for await (const entry of exportedEntries(db, ask)) yield `${JSON.stringify(entry)}\n`;
}

const csvColumns = [
  'Position',
  'Time (UTC)',
  'Kind of actor',
  'Actor',
  'Action',
  'Outcome',
  'Customer code',
  'Address',
  'Details',
  'Hash',
] as const;

const csvLine = (cells: readonly (string | number)[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows' });

/** The same as CSV, with a byte order mark, because spreadsheets otherwise assume a legacy encoding. */
export async function* writeAuditCsv(db: Db, ask: ExportAsk): AsyncGenerator<string> {
  const codes = new Map<string, string>();
  // together with the first entry: an error before it still gets an error response
  let head = `\ufeff${csvLine(csvColumns)}`;
  for await (const one of exportedEntries(db, ask)) {
    const { position, entry, hash } = one;
    const { on, actor, action, object = {}, from, outcome, organisation } = entry;
    if (organisation !== undefined && !codes.has(organisation))
      codes.set(organisation, (await readCodes(db, [one])).get(organisation) ?? organisation);
    const code = organisation === undefined ? undefined : codes.get(organisation);
    const texts = [actor.kind, actor.name ?? actor.guid, action, outcome, code, from];
    const cells = [on, ...texts, JSON.stringify(object), hash].map((text) => disarm(text ?? ''));
    yield head + csvLine([position, ...cells]);
    head = '';
  }
  if (head !== '') yield head;
}

/** Checks that no entry was changed or removed. */
export async function verifyTrail(db: Db): Promise<TaskResult> {
  while ((await appendWaiting(db)) > 0);
  const { isIntact, text, head } = explainCheck(await verifyAudit(db));
  const kept =
    head === null
      ? ''
      : ` Keep this line: "recodery audit verify --head ${head}" later also shows whether the trail was replaced as a whole.`;
  return { finding: { state: isIntact ? 'ok' : 'wrong', text: text + kept } };
}
