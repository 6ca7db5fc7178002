/** Asks for the address of a decoded image's first byte, and downloads the image as text. */
import { addressPattern, type ImageTextFormat } from '@recodery/contract/features/slots';
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { startDownload } from '../../api/files/download.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { formatNames, type ImageAsText } from './image-text.ts';

export interface TextDialogProps extends ImageAsText {
  readonly format: ImageTextFormat;
  readonly onClose: () => void;
}

const addressSpace = 2 ** 32;

/** Whether an image of this size can be at this address. */
function isAddress(text: string, size: number): boolean {
  return addressPattern.test(text) && Number.parseInt(text, 16) + size <= addressSpace;
}

export function TextDialog({ format, size, fetchUrl, onStarted, onClose }: TextDialogProps) {
  const { t } = useTexts();
  const [base, setBase] = useState('0');
  const address = base.trim();
  const isValid = isAddress(address, size ?? 0);
  const { mutate: download, isPending } = useMutation({
    mutationFn: fetchUrl,
    onSuccess: (url) => {
      startDownload(`${url}&format=${format}&base=${address}`);
      onStarted?.();
      onClose();
    },
    onError: (thrown) => showFailure(t, thrown),
  });
  return (
    <Dialog
      title={t('images.textTitle', { format: t(formatNames[format]) })}
      onClose={onClose}
      closesOutside
      actions={
        <Button
          look="primary"
          icon={Download}
          isPending={isPending}
          isDisabled={!isValid}
          onPress={() => download()}
        >
          {t('images.download')}
        </Button>
      }
    >
      <TextField
        label={t('images.base')}
        value={base}
        onChange={setBase}
        isMono
        maxLength={16}
        hint={t('images.baseHint')}
        error={isValid || address === '' ? null : t('images.baseError')}
      />
    </Dialog>
  );
}
