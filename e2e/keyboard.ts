/** A hand that has only a keyboard: goes to controls by Tab, and sees to it that the focus can be seen at every stop. */
import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const mostStops = 120;

/** What is wrong with the place of the focus, as the page stands; null where nothing is. Runs in the page. */
function faultOfFocus(): string | null {
  const active = document.activeElement;
  if (active === null || active === document.body) return 'the focus is nowhere';
  const words = `${active.tagName} ${active.getAttribute('aria-label') ?? active.textContent}`;
  const name = words.trim().slice(0, 60);
  if (!active.checkVisibility({ visibilityProperty: true })) return `${name} is hidden`;
  const { left, top, width, height } = active.getBoundingClientRect();
  if (width === 0 || height === 0) return `${name} has no size`;
  const isSeen = [0.5, 0.1, 0.9].some((share) => {
    const hit = document.elementFromPoint(left + width * share, top + height * share);
    return hit !== null && (hit === active || active.contains(hit) || hit.contains(active));
  });
  if (!isSeen) return `${name} is out of sight or covered`;
  // a place where the reading goes on is no control: it needs no ring
  if (active.matches('main, h1, [role=dialog]')) return null;
  // a switch and a tick draw the ring on what stands for them
  const drawn = active.matches('input[type=checkbox]') ? active.nextElementSibling : active;
  const ring = drawn === null ? null : getComputedStyle(drawn);
  const hasRing = ring !== null && ring.outlineStyle !== 'none' && ring.outlineWidth !== '0px';
  return hasRing ? null : `${name} has no ring`;
}

/** Demands that the focus stands on something that can be seen, and shows it. */
export async function expectFocusSeen(page: Page, step: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(faultOfFocus), {
      message: `focus after ${step}`,
      intervals: [20, 50, 100, 200],
      timeout: 5_000,
    })
    .toBeNull();
}

/** Where a control stands from the focus: the key that leads nearer, or null when it has been reached. */
function wayTo(target: Element): 'Tab' | 'Shift+Tab' | null {
  const active = document.activeElement;
  if (active === target) return null;
  if (active === null || active === document.body) return 'Tab';
  const isBefore = active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBefore === 0 ? 'Tab' : 'Shift+Tab';
}

/** Goes to a control by Tab or Shift+Tab; every stop on the way must show that the focus is there. */
export async function goTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  for (let stops = 0; stops < mostStops; stops += 1) {
    const key = await target.evaluate(wayTo);
    if (key === null) return;
    await page.keyboard.press(key);
    await expectFocusSeen(page, `${key} on the way to ${target}`);
  }
  throw new Error(`${target} cannot be reached by Tab`);
}

export async function press(
  page: Page,
  target: Locator,
  key: 'Enter' | 'Space' = 'Enter',
): Promise<void> {
  await goTo(page, target);
  await page.keyboard.press(key);
}

/** Opens the file chooser of a control and takes a file. */
export async function chooseBy(page: Page, target: Locator, key: 'Enter' | 'Space', path: string) {
  const opening = page.waitForEvent('filechooser');
  await press(page, target, key);
  await (await opening).setFiles(path);
}
