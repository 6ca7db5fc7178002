/** Engines in a real browser: an operator adds one, tests it, changes it, assigns it to a master, and removes it. */
import type { Page } from '@playwright/test';
import { doubleNames } from '../../../server/src/demo/demo-doubles.ts';
import { create } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import { write } from '../../workflow.ts';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** The engines of the demo, in the order of the list. */
const present = [
  'built-in',
  ...doubleNames.toSorted((one, other) => one.localeCompare(other, 'en')),
];

// promise e3.connections.browser
test('an operator adds, tests, changes and removes an engine, whose secret is never shown', async ({
  page,
}) => {
  await openSignedIn(page, '/admin/engines', 'olga@demo.test');
  await expect(page.getByRole('rowheader').getByRole('link')).toHaveText(present);
  await page.getByRole('link', { name: 'Add engine', exact: true }).click();
  await expect(titled(page, 'Add engine')).toBeVisible();
  await expectAccessible(page, 'a new engine');
  await write(field(page, 'Name'), 'near');
  await expect(field(page, 'Client')).toHaveCount(0);
  await page.getByRole('main').getByRole('button', { name: /^Kind/ }).click();
  await page.getByRole('menuitemradio', { name: 'Vendor’s service', exact: true }).click();
  await write(field(page, 'Client'), 'our-client');
  await write(field(page, 'Address'), 'http://vendor.test');
  await write(field(page, 'Secret'), 'first-secret');
  await button(page, 'Add engine').click();
  await expect(page.getByText(/^Enter an https address\./)).toBeVisible();
  // no service listens there
  await write(field(page, 'Address'), 'http://127.0.0.1:9');
  await button(page, 'Add engine').click();
  await expect(titled(page, 'near')).toBeVisible();
  await expect(field(page, 'Secret')).toHaveValue('');

  await button(page, 'Test').click();
  const result = page.getByRole('dialog', { name: 'Test result' });
  await expect(result.getByText('Failed', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the result of a test');
  await result.getByText('Close', { exact: true }).click();

  await write(field(page, 'Address'), 'http://127.0.0.1:10');
  await button(page, 'Save').click();
  await expect(page.getByText('Enter a value.', { exact: true })).toBeVisible();
  await write(field(page, 'Secret'), 'second-secret');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(field(page, 'Address')).toHaveValue('http://127.0.0.1:10');
  await expect(field(page, 'Secret')).toHaveValue('');
  await expectAccessible(page, 'an engine');

  await button(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(titled(page, 'Engines')).toBeVisible();
  await expect(page.getByRole('rowheader').getByRole('link')).toHaveText(present);
  await page.getByRole('link', { name: 'built-in', exact: true }).click();
  await expect(titled(page, 'built-in')).toBeVisible();
  await expect(button(page, 'Remove')).toHaveCount(0);
  await expect(field(page, 'Secret')).toHaveCount(0);
});

test('an operator assigns an engine to a master, and removes it once no master has it', {
  tag: '@release',
}, async ({ page }) => {
  await startSession(page, 'olga@demo.test');
  const address = { url: 'http://127.0.0.1:9', client: 'our-client', secret: 'third-secret' };
  await create(page, 'engines', { name: 'distant', kind: 'encoding-api', ...address });
  const owner = { customerCode: 'CC-3003', groupCode: 'G-30', engine: 'built-in' };
  await create(page, 'masters', { family: 'kess3', serial: 'KS3-M-DISTANT', ...owner });
  const assign = async (engine: string): Promise<void> => {
    await page.goto('/admin/masters?search=KS3-M-DISTANT');
    await page.getByRole('link', { name: 'KS3-M-DISTANT', exact: true }).click();
    await expect(titled(page, 'KS3-M-DISTANT')).toBeVisible();
    await write(field(page, 'Decoding engine'), engine);
    await button(page, 'Save').click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(field(page, 'Decoding engine')).toHaveValue(engine);
  };
  const question = page.getByRole('dialog');
  const remove = async (): Promise<void> => {
    await page.goto('/admin/engines?search=distant');
    await page.getByRole('link', { name: 'distant', exact: true }).click();
    await expect(titled(page, 'distant')).toBeVisible();
    await button(page, 'Remove').click();
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
  };

  await assign('distant');
  await expectAccessible(page, 'a master with an engine');
  await remove();
  await expect(question).toContainText('Something else still needs it.');
  await assign('built-in');
  await remove();
  await expect(titled(page, 'Engines')).toBeVisible();
  await page.goto('/admin/engines');
  await expect(page.getByRole('rowheader').getByRole('link')).toHaveText(present);
});
