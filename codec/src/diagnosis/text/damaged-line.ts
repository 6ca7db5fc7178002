/** The error for a line of a text that cannot be read. */

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
