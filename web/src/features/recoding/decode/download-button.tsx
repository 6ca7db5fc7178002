/**
 * A button that downloads a file: each click requests a fresh address, and shows an error if the file is no longer
 * available.
 */
import Download from 'lucide-react/icons/download';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button, type ButtonProps } from '../../../ui/actions/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { seenHere } from '../../notifications/seen-here.ts';
import { TextFormats } from '../../image-texts/open-text-menu.ts';
import { useAskedDownload } from '../../sending/asked-download.ts';
import type { FileLink } from '../decoded-read.ts';
import { freshAddress } from '../flow/downloads.ts';

export interface DownloadButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'icon'> {
  readonly link: FileLink;
  /** The operation that produced the file. */
  readonly operationGUID: string;
  readonly children: ReactNode;
  readonly className?: string;
  /** Whether the file is one decoded image, which can also be downloaded as text. */
  readonly isImage?: boolean;
}

export function DownloadButton({
  link,
  operationGUID,
  children,
  icon = Download,
  isImage = false,
  className,
  ...rest
}: DownloadButtonProps) {
  const { t } = useTexts();
  const { start, question } = useAskedDownload();
  const { mutate: fetchFile, isPending } = useMutation({
    mutationFn: () => freshAddress(link, operationGUID),
    onSuccess: (address) => start(address, () => seenHere(operationGUID)),
    onError: (thrown) => showFailure(t, thrown),
  });
  // pending, not disabled: a disabled button would lose the focus, and a dialog would no longer receive Escape
  const button = (
    <Button
      {...rest}
      icon={icon}
      onPress={() => fetchFile()}
      isPending={isPending}
      className={classNames(className, isImage && 'rounded-r-none')}
    >
      {children}
    </Button>
  );
  return (
    <>
      {question}
      {!isImage && button}
      {isImage && (
        <span className="flex">
          {button}
          <TextFormats
            {...link}
            fetchUrl={async () => (await freshAddress(link, operationGUID)).url}
            onStarted={() => seenHere(operationGUID)}
          />
        </span>
      )}
    </>
  );
}
