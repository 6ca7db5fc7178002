/** Decoded images as Intel HEX and S-record: the menu next to the download, and the way back. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { bytesOf, decode, download, neverTimeOut, openJob, rowOf } from '../../workflow.ts';

const generous = { timeout: 60_000 };

// promise 5.text-downloads.page
test('an image is downloaded as Intel HEX from the page and from its job, and converted back', async ({
  page,
  product,
}) => {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
  const decoded = await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const image = await bytesOf(decoded);
  await page.getByRole('button', { name: /^Other formats for / }).click(generous);
  await page.getByRole('menuitem', { name: 'Intel HEX' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address of the first byte').fill('80000000');
  await expectAccessible(page, 'the address of an image');
  const text = await download(dialog.getByRole('button', { name: 'Download', exact: true }));
  const name = decoded.suggestedFilename().replace(/\.[^.]*$/, '.hex');
  expect(text.suggestedFilename()).toBe(name);
  expect((await bytesOf(text)).toString('latin1', 0, 15)).toBe(':0200000480007A');
  await expect(dialog).toHaveCount(0);

  const row = rowOf(page, 'Modified file');
  await row.locator('input[type=file]').setInputFiles(await text.path());
  await page.getByRole('button', { name: 'Convert' }).click(generous);
  await expect(row.getByText('0 bytes changed in 0 regions')).toBeVisible(generous);

  await openJob(page);
  const again = page.getByRole('button', {
    name: `Other formats for ${decoded.suggestedFilename()}`,
  });
  await again.click(generous);
  await page.getByRole('menuitem', { name: 'S-record' }).click();
  const record = await download(dialog.getByRole('button', { name: 'Download', exact: true }));
  const data = (await readFile(await record.path(), 'latin1')).match(/(?<=^S2.{8})(.*)(?=..\r$)/gm);
  expect(hash('sha256', Buffer.from(data?.join('') ?? '', 'hex'))).toBe(hash('sha256', image));
});
