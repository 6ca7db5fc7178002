/** The frame of every page: header, menu, footer and the cards of the home page, on wide and narrow screens. */
import type { Locator, Page } from '@playwright/test';
import { decodeUnwatched, read } from '../calls.ts';
import { expect, expectAccessible, signIn, test } from '../fixtures.ts';
import { boxOf, decode, emulatesMedia, visit } from '../workflow.ts';

interface Links {
  readonly dealer: string;
  readonly dashboard: string;
  readonly userGuide: Readonly<Record<string, string>>;
  readonly privacy: string;
  readonly cookies: string;
  readonly terms: string;
  readonly legal: string;
}

async function config(page: Page) {
  return read<{ links: Links; companyLines: string[]; productName: string }>(page, '/api/config');
}

test.beforeEach(async ({ page }) => signIn(page));

async function expectFooter(page: Page): Promise<void> {
  const { links, companyLines, productName } = await config(page);
  const footer = page.getByRole('contentinfo');
  const title = await boxOf(page.getByRole('heading', { level: 1 }));
  expect((await boxOf(footer.getByText(/©/))).x).toBe(title.x);
  // of the page's time zone
  const year = await page.evaluate(() => new Date().getFullYear());
  await expect(footer).toContainText(`© ${year} ${productName}`);
  for (const line of companyLines) await expect(footer).toContainText(line);
  for (const [name, target] of [
    ['Privacy', links.privacy],
    ['Cookies', links.cookies],
    ['Terms', links.terms],
    ['Legal', links.legal],
  ] as const) {
    await expect(footer.getByRole('link', { name })).toHaveAttribute('href', target);
  }
}

/** Opens the first card; the browser is on the home page before. */
async function openCard(page: Page): Promise<void> {
  const cards = page.getByRole('navigation', { name: 'Go to' }).getByRole('link');
  const paths = await cards.evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  expect(paths).toEqual(['/kess3', '/kessv2', '/ktag', '/operations-log']);
  await cards.first().click();
  await page.waitForURL((url) => url.pathname === '/kess3');
}

/** Opens each page of the menu; the operations log is the last. */
async function openMenu(page: Page): Promise<void> {
  const { links } = await config(page);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  for (const [name, path, title] of [
    ['KESSv2', '/kessv2', 'KESSv2'],
    ['K-TAG', '/ktag', 'K-TAG'],
    ['KESS3', '/kess3', 'KESS3 slave management'],
    ['KESS3 utility', '/kess3-utility', 'KESS3 utility'],
    ['Operations log', '/operations-log', 'Operations log'],
  ] as const) {
    await menu.getByRole('link', { name, exact: true }).click();
    await page.waitForURL((url) => url.pathname === path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
    // the current page is marked, and no other
    await expect(menu.locator('[aria-current]')).toHaveText([name]);
  }
  const guide = menu.getByRole('link', { name: /^User guide/ });
  await expect(guide).toHaveAttribute('href', links.userGuide['en'] ?? '');
}

async function openHeader(page: Page): Promise<void> {
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL((url) => url.pathname === '/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await expect(header.getByRole('button', { name: /^Notifications/ })).toBeVisible();
  await expect(header.getByRole('button', { name: /^Language/ })).toBeVisible();
  await header.getByRole('button', { name: /^Account/ }).click();
  const menu = page.getByRole('menu', { name: 'Account: Anna Conti' });
  await expect(menu).toContainText('Anna Conti');
  await expect(menu.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(menu.and(page.locator(':focus-within'))).toBeVisible();
  await page.keyboard.press('Escape');
  await header.getByRole('link', { name: 'Recodery, home' }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

// promise 2.layout.four-places, 2.layout.logo-home, 2.layout.settings-icon, 2.layout.user-menu-name
// promise 2.layout.menu-pages, 2.layout.footer-company, 2.layout.footer-links, 2.home-cards.four, 2.routes.exact
test('the footer, the four cards, the menu and the header lead to every page, and show who is signed in', async ({
  page,
}) => {
  await expectFooter(page);
  await openCard(page);
  await openMenu(page);
  await openHeader(page);

  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expectAccessible(page, 'not found');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
});

// promise 9.figures.motion
test('the logo and the upload icon are animated, but not with reduced motion', {
  tag: '@release',
}, async ({ page }) => {
  const logo = page.getByRole('link', { name: 'Recodery, home' }).locator('path');
  const area = page.getByRole('group', { name: 'Drop any file from a slave' });
  const motionOf = (part: Locator) =>
    part.evaluate((drawn) => {
      const { animationName, animationDuration } = getComputedStyle(drawn);
      return animationName === 'none' ? 'none' : `${animationName} ${animationDuration}`;
    });
  const hold = async () => {
    const files = await page.evaluateHandle(() => new DataTransfer());
    await area.dispatchEvent('dragenter', { dataTransfer: files });
  };
  const icon = area.locator('svg').first();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await motionOf(logo)).toBe('write 1s');
  expect(await motionOf(icon)).toBe('none');
  await hold();
  await expect.poll(() => motionOf(icon)).toBe('lift 0.5s');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!emulatesMedia(page)) return;
  expect([await motionOf(logo), await motionOf(icon)]).toEqual(['none', 'none']);
});

test('a toast does not cover the open menu', { tag: '@release' }, async ({ page, product }) => {
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 500 });
    const toast = page.getByRole('region', { name: 'Messages' }).getByText('read-1001.tfc');
    await Promise.all([
      decodeUnwatched(page, product.demoFile('samples/kessv2/read-1001.tfc')),
      expect(toast.first()).toBeVisible(),
    ]);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await expect(menu).toBeVisible();
    const isOnTop = await menu.evaluate((drawn) => {
      const { right, bottom } = drawn.getBoundingClientRect();
      return drawn.contains(document.elementFromPoint(right - 4, bottom - 40));
    });
    expect(isOnTop, `at ${width} px`).toBe(true);
    await page.keyboard.press('Escape');
  }
});

/** On a narrow screen, the menu is hidden until its button is pressed. */
async function expectMenuCollapsed(page: Page): Promise<void> {
  await page.setViewportSize({ width: 480, height: 800 });
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(menu).toBeVisible();
  await expectAccessible(page, 'menu on a narrow screen');
  await menu.getByRole('link', { name: 'K-TAG' }).click();
  await page.waitForURL((url) => url.pathname === '/ktag');
  await expect(menu).toBeHidden();
  await page.setViewportSize({ width: 960, height: 800 });
  await expect(menu).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open the menu' })).toBeHidden();
}

// promise 2.layout.menu-collapses, d10.everybody.narrow
test('on a narrow screen the menu is hidden until its button is pressed, and no page is wider than 320 px', async ({
  page,
  product,
}) => {
  await expectMenuCollapsed(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
  const paths = ['/', '/kess3', '/kess3-utility', '/ktag', '/operations-log', '/notifications'];
  for (const path of [...paths, '/settings', '/nowhere', '/kessv2']) {
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(await widthOf(), path).toBeLessThanOrEqual(320);
  }
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  await expect(page.getByRole('button', { name: 'Decode new file' })).toBeVisible();
  expect(await widthOf(), 'a decoded read').toBeLessThanOrEqual(320);
});

// promise 2.layout.footer-localised
test('external links match the language, even after it is changed', { tag: '@release' }, async ({
  page,
}) => {
  const privacy = page.getByRole('contentinfo').getByRole('link').first();
  await expect(privacy).toHaveAttribute('href', /\/guide\/en#privacy$/);
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Italiano' }).click();
  await expect(privacy).toHaveAttribute('href', /\/guide\/it#privacy$/);
});
