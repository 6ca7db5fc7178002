/** No upload is lost: not because of a temporary error, a reload, another page, another device, or a wrong click. */
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../../fixtures.ts';
import {
  boxOf,
  bytesOf,
  choose,
  decode,
  download,
  encode,
  hold,
  modify,
  rowOf,
  toastOf,
} from '../../../workflow.ts';
import { kessv2Modified, prepare, expectPrepared, encodeButton, cvn } from './prepared-files.ts';

// promise 4.resume.reload
test('a reload restores the file with its check result, the switch, and the result', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  await cvn(page).check();
  await page.reload();
  await expectPrepared(page);
  await expect(cvn(page)).toBeChecked();
  const encoded = await encode(page);
  await page.reload();
  await expect(page.getByText(encoded.suggestedFilename()).first()).toBeVisible();
  await expectPrepared(page);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
  await expect(cvn(page)).not.toBeChecked();
  await page.reload();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
});

// promise 4.resume.reload, 2.encode.restore
test('a reload restores components: uploaded, restored, kept and removed ones', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash')).toBeVisible();
  const folder = await mkdtemp(join(tmpdir(), 'recodery-kept-'));
  await page.getByRole('button', { name: 'Boot/Bench components' }).click();
  const popup = page.getByRole('dialog');
  for (const part of ['Flash', 'Micro']) {
    const downloaded = await download(
      popup.getByRole('listitem').filter({ hasText: part }).getByRole('button').first(),
    );
    const image = await bytesOf(downloaded);
    image.writeUInt16LE(0xbeef, 0x40);
    await writeFile(join(folder, part), image);
  }
  await popup.getByRole('button', { name: 'Close' }).click();
  for (const part of ['Flash', 'Micro']) {
    await modify(page, part, join(folder, part));
    await expect(rowOf(page, part)).toContainText('changed in');
  }
  await rowOf(page, 'Micro')
    .getByRole('button', { name: /^Restore backup/ })
    .click();
  await rowOf(page, 'Flash').getByRole('switch').check();
  await rowOf(page, 'EEPROM').getByRole('switch').uncheck();
  await page.reload();
  await expect(rowOf(page, 'Flash')).toContainText('Removed');
  await expect(rowOf(page, 'Micro')).toContainText('From backup');
  await expect(rowOf(page, 'EEPROM')).toContainText('From backup');
  await rowOf(page, 'Flash').getByRole('switch').uncheck();
  await expect(rowOf(page, 'Flash')).toContainText('changed in');
});

// promise 4.resume.reload
test('a reload restores a change whose request was lost', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  let isLost = false;
  await page.route('**/draft', (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
  });
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('switch', { name: 'Correct CVN' }).check();
  await sent;
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Correct CVN' })).toBeChecked();
});

// promise 4.resume.reload
test('returning to the page restores everything, even after a reload of another page', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  await page.getByRole('link', { name: 'Operations log' }).first().click();
  await page.getByRole('link', { name: 'KESSv2' }).first().click();
  await expectPrepared(page);
  await page.goto('/settings');
  await page.goto('/kessv2');
  await expectPrepared(page);
});

test('prepared files stay with their master device, and one click leads back', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await decode(page, product.demoFile('samples/kess3/read-obd-1001.tfc'));
  const modified = product.demoFile('samples/kess3/read-obd-1001-modified.bin');
  await modify(page, 'Modified file', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
  await page.getByRole('button', { name: /KS3-M-0001/ }).click();
  await page.getByRole('menuitemradio', { name: /KS3-M-0002/ }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  const toast = toastOf(page, 'Your files are kept');
  const back = toast.getByRole('button', { name: 'Select “Automatic”' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  // a narrow screen has no room for both: the button is below the text
  const words = await boxOf(toast.getByText('Select “Automatic” again to continue with them.'));
  expect((await boxOf(back)).y).toBeGreaterThanOrEqual(words.y + words.height);
  if (size) await page.setViewportSize(size);
  await back.click();
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
});

// promise 4.resume.leaving
test('starting over with files on the page asks for confirmation once', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('dialog', { name: 'Start over?' })).toBeVisible();
  await expectAccessible(page, 'kessv2, asked before starting over');
  await page.getByRole('button', { name: 'Keep working' }).click();
  await expectPrepared(page);
  // a file that is dropped on the home page asks by its name
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // until then, the first area is the one of the page that is left
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const question = page.getByRole('dialog', { name: 'Start over with read-1001.tfc?' });
  await question.getByRole('button', { name: 'Keep working' }).click();
  await expectPrepared(page);
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
});

test('if all components are removed, the page shows that there is nothing to write', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash')).toBeVisible();
  await expect(encodeButton(page)).toBeEnabled();
  for (const part of ['Flash', 'Micro']) {
    await rowOf(page, part).getByRole('switch').check();
  }
  await expect(page.getByText('there is nothing to write')).toBeVisible();
  await expect(encodeButton(page)).toBeDisabled();
  await rowOf(page, 'Micro').getByRole('switch').uncheck();
  await expect(encodeButton(page)).toBeEnabled();
});

test('an address with an unknown operation shows a message; one with an operation of another page links there', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2?operation=01900000-0000-7000-8000-00000000dead');
  await expect(page.getByText('This operation was not found.')).toBeVisible();
  await expect(page).toHaveURL(/kessv2$/);
  await page.goto('/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-9000.tfc'));
  await expect(page).toHaveURL(/operation=/);
  await page.goto(`/kessv2${new URL(page.url()).search}`);
  await page.getByRole('link', { name: 'Open on the K-TAG page' }).click();
  await expect(rowOf(page, 'Flash')).toBeVisible();
});

// promise 4.resume.leaving
test('a modified file stays when the decoded file is encoded again, and the page asks before discarding it', async ({
  page,
  product,
}) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  const reencode = page.getByRole('button', { name: 'Re-encode decoded file' });
  const question = page.getByRole('dialog', { name: 'Start over?' });
  const keep = question.getByRole('button', { name: 'Keep working' });
  await page.route('**/reencode-decoded-file', (route) => route.abort(), { times: 1 });
  await reencode.click();
  await expect(page.getByRole('button', { name: 'Back to the files' })).toBeVisible();
  for (const name of ['Start over', 'Decode new file']) {
    await page.getByRole('button', { name, exact: true }).click();
    await keep.click();
    await expect(question).toBeHidden();
  }
  await download(page.getByRole('button', { name: 'Try again' }));
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await keep.click();
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expectPrepared(page);
  await page.reload();
  await expectPrepared(page);
});

// promise 4.resume.reload
test('an earlier encode that is opened from the last operations replaces nothing that was uploaded since', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  await encode(page);
  const encoded = page.url();
  const newer = join(await mkdtemp(join(tmpdir(), 'recodery-newer-')), 'newer.bin');
  await copyFile(product.demoFile(kessv2Modified), newer);
  const row = rowOf(page, 'Modified file');
  await page.getByRole('button', { name: 'Encode another file' }).click();
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', newer);
  await expect(page.getByRole('progressbar')).toBeVisible();
  const reencode = page.getByRole('button', { name: 'Re-encode decoded file' });
  await expect(reencode).toBeDisabled();
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // the latest operation is the encode
  const recent = page.getByRole('region', { name: 'Recent operations' });
  await recent.locator('tbody tr').first().getByRole('link').click();
  await expect(page).toHaveURL(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  // the upload continues behind the earlier encode
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.getByRole('dialog', { name: 'Start over?' });
  await expect(question).toContainText('A file is still uploading.');
  await question.getByRole('button', { name: 'Keep working' }).click();
  const kept = page.waitForResponse(/upload-modified/);
  release();
  expect((await kept).status()).toBe(200);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(row).toContainText('newer.bin');
  // opened in a tab with empty storage
  await page.goto(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(row).toContainText('newer.bin');
  await page.reload();
  await expect(row).toContainText('newer.bin');
  // once the newer file is encoded too, nothing is left to encode
  await encode(page);
  await page.goto(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await page.goto(encoded);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
});
