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

/** Size of the blocks that native code compares. Only blocks that differ are compared byte by byte. */
const blockBytes = 1024;

/** Compares two images; if one is shorter, the other's bytes beyond its end count as changed. */
export function compareImages(before: Uint8Array, after: Uint8Array): Changes {
  const common = Math.min(before.length, after.length);
  const size = Math.max(before.length, after.length);
  const found = new Regions();
  for (let from = 0; from < common; from += blockBytes) {
    const end = Math.min(from + blockBytes, common);
    if (Buffer.compare(before.subarray(from, end), after.subarray(from, end)) !== 0) {
      for (let at = from; at < end; at += 1) {
        if (before[at] !== after[at]) {
          found.add(at, 1);
        }
      }
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
