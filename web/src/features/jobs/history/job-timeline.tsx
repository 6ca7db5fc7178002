/** The history of a job: each file with its time, its user and the possible actions. */
import type { Job, JobFile } from '@recodery/contract/features/jobs/jobs';
import { receiptPath } from '@recodery/contract/receipt-code';
import BadgeCheck from 'lucide-react/icons/badge-check';
import Download from 'lucide-react/icons/download';
import FolderSearch from 'lucide-react/icons/folder-search';
import GitCompare from 'lucide-react/icons/git-compare';
import Repeat from 'lucide-react/icons/repeat-2';
import Send from 'lucide-react/icons/send';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchAddress } from '../../../api/files/fresh-address.ts';
import { listText, sizeText, timeText } from '../../../i18n/formats.ts';
import { useWork } from '../../../api/work.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { TextFormats } from '../../image-texts/open-text-menu.ts';
import { Repaired } from '../../misfit/open-repaired.ts';
import { OriginalState } from '../../originals/open-originals.ts';
import { useAskedDownload } from '../../sending/asked-download.ts';
import { isComparable } from './compared-images.ts';
import type { JobUpload, Loss } from './encode-again.ts';
import { FileHistory } from './file-history.tsx';
import { encodeInputsOf } from '../jobs.ts';

export interface JobTimelineProps {
  readonly job: Job;
  readonly now: Date;
  /** The name of a component. */
  readonly nameOf: (component: string) => string;
  /** Opens the page of the job's family, where its draft is encoded; absent: the user has no access. */
  readonly onEncode?: (() => void) | undefined;
  readonly upload?: JobUpload | undefined;
  /** Asks to whom an encoded file is sent; absent: the user may not send. */
  readonly onSend?: ((file: JobFile) => void) | undefined;
  /** The codes of the receipts of encoded files, by the GUIDs of the files. */
  readonly receipts: ReadonlyMap<string, string>;
  /**
   * Compares two files, the older one first, or one file with an image of another job; absent: files cannot be
   * compared.
   */
  readonly onCompare?: ((before: JobFile, after: JobFile | null) => void) | undefined;
}

interface RowProps extends Omit<JobTimelineProps, 'onCompare'> {
  readonly file: JobFile;
  readonly isChosen: boolean;
  /** Absent: it cannot be compared. */
  readonly onChoose: ((isChosen: boolean) => void) | undefined;
}

function Receipt({ file, receipts }: Pick<RowProps, 'file' | 'receipts'>) {
  const { t, language } = useTexts();
  const code = receipts.get(file.fileGUID);
  if (code === undefined) return null;
  return (
    <LinkButton size="small" icon={BadgeCheck} href={receiptPath(code, language)} target="_blank">
      {t('recoding.receipt')}
      <span className="sr-only">: {file.name}</span>
    </LinkButton>
  );
}

interface AgainQuestionProps {
  readonly loss: Loss;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

function AgainQuestion({ loss: { cancels, replaces }, onCancel, onConfirm }: AgainQuestionProps) {
  const { t, language } = useTexts();
  return (
    <Confirm
      title={t('job.againTitle')}
      confirm={t('job.again')}
      stay={t('recoding.reset.stay')}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      {cancels && <p>{t('job.againUpload')}</p>}
      {replaces.length > 0 && (
        <p>
          <LongText>
            {t('job.againFiles', {
              names: listText(
                replaces.map(({ name }) => name),
                language,
              ),
            })}
          </LongText>
        </p>
      )}
    </Confirm>
  );
}

/** The download of a file; of an outdated one, only after a question. */
function DownloadFile({ file }: Pick<RowProps, 'file'>) {
  const { t } = useTexts();
  const { start, question } = useAskedDownload();
  const isImage = file.role === 'decoded';
  const { mutate: download, isPending } = useMutation({
    mutationFn: () => fetchAddress(file.fileGUID),
    onSuccess: (address) => start(address),
    onError: (thrown) => showFailure(t, thrown),
  });
  return (
    <>
      {question}
      <span className="flex">
        <Button
          size="small"
          icon={Download}
          isPending={isPending}
          onPress={() => download()}
          className={isImage ? 'rounded-r-none' : ''}
        >
          {t('job.download')}
          <span className="sr-only"> {file.name}</span>
        </Button>
        {isImage && (
          <TextFormats
            {...file}
            isSmall
            fetchUrl={async () => (await fetchAddress(file.fileGUID)).url}
          />
        )}
      </span>
    </>
  );
}

function Actions({ job, file, onEncode, onSend, upload }: RowProps) {
  const { t } = useTexts();
  const { call } = useWork();
  const inputs = encodeInputsOf(job, file);
  const mayEncode =
    onEncode !== undefined && inputs.length > 0 && inputs.every(({ isThere }) => isThere);
  const onError = (thrown: unknown): void => showFailure(t, thrown);
  const { mutate: encode, isPending: isEncoding } = useMutation({
    mutationFn: async (agreed: Loss) => {
      const { encodeAgain } = await import('./encode-again.ts');
      return encodeAgain(call, job, file, upload, agreed);
    },
    onSuccess: (loss) => (loss === null ? onEncode?.() : setAsked(loss)),
    onError,
  });
  const [asked, setAsked] = useState<Loss | null>(null);
  const { name } = file;
  return (
    <>
      {asked !== null && (
        <AgainQuestion
          loss={asked}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            encode(asked);
          }}
        />
      )}
      {mayEncode && (
        <Button
          size="small"
          icon={Repeat}
          isPending={isEncoding}
          onPress={() => encode({ cancels: false, replaces: [] })}
        >
          {t('job.again')}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
      {onSend !== undefined && file.role === 'encoded' && (
        <Button size="small" icon={Send} onPress={() => onSend(file)}>
          {t('job.send')}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
      <DownloadFile file={file} />
    </>
  );
}

/** The files that an encoded file was made from. */
function MadeFrom({ job, file: { madeFrom } }: Pick<RowProps, 'job' | 'file'>) {
  const { t, language } = useTexts();
  const sources = job.files.filter(({ fileGUID }) => madeFrom.includes(fileGUID));
  if (sources.length === 0) return null;
  const names = listText(
    sources.map(({ name }) => name),
    language,
  );
  return (
    <p>
      <LongText>{t('job.madeFrom', { names })}</LongText>
    </p>
  );
}

/** The file that was repaired, because it did not fit as it came. */
function RepairedFrom({ job, file: { repaired } }: Pick<RowProps, 'job' | 'file'>) {
  const { t } = useTexts();
  const came = job.files.find(({ fileGUID }) => fileGUID === repaired?.fileGUID);
  if (!repaired || came === undefined) return null;
  return (
    <>
      <p>
        <LongText>{t('job.repaired', { name: came.name })}</LongText>
      </p>
      <Repaired repaired={repaired} />
    </>
  );
}

/** The checksums that were corrected in the modified files before an encode. */
function CorrectedIn({ file: { corrections = [] } }: Pick<RowProps, 'file'>) {
  const { t, language } = useTexts();
  return corrections
    .filter(({ bytes }) => bytes > 0)
    .map(({ component, scheme, parts }) => (
      <p key={component}>
        <LongText>{t('job.corrected', { scheme, parts: listText(parts, language) })}</LongText>
      </p>
    ));
}

function Row(props: RowProps) {
  const { file, now, nameOf, isChosen, onChoose } = props;
  const { t, language } = useTexts();
  const { role, component, name, size, sha256, isThere } = file;
  const isResult = role === 'encoded';
  return (
    <li className="relative border-l-2 border-line pb-6 pl-5 last:pb-1">
      <span
        aria-hidden="true"
        className={`absolute top-1.5 -left-[7px] size-3 rounded-full border-2 border-surface ${isResult ? 'bg-accent' : 'bg-control'}`}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-80 text-md text-ink-2">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-semibold text-ink">
            {t(`job.${role}`)}
            {component !== null && component !== 'obd' && (
              <Badge state="neutral">{nameOf(component)}</Badge>
            )}
            {!isThere && <Badge state="neutral">{t('job.gone')}</Badge>}
          </h3>
          <p className="tabular-nums">
            {[timeText(file.createdOn, now, language), file.userDisplayName]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <p className="mt-1 text-ink">
            <LongText>{name}</LongText>{' '}
            <span className="whitespace-nowrap text-ink-3">{sizeText(size, language)}</span>
          </p>
          <MadeFrom {...props} />
          <RepairedFrom {...props} />
          <CorrectedIn {...props} />
          <FileHistory file={file} now={now} />
          {role === 'decoded' && isThere && <OriginalState fileGUID={file.fileGUID} part={null} />}
          <div className="-ml-1.5 flex max-w-full items-center">
            <CopyCode code={sha256} kind="hash" of={name} />
          </div>
          {onChoose !== undefined && (
            <Checkbox isSelected={isChosen} onChange={onChoose}>
              {t('job.choose')}
              <span className="sr-only"> {name}</span>
            </Checkbox>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Receipt {...props} />
          {isThere && <Actions {...props} />}
        </div>
      </div>
    </li>
  );
}

export function JobTimeline({ onCompare, ...props }: JobTimelineProps) {
  const { t } = useTexts();
  const { files } = props.job;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // in the order of the history: the newer file is compared with the older one
  const [before, after] = files.filter(({ fileGUID }) => chosen.includes(fileGUID));
  const canChoose = (file: JobFile) => onCompare !== undefined && isComparable(props.job, file);
  const isSealed = [before, after].some((file) => file?.role === 'encoded');
  const choose = (guid: string) => (isChosen: boolean) =>
    setChosen((others) =>
      isChosen ? [...others.slice(-1), guid] : others.filter((one) => one !== guid),
    );
  return (
    <Panel
      title={t('job.history')}
      actions={
        onCompare !== undefined && (
          <>
            <Button
              size="small"
              icon={FolderSearch}
              isDisabled={before === undefined || after !== undefined}
              onPress={() => before && onCompare(before, null)}
            >
              {t('job.compareOther')}
            </Button>
            <Button
              size="small"
              icon={GitCompare}
              isDisabled={before === undefined || after === undefined}
              onPress={() => before && after && onCompare(before, after)}
            >
              {t('job.compare')}
            </Button>
          </>
        )
      }
    >
      <p role="status" className={isSealed ? 'mb-4 text-md text-ink-2' : 'sr-only'}>
        {isSealed && t('job.compareEncoded')}
      </p>
      <ol className="mt-1 ml-1.5">
        {files.map((file) => (
          <Row
            key={file.fileGUID}
            {...props}
            file={file}
            isChosen={chosen.includes(file.fileGUID)}
            onChoose={canChoose(file) ? choose(file.fileGUID) : undefined}
          />
        ))}
      </ol>
    </Panel>
  );
}
