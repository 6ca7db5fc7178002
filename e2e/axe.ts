/** Runs axe on a page and returns its findings. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    readonly axe: typeof axe;
    readonly settledLook?: (options: axe.RunOptions) => Promise<Look>;
  }
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The version of axe. */
export const axeVersion = axe.version;

/** The rules whose result depends on colors. */
export const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * Waits until color transitions and fades have finished; longer animations (a toast's timer, a loader) change no
 * color. Runs in the page.
 */
export async function settle(): Promise<void> {
  // on a busy machine, one of these once never fired: axe then checks the page as it is
  const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
    Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
  const frame = () => atMost(60_000, new Promise(requestAnimationFrame));
  await atMost(60_000, document.fonts.ready);
  await frame();
  await frame();
  const moving = document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= 1000);
  await atMost(60_000, Promise.allSettled(moving.map(({ finished }) => finished)));
}

/**
 * What axe reports for the page at one moment, and whether something moved during the check: then its results about
 * colors and distances are meaningless.
 */
interface Look {
  readonly findings: readonly string[];
  readonly hasMoved: boolean;
}

/** Runs axe once. Runs in the page. */
async function look(options: axe.RunOptions): Promise<Look> {
  const isMoving = (): boolean =>
    document
      .getAnimations()
      .some(
        ({ effect, playState }) =>
          playState === 'running' && Number(effect?.getComputedTiming().endTime) <= 1000,
      );
  // a message that arrives or expires meanwhile moves controls, some of which axe has already measured
  const places = (): string =>
    [...document.querySelectorAll('a, button, input')]
      .map((control) => JSON.stringify(control.getBoundingClientRect()))
      .join();
  const before = places();
  let hasMoved = isMoving();
  const note = (): void => {
    hasMoved ||= isMoving();
  };
  const moves = ['transitionrun', 'animationstart'] as const;
  for (const move of moves) document.addEventListener(move, note);
  const report = await window.axe.run(document, {
    ...options,
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
  });
  for (const move of moves) document.removeEventListener(move, note);
  const findings = report.violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html, any }) => `${html} (${any[0]?.message ?? ''})`);
    return `${id}: ${places.join(' | ')}`;
  });
  const isShifted = findings.length > 0 && places() !== before;
  return { findings, hasMoved: hasMoved || isMoving() || isShifted };
}

const isAboutSize = (finding: string): boolean => finding.startsWith('target-size:');

/**
 * Axe, and our functions that use it, with which one call does the work of several. Minified: each process of pages that
 * are checked parses it, which takes half the time of `axe.source`.
 */
const source = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};
(() => {
  ${settle}
  ${look}
  window.settledLook = (options) => settle().then(() => look(options));
})()`;

/** Scrolls the page, and returns where it was. Runs in the page. */
function scrollToPlace(top: number): number {
  const before = window.scrollY;
  window.scrollTo({ top, behavior: 'instant' });
  return before;
}

/** Maximum number of runs, in case a page never stops moving. */
const mostLooks = 20;

/** The sessions with the developer tools of Chromium's pages. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Adds our source to the page from outside, so that the page's own policy need not allow it. Chromium keeps what it has
 * compiled of a script for the next pages of the same process; `evaluate` passes the text to `eval`, which compiles again.
 */
async function addSource(page: Page): Promise<void> {
  const context = page.context();
  if (context.browser()?.browserType().name() !== 'chromium') {
    await page.evaluate(source);
    return;
  }
  const known = sessions.get(page) ?? context.newCDPSession(page);
  sessions.set(page, known);
  const session = await known;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: source });
  if (exceptionDetails !== undefined) throw new Error(`axe: ${exceptionDetails.text}`);
}

/** Runs axe once in a page that has settled. */
async function lookAt(page: Page, options: axe.RunOptions): Promise<Look> {
  for (;;) {
    const seen = await page.evaluate((asked) => window.settledLook?.(asked) ?? null, options);
    if (seen !== null) return seen;
    await addSource(page);
  }
}

/**
 * Returns a line for each rule that the page breaks in its current state; empty when axe finds nothing. Runs all rules
 * of our standards, or the named ones; `except` omits rules that make no sense for this content. What is only loaded
 * while axe runs, such as a dialog, is seen too.
 */
export async function findWithAxe(
  page: Page,
  rules: readonly string[] | null = null,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  const asked: axe.RunOnly =
    rules === null ? { type: 'tag', values: standards } : { type: 'rule', values: [...rules] };
  const off = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  const options = { runOnly: asked, rules: off };
  for (let left = mostLooks; ; left -= 1) {
    const { findings, hasMoved } = await lookAt(page, options);
    if (hasMoved && left > 1) continue;
    if (!findings.some(isAboutSize)) return findings;
    // the header covers whatever has been scrolled behind it: at the top of the page, it covers nothing
    const top = await page.evaluate(scrollToPlace, 0);
    const atTop = await lookAt(page, options);
    await page.evaluate(scrollToPlace, top);
    return [...findings.filter((one) => !isAboutSize(one)), ...atTop.findings.filter(isAboutSize)];
  }
}
