/** Searches, sorts and pages the records of a resource. */
import type { FieldValue, Resource } from '@recodery/contract/admin/resource';

/** A record of any resource. */
export type ListedRecord = Readonly<Record<string, FieldValue>> & {
  readonly guid: string;
  readonly revision: string;
};

/** What a list is asked for. `sort`: a column, with a minus for descending order. */
export interface ListAsk {
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
  readonly count: number;
  /** The filters of the resource that the request names. */
  readonly filters?: Readonly<Record<string, string>>;
}

export interface ListPage {
  readonly items: readonly ListedRecord[];
  readonly next: string | null;
  /** All that match; null: they were not counted. */
  readonly total: number | null;
}

/** A place between two records in a sorted list; it remains one when records are added or removed. */
type Place = readonly [text: string, guid: string];

const collator = new Intl.Collator('en', { numeric: true });
const textOf = (value: FieldValue): string =>
  typeof value === 'object' && value !== null ? value.join(' ') : String(value ?? '');

const writePlace = (text: string, guid: string): string =>
  guid + Buffer.from(text).toString('base64url');

function readPlace(written: string): Place | null {
  const [, guid, text] = /^([0-9a-f-]{36})([\w-]*)$/.exec(written) ?? [];
  if (guid === undefined || text === undefined) return null;
  return [Buffer.from(text, 'base64url').toString('utf8'), guid];
}

/** The part of a list that was asked for; null if `sort` is no column, or `after` no place in a list. */
export function listPage(
  { columns, search: searched, sort: usual }: Resource,
  records: readonly ListedRecord[],
  { search = '', sort = usual, after, count, filters = {} }: ListAsk,
): ListPage | null {
  const column = sort.replace(/^-/, '');
  const place = after === undefined || after === '' ? undefined : readPlace(after);
  if (!columns.includes(column) || place === null) return null;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = Object.entries(filters);
  const found = records.filter((record) => {
    if (!kept.every(([name, value]) => textOf(record[name] ?? null) === value)) return false;
    const text = searched
      .map((name) => textOf(record[name] ?? null))
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const direction = sort.startsWith('-') ? -1 : 1;
  const compare = (one: Place, other: Place): number =>
    direction * collator.compare(one[0], other[0]) || collator.compare(one[1], other[1]);
  const placed = found
    .map((record) => ({ record, at: [textOf(record[column] ?? null), record.guid] as const }))
    .sort((one, other) => compare(one.at, other.at))
    .filter(({ at }) => place === undefined || compare(at, place) > 0);
  const items = placed.slice(0, count);
  const last = items.at(-1);
  return {
    items: items.map(({ record }) => record),
    next: last === undefined || placed.length <= count ? null : writePlace(...last.at),
    total: found.length,
  };
}
