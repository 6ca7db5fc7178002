/** Many slaves at once in a real browser: a pasted list with mistakes, corrected, and added as a whole. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../fixtures.ts';
import { write } from '../workflow.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an operator pastes a list of slaves, corrects the marked line, and adds all', async ({
  page,
}) => {
  await openSignedIn(page, '/admin/slaves', 'olga@demo.test');
  await button(page, 'Add several slaves').click();
  const dialog = page.getByRole('dialog', { name: 'Add several slaves' });
  await expectAccessible(page, 'the dialog for several slaves');
  await dialog.getByRole('button', { name: /^Family/ }).click();
  await page.getByRole('menuitemradio', { name: 'KESS3', exact: true }).click();
  await write(dialog.getByLabel('Master', { exact: true }), 'KS3-M-0001');
  const list = dialog.getByLabel('Serial numbers', { exact: true });
  await write(list, 'KS3-LIST-1\nKS3-000042\nKS3-LIST-2; CC-9001');
  await button(page, 'Check list').click();
  await expect(dialog.getByText('Nothing was added. Correct the marked lines.')).toBeVisible();
  const lines = dialog.getByRole('list', { name: 'Slaves in the list' }).getByRole('listitem');
  await expect(lines).toHaveCount(3);
  await expect(lines.nth(1)).toContainText('This already exists.');
  await expectAccessible(page, 'a list with a mistake');
  await write(list, 'KS3-LIST-1\nKS3-LIST-2; CC-9001');
  await button(page, 'Check list').click();
  await button(page, 'Add all (2)').click();
  await expect(dialog).toHaveCount(0);
  await write(page.getByLabel('Search', { exact: true }), 'KS3-LIST');
  await expect(page.getByText('Found: 2', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'KS3-LIST-2' })).toContainText('CC-9001');
});
