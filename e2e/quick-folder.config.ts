/** Before the journeys: a folder for the files of their products and browsers, in memory if there is room. */
import { rm } from 'node:fs/promises';
import { createQuickFolder } from '../server/test/fixtures/database/quick-folder.ts';

/** Playwright calls what this returns after the last journey. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await createQuickFolder();
  // a browser that is ending can still add a file to a folder that is being removed
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
