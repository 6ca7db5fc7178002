/**
 * The K-TAG workflow in a real browser: two modified components, the rest from the backup, and a backup on the wrong
 * page.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, expectAccessible, openSignedIn, signIn, test } from '../../fixtures.ts';
import { flash } from '../../slave.ts';
import { bytesOf, choose, decode, download, drop, encode, modify, rowOf } from '../../workflow.ts';

const keyFile = 'KTG-000007.json';

// promise 2.routes.ktag, 2.decode.ktag-components, 4.decode.ktag-comes, 4.encode.extensions
// promise 4.encode.zip-name, 2.home.any-file, 2.decode.click-or-drop
test('the home page opens the right page for a backup, which encodes two modified components together with the rest', async ({
  page,
  product,
}) => {
  await signIn(page);
  const bytes = await readFile(product.demoFile('samples/ktag/backup-9000.tfc'));
  const coming = page.waitForEvent('download');
  const area = page.getByRole('group', { name: 'Drop any file from a slave' });
  await drop(area, { name: 'backup.tfc', bytes });
  expect((await coming).suggestedFilename()).toBe('components.zip');
  await page.waitForURL((url) => url.pathname === '/ktag');
  await expectAccessible(page, 'ktag, decoded');

  const folder = await mkdtemp(join(tmpdir(), 'recodery-tune-'));
  const modified = new Map<string, Buffer>();
  for (const part of ['Flash', 'EEPROM']) {
    const downloaded = await download(
      page.getByRole('button', { name: new RegExp(`^(Download )?${part}`) }).first(),
    );
    const image = await bytesOf(downloaded);
    image.writeUInt16LE(0xbeef, 0x40);
    await writeFile(join(folder, part), image);
    await modify(page, part, join(folder, part));
    await expect(rowOf(page, part)).toContainText('changed');
    modified.set(part.toLowerCase(), image);
  }
  await expectAccessible(page, 'ktag, two modified');
  const encoded = await encode(page);
  expect(encoded.suggestedFilename()).toMatch(/\.unq$/);
  const flashed = await flash(product, encoded, keyFile);
  expect([...flashed.keys()].toSorted()).toEqual(['eeprom', 'flash', 'micro']);
  for (const [part, image] of modified) expect(flashed.get(part)?.equals(image), part).toBe(true);
});

// promise 2.encode.status, 2.encode.restore
test('restores a component from the backup', { tag: '@release' }, async ({ page, product }) => {
  await openSignedIn(page, '/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-2001.tfc'));
  await modify(page, 'Flash', product.demoFile('samples/ktag/backup-2001-flash-modified.bin'));
  await expect(rowOf(page, 'Flash')).toContainText('Modified');
  await rowOf(page, 'Flash')
    .getByRole('button', { name: /^Restore backup/ })
    .click();
  await expect(rowOf(page, 'Flash')).toContainText('From backup');
  await encode(page);
});

test('asks for another file if a component is refused, and does not omit it silently', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-2001.tfc'));
  const row = rowOf(page, 'Flash');
  await modify(page, 'Flash', product.demoFile('samples/kessv2/read-1004.tfc'));
  await expect(row.getByRole('alert')).toContainText('An error occurred');
  const note = row.getByText('File not accepted: read-1004.tfc');
  await expect(note).toBeVisible();
  const choosing = page.waitForEvent('filechooser');
  await row.getByRole('button', { name: 'Try again' }).click();
  await choosing;
  await expect(row.getByRole('alert')).toHaveCount(0);
  await expect(note).toBeVisible();
  await expectAccessible(page, 'ktag, a refused component is noted');
  // a reload forgets neither the file nor why it was refused
  await page.reload();
  await expect(row.getByRole('alert')).toContainText('An error occurred');
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Encode', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Continue without the file for Flash?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await modify(page, 'Flash', product.demoFile('samples/ktag/backup-2001-flash-modified.bin'));
  await expect(row).toContainText('Modified');
  await expect(note).toHaveCount(0);
  await encode(page);
});

// promise 5.files.ktag-on-kessv2, d7.results.told-before
test('a backup dropped on the KESSv2 page is decoded on the K-TAG page', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await choose(page, product.demoFile('samples/ktag/backup-9000.tfc'));
  await download(page.getByRole('button', { name: 'Open on the K-TAG page' }));
  await page.waitForURL((url) => url.pathname === '/ktag');
  await expect(page.getByRole('button', { name: 'Decode new file' })).toBeVisible();
});
