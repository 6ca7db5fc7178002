/** The rows of the hex view. Only the visible ones are rendered, and only their windows of bytes are fetched. */
import type { Comparison } from '@recodery/contract/features/comparison';
import { useEffect, useEffectEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../../ui/class-names.ts';
import { FailurePanel } from '../../ui/display/problem-panel.tsx';
import { bareAddress } from './addresses.ts';
import {
  type NumberedRegion,
  type Pair,
  type Target,
  useBytes,
  windowBytes,
} from './change-data.ts';
import type { HexLayout } from './hex-layout.ts';
import { charactersOf, type HexRun, type HexSide, runsOf } from './hex-rows.ts';
import { useSettled } from './use-settled.ts';
import { useVirtualScroll } from './use-virtual-scroll.ts';
import { VirtualRows } from './virtual-rows.tsx';

/** What the hex view shows. */
export interface ShownBytes {
  readonly pair: Pair;
  readonly comparison: Comparison;
  /** The current change; null after a jump to another position. */
  readonly region: NumberedRegion | null;
  readonly target: Target;
  /** Called when a different address becomes the first visible one. */
  readonly onPosition: (offset: number) => void;
}

export interface HexTableProps extends ShownBytes {
  readonly layout: HexLayout;
  readonly labelledBy: string;
}

/** Px of one line. */
const lineHeight = 22;
/** Rows above the target of a jump. */
const context = 2;

function Runs({ runs }: { readonly runs: readonly HexRun[] }) {
  return runs.map(({ text, isChanged }, index) =>
    isChanged ? (
      <mark key={index} className="rounded-[3px] bg-modified-soft font-medium text-modified">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}

interface RowProps {
  readonly offset: number;
  readonly index: number;
  readonly size: number;
  readonly layout: HexLayout;
  readonly before: HexSide;
  readonly after: HexSide;
  readonly isCurrent: boolean;
}

function Row({ offset, index, size, layout, before, after, isCurrent }: RowProps) {
  const { bytes, isSideBySide, hasCharacters } = layout;
  const cell = (side: HexSide, other: HexSide, isStacked: boolean) => (
    <span role="cell" className={classNames('whitespace-pre', isStacked && 'block')}>
      {!isSideBySide && (
        <span aria-hidden="true" className="text-ink-3">
          {side === before ? '− ' : '+ '}
        </span>
      )}
      <Runs runs={runsOf(side, other, offset, bytes)} />
      {hasCharacters && (
        <span className="ml-3 text-ink-3">{charactersOf(side, offset, bytes)}</span>
      )}
    </span>
  );
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classNames(
        'flex px-3 leading-[22px]',
        isSideBySide ? 'gap-4' : 'gap-3',
        isCurrent && 'bg-sunken forced-colors:outline forced-colors:-outline-offset-1',
      )}
    >
      <span role="rowheader" className={isCurrent ? 'text-ink' : 'text-ink-3'}>
        {bareAddress(offset, size)}
      </span>
      {isSideBySide ? (
        <>
          {cell(before, after, false)}
          {cell(after, before, false)}
        </>
      ) : (
        <span role="presentation">
          {cell(before, after, true)}
          {cell(after, before, true)}
        </span>
      )}
    </div>
  );
}

/** The columns' names, as wide as the columns. */
function Head({ size, layout }: { readonly size: number; readonly layout: HexLayout }) {
  const { t } = useTexts();
  const { bytes, isSideBySide, hasCharacters } = layout;
  const columns = bytes * 3 - 1;
  const name = (words: string) => (
    <span role="columnheader" className="whitespace-pre">
      {words.padEnd(isSideBySide ? columns : 0)}
      {hasCharacters && <span className="ml-3">{' '.repeat(bytes)}</span>}
    </span>
  );
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={classNames(
        'flex border-b border-line bg-sunken px-3 py-1 text-ink-2',
        isSideBySide ? 'gap-4' : 'gap-3',
      )}
    >
      <span role="columnheader" className="whitespace-pre">
        <span className="sr-only">{t('changes.address')}</span>
        <span aria-hidden="true">{' '.repeat(bareAddress(0, size).length)}</span>
      </span>
      {name(isSideBySide ? t('changes.before') : `− ${t('changes.before')}`)}
      {name(isSideBySide ? t('changes.after') : `+ ${t('changes.after')}`)}
    </div>
  );
}

/** The visible bytes of both files; after a jump, they are fetched once scrolling stops. */
function useSides({ before, after }: Pair, compared: Comparison, from: number, to: number) {
  const here = Math.floor(from / windowBytes);
  const settled = useSettled(here);
  const end = Math.abs(here - settled) <= 1 ? to : from;
  const one = useBytes(before.fileGUID, compared.before.size, from, end);
  const other = useBytes(after.fileGUID, compared.after.size, from, end);
  return {
    before: { byteAt: one.byteAt, size: compared.before.size },
    after: { byteAt: other.byteAt, size: compared.after.size },
    error: one.error ?? other.error,
    refetch: () => {
      one.refetch();
      other.refetch();
    },
  };
}

/** Whether a row of this many bytes contains bytes of a region. */
function isIn(region: NumberedRegion | null, row: number, bytes: number): boolean {
  if (region === null) return false;
  return region.offset < (row + 1) * bytes && row * bytes < region.offset + region.length;
}

export function HexTable(props: HexTableProps) {
  const { pair, comparison, region, target, onPosition, layout, labelledBy } = props;
  const { size } = comparison;
  const { bytes, isSideBySide } = layout;
  const rows = Math.ceil(size / bytes);
  const begin = Math.max(0, Math.floor(target.offset / bytes) - context);
  const view = useVirtualScroll(rows, isSideBySide ? lineHeight : 2 * lineHeight, begin);
  const { ref, first, end, height, onScroll, scrollTo } = view;
  const sides = useSides(pair, comparison, first * bytes, end * bytes);
  const { before, after, error, refetch } = sides;

  const isMeasured = height > 0;
  const follow = useEffectEvent(() => {
    if (isMeasured) scrollTo(begin);
  });
  // a jump to the target that is already shown scrolls back to it
  useEffect(() => follow(), [target, bytes, isMeasured]);

  const scrolled = (): void => {
    const row = onScroll();
    // the scroll that a jump causes is not the user's
    if (row !== null) onPosition(row * bytes);
  };
  return (
    <>
      {/* the table stays: it measures its height once */}
      {error !== null && <FailurePanel thrown={error} onAgain={refetch} />}
      <div
        role="table"
        aria-labelledby={labelledBy}
        aria-rowcount={rows + 1}
        className={classNames(
          'flex min-h-0 flex-1 flex-col overflow-hidden rounded-s border border-line font-mono',
          layout.type === 'sm' ? 'text-sm' : 'text-xs',
        )}
      >
        <Head size={size} layout={layout} />
        <div
          ref={ref}
          role="rowgroup"
          // the rows scroll with the keyboard
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-labelledby={labelledBy}
          className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
          onScroll={scrolled}
        >
          <VirtualRows view={view}>
            {(row) => (
              <Row
                offset={row * bytes}
                index={row}
                before={before}
                after={after}
                {...{ size, layout }}
                isCurrent={isIn(region, row, bytes)}
              />
            )}
          </VirtualRows>
        </div>
      </div>
    </>
  );
}
