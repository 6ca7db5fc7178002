/** The audit's part `sizes`: no page exceeds its budget. */
import { headOf, type PartResult, tableOf } from './audit-part.ts';
import { weighPages } from './page-sizes.ts';

const asKB = (bytes: number): string => (bytes / 1000).toFixed(1);

/** Measures every page of the last build. */
export async function auditSizes(): Promise<PartResult> {
  const sizes = weighPages();
  const rows = sizes.map(({ name, weight, budget, locale }) => {
    const verdict = weight > budget ? '**over**' : 'passed';
    return [name, asKB(weight), asKB(budget), locale, verdict];
  });
  const report = `${headOf('Page sizes', 'sizes', ['the pages as `npm start` builds them'])}
The files that a first visit loads before the page can be used: JavaScript, styles and one locale (the one with the largest
total), in kB (1000 bytes) after brotli compression at build time. Other pages and languages are loaded on demand. Fonts and
images are not counted.

${tableOf(['page', 'kB', 'budget', 'largest in', ''], rows)}`;
  return {
    hasPassed: sizes.every(({ weight, budget }) => weight <= budget),
    lines: rows.map(
      ([name, kB, budget, , verdict]) => `${name}: ${kB} kB of ${budget} (${verdict})`,
    ),
    report,
  };
}
