/** The two files, how much of them differs and in which areas, and the buttons that export the changes. */
import type { Comparison } from '@recodery/contract/features/comparison';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import { useEffect, useRef, useState } from 'react';
import { saveCsv } from '../../api/files/download.ts';
import { bytesText, numberText, shareText, sizeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/display/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { areaBackground } from './area-look.ts';
import { fetchAllRegions, type Pair } from './change-data.ts';
import { csvOf } from './region-csv.ts';

export interface ChangeSummaryProps {
  readonly pair: Pair;
  readonly comparison: Comparison;
}

/** `424 bytes in 26 regions`, with the share of the image. */
export function useTotals({ bytes, regionCount, fraction, size }: Comparison): {
  readonly changed: string;
  readonly share: string;
} {
  const { t, language } = useTexts();
  return {
    changed: t('recoding.changed', {
      bytes: t('recoding.bytes', { count: bytes, number: numberText(bytes, language) }),
      regions: t('recoding.regions', {
        count: regionCount,
        number: numberText(regionCount, language),
      }),
    }),
    share: t('changes.share', {
      share: shareText(fraction, language),
      size: sizeText(size, language),
    }),
  };
}

function Exports({ pair, comparison }: ChangeSummaryProps) {
  const { t } = useTexts();
  const [isExporting, setIsExporting] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const save = async (): Promise<void> => {
    const { signal } = leaving.current;
    setIsExporting(true);
    await fetchAllRegions(pair, signal)
      .then((regions) => saveCsv(csvOf(regions, comparison.size), `${pair.after.name}.changes.csv`))
      .catch((thrown: unknown) => {
        if (!signal.aborted) showFailure(t, thrown);
      });
    setIsExporting(false);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        icon={Download}
        isPending={isExporting}
        isDisabled={comparison.regionCount === 0}
        onPress={() => void save()}
      >
        {t('changes.csv')}
      </Button>
      <Button size="small" icon={Printer} onPress={() => window.print()}>
        {t('changes.print')}
      </Button>
    </div>
  );
}

/** The changed bytes of each kind of area, as a legend of the map, including kinds without changes. */
function Kinds({ comparison: { areas, bytesByKind } }: Pick<ChangeSummaryProps, 'comparison'>) {
  const { t, language } = useTexts();
  if (areas.length === 0) return null;
  const changed = new Map(bytesByKind.map(({ kind, bytes }) => [kind, bytes]));
  const kinds = new Set([...areas, ...bytesByKind].map(({ kind }) => kind));
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
      {[...kinds].map((kind) => (
        <li key={kind ?? 'other'} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={classNames(
              'size-2.5 rounded-full inset-ring inset-ring-line-strong forced-color-adjust-none',
              kind === null ? 'bg-surface' : areaBackground[kind],
            )}
          />
          {t('ui.labelled', {
            label: t(`changes.kind.${kind ?? 'other'}`),
            value: bytesText(changed.get(kind) ?? 0, language),
          })}
        </li>
      ))}
    </ul>
  );
}

function FileLine({ label, name, size }: { label: string; name: string; size: number }) {
  const { language } = useTexts();
  return (
    <div className="flex min-w-0 items-baseline gap-2">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 truncate" title={name}>
        {name}
      </dd>
      <dd className="shrink-0 text-ink-3 tabular-nums">{sizeText(size, language)}</dd>
    </div>
  );
}

export function ChangeSummary({ pair, comparison }: ChangeSummaryProps) {
  const { t, language } = useTexts();
  const { changed, share } = useTotals(comparison);
  const { before, after } = comparison;
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid gap-x-8 gap-y-0.5 text-md md:grid-cols-2">
        <FileLine label={t('changes.before')} name={pair.before.name} size={before.size} />
        <FileLine label={t('changes.after')} name={pair.after.name} size={after.size} />
      </dl>
      {before.size !== after.size && (
        <div className="overflow-hidden rounded-s">
          <Banner tone="warning">
            {t('changes.sizesDiffer', {
              before: bytesText(before.size, language),
              after: bytesText(after.size, language),
            })}
          </Banner>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-md">
          <strong className="font-semibold">{share}</strong>
          {comparison.bytes > 0 && <span className="text-ink-2"> · {changed}</span>}
        </p>
        <Exports pair={pair} comparison={comparison} />
      </div>
      {comparison.bytes > 0 && <Kinds comparison={comparison} />}
    </div>
  );
}
