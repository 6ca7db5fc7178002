/**
 * A workflow on one printed sheet for the job's folder: the read, the inputs, the result, and room for notes. Visible
 * only in print.
 */
import type { ReactNode } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { LongText } from '../../../ui/display/long-text.tsx';
import { usePrintTime } from '../../../ui/print-time.ts';
import { detailLines } from '../../notifications/notification-rules.ts';
import { useSession } from '../../session/session.ts';
import type { DecodedRead, FileLabel } from '../decoded-read.ts';
import type { Encode } from '../flow/state/encode-flow.ts';
import { lookOf } from '../families/part-look.ts';
import { workflowName } from '../families/workflow-names.ts';
import {
  changesText,
  describePartState,
  informationFields,
  labelOf,
  slaveOf,
} from '../flow/part-state-text.ts';
import { useOpenPage } from '../flow/open-page.ts';

export interface JobSheetProps {
  readonly read: DecodedRead;
  readonly encode: Encode;
}

function Pair({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs">{label}</dt>
      <dd className="text-md font-medium wrap-anywhere">{value}</dd>
    </div>
  );
}

const grid = 'grid grid-cols-3 gap-x-6 gap-y-2';

/** A section of the sheet, below a line. */
function Block({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <section className="mt-4 break-inside-avoid border-t border-line-strong pt-2">
      {title !== undefined && <h2 className="mb-1.5 text-md">{title}</h2>}
      {children}
    </section>
  );
}

function FileText({ file }: { readonly file: FileLabel }) {
  const { language } = useTexts();
  return (
    <>
      <LongText>{file.name}</LongText>
      {file.size !== null && ` (${sizeText(file.size, language)})`}
    </>
  );
}

function Head({ encode, time }: SheetProps) {
  const { t, language } = useTexts();
  const { page } = useOpenPage();
  const { customerCode, customerCodeNames } = useSession();
  const isOver = encode.at === 'encoded' || encode.at === 'sent';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <header>
      <div className="flex items-baseline justify-between gap-6 text-md">
        <p className="font-semibold">
          {[customerCode, customerCodeNames[customerCode]].filter(Boolean).join(' · ')}
        </p>
        <p className="whitespace-nowrap">{format.format(time)}</p>
      </div>
      <p className="mt-3 text-2xl font-semibold">
        {workflowName(t, page.id)} ·{' '}
        {t(isOver ? 'recoding.progress.encoded' : 'recoding.progress.decoded')}
      </p>
    </header>
  );
}

/** A row for each part: its name, its state, its file and its changes. */
function PartsTable({ read, encode }: JobSheetProps) {
  const { t, language } = useTexts();
  return (
    <table className="w-full text-md">
      <tbody>
        {read.parts.map((part) => {
          const state = encode.inputs.parts[part.name];
          if (!state) return null;
          const complete = state.at === 'complete' ? state : null;
          return (
            <tr key={part.name} className="align-top">
              <th scope="row" className="w-36 py-0.5 text-left font-medium">
                {t(lookOf(part.name).label)}
              </th>
              <td className="w-32 py-0.5">{t(describePartState(part, state, true).word)}</td>
              <td className="py-0.5">
                {complete && <FileText file={complete.file} />}
                {complete?.changes && `, ${changesText(t, complete.changes, language)}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Outcome({ encode }: Pick<JobSheetProps, 'encode'>) {
  const { t } = useTexts();
  if (encode.at === 'sent') {
    const { news, mailTo } = encode;
    return (
      <>
        <p>{news === null ? t('recoding.sentTo', { email: mailTo }) : news.message}</p>
        {news !== null && (
          <p className="text-md font-medium">
            <LongText>{detailLines(news).join(' · ')}</LongText>
          </p>
        )}
      </>
    );
  }
  if (encode.at !== 'encoded') return null;
  const { name, size, sha256, correctedChecksums } = encode.result;
  return (
    <>
      <p className="text-md font-medium">
        <FileText file={{ name, size }} />
        {correctedChecksums > 0 &&
          ` · ${t('recoding.checksumsRight', { count: correctedChecksums })}`}
      </p>
      <p className="font-mono text-xs wrap-anywhere">SHA-256 {sha256}</p>
    </>
  );
}

/** Room for handwritten notes. */
function Notes() {
  return [0, 1, 2, 3].map((line) => <div key={line} className="h-8 border-b border-line-strong" />);
}

interface SheetProps extends JobSheetProps {
  readonly time: Date;
}

/** Rendered only while printing, so that screen readers and search do not find all content twice. */
export function JobSheet(props: JobSheetProps) {
  const time = usePrintTime();
  return time && <Sheet {...props} time={time} />;
}

function Sheet(props: SheetProps) {
  const { t } = useTexts();
  const { userDisplayName } = useSession();
  const { page } = useOpenPage();
  const { read, encode } = props;
  const operation = 'operationGUID' in encode ? encode.operationGUID : read.operationGUID;
  return (
    <article data-sheet className="text-ink not-print:hidden">
      <Head {...props} />
      <dl className={`${grid} mt-3`}>
        <Pair label={t('recoding.readFile')} value={<FileText file={read.readFile} />} />
        <Pair label={t('recoding.slave')} value={slaveOf(page, read) ?? '—'} />
        <Pair label={t('layout.account')} value={userDisplayName} />
        <div className="col-span-2">
          <Pair label={t('recoding.sheet.operation')} value={operation} />
        </div>
      </dl>
      <Block>
        <dl className={grid}>
          {informationFields(page, read).map(
            ({ name, label, as, value }) =>
              // the slave is already shown above
              value &&
              as !== 'slave' && <Pair key={name} label={labelOf(t, page, label)} value={value} />,
          )}
        </dl>
      </Block>
      <Block title={t('recoding.input')}>
        <PartsTable {...props} />
      </Block>
      {(encode.at === 'encoded' || encode.at === 'sent') && (
        <Block title={t('recoding.output')}>
          <Outcome encode={encode} />
        </Block>
      )}
      <Block title={t('recoding.sheet.notes')}>
        <Notes />
      </Block>
    </article>
  );
}
