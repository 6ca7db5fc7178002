/** Opens the states of the gallery, and checks what every component must do in each of its states. */
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { colorRules, findWithAxe } from '../axe.ts';
import { isEachRun } from '../each-run.ts';
import { findMisnamed } from '../label-in-name.ts';

/** The expectations of a state beyond those of all states. The page shows only this state. */
export type Promises = (page: Page) => Promise<void>;

/** The states of a group of the gallery, by the component's file under `web/src/` and the state's name. */
export type Group = Readonly<Record<string, Readonly<Record<string, Promises>>>>;

/** Rules for whole pages: a component alone has no landmarks and no first heading. */
const pageRules = ['landmark-one-main', 'page-has-heading-one', 'region'];
/** States with a main region but without a title: one that is still loading, and a print sheet. */
const untitled: readonly string[] = [
  'app/page-loader.tsx: after a while',
  'features/recoding/encode/job-sheet.tsx: print this frame',
];
/** The error that the gallery's broken component throws on purpose. */
const breaksOnPurpose = /a part that breaks down/;
const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 900 };

interface Kept {
  page: Page | null;
}

/**
 * One page for all tests of a worker, because loading the gallery takes longer than testing a state. It fails a test in
 * which it logs an error; React's development build logs its warnings as errors.
 */
export const test = base.extend<{ readonly page: Page }, { readonly kept: Kept }>({
  kept: [
    async ({}, use) => {
      const kept: Kept = { page: null };
      await use(kept);
      await kept.page?.context().close();
    },
    { scope: 'worker' },
  ],
  page: async ({ kept, browser, contextOptions, baseURL }, use, testInfo) => {
    kept.page ??= await browser.newPage({ ...contextOptions, ...(baseURL && { baseURL }) });
    const { page } = kept;
    const logged: string[] = [];
    const onLog = (message: ConsoleMessage): void => {
      if (message.type() === 'error') logged.push(message.text());
    };
    const onError = (error: Error): void => void logged.push(String(error));
    page.on('console', onLog).on('pageerror', onError);
    await use(page);
    page.off('console', onLog).off('pageerror', onError);
    if (testInfo.status !== 'passed') {
      kept.page = null;
      await page.context().close();
    }
    expect(logged.filter((text) => !breaksOnPurpose.test(text))).toEqual([]);
  },
});

/** Whether the page shows a state, and whether it has a title that it needs. */
interface Shown {
  readonly isShown: boolean;
  readonly isPage: boolean;
  readonly hasTitle: boolean;
}

/**
 * Changes the fragment of the address, first to none of the states, and waits until the gallery shows it, unless
 * something is left of another state. Runs in the page: a navigation takes longer than to show a state.
 */
async function showPlace(place: string): Promise<Shown> {
  const { documentElement: root } = document;
  const show = (fragment: string): Promise<void> =>
    new Promise((resolve) => {
      const asked = new URLSearchParams(fragment).get('only') ?? '';
      const check = (): void => {
        if (root.dataset.shows !== asked) return;
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(check);
      observer.observe(root, { attributes: true });
      location.hash = fragment;
      check();
    });
  const main = (): Element | null =>
    document.querySelector('main:not([aria-hidden=true] *, [inert] *)');
  // a toast outlasts its state; to close it takes a fraction of the time to load the page again
  const toasts = '[role=alertdialog]';
  for (const toast of document.querySelectorAll(toasts))
    toast.querySelector<HTMLElement>('[slot=close]')?.click();
  if (document.querySelector(toasts) !== null) await new Promise(requestAnimationFrame);
  // what tests replace would last: the gallery's own `fetch`, the clipboard, and printing
  const isReplaced =
    fetch.name !== 'fetchNothing' ||
    Object.hasOwn(navigator, 'clipboard') ||
    !String(print).includes('[native code]');
  const isClean =
    location.pathname === '/gallery.html' &&
    !isReplaced &&
    document.cookie === '' &&
    document.querySelector(toasts) === null;
  if (!isClean) return { isShown: false, isPage: false, hasTitle: false };
  await show('only=');
  localStorage.clear();
  sessionStorage.clear();
  delete root.dataset.reports;
  await show(place);
  return {
    isShown: true,
    isPage: main() !== null,
    hasTitle: document.querySelector('h1') !== null,
  };
}

/** Shows one state, alone in the window, with storage and toasts reset. Returns whether it is a page with a title. */
export async function openState(page: Page, group: string, id: string): Promise<boolean> {
  const size = page.viewportSize();
  if (size?.width !== wide.width || size.height !== wide.height) await page.setViewportSize(wide);
  const place = `group=${group}&only=${encodeURIComponent(id)}`;
  let shown = await page.evaluate(showPlace, place);
  if (!shown.isShown) {
    await page.context().clearCookies();
    // with all that the browser has cached, unlike a new page
    if (new URL(page.url()).pathname === '/gallery.html') await page.reload();
    else await page.goto('/gallery.html?bare=#only=');
    shown = await page.evaluate(showPlace, place);
  }
  expect(shown.isShown, 'the state is shown').toBe(true);
  const isPage = shown.isPage && !untitled.includes(id);
  // some pages load their content when it is first shown: without it the checks would pass or fail on an empty page
  if (isPage && !shown.hasTitle) await expect(page.locator('h1').first()).toBeAttached();
  // toasts stay open while one of them has the focus: the checks can take longer than the toasts are shown
  if (id.startsWith('ui/toasts/toast-region.tsx'))
    await page.getByRole('alertdialog').first().getByRole('button').last().focus();
  return isPage;
}

/**
 * Checks what applies to all states: no axe findings in either theme, names that contain the visible words, and no
 * horizontal scrolling on a phone.
 */
async function expectSound(page: Page, isPage: boolean, hasLook: boolean): Promise<void> {
  const except = [...(isPage ? [] : pageRules), ...(hasLook ? [] : colorRules)];
  expect(await findWithAxe(page, null, except), 'axe').toEqual([]);
  expect(await findMisnamed(page), 'visible words that are not in the name').toEqual([]);
  if (!hasLook) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findWithAxe(page, colorRules), 'axe in the dark theme').toEqual([]);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(narrow);
  const excess = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(excess, 'pixels by which the page is wider than a phone').toBe(0);
  await page.setViewportSize(wide);
}

/** Opens the list of all states without rendering any of them. */
export async function openNames(page: Page): Promise<void> {
  await page.goto('/gallery.html?bare=#only=names');
  await expect(page.locator('html')).toHaveAttribute('data-shows', 'names');
}

/** The ids of all states that the gallery has in a group, as `file: name`. */
async function statesInGallery(page: Page, group: string): Promise<readonly string[]> {
  await openNames(page);
  const parts = page.locator(`[data-group="${group}"] .g-part`);
  return parts.evaluateAll((all) =>
    all.flatMap((part) =>
      [...part.querySelectorAll('.g-state > figcaption')].map(
        (caption) => `${part.id}: ${caption.textContent}`,
      ),
    ),
  );
}

/** States that show how a component breaks or cuts off text. */
const isAboutLength = /\blong\b/;

/**
 * Defines a test for each state of a group, and one that fails if the gallery has a state without a test.
 * `npm test` checks colors, and the width on a phone, in the first state of each component and those with long texts.
 */
export function testGroup(name: string, group: Group): void {
  const ids = Object.entries(group).flatMap(([file, states]) =>
    Object.entries(states).map(([state, promises], at) => {
      const id = `${file}: ${state}`;
      test(id, async ({ page }) => {
        const isPage = await openState(page, name, id);
        await expectSound(page, isPage, at === 0 || isAboutLength.test(state) || !isEachRun);
        await promises(page);
      });
      return id;
    }),
  );
  test(`${name}: every state in the gallery has a test`, async ({ page }) => {
    const drawn = await statesInGallery(page, name);
    expect([...ids].toSorted()).toEqual([...drawn].toSorted());
  });
}
