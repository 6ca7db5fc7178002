/** Looks at one state of a page in every way that the audit knows. */
import type { Page } from '@playwright/test';
import { colourRules, findWithAxe, settle } from '../../e2e/axe.ts';
import { tightScreens, wideScreen } from './screens.ts';
import { findTextFaults } from './text-faults.ts';

/** What was found in one state of a page. */
export interface Sight {
  readonly state: string;
  readonly language: string;
  /** How often axe ran, how often the texts were looked at, and how many other checks were made. */
  readonly axeRuns: number;
  readonly textLooks: number;
  readonly otherChecks: number;
  readonly findings: readonly string[];
}

/** What moves although the page was asked for less motion. Runs in the page. */
function findMotion(): string[] {
  const moving = document.getAnimations().filter((animation) => {
    const { duration } = animation.effect?.getTiming() ?? {};
    return animation.playState === 'running' && typeof duration === 'number' && duration > 1;
  });
  return moving.length === 0 ? [] : [`${moving.length} animations run`];
}

/** Controls that nothing but a colour of ours shows, which forced colours take away. Runs in the page. */
function findUnmarked(): string[] {
  const controls = document.querySelectorAll<HTMLElement>('button, input, textarea, a[href]');
  return [...controls].flatMap((control) => {
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
    // for screen readers alone
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
 * Light and dark, and where it is thorough one more: the reader's own colours. The dark page is the light one with other
 * colours: all rules are asked there once, in the thorough look, and those on colours in every one.
 */
async function findInColours(page: Page, isThorough: boolean): Promise<readonly string[]> {
  const findings = [...under('axe, light', await findWithAxe(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  const rules = isThorough ? null : colourRules;
  findings.push(...under('axe, dark', await findWithAxe(page, rules)));
  await page.emulateMedia({ colorScheme: 'light' });
  if (!isThorough) return findings;
  await page.emulateMedia({ forcedColors: 'active' });
  findings.push(...under('axe, forced colours', await findWithAxe(page)));
  findings.push(...under('forced colours', await page.evaluate(findUnmarked)));
  await page.emulateMedia({ forcedColors: 'none' });
  return findings;
}

/** Popups that stand over the page: a resize may close one, and what is looked at then is another state. */
function countPopups(page: Page): Promise<number> {
  return page.locator('[role=menu], [role=dialog]').count();
}

/** Looks at a page as it stands on the wide screen, where it is afterwards too. Axe looks at the phone's screen and at forced colours in English alone. */
export async function lookAt(page: Page, state: string, language: string): Promise<Sight> {
  const isThorough = language === 'en-US';
  const start = page.viewportSize() ?? wideScreen;
  await page.evaluate(settle);
  const popups = await countPopups(page);
  // Half under the header, a control would be too small to be hit; scrolling closes an open menu.
  if (popups === 0) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const findings = [
    ...under(`${start.width} px`, await findTextFaults(page)),
    ...(await findInColours(page, isThorough)),
    ...under('reduced motion', await page.evaluate(findMotion)),
  ];
  for (const { name, size } of tightScreens) {
    await page.setViewportSize(size);
    await page.evaluate(settle);
    findings.push(...under(name, await findTextFaults(page)));
    if (isThorough && size.width === 360)
      findings.push(...under('axe, 360 px', await findWithAxe(page)));
  }
  const left = await countPopups(page);
  if (left < popups) findings.push('a popup closed while the screen changed');
  await page.setViewportSize(wideScreen);
  return {
    state,
    language,
    axeRuns: isThorough ? 4 : 2,
    textLooks: 1 + tightScreens.length,
    otherChecks: isThorough ? 2 : 1,
    findings,
  };
}
