/** Warns of an ad blocker, once a session, after the page has come to rest. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { isFirstTime } from '../../api/session-id.ts';

const AdBlockModal = lazy(async () => ({
  default: (await import('./ad-block-modal.tsx')).AdBlockModal,
}));

/** Milliseconds to wait where the browser does not tell when it is idle. */
const untilIdle = 3000;

/** Calls `act` at the first idle moment. Gives back how to call it off. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, untilIdle);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(act);
  return () => cancelIdleCallback(request);
}

/** Looks for one once `isReady`. */
export function AdBlockWarning({ isReady }: { readonly isReady: boolean }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    return whenIdle(() => {
      void import('./ad-block-bait.ts')
        .then(({ isAdBlockerAtWork }) => isAdBlockerAtWork())
        .then((isAtWork) => setIsShown(isAtWork && isFirstTime('ad-block')));
    });
  }, [isReady]);
  return isShown ? (
    <Suspense fallback={null}>
      <AdBlockModal onClose={() => setIsShown(false)} />
    </Suspense>
  ) : null;
}
