/** A file of a tray: what was read, its progress and result, its modified files, and its actions. */
import { definitionOf, workflowOf } from '@recodery/contract/families/registry';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Download from 'lucide-react/icons/download';
import PackageCheck from 'lucide-react/icons/package-check';
import FileQuestion from 'lucide-react/icons/file-question-mark';
import Send from 'lucide-react/icons/send';
import X from 'lucide-react/icons/x';
import { trueTime } from '../../../api/server-clock.ts';
import { sizeText, timeText } from '../../../i18n/formats.ts';
import { ownWordsOf } from '../../../i18n/own-words.ts';
import { OwnWords, useTexts } from '../../../i18n/texts.ts';
import { useMinute } from '../../../ui/use-today.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Bar } from '../../../ui/display/progress-bar.tsx';
import { SupportLink } from '../../../ui/actions/support-link.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { useThenFocus } from '../../../ui/then-focus.ts';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { iconOf } from '../../recoding/families/registry.ts';
import { type OnShow, seenHere, useShownHere } from '../../notifications/seen-here.ts';
import type { FileLink } from '../../recoding/decoded-read.ts';
import { lookOf } from '../../recoding/families/part-look.ts';
import { PreflightLines } from '../../recoding/encode/preflight-lines.tsx';
import { partProblemOf } from '../../recoding/fault.ts';
import { freshAddress } from '../../recoding/flow/downloads.ts';
import { changesText, slaveOf } from '../../recoding/flow/part-state-text.ts';
import { slavesOf } from '../../recoding/slaves-of.ts';
import { checksWith } from '../../recoding/preflight-answer.ts';
import { useAskedDownload } from '../../sending/asked-download.ts';
import type { FileToSend } from '../../sending/send-file.tsx';
import { RowLimits } from './row-limits.tsx';
import { badgeOf, noteOf, problemIn, progressOf, vehicleOf } from './row-words.ts';
import type { DecodedRow, Row, RowImage } from '../tray-rows.ts';

export interface TrayLineProps {
  readonly row: Row;
  /** Removes a file that was not decoded from the tray. */
  readonly onRemove: () => void;
  /** Removes the modified file of a part. */
  readonly onRemoveImage: (part: string) => void;
  /** Uploads a read again for this slave, which its maker's service needs to know. */
  readonly onChooseSlave: (slave: string) => void;
  /** Encodes it although its checks found possible mistakes. */
  readonly onConfirm: () => void;
  /** Sends an encoded file of this tray; undefined: the user may not send. */
  readonly onSend?: ((file: FileToSend) => void) | undefined;
}

const SlaveButtons = onDemand(async () => (await import('./slave-buttons.tsx')).SlaveButtons);

const shown = (operation: Row['file']['decode']): OnShow | null =>
  operation && { guid: operation.guid, hasEnded: operation.isCompleted };

/** The code of an error and the way to support. */
function Help({ code }: { readonly code: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="-ml-1.5">
        <CopyCode code={code} />
      </span>
      <SupportLink className="text-sm" />
    </span>
  );
}

interface ImageProps {
  readonly image: RowImage;
  readonly onRemove: () => void;
}

/** A modified file: its part and how much of it differs, or why it was refused. */
function Image({ image: { part, complete, refused }, onRemove }: ImageProps) {
  const { t, language } = useTexts();
  const problem = refused && partProblemOf(t, refused.fault);
  const label = t(lookOf(part.name).label);
  const file = refused ? refused.name : complete?.file.name;
  const changes = refused ? null : (complete?.changes ?? null);
  return (
    <li className="flex min-w-0 items-start gap-2 text-sm">
      <Icon
        of={lookOf(part.name).icon}
        size={16}
        className={classNames('mt-0.5 shrink-0', refused ? 'text-bad' : 'text-modified')}
      />
      <span className="min-w-0 py-px">
        <span className="text-ink-2">{label}: </span>
        {file && <LongText>{file}</LongText>}
        {changes !== null && (
          <span className="text-ink-3"> · {changesText(t, changes, language)}</span>
        )}
        {problem && (
          <>
            <span className="block text-bad">{problem.headline}</span>
            <span className="block text-ink-2">{problem.advice}</span>
            <Help code={problem.code} />
          </>
        )}
      </span>
      {(complete !== null || refused !== null) && (
        <Button
          look="quiet"
          size="small"
          icon={X}
          className="-my-1.5"
          label={t('tray.image.remove', { file: file ?? label })}
          onPress={onRemove}
        />
      )}
    </li>
  );
}

interface FileButtonProps {
  readonly link: FileLink;
  readonly operationGUID: string;
  readonly label: string;
}

/** Downloads one file; each click requests a fresh address. */
function FileButton({ link, operationGUID, label }: FileButtonProps) {
  const { t } = useTexts();
  const { start, question } = useAskedDownload();
  const fetchFile = async (): Promise<void> =>
    start(await freshAddress(link, operationGUID), () => seenHere(operationGUID));
  return (
    <>
      {question}
      <Button
        look="quiet"
        icon={Download}
        label={label}
        onPress={() => void fetchFile().catch((thrown: unknown) => showFailure(t, thrown))}
      />
    </>
  );
}

/** Its page, where its files and switches can be changed. */
function pageOf({ page, read, encode }: DecodedRow): string {
  const operation = encode.at === 'encoded' ? encode.operationGUID : read.operationGUID;
  return `/${page.id}?operation=${operation}`;
}

interface FindingsProps {
  readonly name: string;
  readonly state: DecodedRow;
  readonly onConfirm: () => void;
}

/** The checks that stopped an encode: amber ones to confirm, or red ones to correct. */
function Findings({ name, state, onConfirm }: FindingsProps) {
  const { t } = useTexts();
  const { encode } = state;
  if (encode.at !== 'asked' && encode.at !== 'blocked') return null;
  const isAsked = encode.at === 'asked';
  return (
    <div
      className={classNames(
        'col-[2/-1] mt-1 rounded-s px-4 py-2 forced-colors:border',
        isAsked ? 'bg-modified-soft' : 'bg-bad-soft',
      )}
    >
      <PreflightLines
        checks={checksWith(isAsked ? 'amber' : 'red', encode.answer)}
        all={encode.answer.checks}
      />
      <div className="mt-1 mb-1.5 sm:pl-7.5">
        {isAsked ? (
          <Button
            size="small"
            icon={PackageCheck}
            aria-label={t('ui.labelled', { label: t('checks.ask.confirm'), value: name })}
            onPress={onConfirm}
          >
            {t('checks.ask.confirm')}
          </Button>
        ) : (
          <LinkButton
            size="small"
            icon={ArrowRight}
            href={pageOf(state)}
            aria-label={t('tray.openNamed', { file: name })}
          >
            {t('tray.open')}
          </LinkButton>
        )}
      </div>
    </div>
  );
}

interface ActionsProps extends Pick<TrayLineProps, 'onSend'> {
  readonly name: string;
  readonly state: DecodedRow;
}

/** The encoded file of a row, as the dialog that sends it needs it; null if there is none. */
function fileToSend({ page, read, encode }: DecodedRow): FileToSend | null {
  if (encode.at !== 'encoded' || encode.result.fileGUID === null) return null;
  const { fileGUID, name } = encode.result;
  const { slotGUID } = read;
  return { slotGUID, fileGUID, family: page.family, name, slave: slaveOf(page, read) };
}

function Actions({ name, state, onSend }: ActionsProps) {
  const { t } = useTexts();
  const { read, encode } = state;
  const sendable = onSend === undefined ? null : fileToSend(state);
  const encoded = encode.at === 'encoded' ? encode : null;
  return (
    <>
      {encoded !== null && (
        <FileButton
          link={{ ...encoded.result, url: encoded.result.encodedFileURL }}
          operationGUID={encoded.operationGUID}
          label={t('tray.download.encodedNamed', { file: name })}
        />
      )}
      {encoded === null && read.decodedFile !== null && (
        <FileButton
          link={read.decodedFile}
          operationGUID={read.operationGUID}
          label={t('tray.download.decodedNamed', { file: name })}
        />
      )}
      {sendable !== null && (
        <Button
          look="quiet"
          icon={Send}
          label={t('tray.sendNamed', { file: name })}
          onPress={() => onSend?.(sendable)}
        />
      )}
      <LinkButton
        look="quiet"
        icon={ArrowRight}
        href={pageOf(state)}
        label={t('tray.openNamed', { file: name })}
      />
    </>
  );
}

/** When the encoded file was sealed, and until when its slave accepts it. */
function RowSeal({ sealing }: { readonly sealing: NonNullable<Row['file']['sealing']> }) {
  const { t, language } = useTexts();
  const now = trueTime(useMinute());
  const [time, until] = [sealing.sealedOn, sealing.expiresOn].map((one) =>
    timeText(one, now, language),
  );
  return <p className="text-sm text-ink-2">{t('recoding.sealedUntil', { time, until })}</p>;
}

/** The name of a file, what was read, its progress, and what failed. */
function About({ row: { file, state } }: { readonly row: Row }) {
  const { t, language } = useTexts();
  const badge = badgeOf(state);
  const note = noteOf(t, state);
  const problem = problemIn(t, state);
  const progress = progressOf(state);
  const family = familyOf(file);
  const facts = state.at === 'decoded' ? vehicleOf(state) : [sizeText(file.size, language)];
  return (
    <>
      <p className="font-medium">
        <LongText>{file.name}</LongText>
      </p>
      <p className="text-sm text-ink-2">
        <LongText>{[family, ...facts].filter((fact) => fact !== null).join(' · ')}</LongText>
      </p>
      {progress !== undefined && (
        <Bar
          fraction={progress}
          aria-label={t('ui.labelled', { label: t(badge.text), value: file.name })}
          className="mt-1 h-1"
        />
      )}
      {note !== null && (
        <p className={classNames('text-sm', badge.state === 'bad' ? 'text-bad' : 'text-modified')}>
          {note}
        </p>
      )}
      {file.sealing && state.at === 'decoded' && state.encode.at === 'encoded' && (
        <RowSeal sealing={file.sealing} />
      )}
      {problem !== null && <Help code={problem.code} />}
    </>
  );
}

function familyOf({ workflow }: Row['file']): string | null {
  return workflow === null ? null : definitionOf(workflowOf(workflow).family).name;
}

/** Whether a file can be removed: it was not decoded, and is not being decoded. */
function isRemovable({ file: { decode }, state: { at } }: Row): boolean {
  if (decode !== null) return decode.hasFailed && at === 'failed';
  return at === 'missing' || at === 'queued' || at === 'failed';
}

interface QuestionProps {
  readonly row: Row;
  readonly onChoose: (slave: string) => void;
}

/** Which slave wrote a read that was refused because the service of its maker needs to know that. */
function Question({ row: { file, state }, onChoose }: QuestionProps) {
  const slaves = state.at === 'failed' ? slavesOf(state.fault) : [];
  if (slaves.length === 0) return null;
  return <SlaveButtons slaves={slaves} fileName={file.name} onChoose={onChoose} />;
}

interface ImagesProps {
  readonly images: DecodedRow['images'];
  readonly onRemove: (part: string) => void;
}

function Images({ images, onRemove }: ImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {images.map((image) => (
        <Image key={image.part.name} image={image} onRemove={() => onRemove(image.part.name)} />
      ))}
    </ul>
  );
}

function Contents(props: TrayLineProps) {
  const { row, onRemove, onRemoveImage, onConfirm, onSend } = props;
  const { t } = useTexts();
  const { file, state } = row;
  const { place: item, thenFocus } = useThenFocus<HTMLLIElement>();
  useShownHere(shown(file.decode));
  useShownHere(shown(file.encode));
  const { workflow } = file;
  const family = familyOf(file);
  const badge = badgeOf(state);
  const decoded = state.at === 'decoded' ? state : null;
  return (
    <li
      ref={item}
      tabIndex={-1}
      className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-line py-3 not-first:border-t sm:grid-cols-[1.25rem_minmax(0,1fr)_9.5rem_7.5rem]"
    >
      <span className="pt-0.5 text-ink-2" title={family ?? undefined}>
        <Icon of={workflow === null ? FileQuestion : iconOf(workflow)} size={20} />
        {family !== null && <span className="sr-only">{family}</span>}
      </span>
      <div className="min-w-0 max-sm:col-span-2">
        <About row={row} />
        <Question row={row} onChoose={(slave) => thenFocus(() => props.onChooseSlave(slave))()} />
        {decoded !== null && (
          <Images
            images={decoded.images}
            onRemove={(part) => thenFocus(() => onRemoveImage(part))()}
          />
        )}
      </div>
      <div className="max-sm:col-start-2 max-sm:self-center">
        <Badge state={badge.state}>{t(badge.text)}</Badge>
      </div>
      <div className="-my-1.5 flex justify-end">
        {decoded !== null && <Actions name={file.name} state={decoded} onSend={onSend} />}
        {isRemovable(row) && (
          <Button
            look="quiet"
            icon={X}
            label={t('tray.removeNamed', { file: file.name })}
            onPress={onRemove}
          />
        )}
      </div>
      {decoded !== null && (
        <Findings name={file.name} state={decoded} onConfirm={thenFocus(onConfirm)} />
      )}
      {(decoded?.encode.at === 'encoding' || decoded?.encode.at === 'encoded') && (
        <RowLimits file={file} row={decoded} />
      )}
    </li>
  );
}

export function TrayLine(props: TrayLineProps) {
  const { workflow } = props.row.file;
  return (
    <OwnWords value={workflow && ownWordsOf(workflow)}>
      <Contents {...props} />
    </OwnWords>
  );
}
