/** Slaves in a real browser: a pasted list is corrected and added, and a slave is moved, revoked and removed with its master. */
import type { Page } from '@playwright/test';
import { create } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { write } from '../../workflow.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

test('an operator pastes a list of slaves, corrects the marked line, and adds all', {
  tag: '@release',
}, async ({ page }) => {
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

test('an operator moves a slave to a new owner, revokes it, and removes its master', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/admin/slaves', 'olga@demo.test');
  const [master, slave] = ['KS3-M-MOVE', 'KS3-MOVED'];
  const owner = { customerCode: 'CC-1001', groupCode: 'G-10', engine: 'built-in' };
  await create(page, 'masters', { family: 'kess3', serial: master, ...owner });
  await create(page, 'slaves', {
    family: 'kess3',
    serial: slave,
    masterSerial: master,
    owner: 'CC-9001',
  });
  const open = async (list: string, name: string): Promise<void> => {
    await page.goto(`/admin/${list}?search=${name}`);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(titled(page, name)).toBeVisible();
  };

  await open('slaves', slave);
  await write(page.getByLabel('Owner', { exact: true }), 'CC-3003');
  await button(page, 'Save').click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('KESS3 KS3-MOVED: CC-9001 → CC-3003');
  await expectAccessible(page, 'the question before a slave is moved');
  await question.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await button(page, 'Revoke').click();
  await expect(question).toContainText('The portal refuses the files of this slave from now on.');
  await question.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(button(page, 'Accept again')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('switch', { name: /^Revoked/ })).toBeChecked();
  await expect(page.getByLabel('Owner', { exact: true })).toHaveValue('CC-3003');
  await expectAccessible(page, 'a revoked slave');

  const remove = async (list: string, name: string): Promise<void> => {
    await open(list, name);
    await button(page, 'Remove').click();
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
  };
  await remove('masters', master);
  await expect(question).toContainText('This works only once it has no slaves.');
  await expect(question.getByRole('alert')).toContainText('Slaves (1)');
  await remove('slaves', slave);
  await expect(titled(page, 'Slaves')).toBeVisible();
  await remove('masters', master);
  await expect(titled(page, 'Masters')).toBeVisible();
});
