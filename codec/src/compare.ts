/** The differences between two images: how many bytes, in how many regions, and where in the image. */

/** A range of an image, in bytes. */
export interface Span {
  offset: number;
  length: number;
}

/** The changes of a modified image. */
export interface Changes {
  /** Bytes that differ. */
  bytes: number;
  /** Regions: runs of differing bytes; runs separated by less than 16 equal bytes count as one. */
  regions: number;
  /** Bytes of the longer image. */
  size: number;
  /** The positions, in at most 64 spans in ascending order; the nearest regions are merged until the limit is met. */
  strip: Span[];
  /** `bytes / size`, 0 for empty images. */
  fraction: number;
}

const gapWithinRegion = 16;
const mostSpans = 64;
/** The number of regions above which they are merged during the comparison, so that memory use stays bounded. */
const mostRegionsHeld = 4096;

/** Compares two images; if one is shorter, the other's bytes beyond its end count as changed. */
export function compareImages(before: Uint8Array, after: Uint8Array): Changes {
  const common = Math.min(before.length, after.length);
  const size = Math.max(before.length, after.length);
  const found = new Regions();
  let at = 0;
  const words = wordsOf(before, after, common);
  if (words !== null) {
    at = compareWords(words, before, after, found);
  }
  for (; at < common; at += 1) {
    if (before[at] !== after[at]) {
      found.add(at, 1);
    }
  }
  if (size > common) {
    found.add(common, size - common);
  }
  return {
    bytes: found.bytes,
    regions: found.count,
    size,
    strip: merge(found.spans, mostSpans),
    fraction: size === 0 ? 0 : found.bytes / size,
  };
}

interface Words {
  before: Uint32Array;
  after: Uint32Array;
}

/**
 * Both images as 32-bit words, which needs four times fewer steps over equal bytes; null if they are not word-aligned.
 */
function wordsOf(before: Uint8Array, after: Uint8Array, common: number): Words | null {
  if (before.byteOffset % 4 !== 0 || after.byteOffset % 4 !== 0) {
    return null;
  }
  const count = Math.floor(common / 4);
  return {
    before: new Uint32Array(before.buffer, before.byteOffset, count),
    after: new Uint32Array(after.buffer, after.byteOffset, count),
  };
}

/** Compares word by word and returns the offset of the first byte after the last whole word. */
function compareWords(words: Words, before: Uint8Array, after: Uint8Array, found: Regions): number {
  const count = words.before.length;
  for (let index = 0; index < count; index += 1) {
    if (words.before[index] !== words.after[index]) {
      for (let at = index * 4; at < index * 4 + 4; at += 1) {
        if (before[at] !== after[at]) {
          found.add(at, 1);
        }
      }
    }
  }
  return count * 4;
}

/** The regions found so far. */
class Regions {
  bytes = 0;
  count = 0;
  spans: Span[] = [];
  #end = Number.NEGATIVE_INFINITY;

  /** Records differing bytes, in ascending order of offset. */
  add(offset: number, length: number): void {
    this.bytes += length;
    const last = this.spans.at(-1);
    if (last !== undefined && offset - this.#end < gapWithinRegion) {
      last.length = offset + length - last.offset;
    } else {
      this.count += 1;
      this.spans.push({ offset, length });
      if (this.spans.length > mostRegionsHeld) {
        this.spans = merge(this.spans, mostRegionsHeld / 2);
      }
    }
    this.#end = offset + length;
  }
}

/** Limits the number of spans: the narrowest gaps between neighbours are closed first. */
function merge(spans: readonly Span[], most: number): Span[] {
  if (spans.length <= most) {
    return [...spans];
  }
  const gaps = spans
    .slice(1)
    .map((span, index) => ({ index: index + 1, gap: gapBefore(spans, index + 1, span) }))
    .toSorted((a, b) => b.gap - a.gap || a.index - b.index);
  const starts = new Set(gaps.slice(0, most - 1).map(({ index }) => index));
  const merged: Span[] = [];
  for (const [index, span] of spans.entries()) {
    const last = merged.at(-1);
    if (last === undefined || starts.has(index)) {
      merged.push({ ...span });
    } else {
      last.length = span.offset + span.length - last.offset;
    }
  }
  return merged;
}

function gapBefore(spans: readonly Span[], index: number, span: Span): number {
  const previous = spans[index - 1];
  return previous === undefined ? 0 : span.offset - (previous.offset + previous.length);
}
