/** Archived organisations in a real browser: a workshop is archived, closed to its user, restored and removed. */
import type { Page } from '@playwright/test';
import { call } from '../../calls.ts';
import {
  expect,
  expectAccessible,
  openSignedIn,
  signIn,
  startSession,
  test,
} from '../../fixtures.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const titlesOf = (page: Page) => page.getByRole('rowheader').getByRole('link');
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('an operator archives a workshop, reactivates it, and removes it once it is empty', {
  tag: '@release',
}, async ({ page }) => {
  await startSession(page, 'olga@demo.test');
  const add = (path: string, body: object) => call(page, 'POST', `/api/admin/${path}`, body);
  const code = { customerCode: 'CC-7117', name: 'Closing down', culture: 'en-US' };
  expect((await add('organisations', code)).ok()).toBe(true);
  await page.goto('/admin/organisations');
  await page.getByRole('link', { name: 'CC-7117', exact: true }).click();
  await expect(titled(page, 'CC-7117')).toBeVisible();
  await expect(button(page, 'Remove')).toHaveCount(0);
  await button(page, 'Archive').click();
  await expect(page.getByRole('dialog')).toContainText('no one can sign in or use the API');
  await expectAccessible(page, 'the question before an organisation is archived');
  await confirm(page, 'Archive');
  await expect(button(page, 'Reactivate')).toBeVisible();
  await expect(page.getByRole('switch', { name: /^Archived/ })).toBeChecked();
  await expectAccessible(page, 'an archived organisation');

  await page.getByRole('link', { name: 'Organizations', exact: true }).first().click();
  await button(page, 'Filters').click();
  const filters = page.getByRole('group', { name: 'Filters', exact: true });
  await filters.getByRole('button', { name: /^Archived/ }).click();
  await page.getByRole('menuitemradio', { name: 'Archived', exact: true }).click();
  await expect(titlesOf(page)).toHaveText(['CC-7117']);
  await expect(page).toHaveURL(/archived=true/);
  await expectAccessible(page, 'archived organisations');

  await titlesOf(page).click();
  await button(page, 'Reactivate').click();
  // it has no users, so that the operator is asked
  await expect(page.getByRole('dialog')).toContainText('The organization would have no manager.');
  await expectAccessible(page, 'the question before an organisation without a manager');
  await confirm(page, 'Continue without a manager');
  await expect(button(page, 'Archive')).toBeVisible();
  await button(page, 'Archive').click();
  await confirm(page, 'Archive');
  await button(page, 'Remove').click();
  await expectAccessible(page, 'the question before an organisation is removed');
  await confirm(page, 'Remove');
  await expect(titled(page, 'Organizations')).toBeVisible();
  await expect(page.getByRole('link', { name: 'CC-7117', exact: true })).toHaveCount(0);
});

test('a user of an archived workshop is signed out, reads why, and works again after its reactivation', {
  tag: '@release',
}, async ({ page, openBrowser }) => {
  await openSignedIn(page, '/admin/organisations?search=CC-4004', 'olga@demo.test');
  const user = await openBrowser({ locale: 'en-US' });
  await signIn(user, 'otto@demo.test');
  await titlesOf(page).click();
  await button(page, 'Archive').click();
  await confirm(page, 'Archive');
  await expect(button(page, 'Remove')).toBeVisible();
  // the open page asks for a sign-in at once, which fails
  await expect(user.getByText('Your account has no active organization')).toBeVisible();
  await expectAccessible(user, 'a sign-in without an active organisation');
  await button(page, 'Remove').click();
  await confirm(page, 'Remove');
  await expect(page.getByRole('dialog')).toContainText('Something else still needs it.');
  await expect(page.getByRole('dialog')).toContainText(/Users \(\d+\), Masters \(\d+\)/);
  await page.keyboard.press('Escape');
  await button(page, 'Reactivate').click();
  await expect(button(page, 'Archive')).toBeVisible();
  await signIn(user, 'otto@demo.test');
});
