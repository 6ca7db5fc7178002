/** The change map: opened from the strip of an uploaded file, walked through, exported and closed. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import {
  boxOf,
  bytesOf,
  createdFile,
  decode,
  emulatesMedia,
  modify,
  rowOf,
  write,
} from '../../workflow.ts';

/** The regions of two images, computed here: runs of differing bytes with less than 16 equal bytes between. */
function regionsOf(before: Buffer, after: Buffer) {
  const regions: { first: number; last: number; changed: number }[] = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === after[at]) continue;
    const open = regions.at(-1);
    if (open && at - open.last <= 16) {
      open.last = at;
      open.changed += 1;
    } else regions.push({ first: at, last: at, changed: 1 });
  }
  return regions;
}

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

/** Prepares the open page for paper, as the browser does before it prints. */
async function startPrinting(page: Page): Promise<Locator> {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  return page.locator('[data-report]');
}

/** What a report names: the read file, the family, the slave, the protocol and the VIN. */
async function expectVehicle(report: Locator): Promise<void> {
  for (const fact of ['read-1001.tfc', 'KESSv2', 'KV2-000007', 'REF-OBD-512K', 'ZZZREF00000DEMO01'])
    await expect(report.locator('[data-facts]')).toContainText(fact);
  // what a missing text is replaced by
  await expect(report).not.toContainText('##');
}

/** Prints the open map: the report replaces the page on paper, and disappears afterward. */
async function expectReport(page: Page, dialog: Locator): Promise<void> {
  const report = await startPrinting(page);
  const isPaper = emulatesMedia(page);
  await expect(report).toBeVisible({ visible: isPaper });
  await expectVehicle(report);
  await expect(report).toContainText('read-1001-modified.bin');
  await expect(report).toContainText('SHA-256');
  await expect(report.locator('tr')).not.toHaveCount(0);
  await expect(dialog).toBeVisible({ visible: !isPaper });
  await expect(page.locator('#root')).toBeVisible({ visible: !isPaper });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(report).toHaveCount(0);
  await page.emulateMedia({ media: null });
  await expect(dialog).toBeVisible();
}

/** On a phone, the bytes of both files are below each other. */
async function expectBelowEachOther(dialog: Locator): Promise<void> {
  const changed = dialog.getByRole('row').filter({ has: dialog.page().locator('mark') });
  const cells = changed.first().getByRole('cell');
  await expect(cells).toHaveCount(2);
  const [above, below] = [await boxOf(cells.first()), await boxOf(cells.last())];
  expect(below.y).toBeGreaterThanOrEqual(above.y + above.height - 1);
  expect(above.x + above.width).toBeLessThanOrEqual(390);
  expect(Math.abs(above.x - below.x)).toBeLessThan(1);
}

// promise c1.map.open, c1.map.bytes, c1.map.keyboard, c1.map.csv, c1.map.report, c1.map.phone
test('shows what a modified file changes, byte by byte, exports it, fits a phone, and prints a report', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const decoded = await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const before = await bytesOf(decoded);
  const modifiedPath = product.demoFile('samples/kessv2/read-1001-modified.bin');
  const after = await readFile(modifiedPath);
  const regions = regionsOf(before, after);
  const [first, second] = regions;
  if (!first || !second) throw new Error('the sample has fewer than two regions');
  await modify(page, 'Modified file', modifiedPath);

  const opener = rowOf(page, 'Modified file').getByRole('button', { name: /^Show changes/ });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Changes:/ });
  const list = dialog.getByRole('listbox', { name: `Changed regions: ${regions.length}` });
  await expect(list.getByRole('option').first()).toContainText(`0x${hex(first.first, 5)}`);
  await expect(list.getByRole('option').first()).toContainText('Calibration');
  await expect(dialog.getByRole('status')).toContainText(`Change 1 of ${regions.length}`);

  // the bytes before and after, in the row of the first change
  const rowAt = (offset: number) => {
    const start = offset - (offset % 16);
    return dialog.getByRole('row').filter({ hasText: hex(start, 5) });
  };
  const bytesIn = (image: Buffer, offset: number): string => {
    const start = offset - (offset % 16);
    return [...image.subarray(start, start + 16)].map((byte) => hex(byte, 2)).join(' ');
  };
  const expectBytes = async (offset: number): Promise<void> => {
    const cells = rowAt(offset).getByRole('cell');
    await expect(cells.first()).toContainText(bytesIn(before, offset));
    await expect(cells.last()).toContainText(bytesIn(after, offset));
  };
  await expectBytes(first.first);
  await expect(rowAt(first.first).locator('mark').first()).toBeVisible();
  // the same bytes as characters
  const characters = before.subarray(first.first - (first.first % 16)).subarray(0, 16);
  const shown = characters.toString('latin1').replaceAll(/[^ -~]/g, '.');
  await expect(rowAt(first.first).getByRole('cell').first()).toContainText(shown);
  await expectAccessible(page, 'the change map');

  await dialog.getByRole('button', { name: 'Next change' }).press('Enter');
  await expect(dialog.getByRole('status')).toContainText(`Change 2 of ${regions.length}`);
  await expectBytes(second.first);
  const selected = list.getByRole('option', { selected: true });
  await expect(selected).toContainText(`0x${hex(second.first, 5)}`);
  await list.press('End');
  const last = regions.at(-1) ?? first;
  await expect(selected).toContainText(`0x${hex(last.first, 5)}`);
  await expectBytes(last.first);

  await write(dialog.getByLabel('Address'), '0x8g');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
  await write(dialog.getByLabel('Address'), '0x60010');
  await page.keyboard.press('Enter');
  await expectBytes(0x60010);
  const map = dialog.getByRole('slider', { name: 'Position in the image' });
  await expect(map).toHaveAttribute('aria-valuetext', '0x60010, Identification');
  // two rows are above the address; a scroll by ten rows moves the marker by as many
  await dialog.getByRole('rowgroup').evaluate((bytes) => bytes.scrollBy(0, 220));
  await expect(map).toHaveAttribute('aria-valuenow', String(0x60010 - 32 + 160));
  await map.press('+');
  await map.press('ArrowRight');
  await expect(map).not.toHaveAttribute('aria-valuenow', String(0x60010 - 32 + 160));

  const coming = createdFile(page);
  await dialog.getByRole('button', { name: 'Export CSV' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('read-1001-modified.bin.changes.csv');
  const lines = (await readFile(await file.path(), 'utf8')).replace(/^\uFEFF/, '').split('\r\n');
  expect(lines[0]).toBe('first,last,length,changed,area');
  expect(lines.slice(1, -1).map((line) => line.split(',').slice(0, 4).join(','))).toEqual(
    regions.map((region) =>
      [
        `0x${hex(region.first, 5)}`,
        `0x${hex(region.last, 5)}`,
        region.last - region.first + 1,
        region.changed,
      ].join(','),
    ),
  );
  expect(lines[1]).toMatch(/,calibration$/);

  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await opener.click();
  await expectBelowEachOther(dialog);
  await expectReport(page, dialog);
});

// promise c1.map.report
test('the report about two files of a job names its vehicle, slave and read file too', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  await modify(page, 'Modified file', product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await expect(page.getByRole('button', { name: /^Show changes/ })).toBeVisible();
  await page.goto('/jobs');
  await page.getByRole('main').getByRole('link', { name: 'read-1001.tfc' }).first().click();
  const history = page.getByRole('region', { name: 'Timeline' });
  await expect(history.getByRole('checkbox')).toHaveCount(2);
  for (const box of await history.getByRole('checkbox').all()) await box.check();
  await history.getByRole('button', { name: 'Compare', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Changes:/ });
  await expect(dialog.getByRole('option').first()).toBeVisible();
  await expectVehicle(await startPrinting(page));
});

test('compares the modified file with the uploaded original where the read has no image', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const read = 'samples/kessv2/read-1002-identification-only';
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile(`${read}.tfc`));
  await modify(page, 'Modified file', product.demoFile(`${read}-modified.bin`));
  const opener = rowOf(page, 'Modified file').getByRole('button', { name: /^Show changes/ });
  await expect(rowOf(page, 'Modified file')).toContainText('-modified.bin');
  await expect(opener).toHaveCount(0);
  await modify(page, 'Original file', product.demoFile(`${read}-original.bin`));
  await opener.click();
  const dialog = page.getByRole('dialog', { name: /^Changes:/ });
  await expect(dialog).toContainText('-original.bin');
  await expect(dialog.getByRole('option').first()).toContainText(/B changed/);
});
