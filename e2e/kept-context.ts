/** One browser context for the journeys of a worker, which finds nothing of the one before except what the browser caches. */
import type { Browser, BrowserContext } from '@playwright/test';

/** What pages can store, without the caches. */
const storages = 'local_storage,indexeddb,websql,service_workers,file_systems,shared_storage';

/** The context, while there is one, and its browser. */
export interface KeptContext {
  readonly browser: Browser;
  context: BrowserContext | null;
}

/**
 * The context for the next journey. In a new one, the browser loads and compiles the files of the pages again, which takes
 * a tenth of a journey's processor time.
 */
export async function keptContext(kept: KeptContext): Promise<BrowserContext> {
  kept.context ??= await kept.browser.newContext();
  return kept.context;
}

/** Removes what a journey has stored, routed and opened. */
export async function forgetJourney(context: BrowserContext, url: string): Promise<void> {
  const opened = context.pages();
  // no page of the product remains that could store something after this
  const blank = await context.newPage();
  for (const page of opened) await page.close();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  const session = await context.newCDPSession(blank);
  const origin = new URL(url).origin;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: storages });
  await blank.close();
}
