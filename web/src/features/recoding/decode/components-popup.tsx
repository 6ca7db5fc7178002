/** The components of a BootBench read: one download for each, and a zip of all of them. */
import Download from 'lucide-react/icons/download';
import FileArchive from 'lucide-react/icons/file-archive';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import { DownloadButton } from './download-button.tsx';
import { lookOf } from '../families/part-look.ts';

export interface ComponentsPopupProps {
  readonly read: DecodedRead;
  readonly onClose: () => void;
}

export function ComponentsPopup({ read, onClose }: ComponentsPopupProps) {
  const { t, language } = useTexts();
  const { operationGUID, decodedFile, parts } = read;
  return (
    <Dialog
      onClose={onClose}
      closesOutside
      title={t('recoding.components.title')}
      actions={
        decodedFile && (
          <DownloadButton
            look="primary"
            icon={FileArchive}
            link={decodedFile}
            operationGUID={operationGUID}
          >
            {t('recoding.components.all')}
          </DownloadButton>
        )
      }
    >
      <ul>
        {parts.map(({ name, decoded }) => {
          const { icon, label } = lookOf(name);
          return (
            decoded && (
              <li
                key={name}
                className="flex items-center gap-3.5 border-line py-3 not-last:border-b"
              >
                <Icon of={icon} size={20} />
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-baseline gap-x-2.5">
                    <span className="font-semibold">{t(label)}</span>
                    {decoded.size !== null && (
                      <span className="text-sm text-ink-2">{sizeText(decoded.size, language)}</span>
                    )}
                  </p>
                  {/* the full name, on two lines: the names differ at the end */}
                  <p className="text-sm text-ink-3">
                    <LongText>{decoded.name}</LongText>
                  </p>
                </div>
                <DownloadButton
                  icon={Download}
                  link={decoded}
                  operationGUID={operationGUID}
                  isImage
                >
                  <span className="max-xs:sr-only">{t('recoding.components.one')}</span>
                </DownloadButton>
              </li>
            )
          );
        })}
      </ul>
    </Dialog>
  );
}
