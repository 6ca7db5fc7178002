/** The statistics that benchmarks report. */

/** The value at this share of the sorted values (0.95 for the p95); NaN if there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** The middle value, or the upper of the two in the middle; NaN if there is none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
