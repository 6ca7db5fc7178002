/**
 * Trays in a real browser: several reads at once, a reload in the middle, modified files, and one zip of the results.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notification } from '@recodery/contract/features/notifications';
import { read } from '../../calls.ts';
import { expect, expectAccessible, startSession, test } from '../../fixtures.ts';
import { flash } from '../../slave.ts';
import { choose, toastOf, visit, write } from '../../workflow.ts';
import { listAddress } from '../notifications/bell-steps.ts';
import {
  reads,
  isFlash,
  allRows,
  rowOf,
  openTray,
  zipOf,
  many,
  openBusyTray,
  modify,
} from './tray-steps.ts';

/** Of a row: what its checks could not tell. */
const limited = /^Passed, but \d+ items? could not be checked$/;

// promise 4.tray.decode, 4.tray.once, 4.tray.modified, 4.tray.encode, 4.tray.zip, 4.tray.seen, 4.tray.limits
test('decodes reads of all families, accepts their modified files, and encodes them all', async ({
  page,
  product,
}) => {
  await startSession(page);
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
  const flashed = await flash(product, file, 'KV2-000007.json');
  const [modified = ''] = paths.filter((path) => path.includes('KESSv2_'));
  expect(flashed.get('obd')?.equals(await readFile(modified))).toBe(true);

  await visit(page, '/');
  await page.getByRole('link', { name: /^Last tray: / }).click();
  await page.waitForURL(tray);
});

// promise 4.tray.reload, 4.tray.once
test('shows which files to drop again after a reload, and decodes none twice', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
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
  await startSession(page);
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

// promise 4.tray.unplaced
test('a file that is not assigned stays while the user visits another page, and leaving and signing out ask for confirmation', async ({
  page,
  product,
}) => {
  await startSession(page);
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

// promise 4.tray.checks
test('encodes what passes the checks, and asks before it encodes anything else', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
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

// promise 4.tray.list
test('rows show the VIN and ask for a missing original, and a file that fits only one read is added to it', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
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
  await startSession(page);
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
