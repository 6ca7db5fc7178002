/**
 * The KESS3 workflows in a real browser: BootBench with popup, zip and removal, OBD with the original, and the utility.
 */
import type { Download, Locator, Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { flash } from '../../slave.ts';
import { bytesOf, choose, decode, download, encode, modify, rowOf } from '../../workflow.ts';

const keyFile = 'KS3-000042.json';
/** The words for decoding and encoding. */
const recodes = /(de|en)cod/i;

test.beforeEach(async ({ page }) => openSignedIn(page, '/kess3'));

// promise 2.routes.kess3, 2.decode.bench-popup, 2.decode.bench-zip, 2.encode.removed, 4.removed-notice.shown
test('unpacks a BootBench read, with one component modified and one removed', async ({
  page,
  product,
  browserName,
}) => {
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await page.getByRole('button', { name: 'Boot/Bench components' }).click();
  const popup = page.getByRole('dialog');
  await expect(popup).toBeVisible();
  await expectAccessible(page, 'kess3, components popup');
  const zip = await download(popup.getByRole('button', { name: 'Download all' }));
  expect(zip.suggestedFilename()).toBe('components.zip');
  expect((await bytesOf(zip)).subarray(0, 2).toString()).toBe('PK');
  const downloaded = await download(
    popup.getByRole('listitem').filter({ hasText: 'Flash' }).getByRole('button').first(),
  );
  const image = await bytesOf(downloaded);
  await popup.getByRole('button', { name: 'Close' }).click();

  // a removed component has a notice in place of its upload
  const eeprom = rowOf(page, 'EEPROM');
  await expect(eeprom).toContainText('Component removed');
  await expect(eeprom.locator('input[type=file]')).toHaveCount(0);
  const isRemoved = eeprom.getByRole('switch');
  await isRemoved.press('Space');
  await expect(eeprom).toContainText('From backup');
  await expect(eeprom.locator('input[type=file]')).toHaveCount(1);
  await isRemoved.press('Space');
  await expect(eeprom).toContainText('Component removed');

  const path = product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin');
  await modify(page, 'Flash', path);
  await expect(rowOf(page, 'Flash')).toContainText('changed');
  await expect(isRemoved).toBeChecked();
  await expectAccessible(page, 'kess3, bench, modified');
  const flashed = await flash(product, await encode(page), keyFile);
  expect([...flashed.keys()].toSorted()).toEqual(['flash', 'micro']);
  expect(flashed.get('flash')?.equals(image)).toBe(false);
  expect(flashed.get('flash')?.length).toBe(image.length);

  // The printout contains only the job sheet; the browser fires this event before it prints.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('article');
  // Firefox cannot emulate print media for a driver: there, only the sheet's content is checked
  const isPaper = await page.evaluate(() => matchMedia('print').matches);
  expect(isPaper).toBe(browserName !== 'firefox');
  await expect(sheet).toBeVisible({ visible: isPaper });
  for (const said of [
    /CC-1001 · /,
    'read-bootbench-9000.tfc',
    'KS3-000042',
    /\.moc/,
    /SHA-256 \w{64}/,
  ]) {
    await expect(sheet).toContainText(said);
  }
  if (isPaper) {
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('button')).toHaveCount(0);
  }
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(sheet).toHaveCount(0);
});

// promise 2.encode.image-original, 4.encode.reencode-original
test('asks for the original for an OBD read without an image', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await choose(page, product.demoFile('samples/kess3/read-obd-1002-identification-only.tfc'));
  await expect(page.getByText(/upload both the original file/)).toBeVisible();
  await expect(rowOf(page, 'Original file')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Re-encode decoded file' })).toHaveCount(0);
});

/** What is shown never mentions decoding or encoding. */
async function expectOwnWords(shown: Locator, state: string): Promise<void> {
  expect.soft(await shown.innerText(), state).not.toMatch(recodes);
}

/** Unpacks a backup on the page of the utility, compacts it with a modified file, and returns the result. */
async function compact(
  page: Page,
  product: Product,
  meanwhile = async (): Promise<void> => {},
): Promise<Download> {
  const main = page.getByRole('main');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('link', { name: 'KESS3 utility' }).click();
  await expect(main.getByRole('heading', { level: 2, name: 'Unpack' })).toBeVisible();
  await expectOwnWords(main, 'empty');
  await decode(page, product.demoFile('samples/kess3-utility/backup-obd-1001.tfc'));
  await modify(
    page,
    'Modified file',
    product.demoFile('samples/kess3-utility/backup-obd-1001-modified.bin'),
  );
  await expect(page.getByRole('button', { name: 'Compact', exact: true })).toBeEnabled();
  await main.getByText('Show all checks').click();
  await expect(main.getByText('The file differs from the unpacked file.')).toBeVisible();
  await expectOwnWords(main, 'unpacked');
  await meanwhile();
  const compacted = await encode(page, 'Compact');
  await expect(page.getByRole('button', { name: 'Download packed backup' })).toBeVisible();
  await expectOwnWords(main, 'compacted');
  return compacted;
}

// promise 2.routes.kess3-utility
test('the utility unpacks a backup, compacts it, unpacks the result, and never mentions decoding or encoding', async ({
  page,
  product,
}) => {
  const compacted = await compact(page, product);
  await expectAccessible(page, 'utility, compacted');
  await page.getByRole('button', { name: 'Start over' }).click();
  const again = await decode(page, await compacted.path());
  expect((await bytesOf(again)).length).toBe(512 * 1024);
});

test('the send dialog, the home page, the notifications and the job of a packed backup never mention decoding or encoding', {
  tag: '@release',
}, async ({ page, product }) => {
  const main = page.getByRole('main');
  await compact(page, product, async () => {
    await page.getByRole('button', { name: 'More ways to compact', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Compact and send', exact: true }).click();
    const popup = page.getByRole('dialog', { name: 'Compact and send' });
    await expect(popup).toContainText('backup-obd-1001.tfc');
    await expect(popup).toContainText('KS3-000042');
    await expect(popup.getByRole('button', { name: 'Compact and send' })).toBeVisible();
    await expectOwnWords(popup, 'send popup');
    await popup.getByRole('button', { name: 'Cancel' }).click();
  });
  await page.goto('/');
  // the newest ones: earlier journeys have left others
  const operations = main
    .getByRole('table')
    .getByRole('row')
    .filter({ hasText: /Unpacked|Compacted/ });
  for (const [at, state] of ['Compacted', 'Unpacked'].entries()) {
    await expect(operations.nth(at)).toContainText(state);
    await expectOwnWords(operations.nth(at), `operation ${at}`);
  }
  await page.getByRole('button', { name: /^Notifications/ }).click();
  // the newest ones: earlier ones are of other pages
  const newest = page.getByRole('dialog').getByRole('listitem');
  await expect(newest.first()).toContainText('Backup compacted');
  for (const at of [0, 1]) await expectOwnWords(newest.nth(at), `notification ${at}`);
  await page.keyboard.press('Escape');
  await page.goto('/jobs');
  await main.getByRole('link', { name: 'backup-obd-1001.tfc' }).first().click();
  await expect(main.getByRole('link', { name: 'Open and compact' })).toBeVisible();
  // other jobs of the vehicle, in a separate region, may contain a read
  for (const name of ['Vehicle and ECU', 'Timeline', 'Restore kit']) {
    const region = main.getByRole('region', { name });
    await expect(region).toBeVisible();
    await expectOwnWords(region, name);
  }
});
