/** The originals library and the keys of slave devices in a real browser: uploaded, replaced, exported and removed. */
import { readFile } from 'node:fs/promises';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Page } from '@playwright/test';
import { call } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

function fileOf(seed: number, name: string) {
  const protocol = findProtocol(1002);
  if (protocol === null) throw new Error('there is no protocol 1002');
  const buffer = Buffer.from(generateImage(protocol, 'obd', seed));
  return { name, mimeType: 'application/octet-stream', buffer };
}

const choose = (page: Page, file: ReturnType<typeof fileOf>) =>
  page.locator('input[type=file]').setInputFiles(file);

test('an operator adds an original, replaces it and removes it', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/admin/originals', 'olga@demo.test');
  await page.getByRole('link', { name: 'Add original', exact: true }).click();
  await page.getByLabel('Protocol', { exact: true }).fill('1002');
  await choose(page, { ...fileOf(1, 'wrong.bin'), buffer: Buffer.alloc(10) });
  await expect(page.getByText(/^Chosen file: wrong\.bin/)).toBeVisible();
  await button(page, 'Add original').click();
  await expect(
    page.getByText('The protocol does not support a file of this size.', { exact: true }),
  ).toBeVisible();
  await choose(page, fileOf(41, 'stock.bin'));
  await expect(page.getByText(/^Chosen file: stock\.bin/)).toBeVisible();
  await expectAccessible(page, 'the form of an original');
  await button(page, 'Add original').click();
  await expect(page.getByText('stock.bin', { exact: true })).toBeVisible();
  await choose(page, fileOf(42, 'newer.bin'));
  await button(page, 'Save').click();
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(question).toContainText('Use the image for other numbers?');
  await question.getByRole('button', { name: 'Use anyway', exact: true }).click();
  await expect(page.getByText('newer.bin', { exact: true })).toBeVisible();
  await expectAccessible(page, 'an original');
  await button(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Originals' })).toBeVisible();
  await expect(page.getByText('newer.bin')).toHaveCount(0);
});

test('an operator exports the key of a slave after a question', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/admin/slaves?search=KS3-000042', 'olga@demo.test');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await button(page, 'Export key').click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Anyone who has it can do the same.');
  await expectAccessible(page, 'the question before the export');
  const downloading = page.waitForEvent('download');
  await question.getByRole('button', { name: 'Export key', exact: true }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('kess3_KS3-000042_key.json');
  expect(await readFile(await file.path(), 'utf8')).toContain('recodery-slave-key/1');
});

test('an operator gives a slave a new key after a question', { tag: '@release' }, async ({
  page,
}) => {
  await startSession(page, 'olga@demo.test');
  const slave = { family: 'kess3', serial: 'KS3-NEWKEY', masterSerial: 'KS3-M-0002' };
  expect((await call(page, 'POST', '/api/admin/slaves', slave)).ok()).toBe(true);
  await page.goto('/admin/slaves?search=KS3-NEWKEY');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await button(page, 'New key').click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('You cannot undo this.');
  await expectAccessible(page, 'the question before a new key');
  await question.getByRole('button', { name: 'New key', exact: true }).click();
  await expect(page.getByText('The slave has a new key.').first()).toBeVisible();
});
