/** What a text format provides: how to recognize it, and how to read the bytes that it stores. */

import type { Kind } from '../finding.ts';
import type { Records } from './records.ts';

/** Why a line of a text cannot be read. */
export const textProblems = [
  'checksum',
  'length',
  'digits',
  'record-type',
  'segment-end',
  'trailing-text',
  'overlap',
  'after-end',
  'record-count',
  'no-end',
  'address',
  'text-column',
  'items',
  'too-large',
] as const;
export type TextProblem = (typeof textProblems)[number];

/** A line that cannot be read. `line` counts from 1; `otherLine` is set if two lines contradict each other. */
export class DamagedLine extends Error {
  readonly problem: TextProblem;
  readonly line: number;
  readonly otherLine: number | null;
  constructor(problem: TextProblem, line: number, otherLine: number | null = null) {
    super(`line ${line}: ${problem}`);
    this.name = 'DamagedLine';
    this.problem = problem;
    this.line = line;
    this.otherLine = otherLine;
  }
}

/** The beginning of a text. */
export interface TextStart {
  /** The first lines that are not blank, without blanks around them, each cut at 1,024 characters. */
  readonly lines: readonly string[];
  /** The first 4 KiB. */
  readonly text: string;
}

/** A format that stores bytes as text. */
export interface TextFormat {
  readonly kind: Kind;
  readonly name: string;
  /** Whether its addresses say where the bytes belong. Without them, the bytes form one block. */
  readonly hasAddresses: boolean;
  readonly matches: (start: TextStart) => boolean;
  /** Adds the bytes of the text to `records`. Throws {@link DamagedLine}. */
  readonly read: (text: Uint8Array, records: Records) => void;
}
