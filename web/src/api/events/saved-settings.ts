/** Settings that are saved in one tab are refetched in the others, since only the server knows the current values. */
import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { tabChannel } from './other-tabs.ts';

const settings = z.enum(['preferences', 'storage', 'clients', 'webhooks']);
/** Settings of an organisation that users can change on a page. */
export type Settings = z.infer<typeof settings>;

const savedInTabs = tabChannel('recodery.settings', settings);

/** The key of a query for settings. Keys that begin with `code` belong to the customer code and are removed with it. */
export const settingsKey = (name: Settings) => ['code', name] as const;

/** Notifies the other tabs that these settings were saved. */
export function publishSaved(name: Settings): void {
  savedInTabs.publish(name);
}

/** Refetches settings that this tab has changed, here and in the other tabs. */
export async function refetchSaved(queries: QueryClient, name: Settings): Promise<void> {
  publishSaved(name);
  await queries.invalidateQueries({ queryKey: settingsKey(name), exact: true });
}

/** Refetches settings as soon as another tab has saved them. Returns the function that unsubscribes. */
export function hearSaved(queries: QueryClient): () => void {
  return savedInTabs.subscribe(
    (name) => void queries.invalidateQueries({ queryKey: settingsKey(name), exact: true }),
  );
}
