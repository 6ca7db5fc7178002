/** Settings and keys in a real browser: an operator names the installation, renews its keys, and rotates its secret. */
import { call } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { chosenLayout } from '../../many-machines/layout.ts';
import { write } from '../../workflow.ts';

// promise d3.settings.browser
test('an operator sees where settings come from, and renames the installation without a restart', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/settings', 'olga@demo.test');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Settings', exact: true }),
  ).toBeVisible();
  await expectAccessible(page, 'settings of the installation');
  const name = page.getByRole('link', { name: 'Name of the installation', exact: true });
  await page.getByRole('searchbox', { name: 'Search' }).fill('of the installation');
  await expect(page.getByRole('link', { name: 'RECODERY_PUBLIC_URL' })).toHaveCount(0);
  await name.click();
  const value = page.getByLabel('Value', { exact: true });
  await write(value, 'Rossi Tuning');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a setting');
  await page.reload();
  await expect(page.getByRole('banner').getByText('Rossi Tuning', { exact: true })).toBeVisible();
  await write(value, '');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

// promise d3.care.keys-renew
test('an operator renews all keys after a question, and stays signed in', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/keys', 'olga@demo.test');
  await expect(page.getByRole('link', { name: 'Sessions', exact: true })).toBeVisible();
  await expectAccessible(page, 'keys');
  await page.getByRole('button', { name: 'Renew all', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Renew all' });
  await question.getByRole('button', { name: 'Renew all', exact: true }).click();
  await expect(page.getByText(/^Renewed the keys of 5 kinds\./)).toBeVisible();
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Sessions', exact: true })).toBeVisible();
});

test('an operator replaces a leaked key and rotates the secret, and stays signed in', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/keys', 'olga@demo.test');
  // so that there is a key for receipts
  expect((await call(page, 'POST', '/api/admin/keys/renewAll')).ok()).toBe(true);
  // the page can be about to sign in again, which a reload would interrupt
  await expect(async () => {
    await page.goto('/admin/keys');
    await expect(page.getByRole('link', { name: 'Receipts', exact: true })).toBeVisible();
  }).toPass();
  const confirm = async (name: string, text: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click();
    const question = page.getByRole('dialog', { name });
    await expect(question).toContainText(text);
    await expectAccessible(page, `the question: ${name}`);
    await question.getByRole('button', { name, exact: true }).click();
  };
  const result = page.getByRole('dialog', { name: 'Test result' });
  await page.getByRole('link', { name: 'Receipts', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Receipts' })).toBeVisible();
  await confirm('Replace at once', 'For a key that has leaked.');
  await expect(result.getByText(/^The key is replaced\./)).toBeVisible();
  await result.getByText('Close', { exact: true }).click();

  await page.goto('/admin/keys');
  await confirm('Rotate the secret', 'No one is signed out.');
  const isOwnFile = chosenLayout() === null;
  await expect(
    result.getByText(
      isOwnFile
        ? /^Rotated the secret, and wrapped \d+ keys again\./
        : /^RECODERY_SECRET_FILE names the file of the secret, so nothing was changed\./,
    ),
  ).toBeVisible();
  await result.getByText('Close', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Sessions', exact: true })).toBeVisible();
});
