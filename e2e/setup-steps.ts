/** The steps of the first run of an installation, from the page of the setup link. */
import { expect, type Page } from '@playwright/test';

/** The slave device that the setup adds. */
export const slave = 'K3S-900002';

/** Fills in everything but how to sign in. */
export async function fillSetup(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Rossi');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@workshop.test');
  await page.getByLabel('Name', { exact: true }).fill('Officina Rossi');
  await page.getByLabel('Customer code').fill('CC-1');
  await page.getByLabel('Group code').fill('G-1');
  await page.getByRole('button', { name: 'Add master' }).click();
  await page.getByLabel('Serial number').fill('K3M-900001');
  await page.getByRole('button', { name: 'Add slave' }).click();
  await page.getByLabel('Serial number').last().fill(slave);
}

/** Accepts the terms of use, and what has to be accepted expressly. */
export async function acceptTerms(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'I accept the terms of use' }).check();
  await page.getByRole('checkbox', { name: /^I expressly accept/ }).check();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Terms of use' })).toHaveCount(0);
}
