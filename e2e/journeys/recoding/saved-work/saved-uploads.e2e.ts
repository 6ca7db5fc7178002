/** An upload that is in progress is not lost: not by a reload, on another page, or by a wrong click. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../../fixtures.ts';
import type { Product } from '../../../product.ts';
import { choose, decode, hold, modify, rowOf } from '../../../workflow.ts';
import { kessv2Read, kessv2Modified, expectPrepared } from './prepared-files.ts';

// promise 4.resume.leaving
test('closing the page during an upload and changing the customer code ask for confirmation; opening another page does not, and the upload continues', async ({
  page,
  openTab,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(kessv2Read));
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', product.demoFile(kessv2Modified));
  await expect(page.getByRole('progressbar')).toBeVisible();
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.type();
    void dialog.dismiss();
  });
  // Firefox asks only users who have clicked something
  await page.getByRole('heading', { level: 1 }).click();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe('beforeunload');
  await expect(page.getByRole('progressbar')).toBeVisible();

  const tab = await openTab();
  await tab.goto('/');
  for (const where of [page, tab]) {
    await where.getByRole('button', { name: /^Customer code/ }).click();
    await where.getByRole('menuitemradio', { name: /CC-2002/ }).click();
    // by its name: the menu of customer codes is a dialog too, and may still be fading out
    const question = where.getByRole('dialog', { name: 'Switch to CC-2002?' });
    await expect(question).toContainText('still uploading for CC-1001');
    await where.getByRole('button', { name: 'Stay with CC-1001' }).click();
    await expect(question).toBeHidden();
  }
  const code = tab.getByRole('button', { name: /^Customer code/ });
  await expect(code).toContainText('CC-1001');
  await code.click();
  await tab.getByRole('menuitemradio', { name: /CC-2002/ }).click();
  await tab.getByRole('button', { name: 'Switch', exact: true }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  // the page's address named an operation of the other code
  await expect(page.getByText('This operation was not found.')).toBeHidden();
  // the upload belongs to the code that the user returns to
  await code.click();
  await tab.getByRole('menuitemradio', { name: /CC-1001/ }).click();
  await expect(code).toContainText('CC-1001');
  await expect(page.getByRole('progressbar')).toBeVisible();

  await page.getByRole('link', { name: 'Operations log' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Operations log' })).toBeVisible();
  const kept = page.waitForResponse(/upload-modified/);
  release();
  expect((await kept).status()).toBe(200);
  await page.getByRole('link', { name: 'KESSv2' }).first().click();
  await expectPrepared(page);
});

/** Uploads a modified file; its check waits for the engines. */
async function uploadUnchecked(page: Page, product: Product, path: string): Promise<void> {
  await product.signalEngines('SIGSTOP');
  await modify(page, 'Modified file', product.demoFile(path));
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
}

// promise 4.resume.reload
test('a file that is still being checked when the page is reloaded is not lost', async ({
  page,
  product,
}) => {
  await startSession(page);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/kessv2');
  await decode(page, product.demoFile(kessv2Read));
  try {
    await uploadUnchecked(page, product, kessv2Modified);
    await page.reload();
    await expect(rowOf(page, 'Modified file')).toContainText('Drop');
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(async () => {
    await page.reload();
    await expect(rowOf(page, 'Modified file')).toContainText('changed in', { timeout: 10_000 });
  }).toPass();
  await expectPrepared(page);
});

// promise 4.resume.reload
test('a file whose upload is canceled while it is checked does not come back', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const read = 'samples/kessv2/read-1002-identification-only';
  await choose(page, product.demoFile(`${read}.tfc`));
  const row = rowOf(page, 'Modified file');
  await expect(row).toBeVisible();
  try {
    await uploadUnchecked(page, product, `${read}-modified.bin`);
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/draft') && response.request().method() === 'PUT',
    );
    await row.getByRole('button', { name: 'Cancel' }).click();
    expect((await saved).status()).toBe(204);
  } finally {
    await product.signalEngines('SIGCONT');
  }
  // its check ends after that of the canceled file
  const original = rowOf(page, 'Original file');
  await modify(page, 'Original file', product.demoFile(`${read}-original.bin`));
  await expect(original.getByRole('progressbar')).toBeHidden();
  await page.reload();
  await expect(original).toContainText('-original.bin');
  await expect(row).toContainText('Drop');
  await expect(row).not.toContainText('-modified.bin');
});

// promise 4.resume.leaving
test('the question before starting over during an upload warns that the upload is canceled', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const release = await hold(page, /upload-read-file/);
  await choose(page, product.demoFile(kessv2Read));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // until then, the first area is the one of the page that is left
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const question = page.getByRole('dialog', { name: 'Start over with read-1001.tfc?' });
  await expect(question).toContainText('the upload is canceled');
  await expect(question).not.toContainText('recent operations');
  await expectAccessible(page, 'kessv2, asked during an upload');
  await question.getByRole('button', { name: 'Keep working' }).click();
  const coming = page.waitForEvent('download');
  release();
  await coming;
});
