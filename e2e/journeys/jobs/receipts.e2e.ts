/**
 * Receipts in a real browser: the link next to an encoded file, the page to print, and the check of files and receipts.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decodeUnwatched } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { choose, decode, download, emulatesMedia, encode } from '../../workflow.ts';

/** An encoded file on disk, and the code of its receipt. */
interface Receipt {
  readonly folder: string;
  readonly file: string;
  readonly code: string;
  /** The receipt's page, which the link on the device page has opened. */
  readonly page: Page;
}

/** Encodes a demo read and follows the link to its receipt. */
async function encodeWithReceipt(page: Page, product: Product): Promise<Receipt> {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  return receiptOfEncode(page);
}

/** Encodes the read that is decoded on the page, and follows the link to its receipt. */
async function receiptOfEncode(page: Page): Promise<Receipt> {
  const encoded = await encode(page, 'Re-encode decoded file');
  const folder = await mkdtemp(join(tmpdir(), 'recodery-receipt-'));
  const file = join(folder, encoded.suggestedFilename());
  await encoded.saveAs(file);
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Receipt', exact: true }).click();
  const opened = await opening;
  await opened.waitForLoadState();
  const code = new URL(opened.url()).pathname.replace('/receipts/', '');
  expect(code).toMatch(/^(\w{4}-){3}\w{4}$/);
  return { folder, file, code, page: opened };
}

/** The result of a check. */
const verdict = (page: Page) => page.getByRole('status').getByRole('heading');

// promise d11.receipts.page, d11.receipts.device-page, d11.receipts.verify
test('opens the receipt of an encoded file, prints it, and checks files against it', async ({
  page,
  product,
  openBrowser,
}) => {
  const { folder, file, code, page: receipt } = await encodeWithReceipt(page, product);

  await expect(receipt.getByRole('heading', { level: 1 })).toHaveText('Receipt for KV2-000007');
  await expect(receipt.getByText(code)).toBeVisible();
  await expectAccessible(receipt, 'a receipt');
  await receipt.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await receipt.getByRole('button', { name: 'Print' }).click();
  await expect(receipt.locator('html[data-printed]')).toBeAttached();
  await receipt.emulateMedia({ media: 'print' });
  const qr = receipt.getByRole('img', { name: 'Scan to check a file' });
  await expect(qr).toBeVisible();
  await expect(receipt.getByRole('link', { name: 'Check a file' })).toBeVisible({
    visible: !emulatesMedia(receipt),
  });
  await receipt.emulateMedia({ media: null });
  const json = join(folder, 'receipt.json');
  const downloaded = await download(receipt.getByRole('link', { name: 'Download as JSON' }));
  await downloaded.saveAs(json);

  // anyone can check: a browser without a session, in which the link of the QR code is opened
  const anyone = await openBrowser();
  const sent: string[] = [];
  anyone.on('request', (request) => sent.push(request.postData() ?? ''));
  // as over plain HTTP
  await anyone.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await anyone.goto(`/verify#${code}`);
  await expect(verdict(anyone)).toContainText(
    'The receipt is genuine: its file was encoded for KV2-000007 on',
  );
  await expect(anyone.getByLabel('Receipt code')).toHaveValue(code);
  await expectAccessible(anyone, 'the check of a receipt');

  await choose(anyone, file);
  await expect(verdict(anyone)).toContainText('Genuine: encoded for KV2-000007 on');
  await expectAccessible(anyone, 'a genuine file');

  const bytes = await readFile(file);
  const changed = join(folder, 'changed.moc');
  await writeFile(changed, Buffer.concat([bytes.subarray(0, -1), Buffer.of(~(bytes.at(-1) ?? 0))]));
  await choose(anyone, changed);
  await expect(verdict(anyone)).toHaveText('The file differs from the receipt');
  await expectAccessible(anyone, 'a file that differs');

  await anyone.getByLabel('Receipt code').fill('7777-7777-7777-7777');
  await anyone.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(verdict(anyone)).toHaveText('Receipt not found');
  await anyone.getByLabel('Receipt code').fill('not a code');
  await anyone.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(verdict(anyone)).toHaveText('This is not a receipt code');

  // without a code, the file's hash finds its receipt; another file's finds none
  await anyone.getByLabel('Receipt code').fill('');
  await anyone.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(verdict(anyone)).toHaveText('This portal has no receipt for this file');
  await choose(anyone, file);
  await expect(verdict(anyone)).toContainText('Genuine: encoded for KV2-000007 on');

  // the receipt itself, then a forged one
  await anyone.getByRole('button', { name: /^Remove: / }).click();
  await choose(anyone, json);
  await expect(verdict(anyone)).toContainText('The receipt is genuine');
  const read = JSON.parse(await readFile(json, 'utf8')) as { payload: string };
  const payload = Buffer.from(read.payload, 'base64url').toString().replace('KV2-000007', 'KV2-9');
  const forged = { ...read, payload: Buffer.from(payload).toString('base64url') };
  await writeFile(json, JSON.stringify(forged));
  await choose(anyone, [json, file]);
  await expect(verdict(anyone)).toHaveText('The receipt was altered');
  // no request contained the file
  const uploaded = sent.filter((body) => body.length > 4000);
  expect(uploaded).toEqual([]);
});

// promise d11.receipts.read-checksums
test('warns of a file whose read had wrong checksums, in colors that everyone can read', async ({
  page,
  product,
  openBrowser,
}) => {
  await startSession(page);
  const { guid } = await decodeUnwatched(
    page,
    product.demoFile('samples/mistakes/wrong-checksum-kess3.tfc'),
    '/api/kess3/upload-read-file?skipChecksum=true',
  );
  await page.goto(`/kess3?operation=${guid}`);
  const { file } = await receiptOfEncode(page);
  const anyone = await openBrowser();
  await anyone.goto('/verify');
  await choose(anyone, file);
  await expect(verdict(anyone)).toContainText('Genuine: encoded for KS3-');
  const result = anyone.getByRole('status');
  await expect(result.getByText(/^The checksums of the read .* were already wrong/)).toBeVisible();
  await expect(result.locator('dt:text-is("Checksums of the read") + dd')).toHaveText('Wrong');
  for (const colorScheme of ['light', 'dark'] as const) {
    await anyone.emulateMedia({ colorScheme });
    await expectAccessible(anyone, `a file whose read had wrong checksums, ${colorScheme}`);
  }
});

test('the check of a file works by keyboard alone, and takes files anywhere on the page', {
  tag: '@release',
}, async ({ page, product }) => {
  const { code } = await encodeWithReceipt(page, product);
  // the receipt was opened in another tab
  await page.bringToFront();
  await page.goto('/verify');
  await expect(page.getByLabel('Receipt code')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.locator('input[type=file]')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Receipt code')).toBeFocused();
  await page.keyboard.type(code.toLowerCase().replaceAll('-', ''));
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText('The receipt is genuine');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['no encoded file'], 'notes.txt'));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  });
  await expect(page.getByText('notes.txt')).toBeVisible();
  await expect(verdict(page)).toHaveText('The file differs from the receipt');
});
