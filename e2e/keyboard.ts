/**
 * Simulates a keyboard-only user with a screen reader: goes to controls by Tab, and checks at every stop that the focus
 * is visible.
 */
import { expect, type Locator, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** The texts that a screen reader would have announced. */
    readonly spoken?: string[];
  }
}

/** More stops than any page has. */
const mostStops = 120;

/** The problem with the focus on the page in its current state; null if there is none. Runs in the page. */
function faultOfFocus(): string | null {
  const active = document.activeElement;
  if (active === null || active === document.body) return 'the focus is nowhere';
  const words = `${active.tagName} ${active.getAttribute('aria-label') ?? active.textContent}`;
  const name = words.trim().slice(0, 60);
  if (!active.checkVisibility({ visibilityProperty: true })) return `${name} is hidden`;
  // for a link that spans two lines, the first line counts: most of the box around both is not the link
  const { left, top, width, height } = active.getClientRects()[0] ?? active.getBoundingClientRect();
  if (width === 0 || height === 0) return `${name} has no size`;
  const isSeen = [0.5, 0.1, 0.9].some((share) => {
    const hit = document.elementFromPoint(left + width * share, top + height * share);
    return hit !== null && (hit === active || active.contains(hit) || hit.contains(active));
  });
  if (!isSeen) return `${name} is out of sight or covered`;
  // a heading that receives the focus is not a control: it needs no ring
  if (active.matches('main, h1, [role=dialog]')) return null;
  // a switch and a checkbox draw the ring on the element that represents them
  const drawn = active.matches('input[type=checkbox]') ? active.nextElementSibling : active;
  const ring = drawn === null ? null : getComputedStyle(drawn);
  const hasRing = ring !== null && ring.outlineStyle !== 'none' && ring.outlineWidth !== '0px';
  return hasRing ? null : `${name} has no ring`;
}

/** Expects that a visible element has the focus and shows it. */
export async function expectFocusSeen(page: Page, step: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(faultOfFocus), {
      message: `focus after ${step}`,
      intervals: [20, 50, 100, 200],
    })
    .toBeNull();
}

/** The direction of a control from the focus: the key that leads closer, or null when it has been reached. */
function wayTo(target: Element): 'Tab' | 'Shift+Tab' | null {
  const active = document.activeElement;
  if (active === target) return null;
  if (active === null || active === document.body) return 'Tab';
  const isBefore = active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBefore === 0 ? 'Tab' : 'Shift+Tab';
}

/** Goes to a control by Tab or Shift+Tab; every stop on the way must show the focus. */
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

/** Expects that Tab cycles within a popup, from its first control to its last and back to the first. */
export async function expectTrapped(page: Page, popup: Locator): Promise<void> {
  await expect(popup).toBeVisible();
  await expectFocusSeen(page, 'opening a popup');
  const controls = await popup.locator('a, button:enabled, input:enabled, textarea').count();
  const within = popup.locator(':focus');
  for (let stops = 0; stops <= controls; stops += 1) {
    await page.keyboard.press('Tab');
    await expect(within).toHaveCount(1);
    await expectFocusSeen(page, 'Tab in a popup');
  }
}

export async function press(
  page: Page,
  target: Locator,
  key: 'Enter' | 'Space' = 'Enter',
): Promise<void> {
  await goTo(page, target);
  await page.keyboard.press(key);
}

/** Opens the file chooser of a control and selects a file. */
export async function chooseBy(page: Page, target: Locator, key: 'Enter' | 'Space', path: string) {
  const opening = page.waitForEvent('filechooser');
  await press(page, target, key);
  await (await opening).setFiles(path);
}

/** Opens a menu's list and chooses an item with the arrow keys. */
export async function chooseItem(page: Page, trigger: Locator, item: Locator): Promise<void> {
  await goTo(page, trigger);
  await page.keyboard.press('ArrowDown');
  await expectFocusSeen(page, `opening ${trigger}`);
  for (let stops = 0; stops < mostStops; stops += 1) {
    if ((await item.evaluate(wayTo)) === null) break;
    await page.keyboard.press('ArrowDown');
    await expectFocusSeen(page, 'an arrow key in the menu');
  }
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
  // a menu that is still fading out has the same items as the next one
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/**
 * Starts recording what a screen reader would announce: changes within a live region that existed before them, and new
 * alerts.
 */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const spoken: string[] = [];
    Object.defineProperty(window, 'spoken', { value: spoken });
    const say = (region: Element): void => {
      // what an open popup has made inert is not announced
      if (region.closest('[inert], [aria-hidden=true]') !== null) return;
      if (region.textContent.trim() !== '') spoken.push(region.textContent);
    };
    const alertsIn = (node: Node): readonly Element[] =>
      node instanceof Element ? [node, ...node.querySelectorAll('*')] : [];
    const onMutation = ({ target, addedNodes }: MutationRecord): void => {
      const at = target instanceof Element ? target : target.parentElement;
      const region = at?.closest('[role=status], [role=alert], [aria-live]');
      if (region) return say(region);
      for (const node of addedNodes)
        for (const one of alertsIn(node)) if (one.matches('[role=alert]')) say(one);
    };
    new MutationObserver((changes) => changes.forEach(onMutation)).observe(document, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
}

/** Expects that a text was announced since the page was loaded. */
export async function expectSpoken(page: Page, words: RegExp): Promise<void> {
  await expect
    .poll(async () => (await page.evaluate(() => window.spoken ?? [])).join('\n'))
    .toMatch(words);
}

/** Signs in with the demo password, once for all users who are not asked for the terms of use again. */
export async function signInByKeyboard(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForURL(/\/idp\//);
  await goTo(page, page.locator('form input:not([type=password]):not([type=hidden])'));
  await page.keyboard.type('anna@demo.test');
  await goTo(page, page.locator('form input[type=password]'));
  await page.keyboard.type('demo');
  const terms = page.waitForResponse((one) => one.url().endsWith('/api/auth/tou/has-accepted'));
  await page.keyboard.press('Enter');
  const hasAccepted: unknown = await (await terms).json();
  if (hasAccepted === false) await acceptTerms(page);
  await expect(page.locator('h1')).toBeVisible();
}

async function acceptTerms(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expectTrapped(page, dialog);
  for (const statement of await dialog.getByRole('checkbox').all())
    await press(page, statement, 'Space');
  await press(page, dialog.getByRole('button').last());
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
}

/** Opens a page from the main menu; the focus moves to its title. */
export async function openByMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await press(page, menu.getByRole('link', { name, exact: true }));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
}
