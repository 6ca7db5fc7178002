/** The map of an image: its areas, the changes in them, and the position of the hex view, which it moves. */
import type { Comparison } from '@recodery/contract/features/comparison';
import Maximize from 'lucide-react/icons/maximize';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { addressText } from './addresses.ts';
import { areaFill } from './area-look.ts';
import { type NumberedRegion, type Pair, useRegionsFrom } from './change-data.ts';
import {
  areasIn,
  kindAt,
  type MapMark,
  mapUnits,
  type MapWindow,
  marksIn,
  mostLevel,
  needsRegions,
  offsetAt,
  revealing,
  unitsAt,
  zoomed,
} from './map-rules.ts';
import { useSettled } from './use-settled.ts';
import { useWidth } from './use-width.ts';

export interface MapViewProps {
  readonly pair: Pair;
  readonly comparison: Comparison;
  /** The current change; null after a jump to another position. */
  readonly region: NumberedRegion | null;
  /** The first address in the hex view. */
  readonly position: number;
  readonly onJump: (offset: number) => void;
}

const step = 2;
/** Px of the narrowest mark: even a single byte must be visible. */
const markWidth = 2;
/** Units of the map's height: the top of the marks, their height, and the areas below them. */
const rows = { marks: 4, height: 28, areas: 38 } as const;

/** Zooms with the wheel, around the pointer. React's own listener could not keep the dialog from scrolling. */
function useWheel(onZoom: (factor: number, share: number) => void) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onZoom);
  useEffect(() => {
    latest.current = onZoom;
  });
  useEffect(() => {
    const map = ref.current;
    if (map === null) return;
    const zoom = (event: WheelEvent): void => {
      if (event.deltaY === 0) return;
      event.preventDefault();
      const { left, width } = map.getBoundingClientRect();
      latest.current(event.deltaY < 0 ? 1.25 : 0.8, (event.clientX - left) / width);
    };
    map.addEventListener('wheel', zoom, { passive: false });
    return () => map.removeEventListener('wheel', zoom);
  }, []);
  return ref;
}

interface DrawingProps extends Pick<MapViewProps, 'comparison' | 'region' | 'position'> {
  readonly shown: MapWindow;
  readonly marks: readonly MapMark[];
}

/** The current change, with a minimum visible width. */
function Current({ region, shown }: { region: NumberedRegion; shown: MapWindow }) {
  const x = unitsAt(shown, region.offset);
  const width = Math.max(4, unitsAt(shown, region.offset + region.length) - x);
  if (x + width < 0 || x > mapUnits) return null;
  return <rect x={x} y="0" width={width} height="34" className="fill-accent" />;
}

function Drawing({ comparison, shown, marks, region, position }: DrawingProps) {
  const at = unitsAt(shown, position);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${mapUnits} 44`}
      preserveAspectRatio="none"
      // its colors are its content, also in forced colors
      className="h-16 w-full overflow-hidden rounded-s bg-sunken inset-ring inset-ring-line forced-color-adjust-none"
    >
      {marks.map(({ x, width, level }) => {
        const height = (rows.height * level) / mostLevel;
        const y = rows.marks + rows.height - height;
        return <rect key={x} {...{ x, y, width, height }} className="fill-modified" />;
      })}
      {region !== null && <Current region={region} shown={shown} />}
      {areasIn(comparison, shown).map(({ x, width, kind }) => (
        <rect key={x} {...{ x, width }} y={rows.areas} height="6" className={areaFill[kind]} />
      ))}
      {at >= 0 && at <= mapUnits && (
        <rect x={Math.min(at, mapUnits - 2)} y="0" width="2" height="44" className="fill-ink" />
      )}
    </svg>
  );
}

/** Steps of the keyboard, as shares of the shown part. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  PageUp: 0.1,
  PageDown: -0.1,
};

/** The part of the image that the map shows. It follows a position that leaves it. */
function useMapWindow(size: number, position: number) {
  const [shown, setShown] = useState<MapWindow>({ from: 0, to: size });
  const [followed, setFollowed] = useState(position);
  if (followed !== position) {
    setFollowed(position);
    setShown(revealing(shown, size, position));
  }
  return [shown, setShown] as const;
}

function useMap({ pair, comparison, position, onJump }: MapViewProps) {
  const { size } = comparison;
  const [shown, setShown] = useMapWindow(size, position);
  const zoom = (factor: number, around = position): void =>
    setShown((now) => zoomed(now, size, factor, around));
  const wheel = useWheel((factor, share) => zoom(factor, offsetAt(shown, share)));
  const from = useSettled(shown.from);
  const isClose = needsRegions(comparison, shown);
  const regions = useRegionsFrom(pair, comparison, isClose ? from : null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = keySteps[event.key];
    const shownBytes = shown.to - shown.from;
    if (event.key === '+' || event.key === '=') zoom(step);
    else if (event.key === '-') zoom(1 / step);
    else if (event.key === '0') setShown({ from: 0, to: size });
    else if (event.key === 'Home') onJump(0);
    else if (event.key === 'End') onJump(size - 1);
    else if (by !== undefined) {
      const bytes = Math.sign(by) * Math.max(1, Math.round(Math.abs(by) * shownBytes));
      onJump(Math.min(size - 1, Math.max(0, position + bytes)));
    } else return;
    event.preventDefault();
  };
  const onPointer = ({ currentTarget, clientX, buttons }: PointerEvent<HTMLElement>): void => {
    if (buttons !== 1) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    onJump(offsetAt(shown, (clientX - left) / width));
  };
  const width = useWidth(wheel);
  const columns = Math.max(1, Math.floor((width ?? mapUnits) / markWidth));
  const marks = marksIn(comparison, isClose ? regions : null, shown, columns);
  return { shown, setShown, zoom, wheel, onKeyDown, onPointer, marks };
}

interface ZoomProps {
  readonly size: number;
  readonly shown: MapWindow;
  readonly onZoom: (factor: number) => void;
  readonly onWhole: () => void;
}

/** The addresses of the shown part, and the buttons that change it. */
function Zoom({ size, shown: { from, to }, onZoom, onWhole }: ZoomProps) {
  const { t } = useTexts();
  const isWhole = from === 0 && to === size;
  const all = { look: 'quiet', size: 'small' } as const;
  return (
    <div className="flex items-center justify-between gap-2">
      <span className="font-mono text-xs text-ink-3">{addressText(from, size)}</span>
      <span className="flex items-center gap-1">
        <Button
          {...all}
          icon={Minus}
          label={t('changes.zoomOut')}
          isDisabled={isWhole}
          onPress={() => onZoom(1 / step)}
        />
        <Button
          {...all}
          icon={Maximize}
          label={t('changes.zoomAll')}
          isDisabled={isWhole}
          onPress={onWhole}
        />
        <Button {...all} icon={Plus} label={t('changes.zoomIn')} onPress={() => onZoom(step)} />
      </span>
      <span className="font-mono text-xs text-ink-3">{addressText(to - 1, size)}</span>
    </div>
  );
}

export function MapView(props: MapViewProps) {
  const { t } = useTexts();
  const { comparison, region, position } = props;
  const { size } = comparison;
  const { shown, setShown, zoom, wheel, onKeyDown, onPointer, marks } = useMap(props);
  const hint = useId();
  const kind = kindAt(comparison, position);
  const address = addressText(position, size);
  return (
    <div className="flex flex-col gap-1">
      <div
        ref={wheel}
        role="slider"
        tabIndex={0}
        aria-label={t('changes.position')}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={size - 1}
        aria-valuenow={position}
        aria-valuetext={kind === null ? address : `${address}, ${t(`changes.kind.${kind}`)}`}
        className="cursor-crosshair touch-pan-y rounded-s"
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
      >
        <Drawing {...{ comparison, region, position, shown, marks }} />
      </div>
      <Zoom
        size={size}
        shown={shown}
        onZoom={zoom}
        onWhole={() => setShown({ from: 0, to: size })}
      />
      <p id={hint} className="sr-only">
        {t('changes.mapHint')}
      </p>
    </div>
  );
}
