/** Downloads a file; asks first if the slave may refuse it. */
import { createElement, type ReactNode, useState } from 'react';
import { startDownload } from '../../api/download.ts';
import { fileGUIDOf, type FreshAddress, isDoubtful } from '../../api/fresh-address.ts';
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

const OlderFileQuestion = onDemand(
  async () => (await withTexts(import('./older-file-question.tsx'), 'jobs')).OlderFileQuestion,
);

const SealAgain = onDemand(
  async () => (await withTexts(import('./seal-again.tsx'), 'jobs')).SealAgain,
);

interface Asked {
  readonly address: OfferedAddress;
  /** From the address, unless another one is given. */
  readonly download: (url?: string) => void;
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
    const download = (url = address.url): void => {
      setAsked(null);
      startDownload(url);
      then?.();
    };
    if (isDoubtful(address)) setAsked({ address, download });
    else download();
  };
  return { start, question: asked !== null && questionOf(asked, () => setAsked(null)) };
}

function questionOf({ address, download }: Asked, onCancel: () => void): ReactNode {
  const fileGUID = fileGUIDOf(address.url);
  if (address.canSealAgain === true && fileGUID !== null)
    return createElement(SealAgain, {
      fileGUID,
      onCancel,
      onDownload: download,
      onEarlier: () => download(),
    });
  return createElement(OlderFileQuestion, {
    isExpired: address.isExpired === true,
    isReceived: address.isReceived === true,
    onCancel,
    onConfirm: () => download(),
  });
}
