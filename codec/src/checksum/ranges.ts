/** Which bytes a rule covers: fixed ranges or a table in the image, within the limits of the rule language. */

import type { Range, RangeSource, RangeTable } from './scheme.ts';
import { bytesOf, readNumber } from './numbers.ts';

/** The maximum number of ranges per rule, and of rules per scheme. */
export const rangesAtMost = 1024;
export const rulesAtMost = 256;
/** The maximum number of bytes processed per pass, as a multiple of the image's size. */
export const passesOverImageAtMost = 16;

/** Whether a range is inside an image of this size. */
export function isInside(range: Range, size: number): boolean {
  const { at, length } = range;
  return (
    Number.isSafeInteger(at) &&
    Number.isSafeInteger(length) &&
    at >= 0 &&
    length >= 0 &&
    at + length <= size
  );
}

/** Whether two ranges overlap. */
export function overlap(a: Range, b: Range): boolean {
  return a.at < b.at + b.length && b.at < a.at + a.length;
}

/** The total bytes of all ranges, counted as often as they are covered. */
export function totalLength(ranges: readonly Range[]): number {
  return ranges.reduce((total, { length }) => total + length, 0);
}

/** What a rule covers in this image, or null if that is invalid: outside, empty, too many, unreadable. */
export function resolveRanges(source: RangeSource, image: Uint8Array): readonly Range[] | null {
  const ranges = 'table' in source ? readTable(source.table, image) : source;
  if (ranges === null || ranges.length === 0 || ranges.length > rangesAtMost) {
    return null;
  }
  return ranges.every((range) => isInside(range, image.length)) ? ranges : null;
}

/** The bytes of the image that determine what a rule covers: the table and its count. */
export function tablePlaces(source: RangeSource, image: Uint8Array): readonly Range[] {
  if (!('table' in source)) {
    return [];
  }
  const { at, count, type } = source.table;
  const entries = Math.min(entryCount(source.table, image) ?? 0, rangesAtMost);
  const table = { at, length: entries * 2 * bytesOf(type) };
  return typeof count === 'number'
    ? [table]
    : [table, { at: count.at, length: bytesOf(count.type) }];
}

function entryCount({ count }: RangeTable, image: Uint8Array): number | null {
  if (typeof count === 'number') {
    return count;
  }
  const read = readNumber(image, count.at, count.type);
  return read === null ? null : Number(read);
}

/** An entry of length 0 is an unused entry of the table. */
function readTable(table: RangeTable, image: Uint8Array): readonly Range[] | null {
  const count = entryCount(table, image);
  if (count === null || count > rangesAtMost) {
    return null;
  }
  const size = bytesOf(table.type);
  const ranges: Range[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = table.at + index * 2 * size;
    const first = readNumber(image, place, table.type);
    const second = readNumber(image, place + size, table.type);
    if (first === null || second === null) {
      return null;
    }
    const at = Number(first) - (table.base ?? 0);
    const end = Number(second) - (table.base ?? 0);
    const lengths = { length: Number(second), last: end - at + 1, after: end - at };
    const length = lengths[table.second];
    if (length !== 0) {
      ranges.push({ at, length });
    }
  }
  return ranges;
}

/** Ranges sorted and merged, for fast lookup. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: { at: number; length: number }[] = [];
  for (const { at, length } of ranges.toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last && at <= last.at + last.length) {
      last.length = Math.max(last.length, at + length - last.at);
    } else if (length > 0) {
      merged.push({ at, length });
    }
  }
  return merged;
}

/** Whether merged ranges overlap a place. */
export function touches(merged: readonly Range[], place: Range): boolean {
  let low = 0;
  let high = merged.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = merged[middle];
    if (range && range.at + range.length > place.at) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const candidate = merged[low];
  return candidate !== undefined && overlap(candidate, place);
}
