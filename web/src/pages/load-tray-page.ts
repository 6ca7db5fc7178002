/** Loads the page of trays with the texts that only trays need. */
import { loadTrayTexts } from '../i18n/tray-texts.ts';
import { TrayPage } from './tray-page.tsx';

/** The page, once its texts are there. */
export async function loadTrayPage(): Promise<typeof TrayPage> {
  await loadTrayTexts();
  return TrayPage;
}
