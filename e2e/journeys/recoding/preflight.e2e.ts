/** The checks before encoding in a real browser: red blocks, amber asks once, green passes, and a failure blocks nothing. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { flash } from '../../slave.ts';
import { choose, decode, encode, modify, neverTimeOut, rowOf } from '../../workflow.ts';

const keyFile = 'KV2-000007.json';
const samples = 'samples/kessv2';

const encodeButton = (page: Page) => page.getByRole('button', { name: 'Encode', exact: true });

/** A summary without findings: the demo's library has no originals, so that one check at least cannot be made. */
const passed = /Passed, but \d+ items? could not be checked/;

/** What the page's live region announces: the current step, and the panel's title. */
const title = (page: Page, words: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: words });

/** Counts the encodes that the page starts. */
function countEncodes(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/encode-file')) count += 1;
  });
  return () => count;
}

test.beforeEach(async ({ page }) => {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
});

// promise 5.preflight.panel-green, 5.preflight.panel-limited
test('a file without problems passes, shows what could not be checked and what is corrected, follows the switches, and is encoded without a question', async ({
  page,
  product,
}) => {
  await decode(page, product.demoFile(`${samples}/read-1001.tfc`));
  const path = product.demoFile(`${samples}/read-1001-modified.bin`);
  await choose(page, path);
  await expect(title(page, passed)).toBeVisible();
  // what was not checked is named without opening anything, and nothing looks as if it had passed
  await expect(page.getByText('Whether the read was already modified.')).toBeVisible();
  await expect(page.getByText('All checks passed')).toHaveCount(0);
  await expect(page.getByText(/The CVN changes from/)).toBeHidden();
  const line = page.locator('summary', { hasText: 'Show all checks' });
  await line.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/checksums? will be corrected/)).toBeVisible();
  await expect(page.getByText(/CALIBRATION · 0x6010C · [0-9a-f]{8} → [0-9a-f]{8}/)).toBeVisible();
  await expect(page.getByText(/The CVN changes from/)).toBeVisible();
  await expectAccessible(page, 'kessv2, checks passed');

  await page.getByText('Correct CVN', { exact: true }).click();
  await expect(title(page, passed)).toBeVisible();
  const again = page.locator('summary', { hasText: 'Show all checks' });
  if ((await page.locator('details[open]').count()) === 0) await again.click();
  await expect(page.getByText(/The CVN stays [0-9A-F]{8}/)).toBeVisible();
  const flashed = (await flash(product, await encode(page), keyFile)).get('obd');
  expect(flashed?.length).toBe((await readFile(path)).length);
});

// promise 5.preflight.panel-red
test('the file of another vehicle blocks Encode and shows why, until the right one replaces it', async ({
  page,
  product,
}) => {
  const read = `${samples}/read-1002-identification-only`;
  await choose(page, product.demoFile(`${read}.tfc`));
  const upload = (part: string, path: string) => modify(page, part, product.demoFile(path));
  // without an image in the read, its numbers cannot be compared when it is uploaded
  await upload('Modified file', `${samples}/read-1001-modified.bin`);
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
  await upload('Original file', `${read}-original.bin`);
  await expect(title(page, 'The files cannot be used as they are')).toBeVisible();
  const reason = 'The file is for another ECU or another software version.';
  await expect(page.getByText(`Blocked: ${reason}`)).toBeVisible();
  await expect(page.getByText('Choose the file for this vehicle.')).toBeVisible();
  await expect(encodeButton(page)).toBeDisabled();
  await expectAccessible(page, 'kessv2, blocked by a check');

  await rowOf(page, 'Modified file').getByRole('button').last().click();
  await upload('Modified file', `${read}-modified.bin`);
  await expect(title(page, passed)).toBeVisible();
  await expect(encodeButton(page)).toBeEnabled();
  expect((await flash(product, await encode(page), keyFile)).has('obd')).toBe(true);
});

// promise 5.preflight.failing, 5.preflight.panel-amber
test('checks that do not respond block nothing after a few seconds, and the page says that nothing was checked; an unmodified file asks once, names what was found, and can be encoded anyway', async ({
  page,
  product,
}) => {
  await page.route('**/preflight', () => {});
  const image = await (await decode(page, product.demoFile(`${samples}/read-9000.tfc`))).path();
  await choose(page, product.demoFile(`${samples}/read-9000-modified.bin`));
  await expect(page.getByText('Checking the files')).toBeVisible();
  await expect(encodeButton(page)).toBeDisabled();
  await expect(title(page, 'Nothing has been checked yet')).toBeVisible();
  await expect(encodeButton(page)).toBeEnabled();
  await expectAccessible(page, 'kessv2, checks that do not respond');
  expect((await flash(product, await encode(page), keyFile)).has('obd')).toBe(true);
  await page.unroute('**/preflight');
  await page.getByRole('button', { name: 'Encode another file' }).click();

  const started = countEncodes(page);
  await choose(page, image);
  await expect(title(page, '1 item to check')).toBeVisible();
  const found = 'The file is identical to the decoded file. Nothing would change in the ECU.';
  await expect(page.getByText(found)).toBeVisible();

  await encodeButton(page).click();
  const question = page.getByRole('dialog', { name: 'Continue anyway?' });
  await expect(question).toContainText(found);
  await expectAccessible(page, 'kessv2, question about the checks');
  await question.getByRole('button', { name: 'Back to the files' }).click();
  await expect(question).toHaveCount(0);
  expect(started(), 'a question that was not confirmed starts nothing').toBe(0);

  // confirmed once: the next action does not ask again
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  await question.getByRole('button', { name: 'Continue anyway' }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(popup).toHaveCount(0);
  const flashed = (await flash(product, await encode(page), keyFile)).get('obd');
  expect(flashed?.equals(await readFile(image))).toBe(true);
  expect(started()).toBe(1);
});

test('a draft that another tab changes is shown here too, and is checked once', {
  tag: '@release',
}, async ({ page, product }) => {
  await decode(page, product.demoFile(`${samples}/read-1001.tfc`));
  const path = product.demoFile(`${samples}/read-1001-modified.bin`);
  await choose(page, path);
  await expect(title(page, passed)).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await rowOf(other, 'Modified file').getByRole('button').last().click();
  const file = { name: 'other.bin', mimeType: 'application/octet-stream' };
  const buffer = await readFile(path);
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/preflight')) checks += 1;
  });
  await choose(other, { ...file, buffer });
  await expect(title(other, passed)).toBeVisible();
  await expect(rowOf(other, 'Modified file')).toContainText('other.bin');
  await other.close();

  await expect(rowOf(page, 'Modified file')).toContainText('other.bin');
  await expect(title(page, passed)).toBeVisible();
  expect(checks).toBe(1);
});

test('a question about a file that another tab has replaced is withdrawn, and encodes nothing', {
  tag: '@release',
}, async ({ page, product }) => {
  const started = countEncodes(page);
  await choose(
    page,
    await (await decode(page, product.demoFile(`${samples}/read-9000.tfc`))).path(),
  );
  await encodeButton(page).click();
  const question = page.getByRole('dialog', { name: 'Continue anyway?' });
  await expect(question).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await rowOf(other, 'Modified file').getByRole('button').last().click();
  await choose(other, product.demoFile(`${samples}/read-9000-modified.bin`));
  await expect(title(other, passed)).toBeVisible();
  await other.close();
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(question).toHaveCount(0);
  await expect(rowOf(page, 'Modified file')).toContainText('read-9000-modified.bin');
  expect(started()).toBe(0);
});

// promise 5.preflight.failing
test('checks that cannot be carried out are shown as failed, can be tried again, and block nothing', {
  tag: '@release',
}, async ({ page, product }) => {
  const preflight = '**/preflight';
  await page.route(preflight, (route) => route.fulfill({ status: 500, body: 'GENERIC_ERROR' }));
  await decode(page, product.demoFile(`${samples}/read-9000.tfc`));
  await choose(page, product.demoFile(`${samples}/read-9000-modified.bin`));
  await expect(title(page, 'Nothing was checked')).toBeVisible();
  await expect(encodeButton(page)).toBeEnabled();
  await expectAccessible(page, 'kessv2, checks failed');
  await page.unroute(preflight);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(title(page, passed)).toBeVisible();
  await page.route(preflight, (route) => route.abort());
  await encode(page);
});

test('one live region announces each step, and no encoded file before it exists', {
  tag: '@release',
}, async ({ page, product }) => {
  await decode(page, product.demoFile(`${samples}/read-9000.tfc`));
  await choose(page, product.demoFile(`${samples}/read-9000-modified.bin`));
  await expect(title(page, passed)).toHaveText(
    /^Modified, current step, read-9000-modified\.bin\. Passed, but/,
  );
  const speaking = page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
  await expect(speaking).toHaveCount(1);
  await expect(speaking).not.toContainText(/encoded/i);
  await encode(page);
  await expect(speaking).toHaveCount(1);
  await expect(speaking).toHaveText(/^Encoded, done, KESSv2_KV2-000007_/);
});
