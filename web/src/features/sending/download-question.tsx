/** What is asked or done before a download: the file is sealed again, or the slave may refuse it. */
import { fileGUIDOf } from '../../api/fresh-address.ts';
import type { OfferedAddress } from './asked-download.ts';
import { OlderFileQuestion } from './older-file-question.tsx';
import { SealAgain } from './seal-again.tsx';

export interface DownloadQuestionProps {
  readonly address: OfferedAddress;
  readonly onCancel: () => void;
  readonly onDownload: (url: string) => void;
}

export function DownloadQuestion({ address, onCancel, onDownload }: DownloadQuestionProps) {
  const { url, isExpired = false, isReceived = false, canSealAgain = false } = address;
  const fileGUID = canSealAgain ? fileGUIDOf(url) : null;
  const takeAsItIs = () => onDownload(url);
  return fileGUID === null ? (
    <OlderFileQuestion
      isExpired={isExpired}
      isReceived={isReceived}
      onCancel={onCancel}
      onConfirm={takeAsItIs}
    />
  ) : (
    <SealAgain
      fileGUID={fileGUID}
      onCancel={onCancel}
      onDownload={onDownload}
      onEarlier={takeAsItIs}
    />
  );
}
