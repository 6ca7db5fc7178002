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
  let spans: Span[] = [];
  const scan = new RegionScan((offset, length) => {
    spans.push({ offset, length });
    if (spans.length > mostRegionsHeld) spans = merge(spans, mostRegionsHeld / 2);
  });
  scan.compare(before.subarray(0, common), after.subarray(0, common));
  scan.addChanged(size - common);
  scan.finish();
  return {
    bytes: scan.bytes,
    regions: scan.regions,
    size,
    strip: merge(spans, mostSpans),
    fraction: size === 0 ? 0 : scan.bytes / size,
  };
}

/**
 * Receives a region: a run of differing bytes, or several that are separated by less than 16 equal bytes. `bytes`:
 * those in it that differ. An image can have a million regions, so they are not objects.
 */
export type ReportRegion = (offset: number, length: number, bytes: number) => void;

/**
 * Finds the regions of two images that arrive in pieces, from first to last byte. Reports each region once, in
 * ascending order of offset, and remembers none.
 */
export class RegionScan {
  /** Bytes that differ. */
  bytes = 0;
  /** Regions that were reported. */
  regions = 0;
  readonly #report: ReportRegion;
  #at = 0;
  /** Of the region that is not reported yet; `end` is -1 if there is none. */
  #start = 0;
  #end = -1;
  #bytesBefore = 0;

  constructor(report: ReportRegion) {
    this.#report = report;
  }

  /** Compares the next bytes of both images, of equal length; returns how many differ. */
  compare(before: Uint8Array, after: Uint8Array): number {
    const bytesBefore = this.bytes;
    for (let from = 0; from < before.length; from += blockBytes) {
      const one = before.subarray(from, from + blockBytes);
      const other = after.subarray(from, from + blockBytes);
      if (Buffer.compare(one, other) !== 0) this.#compareBlock(one, other, this.#at + from);
    }
    this.#at += before.length;
    return this.bytes - bytesBefore;
  }

  /** Counts the next bytes, which only one of the images has, as changed. */
  addChanged(length: number): void {
    if (length === 0) return;
    this.#open(this.#at);
    this.#at += length;
    this.#end = this.#at;
    this.bytes += length;
  }

  /** Reports the last region. */
  finish(): void {
    if (this.#end === -1) return;
    this.regions += 1;
    this.#report(this.#start, this.#end - this.#start, this.bytes - this.#bytesBefore);
    this.#end = -1;
  }

  /** Continues the region before a differing byte, or begins a new one. */
  #open(at: number): void {
    if (this.#end !== -1 && at - this.#end < gapWithinRegion) return;
    this.finish();
    this.#start = at;
    this.#bytesBefore = this.bytes;
  }

  /** One loop for equal bytes and one for differing ones; they account for nearly all of a comparison's time. */
  #compareBlock(before: Uint8Array, after: Uint8Array, offset: number): void {
    const size = before.length;
    let index = 0;
    while (index < size) {
      while (index < size && before[index] === after[index]) index += 1;
      if (index === size) break;
      this.#open(offset + index);
      const from = index;
      while (index < size && before[index] !== after[index]) index += 1;
      this.bytes += index - from;
      this.#end = offset + index;
    }
  }
}

/** Limits the number of spans: the narrowest gaps between neighbors are closed first. */
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
