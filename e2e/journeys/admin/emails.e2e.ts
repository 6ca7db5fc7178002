/** A failed email in a real browser: the mail server refused it, and an operator sends it again. */
import type { RecordOf } from '@recodery/contract/admin/resource';
import type { resources } from '@recodery/contract/admin/resources';
import type { Page } from '@playwright/test';
import { call, read } from '../../calls.ts';
import { expect, expectAccessible, startSession } from '../../fixtures.ts';
import { withMailServer } from '../../mail-fixture.ts';

type Emails = { readonly items: readonly RecordOf<typeof resources.emails>[] };

const invited = 'ida@late.test';
let isRefused = true;
const test = withMailServer({
  refuse: (recipient) => (isRefused && recipient === invited ? 550 : null),
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an operator finds an invitation that the mail server refused, and sends it again', {
  tag: '@release',
}, async ({ page, openBrowser, mailServer }) => {
  const manager = await openBrowser();
  await startSession(manager);
  const invitation = { emails: [invited] };
  expect((await call(manager, 'POST', '/api/organisation/invitations', invitation)).ok()).toBe(
    true,
  );

  await startSession(page, 'olga@demo.test');
  const listWith = (status: string) =>
    read<Emails>(page, `/api/admin/emails?status=${status}&search=${invited}`);
  await expect.poll(async () => (await listWith('failed')).items.length).toBe(1);
  await page.goto('/admin/emails?status=failed');
  await expect(page.getByRole('row').filter({ hasText: invited })).toContainText('550');
  await page.getByRole('link', { name: invited, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: invited, exact: true })).toBeVisible();
  await expect(page.getByText('Not delivered', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a failed email');

  isRefused = false;
  await button(page, 'Send now').click();
  await expect(page.getByText('The email is sent within a minute.').first()).toBeVisible();
  expect((await mailServer.next()).to).toEqual([invited]);
  await expect.poll(async () => (await listWith('sent')).items.length).toBe(1);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: invited, exact: true })).toBeVisible();
  await expect(page.getByText('Invitation', { exact: true })).toBeVisible();
  await expect(button(page, 'Send now')).toHaveCount(0);
});
