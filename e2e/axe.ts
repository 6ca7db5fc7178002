/** What axe finds on a page. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The version of axe. */
export const axeVersion = axe.version;

/** A line for each rule that the page breaks as it stands; empty when axe finds nothing. */
export async function findWithAxe(page: Page): Promise<readonly string[]> {
  // evaluated from outside, so that the page's own policy need not allow it
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const running: Promise<axe.AxeResults> = window.axe.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
    });
    const report = await running;
    return report.violations.map(({ id, nodes }) => {
      const places = nodes.map(({ html, any }) => `${html} (${any[0]?.message ?? ''})`);
      return `${id}: ${places.join(' | ')}`;
    });
  }, standards);
}
