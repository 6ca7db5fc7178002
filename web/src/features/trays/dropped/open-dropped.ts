/** Opens a tray for files that were dropped on the home page; loaded with the first ones. */
import { mostTrayFiles } from '@recodery/contract/features/trays';
import type { Work } from '../../../api/work.ts';
import { loadTexts, type TextOf } from '../../../i18n/texts.ts';
import { showFailure, showToast } from '../../../ui/toasts/toast.tsx';
import { openTray, type Rules } from './take-files.ts';
import { liveTraysOf } from '../live-tray.ts';

/** The GUID of the new tray; null if there is none, and a toast shows why. */
export async function openDropped(
  t: TextOf,
  work: Work,
  files: readonly File[],
  rules: Rules,
): Promise<string | null> {
  if (files.length > mostTrayFiles) {
    await loadTexts('tray');
    showToast({
      title: t('tray.tooMany.title'),
      detail: t('tray.tooMany', { most: mostTrayFiles }),
      tone: 'bad',
    });
    return null;
  }
  try {
    const trays = liveTraysOf(work);
    const { guid, unplaced } = await openTray(trays, files, rules);
    // the page of the tray matches them with the reads that are decoded
    trays.unplaced.change(guid, () => unplaced);
    return guid;
  } catch (thrown) {
    showFailure(t, thrown);
    return null;
  }
}
