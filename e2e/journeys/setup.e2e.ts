/** The first run of an installation without users: from the setup link to the first decoded file. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { addAuthenticator } from '../authenticator.ts';
import { expect, expectAccessible, test as base } from '../fixtures.ts';
import { type Product, startProduct } from '../product.ts';
import { acceptTerms, fillSetup, slave } from '../setup-steps.ts';
import { choose } from '../workflow.ts';

const test = base.extend({
  /** A product without the demo, and so without users; its database is prepared. */
  product: [
    async ({}, use) => {
      const product = await startProduct({ RECODERY_DEMO: 'off' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

/** The path of a file as the slave would write it after reading an ECU. */
async function simulateRead({ demoFile, recodery }: Product): Promise<string> {
  // the check of secrets looks for keys in this folder
  const key = demoFile('keys/slave.json');
  const image = demoFile('image.bin');
  const read = demoFile('read.k3s');
  await mkdir(dirname(key), { recursive: true });
  await writeFile(image, randomBytes(4096));
  await recodery('device', 'key', '--family', 'kess3', '--serial', slave, '--out', key);
  const words = ['--protocol', '9000', '--mode', 'obd', '--component', `obd=${image}`];
  await recodery('device', 'read', '--key', key, ...words, '--out', read);
  return read;
}

const password = 'kestrel over the long lake';

async function chooseSignIn(page: Page, way: string): Promise<void> {
  await page.getByRole('button', { name: /Sign in with/ }).click();
  await page.getByRole('menuitemradio', { name: way, exact: true }).click();
}

test('the setup link leads to the own account and the first decoded file, and works once', {
  tag: '@release',
}, async ({ page, openBrowser }) => {
  const product = await startProduct({ RECODERY_DEMO: 'off' }, true);
  try {
    const printed = await product.recodery('setup-link');
    const link = /http\S+\/setup\?token=\S+/.exec(printed)?.[0] ?? '';
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Set up Recodery' })).toBeVisible();
    await expectAccessible(page, 'setup');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(page.getByText('Correct the marked fields.')).toBeVisible();
    await chooseSignIn(page, 'Password');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await fillSetup(page);
    await expect(page.getByText('Not tested')).toBeVisible();
    await page.getByRole('button', { name: 'Send test email' }).click();
    await expect(page.getByText('No mail server is configured.', { exact: false })).toBeVisible();
    await expectAccessible(page, 'setup with a tested email');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await acceptTerms(page);
    await expect(page.getByRole('heading', { name: 'Recodery is set up' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Account/ })).toContainText('Ada Rossi');
    await expect(page.getByRole('link', { name: 'Administration' })).toBeVisible();

    // also with a slash at the end
    await page.goto(`${product.url}/account/`);
    await expect(page.getByText('This session')).toBeVisible();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(`${password}, at dawn`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password changed')).toBeVisible();
    await expectAccessible(page, 'account');

    await page.goto(`${product.url}/kess3`);
    await choose(page, await simulateRead(product));
    await expect(page.getByText('9000 REF-OPEN')).toBeVisible();

    const stranger = await openBrowser();
    await stranger.goto(link);
    await expect(stranger.getByText('This setup link cannot be used')).toBeVisible();
    await expect(stranger.getByText('recodery setup-link', { exact: true })).toBeVisible();
  } finally {
    await product.stop();
  }
});

// promise 6.passkeys.setup
test('a passkey of the operator, without a password, opens the home page and the first decoded file', async ({
  page,
  product,
}) => {
  await addAuthenticator(page);
  const printed = await product.recodery('setup-link');
  await page.goto(/http\S+\/setup\?token=\S+/.exec(printed)?.[0] ?? '');
  await chooseSignIn(page, 'Passkey');
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveCount(0);
  await fillSetup(page);
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await acceptTerms(page);
  await expect(page.getByRole('heading', { name: 'Recodery is set up' })).toBeVisible();
  await expectAccessible(page, 'home after the setup');
  await choose(page, await simulateRead(product));
  await expect(page.getByText('9000 REF-OPEN')).toBeVisible();
});
