/** What is asked or done before a download: the file is sealed again, or the slave may refuse it. */
import { fileGUIDOf, type FreshAddress } from '../../api/files/fresh-address.ts';
import { OlderFileQuestion } from './older-file-question.tsx';
import { SealAgain } from './seal-again.tsx';

/** The address of a file, and what is known about it. */
export interface OfferedAddress extends FreshAddress {
  /** Whether another organization sent the file, which only its sender can encode again. Absent: false. */
  readonly isReceived?: boolean;
}

export interface DownloadQuestionProps {
  readonly address: OfferedAddress;
  readonly onCancel: () => void;
  readonly onDownload: (url: string) => void;
}

export function DownloadQuestion({ address, onCancel, onDownload }: DownloadQuestionProps) {
  const { url, isReceived = false, canSealAgain = false } = address;
  const { hasFormerKey = false, isExpired = false } = address;
  const fileGUID = canSealAgain ? fileGUIDOf(url) : null;
  const takeAsItIs = () => onDownload(url);
  return fileGUID === null ? (
    <OlderFileQuestion
      hasFormerKey={hasFormerKey}
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
