/** The audit's part `sizes`: no page exceeds its budget. */
import type { PartResult } from './audit-part.ts';
import { weighPages } from './page-sizes.ts';

const asKB = (bytes: number): string => (bytes / 1000).toFixed(1);

/** Measures every page of the last build. */
export async function auditSizes(): Promise<PartResult> {
  const sizes = weighPages();
  const lines = sizes.map(({ name, weight, budget, locale }) => {
    const verdict = weight > budget ? 'over' : 'passed';
    return `${name}: ${asKB(weight)} kB of ${asKB(budget)} in ${locale} (${verdict})`;
  });
  return { hasPassed: sizes.every(({ weight, budget }) => weight <= budget), lines, report: null };
}
