/** Everything around the workflow: terms of use, messages, maintenance, an ad blocker, a browser without JavaScript. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, signIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';

const password = 'a long enough password';

/** Adds a user who has never signed in, with a password. */
async function invite(product: Product, page: Page, email: string): Promise<void> {
  const file = join(product.dataFolder, 'one-more.yaml');
  await writeFile(
    file,
    `users:\n  - email: ${email}\n    name: Zoe Neri\n    customerCodes: [CC-1001]\n`,
  );
  await product.recodery('directory', 'apply', file);
  await page.goto((await product.recodery('user', 'invite', email)).trim());
  await page.locator('input[type=password]').fill(password);
  await page.locator('form button').click();
  await expect(page.locator('input[type=password]')).toBeHidden();
}

// promise 2.layout.terms-modal, 2.terms.when, 4.session.terms, 5.terms.both-ticks, 5.terms.overlay
test('asks for the terms until both statements are accepted, and signs out a user who does not accept them', async ({
  page,
  product,
}) => {
  await invite(product, page, 'zoe@demo.test');
  const dialog = page.getByRole('dialog', { name: 'Terms of use' });
  const meetTerms = async (): Promise<void> => {
    await page.goto('/operations-log');
    await page.locator('form input:not([type=password]):not([type=hidden])').fill('zoe@demo.test');
    await page.locator('form input[type=password]').fill(password);
    await page.locator('form button').click();
    await expect(dialog).toBeVisible();
  };
  await meetTerms();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/idp\//);
  await expect(page.locator('form input[type=password]')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('LLC'))).toBeNull();
  await meetTerms();
  await expect(dialog).toContainText('5, 6, 7, 8, 9, 10, 12, 14, and 15');
  await expectAccessible(page, 'terms of use');
  const opening = page.waitForEvent('popup');
  await dialog.getByRole('link', { name: /^Read the terms of use/ }).click();
  const text = await opening;
  await expect(text).toHaveURL(/\/sample-terms\/en$/);
  await expect(text.getByRole('heading', { level: 1 })).toHaveText('Terms of use (sample)');
  await expect(text.getByRole('main')).toContainText('This is a sample for the demo workspace.');
  await expectAccessible(text, 'sample terms');
  await text.getByRole('link', { name: 'Italiano' }).click();
  await expect(text.getByRole('heading', { level: 1 })).toHaveText('Condizioni d’uso (esempio)');
  await text.close();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  const accept = dialog.getByRole('button', { name: 'Accept' });
  await expect(accept).toBeDisabled();
  const [terms, articles] = [
    dialog.getByRole('checkbox').first(),
    dialog.getByRole('checkbox').last(),
  ];
  await terms.check();
  await expect(accept).toBeDisabled();
  await articles.check();
  await terms.uncheck();
  await expect(accept).toBeDisabled();
  await page.reload();
  await expect(accept).toBeDisabled();
  await terms.check();
  await articles.check();
  await accept.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Operations log' })).toBeVisible();
  const asked = page.waitForResponse(/has-accepted$/);
  await page.reload();
  expect(await (await asked).json()).toBe(true);
});

// promise 2.layout.banner, 3.storage.seen-cookie
test('shows a message in the page’s language, until it is closed', async ({ page, product }) => {
  await signIn(page);
  await product.recodery('message', 'add', '--language', 'en', '--text', 'Stocktaking on Friday');
  await product.recodery('message', 'add', '--language', 'it', '--text', 'Venerdì inventario');
  const message = page.getByText('Stocktaking on Friday');
  await expect(message).toBeVisible();
  await expectAccessible(page, 'home with a message');
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Italiano' }).click();
  await expect(page.getByText('Venerdì inventario')).toBeVisible();
  await expect(message).toBeHidden();
  await page.getByRole('button', { name: 'Chiudi' }).click();
  await expect(page.getByText('Venerdì inventario')).toBeHidden();
  const asked = page.waitForResponse(/comunication-messages/);
  await page.reload();
  expect(await (await asked).json()).toHaveLength(1);
  await expect(page.locator('h1')).toBeVisible();
  await expect(page.getByText('Venerdì inventario')).toBeHidden();
});

// promise 2.layout.banner, 4.session.banner
test('blocks uploads during maintenance', async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const banner = page.getByText('The decoding service is suspended.', { exact: true });
  const choose = page.locator('input[type=file]').first();
  await expect(choose).toBeEnabled();
  await expect(banner).toBeHidden();
  await product.recodery('maintenance', 'on');
  await expect(banner).toBeVisible();
  await expect(choose).toBeDisabled();
  await expectAccessible(page, 'kessv2 in maintenance');
  await product.recodery('maintenance', 'off');
  await expect(banner).toBeHidden();
  await expect(choose).toBeEnabled();
});

/** Records on the page when the bait for ad blockers has been added and removed again. */
async function watchBait(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const isBait = (node: Node): boolean =>
      node instanceof Element && node.classList.contains('adsbox');
    new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => [...removedNodes].some(isBait)))
        document.documentElement.dataset.bait = 'taken';
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Expects that no warning follows the check for an ad blocker, even if it is shown a little later. */
async function expectNoWarning(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-bait', 'taken');
  await page.getByRole('link', { name: 'Operations log' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Operations log' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

// promise 2.layout.ad-block
test('warns of an ad blocker once per session, and the workflow continues', async ({ page }) => {
  await page.addInitScript(() => {
    const list = new CSSStyleSheet();
    list.replaceSync('.adsbox { display: none !important }');
    document.addEventListener('DOMContentLoaded', () => {
      document.adoptedStyleSheets = [list];
    });
  });
  await signIn(page);
  const dialog = page.getByRole('dialog', { name: 'ad blocker' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'ad-block warning');
  await dialog.getByRole('button', { name: 'Got it' }).click();
  await expect(dialog).toBeHidden();
  await watchBait(page);
  await page.reload();
  await expectNoWarning(page);
});

// promise 2.layout.ad-block
test('shows no warning without an ad blocker', { tag: '@release' }, async ({ page }) => {
  await watchBait(page);
  await signIn(page);
  await expectNoWarning(page);
});

test('shows the requirements in nine languages if JavaScript is disabled', {
  tag: '@release',
}, async ({ openScriptless }) => {
  const page = await openScriptless();
  for (const path of ['/', '/login']) {
    await page.goto(path);
    // checked from outside: without JavaScript the page cannot wait for anything
    await expect.poll(() => page.locator('p[lang]:visible').count()).toBe(9);
  }
});
