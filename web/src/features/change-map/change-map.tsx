/** What differs between two files: a map of the image, the list of changed regions, and the bytes before and after. */
import type { Comparison } from '@recodery/contract/features/comparison';
import { useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import {
  fetchNumberAt,
  fetchRegion,
  type NumberedRegion,
  type Pair,
  type Target,
  useComparison,
} from './change-data.ts';
import { ChangeReport, type ReportFact } from './change-report.tsx';
import { ChangeSummary } from './change-summary.tsx';
import { HexView } from './hex-view.tsx';
import { MapView } from './map-view.tsx';
import { RegionList } from './region-list.tsx';

export interface ChangeMapProps extends Pair {
  /** What the files are images of: the name of their component. */
  readonly component: string;
  /** The vehicle and the read, for the printed report. */
  readonly facts: readonly ReportFact[];
  /** What the numbers do not include. */
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

/** The current change and the position in the hex view, and how to move them. */
function useChanges(pair: Pair, { regions }: Comparison) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [first = null] = regions;
  const [region, setRegion] = useState<NumberedRegion | null>(
    first === null ? null : { ...first, number: 0 },
  );
  const [target, setTarget] = useState<Target>({ offset: first?.offset ?? 0 });
  const [position, setPosition] = useState(target.offset);

  const show = (found: NumberedRegion | null): void => {
    if (found === null) return;
    setRegion(found);
    setPosition(found.offset);
    setTarget({ offset: found.offset });
  };
  const select = (number: number): void => {
    fetchRegion(queries, pair, number).then(show, (thrown: unknown) => showFailure(t, thrown));
  };
  /** Without a current change, the next one is the first after the position. */
  const step = (by: 1 | -1): void => {
    if (region !== null) return select(region.number + by);
    fetchNumberAt(queries, pair, position + (by === 1 ? 0 : 1)).then(
      (number) => select(by === 1 ? number : number - 1),
      (thrown: unknown) => showFailure(t, thrown),
    );
  };
  const jump = (offset: number): void => {
    const isInside =
      region !== null && offset >= region.offset && offset < region.offset + region.length;
    if (!isInside) setRegion(null);
    setPosition(offset);
    setTarget({ offset });
  };
  return { region, target, position, select, step, jump, setPosition };
}

function Content({ pair, comparison }: { readonly pair: Pair; readonly comparison: Comparison }) {
  const { t } = useTexts();
  const changes = useChanges(pair, comparison);
  const { region, target, position, select, step, jump, setPosition } = changes;
  return (
    <div className="flex flex-col gap-4 lg:min-h-0 lg:flex-1">
      <ChangeSummary pair={pair} comparison={comparison} />
      {comparison.size > 0 && (
        <MapView {...{ pair, comparison, position }} region={region} onJump={jump} />
      )}
      {comparison.regionCount === 0 ? (
        <EmptyState icon={CircleCheck} title={t('changes.identical')}>
          {t('changes.identicalAbout')}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:min-h-0 lg:flex-1 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <RegionList {...{ pair, comparison }} selected={region} onSelect={select} />
          <HexView
            {...{ pair, comparison, region, target }}
            onStep={step}
            onJump={jump}
            onPosition={setPosition}
          />
        </div>
      )}
    </div>
  );
}

export function ChangeMap(props: ChangeMapProps) {
  const { before, after, component, facts, note, onClose } = props;
  const { t } = useTexts();
  const pair = { before, after };
  const query = useComparison(pair);
  return (
    <Dialog
      title={t('changes.title', { component })}
      onClose={onClose}
      size={query.data?.regionCount === 0 ? 'wide' : 'full'}
      closesOutside
    >
      <Loaded query={query}>
        {(comparison) => (
          <>
            {note !== undefined && <p className="mb-3 text-md text-ink-2">{note}</p>}
            <Content pair={pair} comparison={comparison} />
            <ChangeReport {...{ pair, comparison, component, facts, note }} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
