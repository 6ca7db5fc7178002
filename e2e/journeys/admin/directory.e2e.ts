/** The directory file in a real browser: download it, preview a changed one, apply it. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const choose = (page: Page, text: string) =>
  page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'new.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });

test('an operator downloads the directory, sees what a changed file would do, and applies it', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin', 'olga@demo.test');
  await page
    .getByRole('main')
    .getByRole('link', { name: 'Directory file', exact: true })
    .last()
    .click();
  await expect(
    page.getByRole('heading', { level: 1, name: 'Directory file', exact: true }),
  ).toBeVisible();
  await expectAccessible(page, 'the directory file');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download').click();
  const exported = await readFile(await (await downloading).path(), 'utf8');
  expect(exported).toContain('customerCode: CC-1001');

  await choose(page, exported);
  await expect(page.getByText('The file changes nothing.', { exact: true })).toBeVisible();
  await button(page, 'Choose another file').click();

  await choose(page, 'users:\n  - email: zoe@demo.test\n    customerCodes: [CC-0]\n');
  await expect(page.getByText('The file cannot be applied', { exact: true })).toBeVisible();
  await expect(page.getByText('Line 2', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a refused file');
  await button(page, 'Choose another file').click();

  await choose(
    page,
    'users:\n  - email: zoe@demo.test\n    name: Zoe\n    customerCodes: [CC-1001]\n',
  );
  await expect(page.getByText('Changes: 1', { exact: true })).toBeVisible();
  await expect(page.getByText('zoe@demo.test', { exact: true }).first()).toBeVisible();
  await expectAccessible(page, 'a preview');
  await button(page, 'Apply changes').click();
  await expect(page.getByText('Changes made: 1', { exact: true })).toBeVisible();
  await page.goto('/admin/users?search=zoe');
  await expect(page.getByRole('link', { name: 'zoe@demo.test', exact: true })).toBeVisible();
});
