/**
 * Trays in a real browser: several reads at once, a reload in the middle, modified files, and one zip of the results.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation } from '@recodery/contract/features/operations';
import type { SlotDraft } from '@recodery/contract/features/slots';
import type { Locator, Page } from '@playwright/test';
import { readZip } from '../../../server/test/fixtures/read-zip.ts';
import { read } from '../../calls.ts';
import { giveOtto } from '../../colleague.ts';
import { expect, expectAccessible, signIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { bytesOf, choose, download, flashFile, hold, toastOf, write } from '../../workflow.ts';

/** The latest notifications; other journeys of the same portal leave some. */
const listAddress = '/api/async-operation-notifications/?count=99';

const reads = {
  kessv2: 'samples/kessv2/read-9000.tfc',
  ktag: 'samples/ktag/backup-9000.tfc',
  kess3: 'samples/kess3/read-bootbench-9000.tfc',
  broken: 'samples/mistakes/damaged.tfc',
} as const;

/** The names of the decoded images that the journeys modify, one for each read. */
const isFlash = /^KESSv2_.*\.bin$|^K-TAG_.*\.fls$|^KESS3_.*\.fls$/;

/** The rows of the tray. */
function allRows(page: Page): Locator {
  return page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
}

/** The row of a file. */
function rowOf(page: Page, name: string): Locator {
  return allRows(page).filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens the tray of files that are dropped on the home page. */
async function openTray(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto('/');
  await choose(page, paths);
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
}

/** The files in the zip that a button downloads. */
async function zipOf(page: Page, button: string): Promise<ReadonlyMap<string, Buffer>> {
  const downloaded = await download(page.getByRole('button', { name: button, exact: true }));
  const files = readZip(await bytesOf(downloaded));
  return new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

/** Of a row: what its checks could not tell. */
const limited = /^Passed, but \d+ items? could not be checked$/;

// promise 4.tray.decode, 4.tray.once, 4.tray.modified, 4.tray.encode, 4.tray.zip, 4.tray.seen, 4.tray.limits
test('decodes reads of all families, accepts their modified files, and encodes them all', async ({
  page,
  product,
}) => {
  await signIn(page);
  const before = await read<Notification[]>(page, listAddress);
  await openTray(page, Object.values(reads).map(product.demoFile));
  for (const name of ['read-9000.tfc', 'backup-9000.tfc', 'read-bootbench-9000.tfc'])
    await expect(rowOf(page, name)).toContainText('Decoded');
  await expect(rowOf(page, 'damaged.tfc')).toContainText('Not decoded');
  await expect(rowOf(page, 'damaged.tfc')).toContainText('FILE_CORRUPTED');
  await expectAccessible(page, 'tray, decoded');
  // results that were watched here are not reported again
  const isOld = ({ guid }: Notification): boolean => before.some((seen) => seen.guid === guid);
  const own = async (): Promise<Notification[]> =>
    (await read<Notification[]>(page, listAddress)).filter((seen) => !isOld(seen));
  await expect
    .poll(async () => (await own()).map((seen) => seen.senderInteractedOn !== null))
    .toEqual([true, true, true, true]);
  await expect(toastOf(page)).toHaveCount(0);

  const tray = page.url();
  await page.reload();
  await expect(rowOf(page, 'damaged.tfc')).toContainText('Not decoded');
  await choose(page, [product.demoFile(reads.ktag)]);
  await expect(toastOf(page, 'Already in this tray: backup-9000.tfc')).toBeVisible();

  const decoded = await zipOf(page, 'Download decoded files');
  const list = decoded.get('manifest.txt')?.toString() ?? '';
  expect(list.trimEnd().split('\r\n')).toHaveLength(decoded.size);
  const folder = await mkdtemp(join(tmpdir(), 'recodery-tray-'));
  const images = [...decoded].filter(([name]) => isFlash.test(name));
  expect(images).toHaveLength(3);
  const paths = await Promise.all(
    images.map(async ([name, bytes]) => {
      bytes.writeUInt16LE(0xbeef, 0x40);
      const path = join(folder, name.replace(/(\.\w+)$/, '_stage1$1'));
      await writeFile(path, bytes);
      return path;
    }),
  );
  const unchanged = [...decoded.keys()].find((name) => name.endsWith('.epr')) ?? '';
  await writeFile(join(folder, unchanged), decoded.get(unchanged) ?? '');
  const stray = join(folder, 'holiday.bin');
  await writeFile(stray, 'no image at all');
  await choose(page, [...paths, join(folder, unchanged), stray]);
  await expect(page.getByText('Ready to encode')).toHaveCount(3);
  await expect(page.getByText(/^Identical to the decoded file of/)).toBeVisible();
  await expect(page.getByText(/^Neither its name nor its size/)).toBeVisible();
  await expectAccessible(page, 'tray, modified');

  await page.reload();
  await expect(page.getByText('Ready to encode')).toHaveCount(3);
  await page.getByRole('button', { name: 'Encode all (3)' }).click();
  for (const name of ['read-9000.tfc', 'backup-9000.tfc', 'read-bootbench-9000.tfc'])
    await expect(rowOf(page, name)).toContainText('Encoded');
  // what was not checked is kept with the rows
  const checks: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/preflight')) checks.push(request.url());
  });
  await page.reload();
  await expect(allRows(page).getByText(limited)).toHaveCount(3);
  expect(checks).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Tray .+ · Reads: 4$/);
  await expectAccessible(page, 'tray, encoded');
  const encoded = await zipOf(page, 'Download encoded files');
  expect(encoded.size).toBe(4);
  const [kessv2] = [...encoded].filter(([name]) => name.startsWith('KESSv2_'));
  const file = join(folder, 'encoded');
  await writeFile(file, kessv2?.[1] ?? '');
  const flashed = await flashFile(product, file, 'KV2-000007.json');
  const [modified = ''] = paths.filter((path) => path.includes('KESSv2_'));
  expect(flashed.get('obd')?.equals(await readFile(modified))).toBe(true);

  await page.goto('/');
  await page.getByRole('link', { name: /^Last tray: / }).click();
  await page.waitForURL(tray);
});

/** More reads than can be decoded at the same time. */
const many = [
  reads.kessv2,
  'samples/kessv2/read-1001.tfc',
  reads.kess3,
  reads.ktag,
  'samples/ktag/backup-2001.tfc',
];

/** Opens a tray of more reads than can be decoded at the same time, while no engine is running. */
async function openBusyTray(page: Page, product: Product): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await product.signalEngines('SIGSTOP');
  await choose(page, many.map(product.demoFile));
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
  // one of the three operations that may run at the same time is left for the pages
  await expect(allRows(page).filter({ hasText: 'Decoding' })).toHaveCount(2);
  for (const name of ['backup-9000.tfc', 'backup-2001.tfc'])
    await expect(rowOf(page, name)).toContainText('Waiting');
}

// promise 4.tray.reload, 4.tray.once
test('shows which files to drop again after a reload, and decodes none twice', async ({
  page,
  product,
}) => {
  await signIn(page);
  await openBusyTray(page, product);
  // the browser asks before it discards what was not sent
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('Some files were not uploaded')).toBeVisible();
  await expect(rowOf(page, 'backup-9000.tfc')).toContainText('Drop again');
  // already decoded if the engine that hangs has been replaced in the meantime
  await expect(rowOf(page, 'read-9000.tfc')).toContainText(/Decoding|Decoded/);
  await expectAccessible(page, 'tray, files to drop again');
  await product.signalEngines('SIGCONT');
  // under a different name: it is recognized by its content
  const folder = await mkdtemp(join(tmpdir(), 'recodery-tray-'));
  const renamed = join(folder, 'renamed.tfc');
  await writeFile(renamed, await readFile(product.demoFile(reads.ktag)));
  await choose(page, [
    renamed,
    ...many.filter((path) => path !== reads.ktag).map(product.demoFile),
  ]);
  await expect(page.getByText('Some files were not uploaded')).toBeHidden();
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(5);
  await expect(allRows(page)).toHaveCount(5);
});

// promise 4.tray.waits
test('continues after maintenance, even while the user visits another page', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  await openBusyTray(page, product);
  await product.recodery('maintenance', 'on');
  const tray = page.url();
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'KESS3', exact: true })
    .first()
    .click();
  await page.waitForURL((url) => url.pathname === '/kess3');
  await product.signalEngines('SIGCONT');
  await product.recodery('maintenance', 'off');
  await page.goBack();
  await page.waitForURL(tray);
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(5);
});

/** Small changes to the decoded images of a tray, and one image that is mostly overwritten; the paths of the files. */
async function modify(page: Page): Promise<readonly string[]> {
  const decoded = await zipOf(page, 'Download decoded files');
  const images = [...decoded].filter(([name]) => isFlash.test(name));
  expect(images).toHaveLength(3);
  const folder = await mkdtemp(join(tmpdir(), 'recodery-tray-'));
  return Promise.all(
    images.map(async ([name, bytes]) => {
      if (name.startsWith('KESS3_')) bytes.fill(0xa5, 0x40, bytes.length >> 1);
      else bytes.writeUInt16LE(0xbeef, 0x40);
      const path = join(folder, name.replace(/(\.\w+)$/, '_stage1$1'));
      await writeFile(path, bytes);
      return path;
    }),
  );
}

// promise 4.tray.unplaced
test('a file that is not assigned stays while the user visits another page, and leaving and signing out ask for confirmation', async ({
  page,
  product,
}) => {
  await signIn(page);
  // both have a flash of the same size
  await openTray(page, [product.demoFile(reads.kess3), product.demoFile(reads.ktag)]);
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(2);
  const decoded = await zipOf(page, 'Download decoded files');
  const [image] = [...decoded].find(([name]) => name.endsWith('.fls')) ?? [];
  const bytes = decoded.get(image ?? '');
  if (bytes === undefined) throw new Error('the tray has no flash');
  bytes.writeUInt16LE(0xbeef, 0x40);
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-tray-')), 'tuned.dat');
  await writeFile(file, bytes);
  await choose(page, [file]);
  const waiting = page.getByRole('region', { name: 'Files that were not added' });
  await expect(waiting).toContainText('tuned.dat');
  const announced = page.getByRole('status').filter({ hasText: 'Files that were not added' });
  await expect(announced).toContainText('tuned.dat');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const leaving = page.getByRole('dialog', { name: 'Files that are not assigned: 1' });
  for (const answer of ['Stay here', 'Leave page']) {
    await menu.getByRole('link', { name: 'Operations log' }).click();
    await leaving.getByRole('button', { name: answer }).click();
    await expect(leaving).toBeHidden();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Operations log' })).toBeVisible();
  await page.goBack();
  await expect(waiting).toContainText('tuned.dat');

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out now?' });
  await expect(question).toContainText('are not assigned to a read yet');
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(question).toBeHidden();
  await waiting.getByRole('button', { name: /^Read and component for tuned\.dat/ }).click();
  await page.getByRole('menuitemradio').first().click();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByText('tuned.dat')).toBeVisible();
});

test('the device page shows the files that the tray has, even when it was open before', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
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

// promise 4.tray.checks
test('encodes what passes the checks, and asks before it encodes anything else', async ({
  page,
  product,
}) => {
  await signIn(page);
  let started = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/encode/.test(request.url())) started += 1;
  });
  await openTray(page, [reads.kessv2, reads.ktag, reads.kess3].map(product.demoFile));
  await expect(allRows(page).filter({ hasText: 'Decoded' })).toHaveCount(3);
  await choose(page, await modify(page));
  await expect(page.getByText('Ready to encode')).toHaveCount(3);
  await page.getByRole('button', { name: 'Encode all (3)' }).click();
  for (const name of ['read-9000.tfc', 'backup-9000.tfc'])
    await expect(rowOf(page, name)).toContainText('Encoded');
  const asking = rowOf(page, 'read-bootbench-9000.tfc');
  await expect(asking).toContainText('Confirmation needed');
  await expect(asking).toContainText(/of the bytes differ, which is more than usual\./);
  await expect(page.getByText('Files to confirm: 1', { exact: true })).toBeVisible();
  await expectAccessible(page, 'tray, a file that asks');
  expect(started, 'a file with an open question is not encoded').toBe(2);

  // like the device page, the tray asks again after a reload, and nothing is lost
  await page.reload();
  await expect(asking).toContainText('Ready to encode');
  await page.getByRole('button', { name: 'Encode all (1)' }).click();
  await expect(asking).toContainText('Confirmation needed');
  expect(started).toBe(2);
  await page
    .getByRole('button', { name: 'Continue anyway: read-bootbench-9000.tfc', exact: true })
    .click();
  await expect(asking).toBeFocused();
  await expect(asking).toContainText('Encoded');
  expect(started).toBe(3);
});

// promise 4.tray.refused
test('a row whose modified file was refused waits in every tab until that file is removed or replaced', async ({
  page,
  product,
  openBrowser,
}) => {
  await signIn(page);
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
  await signIn(otto, 'otto@demo.test');
  await otto.goto(page.url());
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
  await signIn(page);
  await openTray(page, [reads.kess3, reads.kessv2].map(product.demoFile));
  const name = 'read-bootbench-9000.tfc';
  const row = rowOf(page, name);
  await expect(row).toContainText('Decoded');
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const otto = await openBrowser();
  await signIn(otto, 'otto@demo.test');
  await otto.goto(page.url());
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
  await signIn(page);
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
  await signIn(otto, 'otto@demo.test');
  await otto.goto(page.url());
  await expect(rowOf(otto, name)).toContainText('A file was not uploaded.');
  await choose(page, path);
  await expect(row).toContainText('Ready');
  await expect(rowOf(otto, name)).toContainText('Ready');
  await giveOtto(product, ['CC-4004']);
});

// promise 6.roles.quota-pages, d6.quota.pages-only
test('device pages open empty and decode their own files while a tray works', async ({
  page,
  product,
}) => {
  await signIn(page);
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

// promise 4.tray.list
test('rows show the VIN and ask for a missing original, and a file that fits only one read is added to it', async ({
  page,
  product,
}) => {
  await signIn(page);
  const needing = 'read-obd-1002-identification-only.tfc';
  await openTray(page, [reads.kessv2, `samples/kess3/${needing}`].map(product.demoFile));
  const row = rowOf(page, 'read-9000.tfc');
  await expect(row).toContainText('Decoded');
  await expect(row).toContainText('ZZZREF00000DEMO01');
  await expect(rowOf(page, needing)).toContainText('requires the original file');
  // neither its name nor the name of a component leads to the read, only its size
  const bytes = await readFile(product.demoFile('samples/kessv2/read-9000-modified.bin'));
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-tray-')), 'stage1.dat');
  await writeFile(file, bytes);
  await choose(page, file);
  await expect(row).toContainText('stage1.dat');
  await expect(row).toContainText('Ready to encode');
});

test('lists the trays with name and date, and opens one again', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await signIn(page);
  await openTray(page, [product.demoFile(reads.kessv2), product.demoFile(reads.broken)]);
  await expect(rowOf(page, 'read-9000.tfc')).toContainText('Decoded');
  await write(page.getByRole('textbox', { name: 'Name' }), 'Fleet of March');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fleet of March' })).toBeVisible();
  // a refused read can be removed; its job stays
  await page.getByRole('button', { name: 'Remove from tray: damaged.tfc' }).click();
  await expect(allRows(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'All trays' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trays' })).toBeVisible();
  await expectAccessible(page, 'list of trays');
  await page.getByRole('link', { name: 'Fleet of March' }).first().click();
  await expect(rowOf(page, 'read-9000.tfc')).toContainText('Decoded');
});
