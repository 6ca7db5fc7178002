/** The people of an organisation in a real browser: its manager invites a list, suspends someone, and no one else sees it. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../fixtures.ts';
import { write } from '../workflow.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a manager invites a pasted list, copies a link, and suspends and restores someone', {
  tag: '@release',
}, async ({ page, openBrowser }) => {
  await openSignedIn(page, '/admin/people', 'anna@demo.test');
  await expect(page.getByRole('link', { name: 'Anna Conti' })).toBeVisible();
  await expectAccessible(page, 'people');
  await button(page, 'Invite users').click();
  const dialog = page.getByRole('dialog', { name: 'Invite users' });
  const emails = dialog.getByLabel('Email addresses');
  await write(emails, 'Rosa Neri <rosa@people.test>; x, luca@demo.test');
  await expectAccessible(page, 'invite users');
  await dialog.getByRole('button', { name: 'Invite users', exact: true }).click();
  await expect(dialog.getByText('Not an email address')).toBeVisible();
  await expect(dialog.getByText('Has an account already.', { exact: false })).toBeVisible();
  const link = await dialog.getByText(/\/idp\/password\//).textContent();
  await expectAccessible(page, 'invited users');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('link', { name: 'rosa', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'rosa@people.test' })).toBeVisible();
  await expect(page.getByText('Invited', { exact: true })).toBeVisible();
  await expectAccessible(page, 'an invited person');
  const guest = await openBrowser();
  await guest.goto(new URL(link ?? '').pathname);
  await guest.getByLabel('New password').fill('kestrel over the long lake');
  await guest.getByRole('button', { name: 'Set password' }).click();
  await expect(guest.getByRole('heading', { name: 'Password set' })).toBeVisible();
  await page.reload();
  await button(page, 'Suspend').click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('Suspended', { exact: true }).first()).toBeVisible();
  await button(page, 'Restore access').click();
  await expect(button(page, 'Suspend')).toBeVisible();
});

test('a user who is no manager sees who can help instead of the list', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/settings', 'paolo@demo.test');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByText('This page is for managers')).toBeVisible();
});
