/** The decoded read: its file, its downloads, and its ECU information. */
import Download from 'lucide-react/icons/download';
import FileCheck from 'lucide-react/icons/file-check';
import IdCard from 'lucide-react/icons/id-card';
import Info from 'lucide-react/icons/info';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { jobPath } from '../../../api/job-path.ts';
import { sizeText, tenthsText } from '../../../i18n/formats.ts';
import { operationProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon, type IconPart } from '../../../ui/display/icon.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { fileGUIDOf } from '../../../api/files/fresh-address.ts';
import { OriginalState } from '../../originals/open-originals.ts';
import { FoundInImage } from '../../recognized/open-found-in-image.ts';
import type { DecodedRead } from '../decoded-read.ts';
import { DownloadButton } from './download-button.tsx';
import { InformationPanel } from './information-panel.tsx';
import { lookOf } from '../families/part-look.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { hasFiles } from '../inputs.ts';
import { PrintButton } from './print-button.tsx';

const ComponentsPopup = onDemand(
  async () => (await import('./components-popup.tsx')).ComponentsPopup,
);

const DecodedBefore = onDemand(async () => (await import('./decoded-before.tsx')).DecodedBefore);

/** The size of the read file and the decoding time, where known. */
function useAbout({ readFile, duration }: DecodedRead): string | null {
  const { t, language } = useTexts();
  const size = readFile.size === null ? null : sizeText(readFile.size, language);
  const time =
    duration === null
      ? null
      : t('recoding.decodedIn', { seconds: tenthsText(Math.max(100, duration) / 1000, language) });
  return [size, time].filter((part) => part !== null).join(' · ') || null;
}

/** The downloads of components: in a popup if the family uses one, else one button each. */
function ComponentDownloads({ read }: { readonly read: DecodedRead }) {
  const { t, language } = useTexts();
  const { page } = useOpenPage();
  const [isOpen, setIsOpen] = useState(false);
  if (!page.hasComponentsPopup) {
    return (
      <div className="mt-4 flex flex-wrap gap-2">
        {read.parts.map(
          ({ name, decoded }) =>
            decoded && (
              <DownloadButton key={name} link={decoded} operationGUID={read.operationGUID} isImage>
                {t(lookOf(name).label)}
                {decoded.size !== null && (
                  <span className="font-mono text-xs font-normal text-ink-3">
                    {sizeText(decoded.size, language)}
                  </span>
                )}
              </DownloadButton>
            ),
        )}
      </div>
    );
  }
  return (
    <>
      <Button icon={Download} onPress={() => setIsOpen(true)}>
        {t('recoding.components.open')}
      </Button>
      {isOpen && <ComponentsPopup read={read} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function Note({ icon, children }: { readonly icon: IconPart; readonly children: ReactNode }) {
  return (
    <p className="mt-4 flex items-start gap-2.5 text-md text-ink-2">
      <Icon of={icon} className="mt-px text-modified" />
      <span>{children}</span>
    </p>
  );
}

function Notes({ read }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  return (
    <>
      {read.wasOriginalFoundThroughVirtualReading && (
        <Note icon={Info}>{t('recoding.virtualReading')}</Note>
      )}
      {read.shape === 'image' && !read.decodedFile && (
        <Note icon={Info}>{t('recoding.noImage')}</Note>
      )}
      {read.decodedFile && read.parts.some(({ name }) => name === 'original') && (
        <Note icon={Info}>{t('recoding.originalForChecksum')}</Note>
      )}
      {read.warnings.map((errorName) => (
        <Note key={errorName} icon={TriangleAlert}>
          {operationProblem(t, { errorName, detail: null }).advice}
        </Note>
      ))}
    </>
  );
}

/** What was found in the images, with the page's names for them. */
function Recognized({ read: { recognized } }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  const images = recognized.map(({ part, recognition }) => ({
    part: part && t(lookOf(part).label),
    recognition,
  }));
  return (
    <div className="mt-5 border-t border-line pt-4">
      <FoundInImage images={images} />
    </div>
  );
}

/** Whether the images of the read are kept as originals. What Virtual Reading found is not of the read. */
function Originals({ read }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  const { parts, shape, wasOriginalFoundThroughVirtualReading } = read;
  if (wasOriginalFoundThroughVirtualReading) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      {parts.map(({ name, decoded }) => {
        const fileGUID = decoded && fileGUIDOf(decoded.url);
        const part = shape === 'components' ? t(lookOf(name).label) : null;
        return fileGUID && <OriginalState key={name} fileGUID={fileGUID} part={part} />;
      })}
    </div>
  );
}

export function DecodedPanel({ read }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  const { page, recoding } = useOpenPage();
  const about = useAbout(read);
  const { operationGUID, idFile, decodedFile, shape } = read;
  const hasPopup = shape === 'components' && page.hasComponentsPopup;
  const encode = recoding.flow.at === 'decoded' ? recoding.flow.encode : null;
  const isNews = encode?.at === 'preparing' && !hasFiles(encode.inputs);
  return (
    <Panel
      title={t('recoding.decodedTitle')}
      actions={
        <>
          {idFile && (
            <DownloadButton icon={IdCard} link={idFile} operationGUID={operationGUID}>
              {t('recoding.downloadId')}
            </DownloadButton>
          )}
          {hasPopup && <ComponentDownloads read={read} />}
          {!hasPopup && decodedFile && (
            <DownloadButton
              link={decodedFile}
              operationGUID={operationGUID}
              isImage={shape === 'image'}
            >
              {t(page.words.downloadDecoded)}
            </DownloadButton>
          )}
          <Button look="quiet" icon={RotateCcw} onPress={recoding.reset}>
            {t('recoding.decodeNew')}
          </Button>
        </>
      }
    >
      <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-s bg-sunken px-4 py-3">
        <Icon of={FileCheck} size={20} />
        <div className="min-w-0 flex-1 basis-28">
          <p className="font-semibold">
            <LongText>{read.readFile.name}</LongText>
          </p>
          {about && <p className="text-sm text-ink-2">{about}</p>}
        </div>
        <div className="ml-auto flex items-center gap-4">
          <TextLink href={jobPath(read.slotGUID)} className="text-md whitespace-nowrap">
            {t('job.show')}
          </TextLink>
          <PrintButton />
        </div>
      </div>
      <InformationPanel read={read} />
      {read.recognized.length > 0 && <Recognized read={read} />}
      <Originals read={read} />
      <DecodedBefore slotGUID={read.slotGUID} isNews={isNews} />
      <Notes read={read} />
      {shape === 'components' && !hasPopup && <ComponentDownloads read={read} />}
    </Panel>
  );
}
