/** What a test proposes before its repair is checked. */

import type { Details, Extra, Piece } from './finding.ts';
import type { DiagnosisKind } from './kinds.ts';
import { mostListed } from './finding.ts';
import type { Reference } from './agreement.ts';

/** An explanation of a misfit. */
export interface Explained {
  readonly kind: DiagnosisKind;
  readonly details: Omit<Details, 'size' | 'imageSize'>;
  /** The image that results; null if none does. It is checked before it is offered. */
  readonly result: (() => Uint8Array) | null;
  /** Whether the result can be offered; else it only shows whether this explanation is right. */
  readonly isOffered: boolean;
  readonly isLossless: boolean;
}

/** Describes a part of the file that is not in the image. */
export function describeExtra(file: Uint8Array, from: number, to: number): Extra {
  const part = file.subarray(from, to);
  const first = part[0] ?? 0;
  return {
    offset: from,
    length: part.length,
    fill: part.every((byte) => byte === first) ? first : null,
    start: Buffer.from(part.subarray(0, 32)).toString('hex'),
  };
}

/** The parts before and behind a piece of the file. */
export function extrasAround(file: Uint8Array, { from, length }: Piece): Extra[] {
  return [
    ...(from > 0 ? [describeExtra(file, 0, from)] : []),
    ...(from + length < file.length ? [describeExtra(file, from + length, file.length)] : []),
  ];
}

/** The parts of an image that no piece covers. Pieces may be in any order. */
export function gapsBetween(pieces: readonly Piece[], imageSize: number) {
  const gaps: { offset: number; length: number }[] = [];
  let covered = 0;
  for (const { to, length } of pieces.toSorted((a, b) => a.to - b.to)) {
    if (to > covered) gaps.push({ offset: covered, length: to - covered });
    covered = Math.max(covered, to + length);
  }
  if (covered < imageSize) gaps.push({ offset: covered, length: imageSize - covered });
  return gaps.slice(0, mostListed);
}

/** The read's image with pieces of the file laid over it. */
export function lay({ image }: Reference, file: Uint8Array, pieces: readonly Piece[]): Uint8Array {
  const result = new Uint8Array(image);
  for (const { from, to, length } of pieces) result.set(file.subarray(from, from + length), to);
  return result;
}
