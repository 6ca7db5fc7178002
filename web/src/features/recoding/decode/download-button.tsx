/**
 * A button that downloads a file: each click requests a fresh address, and shows an error if the file is no longer
 * available.
 */
import Download from 'lucide-react/icons/download';
import { type ReactNode, useState } from 'react';
import { startDownload } from '../../../api/download.ts';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button, type ButtonProps } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { seenHere } from '../../notifications/seen-here.ts';
import type { FileLink } from '../decoded-read.ts';
import { freshAddress } from '../flow/downloads.ts';

export interface DownloadButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'icon'> {
  readonly link: FileLink;
  /** The operation that produced the file. */
  readonly operationGUID: string;
  readonly children: ReactNode;
  readonly className?: string;
}

export function DownloadButton({
  link,
  operationGUID,
  children,
  icon = Download,
  ...rest
}: DownloadButtonProps) {
  const { t } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const fetchFile = (): void => {
    setIsAsking(true);
    freshAddress(link, operationGUID)
      .then(
        (url) => {
          startDownload(url);
          seenHere(operationGUID);
        },
        (thrown: unknown) => {
          const { headline, advice } = thrownProblem(t, thrown);
          showToast({ title: headline, detail: advice, tone: 'bad' });
        },
      )
      .finally(() => setIsAsking(false));
  };
  // pending, not disabled: a disabled button would lose the focus, and a dialog would no longer receive Escape
  return (
    <Button {...rest} icon={icon} onPress={fetchFile} isPending={isAsking}>
      {children}
    </Button>
  );
}
