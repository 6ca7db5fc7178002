/** The comparison on paper: vehicle, files, totals and regions. Visible only in print, instead of the page. */
import type { Comparison } from '@recodery/contract/features/comparison';
import { createPortal } from 'react-dom';
import { bytesText, numberText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { usePrintTime } from '../../ui/print-time.ts';
import { addressText } from './addresses.ts';
import { areasText } from './area-look.ts';
import type { Pair } from './change-data.ts';
import { useTotals } from './change-summary.tsx';

/** A printed fact about the vehicle or the read; null or empty: it is omitted. */
export interface ReportFact {
  readonly label: string;
  readonly value: string | null;
}

export interface ChangeReportProps {
  readonly pair: Pair;
  readonly comparison: Comparison;
  readonly component: string;
  readonly facts: readonly ReportFact[];
  readonly note?: string | undefined;
}

function File({ label, name, file }: { label: string; name: string; file: Comparison['before'] }) {
  const { language } = useTexts();
  return (
    <div>
      <dt className="text-xs">{label}</dt>
      <dd className="text-md font-medium wrap-anywhere">
        {name} ({bytesText(file.size, language)})
      </dd>
      <dd className="font-mono text-xs wrap-anywhere">SHA-256 {file.sha256}</dd>
    </div>
  );
}

/** The vehicle, the device and the read file, if known. */
function Facts({ facts }: Pick<ChangeReportProps, 'facts'>) {
  return (
    <dl data-facts className="mt-3 grid grid-cols-3 gap-x-6 gap-y-2">
      {facts.map(
        ({ label, value }) =>
          value && (
            <div key={label} className="min-w-0">
              <dt className="text-xs">{label}</dt>
              <dd className="text-md font-medium wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Regions({ comparison }: Pick<ChangeReportProps, 'comparison'>) {
  const { t, language } = useTexts();
  const { regions, regionCount, size } = comparison;
  const more = regionCount - regions.length;
  return (
    <>
      <table className="mt-4 w-full border-t border-line-strong text-sm">
        <thead>
          <tr className="text-left">
            {(
              ['changes.address', 'changes.length', 'changes.changedBytes', 'changes.area'] as const
            ).map((key) => (
              <th key={key} scope="col" className="py-1 pr-4 font-medium">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {regions.map(({ offset, length, bytes, kinds }) => (
            <tr key={offset} className="break-inside-avoid">
              <td className="pr-4 font-mono">{addressText(offset, size)}</td>
              <td className="pr-4">{bytesText(length, language)}</td>
              <td className="pr-4">{bytesText(bytes, language)}</td>
              <td>{areasText(t, kinds, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="mt-2 text-sm">
          {t('changes.moreRegions', { number: numberText(more, language) })}
        </p>
      )}
    </>
  );
}

function Report({
  pair,
  comparison,
  component,
  facts,
  note,
  time,
}: ChangeReportProps & { readonly time: Date }) {
  const { t, language } = useTexts();
  const { changed, share } = useTotals(comparison);
  const { before, after, bytesByKind, regionCount } = comparison;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <article data-report className="text-ink not-print:hidden">
      <p className="text-right text-md">{format.format(time)}</p>
      <h1 className="text-2xl">{t('changes.title', { component })}</h1>
      <Facts facts={facts} />
      <dl className="mt-3 grid gap-2 border-t border-line-strong pt-2">
        <File label={t('changes.before')} name={pair.before.name} file={before} />
        <File label={t('changes.after')} name={pair.after.name} file={after} />
      </dl>
      <p className="mt-3 text-md font-medium">
        {comparison.bytes === 0 ? t('changes.identical') : `${share} · ${changed}`}
      </p>
      {note !== undefined && <p className="text-sm">{note}</p>}
      <ul className="text-sm">
        {bytesByKind.map(({ kind, bytes }) => (
          <li key={kind ?? 'other'}>
            {t('ui.labelled', {
              label: t(`changes.kind.${kind ?? 'other'}`),
              value: bytesText(bytes, language),
            })}
          </li>
        ))}
      </ul>
      {regionCount > 0 && <Regions comparison={comparison} />}
    </article>
  );
}

/** Rendered only while printing, next to the page: dialogs are never printed. */
export function ChangeReport(props: ChangeReportProps) {
  const time = usePrintTime();
  return time && createPortal(<Report {...props} time={time} />, document.body);
}
