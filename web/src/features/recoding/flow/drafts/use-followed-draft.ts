/** Follows the draft of the slot that a page shows: colleagues and other tabs change it, too. */
import { slotDraft } from '@recodery/contract/features/slots';
import { useEffect } from 'react';
import { onEvent, onStreamOpened, streamIsUp } from '../../../../api/events/events.ts';
import { isOpen } from '../state/encode-flow.ts';
import { useLivePages } from '../live-pages.ts';
import type { Flow } from '../state/recoding-flow.ts';

/** Milliseconds between two requests for the draft while the event stream is down. */
const pollingInterval = 10_000;

/** Keeps the inputs of the next encode up to date, while they can change. */
export function useFollowedDraft(flow: Flow): void {
  const slotGUID = flow.at === 'decoded' && isOpen(flow.encode) ? flow.read.slotGUID : null;
  const pages = useLivePages();
  useEffect(() => {
    if (slotGUID === null) return;
    const look = (): void => void pages.showSaved(slotGUID);
    const ends = [
      onEvent('draft', slotDraft, (draft) => {
        if (draft.slotGUID === slotGUID) pages.showAnnounced(draft);
      }),
      // what changed before is not announced
      onStreamOpened(look),
    ];
    const timer = setInterval(() => {
      if (!streamIsUp()) look();
    }, pollingInterval);
    look();
    return () => {
      clearInterval(timer);
      for (const end of ends) end();
    };
  }, [pages, slotGUID]);
}
