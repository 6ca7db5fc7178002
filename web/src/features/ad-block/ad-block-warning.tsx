/** Warns about an ad blocker, once per session, after the page has finished loading. */
import { useEffect, useState } from 'react';
import { isFirstTime } from '../../api/session-id.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { whenIdle } from '../../ui/loading/when-idle.ts';

const AdBlockModal = onDemand(
  async () => (await withTexts(import('./ad-block-modal.tsx'), 'notices')).AdBlockModal,
);

/** Checks for an ad blocker once `isReady`. */
export function AdBlockWarning({ isReady }: { readonly isReady: boolean }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    return whenIdle(() => {
      void import('./ad-block-bait.ts')
        .then(({ isAdBlockerActive }) => isAdBlockerActive())
        .then((isActive) => setIsShown(isActive && isFirstTime('ad-block')));
    });
  }, [isReady]);
  return isShown && <AdBlockModal onClose={() => setIsShown(false)} />;
}
