/** Checks one state of a page in every way that the audit supports. */
import type { Page } from '@playwright/test';
import { colorRules, findWithAxe, settle } from '../../e2e/axe.ts';
import { findMisnamed } from '../../e2e/label-in-name.ts';
import { tightScreens, wideScreen } from './screens.ts';
import { findTextFaults } from './unreadable-text.ts';

/** The findings in one state of a page. */
export interface Inspection {
  readonly state: string;
  readonly language: string;
  /** How often axe ran, and how many other checks were made: of texts, motion, names and forced colors. */
  readonly axeRuns: number;
  readonly otherChecks: number;
  readonly findings: readonly string[];
}

/** Elements that move although the browser requests reduced motion. Runs in the page. */
function findMotion(): string[] {
  const moving = document.getAnimations().filter((animation) => {
    const { duration } = animation.effect?.getTiming() ?? {};
    return animation.playState === 'running' && typeof duration === 'number' && duration > 1;
  });
  return moving.length === 0 ? [] : [`${moving.length} animations run`];
}

/** Controls that are visible only because of our colors, which forced colors remove. Runs in the page. */
function findUnmarked(): string[] {
  const controls = document.querySelectorAll<HTMLElement>('button, input, textarea, a[href]');
  return [...controls].flatMap((control) => {
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    // only for screen readers
    if (control.offsetWidth <= 1) return [];
    const { borderTopWidth, borderTopStyle } = getComputedStyle(control);
    const hasBorder = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0;
    const hasWords = control.innerText.trim() !== '' || control.querySelector('svg, img') !== null;
    return hasBorder || hasWords ? [] : [`nothing shows ${control.outerHTML.slice(0, 120)}`];
  });
}

function under(name: string, found: readonly string[]): readonly string[] {
  return found.map((one) => `${name}: ${one}`);
}

/**
 * Light and dark, and in the thorough check also forced colors. The dark page is the light one with other colors: all
 * rules run there once, in the thorough check, and the color rules in every one.
 */
async function findInColors(page: Page, isThorough: boolean): Promise<readonly string[]> {
  const findings = [...under('axe, light', await findWithAxe(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  const rules = isThorough ? null : colorRules;
  findings.push(...under('axe, dark', await findWithAxe(page, rules)));
  await page.emulateMedia({ colorScheme: 'light' });
  if (!isThorough) return findings;
  await page.emulateMedia({ forcedColors: 'active' });
  findings.push(...under('axe, forced colors', await findWithAxe(page)));
  findings.push(...under('forced colors', await page.evaluate(findUnmarked)));
  await page.emulateMedia({ forcedColors: 'none' });
  return findings;
}

/** Popups above the page: a resize may close one, and the check would then see a different state. */
function countPopups(page: Page): Promise<number> {
  return page.locator('[role=menu], [role=dialog]').count();
}

/**
 * Checks a page in its current state on the wide screen, which is restored afterward. Axe checks the phone's screen and
 * forced colors only in English.
 */
export async function inspect(page: Page, state: string, language: string): Promise<Inspection> {
  const isThorough = language === 'en-US';
  const start = page.viewportSize() ?? wideScreen;
  await page.evaluate(settle);
  const popups = await countPopups(page);
  // A control half under the header would be too small a target; scrolling closes an open menu.
  if (popups === 0) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const findings = [
    ...under(`${start.width} px`, await findTextFaults(page)),
    ...(await findInColors(page, isThorough)),
    ...under('reduced motion', await page.evaluate(findMotion)),
    ...under('label in name', await findMisnamed(page)),
  ];
  for (const { name, size } of tightScreens) {
    await page.setViewportSize(size);
    await page.evaluate(settle);
    findings.push(...under(name, await findTextFaults(page)));
    if (isThorough && size.width === 320)
      findings.push(...under('axe, 320 px', await findWithAxe(page)));
  }
  const left = await countPopups(page);
  if (left < popups) findings.push('a popup closed while the screen changed');
  await page.setViewportSize(wideScreen);
  return {
    state,
    language,
    axeRuns: isThorough ? 4 : 2,
    otherChecks: 1 + tightScreens.length + (isThorough ? 3 : 2),
    findings,
  };
}
