/**
 * What each user is offered: no link that leads to a refusal, received files first, and one clear page for users
 * without access.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, startSession, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { bytesOf, choose, decode, download, visit, write } from '../../workflow.ts';

const pages = {
  '/': 'Home',
  '/kessv2': 'KESSv2 slave management',
  '/ktag': 'K-TAG slave management',
  '/kess3': 'KESS3 slave management',
  '/kess3-utility': 'KESS3 utility',
  '/operations-log': 'Operations log',
  '/notifications': 'Notifications',
  '/settings': 'Settings',
} as const;

/** The addresses of the links in a page's header, menu and content, without other documents. */
async function waysOf(page: Page): Promise<string[]> {
  const hrefs = await page
    .locator('header a, nav a, main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return [...new Set(hrefs)].filter((href) => href.startsWith('/'));
}

/** Opens every link of the home page; none may lead to a refusal. */
async function expectNoDeadEnd(page: Page): Promise<void> {
  const ways = await waysOf(page);
  expect(ways.length).toBeGreaterThan(2);
  // the guide is not a page of the application
  for (const way of ways.toSorted((one) => (one.startsWith('/guide') ? 1 : -1))) {
    if (way.startsWith('/guide')) await page.goto(way);
    else if (way !== new URL(page.url()).pathname) await visit(page, way);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect.soft(await page.getByRole('main').innerText(), way).not.toMatch(/USER_|FeatureNot/);
  }
}

/** Decodes and encodes an image, and shares the result with the slave's organisation. */
async function share(page: Page, product: Product, note: string): Promise<void> {
  await page.goto('/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await popup.getByLabel('Recipient email').fill('');
  await write(popup.getByLabel('Message'), note);
  await popup.getByText('Private', { exact: true }).click();
  await download(popup.getByRole('button', { name: 'Encode and send', exact: true }));
}

// promise 2.layout.menu-entries, 2.home.received, 5.settings.encoding-only
test('a user who only receives files sees them first, no link that leads to a refusal, and no settings for encoded files', async ({
  page,
  product,
  openBrowser,
}) => {
  const luca = await openBrowser();
  await signIn(luca, 'luca@demo.test');
  const main = luca.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Received files' })).toBeVisible();
  await expect(main.locator('input[type=file]')).toHaveCount(0);
  await expect(main.getByRole('navigation')).toHaveCount(0);
  await expectAccessible(luca, 'home of a receiver');

  await startSession(page);
  await share(page, product, 'for the received files');
  const file = main.getByRole('listitem').filter({ hasText: 'for the received files' });
  await expect(file).toContainText('Officina Demo sent you an encoded file');
  await expectAccessible(luca, 'home of a receiver, with a file');
  const downloaded = await download(file.getByRole('button', { name: /^Download/ }));
  expect((await bytesOf(downloaded)).length).toBeGreaterThan(1000);

  const menu = luca.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByRole('link')).toHaveText([/^Operations log/, /^User guide/]);
  await expectNoDeadEnd(luca);
  await luca.goto('/kess3');
  await expect(main).toContainText('USER_NOT_AUTHORIZED_KESS3');
  await expect(luca).toHaveTitle('KESS3 slave management · Recodery');

  await visit(luca, '/settings');
  await expect(main).toContainText('No settings available');
  await expect(main.getByRole('textbox')).toHaveCount(0);
  await expect(main.getByRole('switch')).toHaveCount(0);
  await expect(main.getByRole('button')).toHaveCount(0);
  await expectAccessible(luca, 'settings of a receiver');
});

// promise d4.session.entries
test('a user with all rights sees every page in the menu, and every link works', {
  tag: '@release',
}, async ({ page }) => {
  await signIn(page);
  const ways = await waysOf(page);
  for (const path of Object.keys(pages))
    expect(ways).toContain(path === '/notifications' ? '/' : path);
  await expectNoDeadEnd(page);
});

// promise 2.home.nothing, 2.layout.forbidden, 4.entry.forbidden
test('a user without slaves sees on the home page and on the page of a family what is missing', async ({
  page,
}) => {
  await signIn(page, 'otto@demo.test');
  const main = page.getByRole('main');
  await expect(main).toContainText('No linked slave yet');
  await expect(main).toContainText('Ask your dealer or the operator of this portal to link one');
  await expect(main.getByRole('button', { name: 'Refresh page' })).toBeVisible();
  await expect(main.locator('input[type=file]')).toHaveCount(0);
  await expectAccessible(page, 'home without slaves');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await expect(menu.getByRole('link')).toHaveText([/^Operations log/, /^User guide/]);

  await page.goto('/kessv2');
  await expect(main).toContainText('USER NOT AUTHORIZED');
  await expect(main.getByRole('button', { name: 'Refresh page' })).toBeVisible();
  await expect(page).toHaveTitle('KESSv2 slave management · Recodery');
  await expectAccessible(page, 'kessv2, not authorized');
});

async function grantNora(product: Product, portalAccess: boolean): Promise<void> {
  const file = join(product.dataFolder, 'nora.yaml');
  await writeFile(
    file,
    `users:\n  - { email: nora@demo.test, name: Nora Lind, portalAccess: ${portalAccess}, customerCodes: [CC-5005] }\n`,
  );
  await product.recodery('directory', 'apply', file);
}

// promise 2.layout.no-access
test('a user without access sees one page on every route, with the person to ask, until access is granted', async ({
  page,
  product,
}) => {
  await startSession(page, 'nora@demo.test');
  const main = page.getByRole('main');
  await page.goto('/');
  for (const [path, title] of Object.entries(pages)) {
    if (path !== '/') await visit(page, path);
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('UNAUTHORIZED ROLE');
    await expect(main).toContainText('Ask your administrator or the operator of this portal');
    await expect(page).toHaveTitle(`${title} · Recodery`);
  }
  // not even the terms of use, which have not been accepted yet
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectAccessible(page, 'no access');
  expect(await waysOf(page)).toEqual(['/']);
  await expect(page.getByRole('button', { name: /^Notifications/ })).toHaveCount(0);

  // a change of access restarts the stream; changes in between are not announced
  const listening = page.waitForResponse((response) => response.url().endsWith('/api/events'));
  await grantNora(product, true);
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await listening;
  await grantNora(product, false);
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('UNAUTHORIZED ROLE');
  await main.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('form input[type=password]')).toBeVisible();
});
