/** Where the parts of a file belong in the image, as shapes of a picture that is 1000 units wide; pure. */
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';

/** A part of a bar: the image above, or the file below. */
export interface ImageBar {
  readonly x: number;
  readonly width: number;
}

/** A part of the file, its place in the image, and the shape that joins them. */
export interface Joined {
  readonly above: ImageBar;
  readonly below: ImageBar;
}

export interface Picture {
  readonly image: ImageBar;
  readonly file: ImageBar;
  readonly joined: readonly Joined[];
  /** Parts of the image that the file lacks. */
  readonly missing: readonly ImageBar[];
  /** Parts of the file that do not belong to the image. */
  readonly outside: readonly ImageBar[];
}

/** Units of the width. */
export const width = 1000;
/** The least width of a part: even one byte stays visible. */
const least = 6;

/** The kinds whose file is an image after an accident: both can be drawn on one scale. */
const drawn: readonly Diagnosis['kind'][] = [
  'repeated',
  'pieces',
  'inside',
  'partial',
  'shifted',
  'erased-part',
];

/** The picture of a diagnosis; null if there is nothing to draw. */
export function layOut({ kind, details }: Pick<Diagnosis, 'kind' | 'details'>): Picture | null {
  const { size, imageSize, pieces = [], missing = [], outside = [] } = details;
  if (!drawn.includes(kind) || imageSize === null || size === 0) return null;
  const scale = width / Math.max(size, imageSize);
  const bar = (offset: number, length: number): ImageBar => {
    const wide = Math.max(least, length * scale);
    return { x: Math.max(0, Math.min(offset * scale, width - wide)), width: wide };
  };
  return {
    image: bar(0, imageSize),
    file: bar(0, size),
    joined: pieces.map(({ from, to, length }) => ({
      above: bar(to, length),
      below: bar(from, length),
    })),
    missing: missing.map(({ offset, length }) => bar(offset, length)),
    outside: outside.map(({ offset, length }) => bar(offset, length)),
  };
}
