/** The geometry of the map: which part of an image it shows, and the marks in it. */
import type { AreaKind, ChangedRegion, Comparison } from '@recodery/contract/features/comparison';

/** The part of the image that the map shows, in bytes; `to` is the byte after the last. */
export interface MapWindow {
  readonly from: number;
  readonly to: number;
}

/** A mark, in units of the map; `strength` is the share of its bytes that changed, from 0 to 1. */
export interface MapMark {
  readonly x: number;
  readonly width: number;
  readonly strength: number;
}

/** The map is this many units wide, regardless of its width on the screen. */
export const mapUnits = 1000;
/** The narrowest mark that is still visible on a phone. */
const leastMark = 3;
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

function markOf(shown: MapWindow, offset: number, length: number, bytes: number): MapMark | null {
  const from = Math.max(offset, shown.from);
  const to = Math.min(offset + length, shown.to);
  if (from >= to) return null;
  const width = Math.min(mapUnits, Math.max(leastMark, unitsAt(shown, to) - unitsAt(shown, from)));
  const x = Math.min(unitsAt(shown, from), mapUnits - width);
  return { x, width, strength: bytes / length };
}

/** Joins adjacent marks, to draw few shapes; the strongest one counts. */
function joined(marks: readonly MapMark[]): MapMark[] {
  const found: MapMark[] = [];
  for (const mark of marks) {
    const last = found.at(-1);
    if (last === undefined || mark.x > last.x + last.width + 0.01) {
      found.push(mark);
      continue;
    }
    const isAlike = levelOf(mark.strength) === levelOf(last.strength);
    const end = Math.max(last.x + last.width, mark.x + mark.width);
    const isNarrow = mark.x - last.x < leastMark;
    if (!isAlike && !isNarrow) {
      found[found.length - 1] = { ...last, width: mark.x - last.x };
      found.push(mark);
      continue;
    }
    found[found.length - 1] = {
      x: last.x,
      width: end - last.x,
      strength: Math.max(last.strength, mark.strength),
    };
  }
  return found;
}

/** How dark a mark is, from 0 to 2: few of its bytes changed, some, or most. */
export function levelOf(strength: number): 0 | 1 | 2 {
  if (strength < 0.02) return 0;
  return strength < 0.25 ? 1 : 2;
}

/** The marks of the changes in a window: from the regions if there are any, else from the overview. */
export function marksIn(
  { overview: { cellBytes, cells } }: Pick<Comparison, 'overview'>,
  regions: readonly ChangedRegion[] | null,
  shown: MapWindow,
): MapMark[] {
  if (regions !== null) {
    return joined(
      regions.flatMap(({ offset, length, bytes }) => markOf(shown, offset, length, bytes) ?? []),
    );
  }
  const first = Math.floor(shown.from / cellBytes);
  const marks: MapMark[] = [];
  for (let cell = first; cell < cells.length && cell * cellBytes < shown.to; cell += 1) {
    const bytes = cells[cell] ?? 0;
    const mark = bytes === 0 ? null : markOf(shown, cell * cellBytes, cellBytes, bytes);
    if (mark !== null) marks.push(mark);
  }
  return joined(marks);
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
