/** The changed regions, as a list of any length: the accessible form of the map. */
import type { Comparison } from '@recodery/contract/features/comparison';
import { type KeyboardEvent, useEffect, useEffectEvent, useId } from 'react';
import { numberText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../../ui/class-names.ts';
import { FailurePanel } from '../../ui/display/problem-panel.tsx';
import { addressText } from './addresses.ts';
import { areaBackground, areasText, changedBytesText } from './area-look.ts';
import { type NumberedRegion, type Pair, useRegions } from './change-data.ts';
import { useSettled } from './use-settled.ts';
import { useVirtualScroll, type VirtualScroll } from './use-virtual-scroll.ts';
import { VirtualRows } from './virtual-rows.tsx';

export interface RegionListProps {
  readonly pair: Pair;
  readonly comparison: Comparison;
  readonly selected: NumberedRegion | null;
  /** Called with the number of the chosen region. */
  readonly onSelect: (number: number) => void;
}

/** Px. */
const rowHeight = 44;

interface OptionProps {
  readonly id: string;
  readonly number: number;
  readonly region: NumberedRegion | null;
  readonly comparison: Comparison;
  readonly isSelected: boolean;
  readonly onSelect: (number: number) => void;
}

function Option({ id, number, region, comparison, isSelected, onSelect }: OptionProps) {
  const { t, language } = useTexts();
  const { regionCount, size } = comparison;
  return (
    // the list has the focus and the keyboard
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={regionCount}
      aria-posinset={number + 1}
      className={classNames(
        'flex h-11 cursor-pointer items-center justify-between gap-3 border-b border-line px-3 text-sm',
        isSelected
          ? 'bg-accent-soft forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]'
          : 'hover:bg-sunken',
      )}
      onClick={() => onSelect(number)}
    >
      {region === null ? (
        <span className="text-ink-3">…</span>
      ) : (
        <>
          <span className="min-w-0">
            <span className="block font-mono">{addressText(region.offset, size)}</span>
            {region.kinds.length > 0 && (
              <span className="flex items-center gap-1.5 text-xs text-ink-2">
                {region.kinds.map((kind) => (
                  <span
                    key={kind}
                    aria-hidden="true"
                    className={`size-2 shrink-0 rounded-full ${areaBackground[kind]}`}
                  />
                ))}
                <span className="truncate">{areasText(t, region.kinds, language)}</span>
              </span>
            )}
          </span>
          <span className="shrink-0 text-ink-2 tabular-nums">
            {changedBytesText(t, region, language)}
          </span>
        </>
      )}
    </div>
  );
}

/** Keeps the selected region visible: after a step by keyboard, button or map. */
function useFollow({ scrollTo, first, end, height }: VirtualScroll, number: number | null): void {
  const isMeasured = height > 0;
  const follow = useEffectEvent(() => {
    if (number === null || !isMeasured) return;
    const isVisible = number >= first + 1 && number < end - 2;
    const rows = Math.floor(height / rowHeight);
    if (!isVisible) scrollTo(number - Math.floor(rows / 2));
  });
  // only when another region is selected, so that the user can scroll freely in between
  useEffect(() => follow(), [number, isMeasured]);
}

/** Whether two rows are so close that a scroll between them is not a jump. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 500;

/** The regions that the list shows; after a jump, once scrolling stops. */
function useShownRegions(pair: Pair, count: number, { first, end }: VirtualScroll) {
  const settled = useSettled(first);
  const from = isNear(first, settled) ? first : settled;
  return useRegions(pair, from, Math.max(from, Math.min(count, from + end - first) - 1));
}

/** The number that a key selects; null: the key has no function here. */
function placeOf(key: string, here: number, page: number, count: number): number | null {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1,
    PageDown: here + page,
    PageUp: here - page,
    Home: 0,
    End: count - 1,
  };
  const place = places[key];
  return place === undefined ? null : Math.min(count - 1, Math.max(0, place));
}

export function RegionList({ pair, comparison, selected, onSelect }: RegionListProps) {
  const { t, language } = useTexts();
  const { regionCount } = comparison;
  const label = useId();
  const list = useVirtualScroll(regionCount, rowHeight);
  const { ref, first, end, height, onScroll } = list;
  const { regionAt, error, refetch } = useShownRegions(pair, regionCount, list);
  const current = selected?.number ?? null;
  useFollow(list, current);
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const place = placeOf(event.key, current ?? first - 1, page, regionCount);
    if (place === null) return;
    event.preventDefault();
    onSelect(place);
  };
  const idOf = (number: number): string => `${label}-${number}`;
  const isShown = current !== null && current >= first && current < end;
  return (
    <section className="flex min-h-0 flex-col gap-2" aria-labelledby={label}>
      <h3 id={label} className="text-md">
        {t('changes.regions', { number: numberText(regionCount, language) })}
      </h3>
      {error !== null && <FailurePanel thrown={error} onAgain={refetch} />}
      <div
        ref={ref}
        className="h-44 overflow-y-auto rounded-s border border-line lg:h-auto lg:min-h-0 lg:flex-1"
        onScroll={onScroll}
        role="listbox"
        tabIndex={0}
        aria-labelledby={label}
        {...(isShown ? { 'aria-activedescendant': idOf(current) } : {})}
        onKeyDown={onKeyDown}
      >
        <VirtualRows view={list}>
          {(number) => (
            <Option
              id={idOf(number)}
              region={regionAt(number)}
              isSelected={number === current}
              {...{ number, comparison, onSelect }}
            />
          )}
        </VirtualRows>
      </div>
    </section>
  );
}
