/**
 * The embedded provider's pages and the directory: guessing, an invitation, and changes of rights while the portal is
 * running.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerSignIn, expect, expectAccessible, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';

const email = 'paola@nuova.test';
const password = 'correct horse battery';

/** Applies a directory to the running portal: Nuova Officina with one user, a master and a slave. */
async function applyDirectory(product: Product, rights: readonly string[]): Promise<void> {
  const slaves = [{ serial: 'KV2-007007', owner: 'CC-7007' }];
  const masters = [{ family: 'kessv2', serial: 'KV2-M-7007', slaves }];
  const groupCodes = [{ code: 'G-70', masters }];
  const name = 'Nuova Officina';
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-directory-')), 'directory.yaml');
  // JSON is YAML as well
  const directory = {
    organisations: [{ customerCode: 'CC-7007', name, culture: 'it-IT', rights, groupCodes }],
    users: [{ email, name: 'Paola Neri', customerCodes: ['CC-7007'] }],
  };
  await writeFile(file, JSON.stringify(directory));
  await product.recodery('directory', 'apply', file);
}

// promise d4.sign-in.guessing
test('a user who guesses passwords must wait, and sees this in their language', {
  tag: '@release',
}, async ({ openBrowser }) => {
  const page = await openBrowser({ locale: 'it-IT' });
  await page.goto('/');
  const problem = page.getByRole('alert');
  await page.locator('input[type=email]').fill('nobody@demo.test');
  // the server decides how many guesses it allows; twenty are always too many
  for (let guess = 0; guess < 20; guess += 1) {
    await page.locator('input[type=password]').fill(`guess ${guess}`);
    await Promise.all([page.waitForEvent('load'), page.locator('form button').click()]);
    await expect(problem).toContainText(/E-mail o password|Troppi tentativi/);
    if ((await problem.innerText()).includes('Troppi tentativi')) break;
  }
  await expect(problem).toContainText('Troppi tentativi');
  await expectAccessible(page, 'sign-in, has to wait');
});

// promise d4.sign-in.invited
test('an invited user sets a password and signs in; removed rights disappear from the open portal', async ({
  product,
  openBrowser,
}) => {
  await applyDirectory(product, ['kessv2', 'recod']);
  const link = (await product.recodery('user', 'invite', email)).trim();
  const page = await openBrowser();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set your password');
  await expect(page.getByRole('main')).toContainText(email);
  await expectAccessible(page, 'set a password');
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Password set');
  await expectAccessible(page, 'password set');
  await page.goto('/kessv2');
  await answerSignIn(page, email, password);
  await expect(page.getByText('Drop the read file here')).toBeVisible();

  const main = page.getByRole('main');
  await applyDirectory(product, ['recod']);
  await page.reload();
  await expect(main).toContainText('FeatureNotAvailable');
  await expectAccessible(page, 'kessv2 without its subscription');
  await applyDirectory(product, ['kessv2', 'recod']);
  await page.reload();
  await expect(page.getByText('Drop the read file here')).toBeVisible();

  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  await expectAccessible(page, 'a used invitation');
});
