/** The operator's messages for open pages, each in its own language. */
import type { Caller } from '../organisations/caller.ts';
import { readCultures } from '../organisations/cultures.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { listShownMessages } from './messages.ts';

/** Who reads a stream. */
interface Subscriber {
  readonly caller: Caller;
  readonly headers: Parameters<typeof languageFor>[0];
}

/** All current messages for each subscriber: when the last one is removed, the list is empty. */
export async function readMessages<S extends Subscriber>(
  db: Db,
  subscribers: readonly S[],
): Promise<ReadonlyMap<S, unknown>> {
  const cultures = await readCultures(
    db,
    subscribers.map(({ caller }) => caller),
  );
  const lists = new Map<string, Promise<unknown>>();
  const records = new Map<S, unknown>();
  for (const subscriber of subscribers) {
    const { locale } = languageFor(subscriber.headers, cultures.get(subscriber.caller) ?? null);
    const list = lists.get(locale) ?? listShownMessages(db, locale);
    lists.set(locale, list);
    records.set(subscriber, await list);
  }
  return records;
}
