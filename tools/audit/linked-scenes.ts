/**
 * The pages that others link to and that no scene has shown: a new page is audited without a scene of its own. Pages of one
 * record need one: which record they show differs from run to run.
 */
import { matchPaths, servedPaths } from '@recodery/contract/served-paths';
import type { Page } from '@playwright/test';
import { open, type Stage } from './scene.ts';

/** Pages of the server, pages of one record, downloads, and pages that would end the session. */
const others = [
  matchPaths(servedPaths()),
  /[\da-f]{8}-[\da-f]{4}-/i,
  /^\/(?:login|loggedin|verify|downloads)\b/,
];

/** The paths of the application's pages that a page links to. */
async function linksOf(page: Page): Promise<readonly string[]> {
  const links = page.locator('a[href^="/"]');
  const paths = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  return paths.filter((path) => !others.some((other) => other.test(path)));
}

async function playLinkedPages({ page, shown, look }: Stage): Promise<void> {
  const found = new Set(['/', '/settings', '/admin']);
  // grows while it is read
  for (const path of found) {
    await open(page, path);
    // the lists are empty until their first response
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    for (const link of await linksOf(page)) found.add(link);
    if (!shown.has(path)) await look(page, path);
  }
}

/** The last scene. */
export const linkedScenes: readonly ((stage: Stage) => Promise<void>)[] = [playLinkedPages];
