/** What operators see and tell, in a real browser: the overview, messages, maintenance, emails, the audit trail. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { write } from '../../workflow.ts';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

test('an operator sees in the overview what the installation does, and what doctor finds', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin', 'olga@demo.test');
  await expect(page.getByRole('heading', { name: 'Health', exact: true })).toBeVisible();
  await expect(page.getByText('database', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Running workers', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the overview');
});

test('an operator adds a message, previews it in another language, and removes it', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/messages', 'olga@demo.test');
  await page.getByRole('link', { name: 'Add message', exact: true }).click();
  await expect(titled(page, 'Add message')).toBeVisible();
  await write(field(page, 'Text'), 'The portal moves on Sunday.');
  await expectAccessible(page, 'a new message');
  await button(page, 'Add message').click();
  await expect(titled(page, 'The portal moves on Sunday.')).toBeVisible();

  await page.goto('/admin/messages');
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await expect(preview.getByText('The portal moves on Sunday.')).toBeVisible();
  await preview.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Polski', exact: true }).click();
  // Polish has no message of its own
  await expect(preview.getByText('The portal moves on Sunday.')).toBeVisible();
  await expectAccessible(page, 'messages');

  await page.getByRole('link', { name: 'The portal moves on Sunday.', exact: true }).click();
  await button(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No messages', { exact: true })).toBeVisible();
});

test('an operator plans maintenance and removes the plan', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/admin/maintenance', 'olga@demo.test');
  await expect(titled(page, 'Maintenance')).toBeVisible();
  await field(page, 'Planned from').fill('2099-01-02T03:04');
  await field(page, 'Planned until').fill('2099-01-01T03:04');
  await button(page, 'Save').click();
  await expect(page.getByText('This must be after the start.', { exact: true })).toBeVisible();
  await field(page, 'Planned until').fill('2099-01-02T05:04');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByText('Planned', { exact: true })).toBeVisible();
  await expectAccessible(page, 'planned maintenance');
  await page.reload();
  await expect(field(page, 'Planned from')).toHaveValue('2099-01-02T03:04');
  for (const name of ['Planned from', 'Planned until']) await field(page, name).fill('');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByText('Off', { exact: true })).toBeVisible();
});

test('an operator sends a test email and finds the emails by their status', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/emails', 'olga@demo.test');
  await expect(titled(page, 'Emails')).toBeVisible();
  await button(page, 'Send a test email to me').click();
  const result = page.getByRole('dialog', { name: 'Test result' });
  await expect(
    result.getByText(/^No mail server is configured\. The email to olga@demo\.test/),
  ).toBeVisible();
  await result.getByText('Close', { exact: true }).click();
  await button(page, 'Filters').click();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Status/ })
    .click();
  await page.getByRole('menuitemradio', { name: 'Not delivered', exact: true }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
  await expectAccessible(page, 'emails');
});

test('an operator finds an entry of the audit trail, verifies the trail and downloads it', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/audit', 'olga@demo.test');
  await expect(titled(page, 'Audit trail')).toBeVisible();
  await button(page, 'Verify').click();
  const result = page.getByRole('dialog', { name: 'Test result' });
  await expect(result.getByText(/^Entries 1 to \d+ are complete and unchanged\./)).toBeVisible();
  await expectAccessible(page, 'the result of the check');
  await result.getByText('Close', { exact: true }).click();

  await button(page, 'Filters').click();
  await write(field(page, 'Action'), 'adminAudit.perform');
  await expect(page).toHaveURL(/action=adminAudit/);
  await expectAccessible(page, 'the audit trail');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(titled(page, 'adminAudit.perform')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('"task": "verify"');
  await expectAccessible(page, 'an entry of the audit trail');

  await page.goto('/admin/audit?action=adminAudit.perform');
  const downloading = page.waitForEvent('download');
  await button(page, 'Download CSV').click();
  expect((await downloading).suggestedFilename()).toMatch(/^audit_\d{4}-\d{2}-\d{2}\.csv$/);
});

test('an operator sees what organizations store, and starts a scan of the files', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/storage', 'olga@demo.test');
  await expect(titled(page, 'Storage')).toBeVisible();
  await expect(page.getByRole('link', { name: 'CC-1001', exact: true })).toBeVisible();
  await button(page, 'Scan files').click();
  const result = page.getByRole('dialog', { name: 'Test result' });
  await expect(result.getByText(/No file is known to be damaged\.$/)).toBeVisible();
  await result.getByText('Close', { exact: true }).click();
  await expectAccessible(page, 'storage');
});
