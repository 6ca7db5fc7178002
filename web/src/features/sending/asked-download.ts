/** Downloads a file; asks first if the slave may refuse it, and has it sealed again if that is possible. */
import { createElement, type ReactNode, useState } from 'react';
import { startDownload } from '../../api/files/download.ts';
import { isDoubtful } from '../../api/files/fresh-address.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import type { OfferedAddress } from './download-question.tsx';

const DownloadQuestion = onDemand(
  async () => (await withTexts(import('./download-question.tsx'), 'jobs')).DownloadQuestion,
);

interface Asked {
  readonly address: OfferedAddress;
  readonly onDownload: (url: string) => void;
}

export interface AskedDownload {
  /** Starts the download, or asks. `then` is called once it has started. */
  readonly start: (address: OfferedAddress, then?: () => void) => void;
  /** Rendered by the caller. */
  readonly question: ReactNode;
}

export function useAskedDownload(): AskedDownload {
  const [asked, setAsked] = useState<Asked | null>(null);
  const start: AskedDownload['start'] = (address, then) => {
    const onDownload = (url: string): void => {
      setAsked(null);
      startDownload(url);
      then?.();
    };
    if (isDoubtful(address)) setAsked({ address, onDownload });
    else onDownload(address.url);
  };
  return {
    start,
    question:
      asked !== null &&
      createElement(DownloadQuestion, { ...asked, onCancel: () => setAsked(null) }),
  };
}
