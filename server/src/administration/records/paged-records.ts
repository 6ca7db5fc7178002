/** The records of a resource that has too many to read them all: a store reads one page. */
import { Refusal } from '@recodery/contract/refusal';
import type { Resource } from '@recodery/contract/admin/resource';
import type { Db } from '../../postgres/tables/schema.ts';
import type { ListAsk } from './list-rules.ts';
import type { ResourceRecords } from './records.ts';
import { recordOf, type Values } from './resource-store.ts';

/** What a page contains. `after`: the GUID of the last record of the page before. */
export interface PageAsk {
  readonly words: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
  readonly isDescending: boolean;
  readonly after: string | undefined;
  readonly count: number;
}

/** A page of a search. */
export interface FoundRecords {
  readonly records: readonly (readonly [guid: string, Values])[];
  /** `after` of the page that continues a search which ended early, because it takes long; null: all was searched. */
  readonly searchedTo: string | null;
}

/** A resource whose records are read page by page, and never changed by a form. */
export interface PagedStore {
  readonly declared: Resource;
  /** At most `count` records in order. */
  readonly list: (db: Db, ask: PageAsk) => Promise<FoundRecords>;
  /** A record, or null. */
  readonly find: (db: Db, guid: string) => Promise<Values | null>;
}

const guidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The words of a search. */
export const wordsOf = (search = ''): readonly string[] => search.split(/\s+/).filter(Boolean);

/** The records of a store. */
export function pagedRecords(db: Db, store: PagedStore): ResourceRecords {
  const { declared, list, find } = store;
  const refuse = (): Promise<never> => Promise.reject(new Refusal('NOT_FOUND'));
  return {
    async list({ search, sort = declared.sort, after = '', count, filters = {} }: ListAsk) {
      const isKnown = (declared.sortable ?? []).includes(sort.replace(/^-/, ''));
      if (!isKnown || (after !== '' && !guidForm.test(after))) throw new Refusal('BAD_REQUEST');
      const { records: found, searchedTo } = await list(db, {
        words: wordsOf(search),
        filters,
        isDescending: sort.startsWith('-'),
        after: after === '' ? undefined : after,
        // one more shows whether there is another page
        count: count + 1,
      });
      const shown = found.slice(0, count);
      return {
        items: shown.map(([guid, values]) => recordOf(store, guid, values)),
        next: found.length > count ? (shown.at(-1)?.[0] ?? null) : searchedTo,
        total: null,
      };
    },
    async read(guid) {
      const values = guidForm.test(guid) ? await find(db, guid) : null;
      if (values === null) throw new Refusal('NOT_FOUND');
      return recordOf(store, guid, values);
    },
    create: refuse,
    update: refuse,
    remove: refuse,
  };
}
