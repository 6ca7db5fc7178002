/** Backups in a real browser: an operator makes one, downloads it, removes it, schedules others, and keeps fewer. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect, expectAccessible, openSignedIn } from '../../fixtures.ts';
import { startProduct } from '../../product.ts';

const test = base.extend<Record<never, never>, { readonly folder: string }>({
  folder: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'recodery-backups-'));
      await chmod(folder, 0o755);
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ folder }, use) => {
      const product = await startProduct({ RECODERY_BACKUP_DIR: folder });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Makes a backup from the list, which has no other. */
async function backUp(page: Page): Promise<void> {
  await button(page, 'Back up now').click();
  await expect(page.getByText('Started: Back up now', { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('Complete and verified', { exact: true }).first()).toBeVisible({
    timeout: 120_000,
  });
}

test('an operator makes a backup, leaves the page, downloads the backup and removes it', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/backups', 'olga@demo.test');
  await expect(titled(page, 'Backups')).toBeVisible();
  await expect(page.getByText('There is no verified backup.', { exact: true })).toBeVisible();
  await expect(page.getByText('No backups', { exact: true })).toBeVisible();
  await backUp(page);
  await expect(page.getByText(/^Last verified backup:/)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Restore a backup' })).toContainText(
    'npx --no-install recodery restore',
  );
  await expectAccessible(page, 'the backups');

  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /^recodery-.*\.tar$/ })).toBeVisible();
  await expectAccessible(page, 'a backup');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download').click();
  expect((await downloading).suggestedFilename()).toMatch(/^recodery-.*Z\.tar$/);
  await button(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No backups', { exact: true })).toBeVisible();
});

test('an operator schedules backups and turns the schedule off', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/admin/backups', 'olga@demo.test');
  await page.getByRole('link', { name: 'Change schedule', exact: true }).click();
  await expect(titled(page, 'Backup schedule')).toBeVisible();
  const hour = page.getByRole('button', { name: /^Daily at \(UTC\)/ });
  await hour.click();
  await page.getByRole('menuitemradio', { name: '03:00', exact: true }).click();
  await page.getByLabel('Backups to keep', { exact: true }).fill('7');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Next backup', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the schedule');
  await page.reload();
  await expect(page.getByLabel('Backups to keep', { exact: true })).toHaveValue('7');
  await hour.click();
  await page.getByRole('menuitemradio', { name: 'Not set', exact: true }).click();
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();
  await page.goto('/admin/backups');
  await expect(page.getByText('The schedule is off.')).toBeVisible();
});

test('an operator who keeps fewer backups sees before how many are removed', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/backups', 'olga@demo.test');
  await expect(titled(page, 'Backups')).toBeVisible();
  await backUp(page);
  await page.getByRole('link', { name: 'Change schedule', exact: true }).click();
  await expect(titled(page, 'Backup schedule')).toBeVisible();
  const kept = page.getByLabel('Backups to keep', { exact: true });
  await kept.fill('1');
  await button(page, 'Save').click();
  const question = page.getByRole('dialog', { name: 'Keep fewer backups?' });
  await expect(question).toContainText('Files that the next backup removes: 1.');
  await expectAccessible(page, 'the question before fewer backups');
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(question).toHaveCount(0);
  await button(page, 'Save').click();
  await question.getByRole('button', { name: 'Keep fewer', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(kept).toHaveValue('1');
  await page.goto('/admin/backups');
  await expect(page.getByText('Removed by the next backup', { exact: true })).toBeVisible();
});
