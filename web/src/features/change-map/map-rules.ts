/** The geometry of the map: which part of an image it shows, and the marks in it. */
import type { AreaKind, ChangedRegion, Comparison } from '@recodery/contract/features/comparison';

/** The part of the image that the map shows, in bytes; `to` is the byte after the last. */
export interface MapWindow {
  readonly from: number;
  readonly to: number;
}

/** A mark, in units of the map. */
export interface MapMark {
  readonly x: number;
  readonly width: number;
  /** The height of the mark, from 1 to {@link mostLevel}: the more of its bytes changed, the higher. */
  readonly level: number;
}

/** The map is this many units wide, regardless of its width on the screen. */
export const mapUnits = 1000;
/** The smallest part of an image that the map shows, in bytes. */
const leastWindow = 256;

/** Moves a window so that it is inside an image of `size` bytes. */
function inside(from: number, length: number, size: number): MapWindow {
  const shown = Math.min(size, Math.max(Math.min(leastWindow, size), Math.round(length)));
  const start = Math.min(Math.max(0, Math.round(from)), size - shown);
  return { from: start, to: start + shown };
}

/** Zooms by a factor (above 1: closer) around a byte, which keeps its position. */
export function zoomed(shown: MapWindow, size: number, factor: number, around: number): MapWindow {
  const length = shown.to - shown.from;
  const share = (Math.min(Math.max(around, shown.from), shown.to) - shown.from) / length;
  const next = Math.max(length / factor, Math.min(leastWindow, size));
  return inside(around - share * next, next, size);
}

/** The window moved so that it shows a byte; unchanged if it does. */
export function revealing(shown: MapWindow, size: number, offset: number): MapWindow {
  if (offset >= shown.from && offset < shown.to) return shown;
  const length = shown.to - shown.from;
  return inside(offset - length / 2, length, size);
}

/** The map's units at an offset. */
export function unitsAt({ from, to }: MapWindow, offset: number): number {
  return ((offset - from) / (to - from)) * mapUnits;
}

/** The offset at a share of the map's width. */
export function offsetAt({ from, to }: MapWindow, share: number): number {
  const offset = from + Math.floor(Math.min(1, Math.max(0, share)) * (to - from));
  return Math.min(offset, to - 1);
}

/** Whether the cells of the overview are too coarse for a window: then the map needs the regions themselves. */
export function needsRegions({ overview }: Comparison, { from, to }: MapWindow): boolean {
  return (to - from) / mapUnits < overview.cellBytes / 4;
}

/**
 * The share of changed bytes from which a mark has its next level. A tune changes few bytes in many places: marks of
 * equal height would make 0.1 percent of an image look like half of it.
 */
const levels = [0.002, 0.02, 0.25] as const;
export const mostLevel = levels.length + 1;

/** How high the mark of a share of changed bytes is, from 1 to {@link mostLevel}: a change is never invisible. */
export function levelOf(share: number): number {
  return 1 + levels.filter((least) => share >= least).length;
}

/** The changed bytes of a run of bytes that have some, spread evenly over it. */
interface Changed {
  readonly offset: number;
  readonly length: number;
  readonly bytes: number;
}

/** The changes in a window: from the regions if there are any, else from the cells of the overview. */
function changesIn(
  { cellBytes, cells }: Comparison['overview'],
  regions: readonly ChangedRegion[] | null,
  { from, to }: MapWindow,
): readonly Changed[] {
  if (regions !== null) return regions;
  const first = Math.floor(from / cellBytes);
  return cells.slice(first, Math.ceil(to / cellBytes)).flatMap((bytes, index) => {
    const offset = (first + index) * cellBytes;
    return bytes === 0 ? [] : [{ offset, length: cellBytes, bytes }];
  });
}

/** The changed bytes in each of the columns of a window. A run that is shorter than a column is in only one of them. */
function columnsOf(
  changes: readonly Changed[],
  { from, to }: MapWindow,
  columns: number,
): number[] {
  const found = Array.from({ length: columns }, () => 0);
  const columnBytes = (to - from) / columns;
  const columnAt = (offset: number): number =>
    Math.min(columns - 1, Math.max(0, Math.floor((offset - from) / columnBytes)));
  for (const { offset, length, bytes } of changes) {
    if (offset >= to || offset + length <= from) continue;
    if (length <= columnBytes) {
      const column = columnAt(offset + length / 2);
      found[column] = (found[column] ?? 0) + bytes;
      continue;
    }
    const last = columnAt(Math.min(to, offset + length) - 1);
    for (let column = columnAt(offset); column <= last; column += 1) {
      const start = from + column * columnBytes;
      const shared = Math.min(offset + length, start + columnBytes) - Math.max(offset, start);
      found[column] = (found[column] ?? 0) + (bytes * shared) / length;
    }
  }
  return found;
}

/**
 * The marks of the changes in a window, on a map of `columns` columns, which are the narrowest marks. Adjacent marks of
 * one level are one.
 */
export function marksIn(
  { overview }: Pick<Comparison, 'overview'>,
  regions: readonly ChangedRegion[] | null,
  shown: MapWindow,
  columns: number,
): MapMark[] {
  const columnBytes = (shown.to - shown.from) / columns;
  const width = mapUnits / columns;
  const marks: MapMark[] = [];
  const changes = changesIn(overview, regions, shown);
  for (const [column, bytes] of columnsOf(changes, shown, columns).entries()) {
    if (bytes <= 0) continue;
    const level = levelOf(bytes / columnBytes);
    const last = marks.at(-1);
    const isNext = last !== undefined && Math.abs(last.x + last.width - column * width) < 0.01;
    if (isNext && last.level === level)
      marks[marks.length - 1] = { ...last, width: last.width + width };
    else marks.push({ x: column * width, width, level });
  }
  return marks;
}

/** An area in a window. */
export interface AreaMark {
  readonly x: number;
  readonly width: number;
  readonly kind: AreaKind;
}

/** The known areas in a window; those too narrow to see are left out. */
export function areasIn({ areas }: Pick<Comparison, 'areas'>, shown: MapWindow): AreaMark[] {
  return areas.flatMap(({ offset, length, kind }) => {
    const from = Math.max(offset, shown.from);
    const to = Math.min(offset + length, shown.to);
    if (from >= to) return [];
    const x = unitsAt(shown, from);
    return [{ x, width: Math.max(1, unitsAt(shown, to) - x), kind }];
  });
}

/** The kind of the area at an offset, or null. */
export function kindAt({ areas }: Pick<Comparison, 'areas'>, offset: number): AreaKind | null {
  return (
    areas.find((area) => area.offset <= offset && offset < area.offset + area.length)?.kind ?? null
  );
}
