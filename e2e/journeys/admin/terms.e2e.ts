/** The terms of use in a real browser: an operator writes, previews and publishes them, and a user accepts them. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test as base } from '../../fixtures.ts';
import { startProduct } from '../../product.ts';
import { write } from '../../workflow.ts';

/** A product of its own: every user of the shared one would be asked. */
const test = base.extend({
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

// promise d3.settings.terms-page, d3.settings.terms-preview
test('an operator writes and publishes terms, which users accept at their next visit', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/terms', 'olga@demo.test');
  await expect(titled(page, 'Terms of use')).toBeVisible();
  await page.getByRole('link', { name: 'Add version', exact: true }).click();
  await expect(titled(page, 'Add version')).toBeVisible();
  await write(field(page, 'Version'), '2027-01');
  await write(field(page, 'English'), '# Our terms\n\n## 1. Scope\n\nAll files.');
  await expectAccessible(page, 'a draft of the terms');
  await button(page, 'Preview: English').click();
  const preview = page.frameLocator('iframe');
  await expect(preview.getByRole('heading', { name: 'Our terms' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await button(page, 'Add version').click();
  await expect(titled(page, '2027-01')).toBeVisible();
  await button(page, 'Publish').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('In force', { exact: true })).toBeVisible();
  await expectAccessible(page, 'terms in force');

  await page.reload();
  const asked = page.getByRole('dialog', { name: 'Terms of use' });
  await expect(asked).toBeVisible();
  await asked.getByRole('checkbox').first().check();
  await asked.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(asked).toHaveCount(0);
  await page.goto('/admin/acceptances');
  const row = page.getByRole('row').filter({ hasText: 'olga@demo.test' }).first();
  await expect(row).toContainText('2027-01');
  await expectAccessible(page, 'accepted terms');
});
