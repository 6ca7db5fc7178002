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

/** The rules whose outcome depends on colours. */
export const colourRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * A line for each rule that the page breaks as it stands; empty when axe finds nothing. Asks for all rules of our standards,
 * or for those named.
 */
export async function findWithAxe(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> {
  // evaluated from outside, so that the page's own policy need not allow it
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const asked: axe.RunOnly =
    rules === null ? { type: 'tag', values: standards } : { type: 'rule', values: [...rules] };
  return page.evaluate(async (runOnly) => {
    // colours are looked at where they have arrived; what moves for longer (a toast's time, a loader) changes none
    const moving = document.getAnimations().filter(({ effect, playState }) => {
      const end = effect?.getComputedTiming().endTime;
      return playState === 'running' && Number(end) <= 1000;
    });
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const running: Promise<axe.AxeResults> = window.axe.run(document, {
      runOnly,
      resultTypes: ['violations'],
    });
    const report = await running;
    return report.violations.map(({ id, nodes }) => {
      const places = nodes.map(({ html, any }) => `${html} (${any[0]?.message ?? ''})`);
      return `${id}: ${places.join(' | ')}`;
    });
  }, asked);
}
