/** The statistic that most benchmarks report. */

/** The middle value, or the upper of the two in the middle; NaN if there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
