/** Downloads a file; asks first if the slave may refuse it. */
import { createElement, type ReactNode, useState } from 'react';
import { startDownload } from '../../api/download.ts';
import { type FreshAddress, isDoubtful } from '../../api/fresh-address.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

const OlderFileQuestion = onDemand(
  async () => (await withTexts(import('./older-file-question.tsx'), 'jobs')).OlderFileQuestion,
);

interface Asked {
  readonly address: OfferedAddress;
  readonly download: () => void;
}

interface OfferedAddress extends FreshAddress {
  /** Whether another organization sent the file, which only its sender can encode again. Absent: false. */
  readonly isReceived?: boolean;
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
    const download = (): void => {
      setAsked(null);
      startDownload(address.url);
      then?.();
    };
    if (isDoubtful(address)) setAsked({ address, download });
    else download();
  };
  return {
    start,
    question:
      asked !== null &&
      createElement(OlderFileQuestion, {
        isExpired: asked.address.isExpired === true,
        isReceived: asked.address.isReceived === true,
        onCancel: () => setAsked(null),
        onConfirm: asked.download,
      }),
  };
}
