/** The operator's links: shown where they are configured, and nowhere else. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, startSession, test } from '../fixtures.ts';
import { type Product, startProduct } from '../product.ts';
import { choose } from '../workflow.ts';

/** The addresses of the operator's links that the page shows. */
async function linksOf(page: Page, product: Product): Promise<Record<string, string | null>> {
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await page.goto(`${product.url}/kessv2`);
  await choose(page, product.demoFile('samples/mistakes/damaged.tfc'));
  const fault = page.getByRole('main').getByRole('alert');
  await expect(fault).toContainText('FILE_CORRUPTED');
  const places = {
    dealer: menu.getByRole('link', { name: /^My slaves/ }),
    dashboard: menu.getByRole('link', { name: /^Dashboard/ }),
    terms: page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }),
    support: fault.getByRole('link', { name: 'Contact support' }),
  };
  const found = await Promise.all(
    Object.entries(places).map(async ([name, link]) => [
      name,
      (await link.count()) === 0 ? null : await link.getAttribute('href'),
    ]),
  );
  return Object.fromEntries(found);
}

async function dashboardsInAccountMenu(page: Page): Promise<number> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  return page.getByRole('menuitem', { name: 'Dashboard' }).count();
}

// promise 2.layout.user-menu-dashboard, 2.layout.menu-slaves, 2.layout.menu-dashboard
test("without the operator's links, no link is dead; the demo links its sample terms", async ({
  page,
  product,
}) => {
  await startSession(page);
  expect(await linksOf(page, product)).toEqual({
    dealer: null,
    dashboard: null,
    terms: `${product.url}/sample-terms/en`,
    support: null,
  });
  expect(await dashboardsInAccountMenu(page)).toBe(0);
  await expectAccessible(page, 'menus without links');
});

// promise 2.layout.user-menu-dashboard, 2.layout.menu-slaves, 2.layout.menu-dashboard
// promise 8.display.support
test("menus, footer and error panels use the operator's links", { tag: '@release' }, async ({
  openBrowser,
}) => {
  const names = ['dealer', 'dashboard', 'terms', 'support'];
  const links = names.map((name) => [name, `https://links.test/${name}`] as const);
  const linked = await startProduct({
    RECODERY_LINKS: links.map((link) => link.join('=')).join(' '),
  });
  try {
    const page = await openBrowser({ baseURL: linked.url });
    await signIn(page);
    expect(await linksOf(page, linked)).toEqual(Object.fromEntries(links));
    expect(await dashboardsInAccountMenu(page)).toBe(1);
    await page.getByRole('menuitem', { name: 'Dashboard' }).click();
    // the site does not exist: it is enough that the browser goes there
    await expect.poll(() => page.context().pages().length).toBe(2);
  } finally {
    await linked.stop();
  }
});
