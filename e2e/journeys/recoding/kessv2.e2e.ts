/**
 * The KESSv2 workflow in a real browser: decode, download, modify, encode, and the slave accepts exactly those bytes.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { flash, hashesInside } from '../../slave.ts';
import { bytesOf, choose, decode, encode, visit } from '../../workflow.ts';

const keyFile = 'KV2-000007.json';
/** The component type of an OBD image in a sealed file's table. */
const obdImage = 6;

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test.beforeEach(async ({ page }) => {
  await openSignedIn(page, '/kessv2');
  await expect(page.getByRole('heading', { level: 1, name: 'KESSv2' })).toBeVisible();
});

// promise 1.work.encode, 1.browsers.chrome, 2.routes.kessv2, 2.decode.click-or-drop
// promise 4.decode.kessv2-comes, 4.encode.file-comes
test('decodes, modifies and encodes an open image, and the slave flashes exactly the modified bytes', async ({
  page,
  product,
}) => {
  const read = product.demoFile('samples/kessv2/read-9000.tfc');
  await expectAccessible(page, 'kessv2, idle');
  const decoded = await decode(page, read);
  expect(decoded.suggestedFilename()).toMatch(/\.bin$/);
  const image = await bytesOf(decoded);
  expect(sha256(image)).toBe((await hashesInside(product, read, keyFile)).get(obdImage));
  await expectAccessible(page, 'kessv2, decoded');

  const modified = Buffer.from(image);
  modified.writeUInt32LE(0xc0ffee, 0x1000);
  const folder = await mkdtemp(join(tmpdir(), 'recodery-tune-'));
  await writeFile(join(folder, 'stage1.bin'), modified);
  await choose(page, join(folder, 'stage1.bin'));
  await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
  await expectAccessible(page, 'kessv2, modified');

  const encoded = await encode(page);
  expect(encoded.suggestedFilename()).toMatch(/\.moc$/);
  await expectAccessible(page, 'kessv2, encoded');
  const flashed = await flash(product, encoded, keyFile);
  expect(flashed.get('obd')?.equals(modified)).toBe(true);

  // after leaving the page, it is the newest of the last operations
  await visit(page, '/');
  await page.getByRole('link', { name: 'read-9000.tfc' }).first().click();
  const main = page.getByRole('main');
  await expect(main.getByRole('button', { name: 'Download encoded file' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
});

test('corrects the checksums of REF-OBD-512K in what the slave flashes, and changes nothing else', {
  tag: '@release',
}, async ({ page, product }) => {
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const path = product.demoFile('samples/kessv2/read-1001-modified.bin');
  await choose(page, path);
  const flashed = (await flash(product, await encode(page), keyFile)).get('obd');
  const modified = await readFile(path);
  expect(flashed?.length).toBe(modified.length);
  const differing = (flashed ?? Buffer.alloc(0)).filter((byte, at) => byte !== modified[at]).length;
  expect(differing).toBeGreaterThan(0);
  expect(differing).toBeLessThanOrEqual(40);
});

// promise 2.encode.reencode
test('an encoded file is refused by every other slave', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  const encoded = await encode(page, 'Re-encode decoded file');
  await expect(flash(product, encoded, 'KV2-002002.json')).rejects.toThrow('WRONG_MASTER_CODE');
});

// promise 4.resume.decode, d10.page.reload
test('a page that is reloaded during a decode continues with it', async ({ page, product }) => {
  await product.signalEngines('SIGSTOP');
  try {
    await choose(page, product.demoFile('samples/kessv2/read-9000.tfc'));
    await expect(page.getByText('Decoding', { exact: false }).first()).toBeVisible();
    await page.reload();
    await expect(page.getByText('Decoding', { exact: false }).first()).toBeVisible();
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(page.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
});

// promise 2.layout.language-menu, 2.decode.prompt, 2.decode.id-file, 2.encode.waits
// promise 2.encode.start-over, 2.encode.after, d10.page.italian
test('the whole workflow is in Italian for a user who chose Italian', async ({ page, product }) => {
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Italiano' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'it-IT');
  await expect(page.getByText('Carica file letto')).toBeVisible();
  await expect(page.getByText('In attesa del file')).toBeVisible();
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await expect(page.getByRole('button', { name: 'Decodifica nuovo file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Scarica ID' })).toBeVisible();
  await expectAccessible(page, 'kessv2, decoded, Italian');
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await encode(page, 'Codifica');
  await expect(page.getByRole('button', { name: 'Codifica altro file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Scarica file codificato' })).toBeVisible();
  await page.getByRole('button', { name: 'Ricomincia' }).click();
  await expect(page.getByText('Carica file letto')).toBeVisible();
});

test('axe finds nothing in German either, the language with the longest words', {
  tag: '@release',
}, async ({ page, product }) => {
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE');
  await expectAccessible(page, 'kessv2, German');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  await choose(page, product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await expect(page.getByText(/Bytes in \d Bereichen geändert/)).toBeVisible();
  await expectAccessible(page, 'kessv2, modified, German');
  await encode(page, 'Codieren');
  const again = page.getByRole('button', { name: 'Codierte Datei herunterladen', exact: true });
  await expect(again).toBeVisible();
  await expectAccessible(page, 'kessv2, encoded, German');
  for (const path of ['/', '/settings', '/notifications', '/operations-log', '/kess3']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, `${path}, German`);
  }
});
