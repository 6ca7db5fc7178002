/** A tray whose files are changed elsewhere: on their device pages, by a colleague, in another tab, or by a reload. */
import type { Operation } from '@recodery/contract/features/operations';
import type { SlotDraft } from '@recodery/contract/features/slots';
import { read } from '../../calls.ts';
import { giveOtto } from '../../colleague.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import { choose, hold } from '../../workflow.ts';
import { reads, allRows, rowOf, openTray, openBusyTray, modify } from './tray-steps.ts';

test('the device page shows the files that the tray has, even when it was open before', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await openTray(page, [reads.kessv2, reads.ktag, reads.kess3].map(product.demoFile));
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(3);
  const paths = await modify(page);
  const release = await hold(page, '**/upload-modified-file/*');
  await choose(
    page,
    paths.filter((path) => path.includes('KESSv2_')),
  );
  const row = rowOf(page, 'read-9000.tfc');
  const open = row.getByRole('link', { name: /read-9000\.tfc$/ });
  // the row grows with it: a click meanwhile would miss the link
  await expect(row.getByRole('progressbar')).toBeVisible();
  await open.click();
  await expect(page.getByRole('heading', { name: 'Input' })).toBeVisible();
  // the upload of the tray ends while the page is shown
  release();
  await expect(page.getByRole('main')).toContainText('_stage1');
  await expect(page.getByText(/Passed, but/).first()).toBeVisible();
  await page.goBack();
  await row.getByRole('button', { name: /^Remove: / }).click();
  await expect(row).not.toContainText('Ready to encode');
  await open.click();
  await expect(page.getByRole('heading', { name: 'Input' })).toBeVisible();
  await expect(page.getByText(/Passed, but/)).toHaveCount(0);
  // its name remains in the button that takes it back
  await expect(page.getByText('Drop the modified file')).toBeVisible();
});

// promise 4.tray.refused
test('a row whose modified file was refused waits in every tab until that file is removed or replaced', {
  tag: '@release',
}, async ({ page, product, openBrowser }) => {
  await startSession(page);
  await openTray(page, ['samples/kessv2/read-1001.tfc', reads.kessv2].map(product.demoFile));
  const row = rowOf(page, 'read-1001.tfc');
  await expect(row).toContainText('Decoded');
  await expect(rowOf(page, 'read-9000.tfc')).toContainText('Decoded');
  // of the right size, but of no ECU
  const buffer = Buffer.alloc(512 * 1024);
  await choose(page, { name: 'read-1001.bin', mimeType: 'application/octet-stream', buffer });
  await expect(row).toContainText('A file was refused. Remove it, or add another one.');
  await expect(row).toContainText('File needed');
  await expect(row).toContainText('read-1001.bin');
  await expect(page.getByRole('button', { name: /^Encode all/ })).toHaveCount(0);
  await expectAccessible(page, 'tray, a modified file is refused');

  // no tab forgets it: not this one, another one, or a colleague's
  await page.reload();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const otto = await openBrowser();
  await openSignedIn(otto, page.url(), 'otto@demo.test');
  for (const shown of [page, other, otto]) {
    const waiting = rowOf(shown, 'read-1001.tfc');
    await expect(waiting).toContainText('A file was refused. Remove it, or add another one.');
    await expect(waiting).toContainText('read-1001.bin');
    await expect(waiting).toContainText('File needed');
    await expect(shown.getByRole('button', { name: /^Encode all/ })).toHaveCount(0);
  }
  // its device page shows it, too, and asks
  await row.getByRole('link', { name: /read-1001\.tfc$/ }).click();
  await expect(page.getByRole('main')).toContainText('File not accepted: read-1001.bin');
  await page.goBack();

  await row.getByRole('button', { name: 'Remove: read-1001.bin' }).click();
  for (const shown of [page, other, otto])
    await expect(rowOf(shown, 'read-1001.tfc')).toContainText('Decoded');
  await choose(page, { name: 'read-1001.bin', mimeType: 'application/octet-stream', buffer });
  await expect(row).toContainText('A file was refused. Remove it, or add another one.');
  await page.reload();
  await expect(row).toContainText('A file was refused. Remove it, or add another one.');
  await choose(page, product.demoFile('samples/kessv2/read-1001-modified.bin'));
  for (const shown of [page, other, otto]) {
    await expect(rowOf(shown, 'read-1001.tfc')).toContainText('Ready');
    await expect(rowOf(shown, 'read-1001.tfc')).not.toContainText('A file was refused');
  }
  await giveOtto(product, ['CC-4004']);
});

// promise 4.tray.choices
test('a tray leaves the choice that a colleague makes while it saves its own', {
  tag: '@release',
}, async ({ page, product, openBrowser }) => {
  await startSession(page);
  await openTray(page, [reads.kess3, reads.kessv2].map(product.demoFile));
  const name = 'read-bootbench-9000.tfc';
  const row = rowOf(page, name);
  await expect(row).toContainText('Decoded');
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const otto = await openBrowser();
  await openSignedIn(otto, page.url(), 'otto@demo.test');
  await rowOf(otto, name)
    .getByRole('link', { name: new RegExp(name) })
    .click();
  const removed = (component: string) =>
    otto.getByRole('switch', { name: `Removed: ${component}` });
  await expect(removed('Flash')).toBeEnabled();
  const guid = new URL(otto.url()).searchParams.get('operation') ?? '';
  const { slotGUID } = await read<Operation>(otto, `/api/async-operations/${guid}`);
  const draft = () => read<SlotDraft>(otto, `/api/slots/${slotGUID}/draft`);
  const file = 'read-bootbench-9000-flash-modified.bin';
  await choose(page, product.demoFile(`samples/kess3/${file}`));
  await expect(row).toContainText('Ready');
  // Anna's tray has read the draft, and is about to save that Flash has no file
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/draft$/, async (route) => {
    if (route.request().method() === 'PUT') await promise;
    await route.continue();
  });
  const asked = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/draft'),
  );
  await row.getByRole('button', { name: `Remove: ${file}` }).click();
  await asked;
  await expect(removed('EEPROM')).toBeChecked();
  await removed('EEPROM').uncheck();
  await expect.poll(async () => (await draft()).removed).toEqual([]);
  release();
  await expect.poll(async () => (await draft()).files).toEqual([]);
  expect((await draft()).removed).toEqual([]);
  await expect(removed('EEPROM')).not.toBeChecked();
  await expect(row).not.toContainText(file);
  await giveOtto(product, ['CC-4004']);
});

// promise 4.tray.lost
test('a modified file that a reload keeps from arriving is missing in its row, and nothing is encoded without it', async ({
  page,
  product,
  openBrowser,
}) => {
  await startSession(page);
  await openTray(page, [reads.kess3, reads.kessv2].map(product.demoFile));
  const name = 'read-bootbench-9000.tfc';
  const row = rowOf(page, name);
  await expect(row).toContainText('Decoded');
  const file = 'read-bootbench-9000-flash-modified.bin';
  const path = product.demoFile(`samples/kess3/${file}`);
  // the portal stops answering before the file has arrived
  await page.route(/upload-modified-file/, () => {});
  await choose(page, path);
  await expect(row).toContainText('Uploading');
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  await (await asked).accept();
  await reloaded;
  await page.unrouteAll();
  await expect(row).toContainText('A file was not uploaded. Add it again, or remove it.');
  await expect(row).toContainText(file);
  await expect(page.getByRole('button', { name: /^Encode all/ })).toHaveCount(0);
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const otto = await openBrowser();
  await openSignedIn(otto, page.url(), 'otto@demo.test');
  await expect(rowOf(otto, name)).toContainText('A file was not uploaded.');
  await choose(page, path);
  await expect(row).toContainText('Ready');
  await expect(rowOf(otto, name)).toContainText('Ready');
  await giveOtto(product, ['CC-4004']);
});

// promise 6.roles.quota-pages, d6.quota.pages-only
test('device pages open empty and decode their own files while a tray works', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await openBusyTray(page, product);
  const tray = page.url();
  const menu = page.getByRole('navigation');
  for (const [name, path] of [
    ['K-TAG', '/ktag'],
    ['KESS3', '/kess3'],
    ['KESSv2', '/kessv2'],
  ] as const) {
    await menu.getByRole('link', { name, exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === path);
    await expect(page.locator('input[type=file]')).toHaveCount(1);
    expect(new URL(page.url()).searchParams.has('operation')).toBe(false);
  }
  // the place that the tray leaves
  await page
    .locator('input[type=file]')
    .setInputFiles(product.demoFile('samples/kessv2/read-1003.tfc'));
  await page.waitForURL((url) => url.searchParams.has('operation'));
  await product.signalEngines('SIGCONT');
  await expect(page.getByRole('button', { name: 'Download ID' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('read-1003.tfc');
  await page.getByRole('banner').getByRole('link').first().click();
  await page.getByRole('link', { name: /^Last tray: / }).click();
  await page.waitForURL(tray);
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(5);
});
