/** The positions of the marks in a changes strip. */

export interface StripSpan {
  readonly offset: number;
  readonly length: number;
}

/** A mark in the strip's own units. */
export interface StripMark {
  readonly x: number;
  readonly width: number;
}

/**
 * Scales spans of an image of `size` bytes to a strip `width` units wide. A single byte remains visible (at least 3
 * units), and marks that touch are merged.
 */
export function stripMarks(spans: readonly StripSpan[], size: number, width: number): StripMark[] {
  if (size <= 0) return [];
  const least = 3;
  const marks: StripMark[] = [];
  for (const { offset, length } of [...spans].sort((a, b) => a.offset - b.offset)) {
    const wide = Math.min(width, Math.max(least, (length / size) * width));
    const x = Math.min((offset / size) * width, width - wide);
    const last = marks.at(-1);
    if (last !== undefined && x <= last.x + last.width) {
      const end = Math.max(last.x + last.width, x + wide);
      marks[marks.length - 1] = { x: last.x, width: end - last.x };
    } else {
      marks.push({ x, width: wide });
    }
  }
  return marks;
}
