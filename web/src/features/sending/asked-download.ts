/** Downloads a file; asks first if the slave may refuse it because a later one was encoded for it. */
import { createElement, type ReactNode, useState } from 'react';
import { startDownload } from '../../api/download.ts';
import type { FreshAddress } from '../../api/fresh-address.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

const OlderFileQuestion = onDemand(
  async () => (await withTexts(import('./older-file-question.tsx'), 'jobs')).OlderFileQuestion,
);

export interface AskedDownload {
  /** Starts the download, or asks. `then` is called once it has started. */
  readonly start: (address: FreshAddress, then?: () => void) => void;
  /** Rendered by the caller. */
  readonly question: ReactNode;
}

export function useAskedDownload(): AskedDownload {
  const [asked, setAsked] = useState<(() => void) | null>(null);
  const start: AskedDownload['start'] = ({ url, isOutdated }, then) => {
    const download = (): void => {
      setAsked(null);
      startDownload(url);
      then?.();
    };
    if (isOutdated === true) setAsked(() => download);
    else download();
  };
  return {
    start,
    question:
      asked !== null &&
      createElement(OlderFileQuestion, { onCancel: () => setAsked(null), onConfirm: asked }),
  };
}
