/** Two users, or two tabs, prepare one job: each sees at once what the other has changed, and no file is lost. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '@recodery/contract/features/operations';
import type { Download, Page } from '@playwright/test';
import { read } from '../../calls.ts';
import { giveOtto } from '../../colleague.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { flash } from '../../slave.ts';
import { bytesOf, decode, download, encode, hold, modify, rowOf } from '../../workflow.ts';

const sample = 'samples/kessv2/read-9000.tfc';
const part = 'Modified file';

/** Decodes a read; returns two modified images of it. */
async function prepare(page: Page, product: Product) {
  await page.goto('/kessv2');
  const decoded = await bytesOf(await decode(page, product.demoFile(sample)));
  const folder = await mkdtemp(join(tmpdir(), 'recodery-together-'));
  const make = async (name: string, at: number) => {
    const bytes = Buffer.from(decoded.with(at, (decoded[at] ?? 0) ^ 0xff));
    const path = join(folder, name);
    await writeFile(path, bytes);
    return { path, bytes };
  };
  return { first: await make('v1.bin', 100), second: await make('v2.bin', 200) };
}

/** The page of a colleague, with the same job. */
async function openColleague(page: Page, product: Product, openBrowser: () => Promise<Page>) {
  await giveOtto(product, ['CC-1001', 'CC-4004']);
  const otto = await openBrowser();
  await openSignedIn(otto, page.url(), 'otto@demo.test');
  return otto;
}

const undo = (page: Page, file: string) =>
  rowOf(page, part).getByRole('button', { name: `Undo: ${file}` });

const written = async (product: Product, encoded: Download) =>
  (await flash(product, encoded, 'KV2-000007.json')).get('obd');

// promise j1.jobs.together, j1.jobs.shown
test('a file that a colleague replaces is reported at once, comes back with Undo, and is encoded', async ({
  page,
  product,
  openBrowser,
}) => {
  await startSession(page);
  const { first, second } = await prepare(page, product);
  await modify(page, part, first.path);
  await expect(rowOf(page, part)).toContainText('v1.bin');
  const otto = await openColleague(page, product, openBrowser);
  await expect(rowOf(otto, part)).toContainText('v1.bin');
  const opening = otto.waitForEvent('filechooser');
  await rowOf(otto, part)
    .getByRole('button', { name: /^Choose another file/ })
    .click();
  const chooser = await opening;
  // the old file is there until another one has arrived
  await expect(rowOf(otto, part)).toContainText('v1.bin');
  await chooser.setFiles(second.path);
  await expect(undo(otto, 'v1.bin')).toBeVisible();

  await expect(page.getByText(/^Otto Brandt replaced “Modified file”\. \d\d:\d\d$/)).toBeVisible();
  await expect(rowOf(page, part)).toContainText('v2.bin');
  await expect(page.getByText('All checks passed').or(page.getByText(/^Passed/))).toBeVisible();
  await expectAccessible(page, 'kessv2, a colleague has replaced the file');
  await undo(page, 'v1.bin').click();
  await expect(undo(page, 'v2.bin')).toBeVisible();
  await expect(page.getByText(/^Otto Brandt replaced/)).toHaveCount(0);
  await expect(otto.getByText(/^Anna Conti replaced “Modified file”/)).toBeVisible();
  await expect(undo(otto, 'v2.bin')).toBeVisible();

  const encoded = await encode(page);
  expect(await written(product, encoded)).toEqual(first.bytes);
  // the journeys of a worker share one product, and others require that Otto has no slaves
  await giveOtto(product, ['CC-4004']);
});

// promise d8.storage.replaced, j1.jobs.again
test('a replaced file stays in the timeline of its job, and is encoded from there', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  const { first, second } = await prepare(page, product);
  await modify(page, part, first.path);
  await expect(rowOf(page, part)).toContainText('v1.bin');
  await modify(page, part, second.path);
  await expect(undo(page, 'v1.bin')).toBeVisible();
  const guid = new URL(page.url()).searchParams.get('operation') ?? '';
  const { slotGUID } = await read<Operation>(page, `/api/async-operations/${guid}`);
  await page.goto(`/jobs/${slotGUID}`);
  const version = page.getByRole('listitem').filter({ hasText: 'v1.bin' });
  await expect(version).toContainText(/Replaced: \d\d:\d\d · Anna Conti/);
  const file = await download(version.getByRole('button', { name: 'Download v1.bin' }));
  expect(await bytesOf(file)).toEqual(first.bytes);
  await version.getByRole('button', { name: 'Encode again v1.bin' }).click();
  // the draft has other files, which the question names
  await page.getByRole('button', { name: 'Encode again', exact: true }).click();
  await expect(rowOf(page, part)).toContainText('v1.bin');
  const encoded = await encode(page);
  expect(await written(product, encoded)).toEqual(first.bytes);
});

// promise j1.jobs.together
test('an upload that is canceled, or that a reload ends, leaves the old file in place', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  const { first, second } = await prepare(page, product);
  await modify(page, part, first.path);
  // its name is there while it is still uploading
  await expect(rowOf(page, part)).toContainText('changed in');
  await hold(page, '**/upload-modified-file/*');
  await modify(page, part, second.path);
  await expect(rowOf(page, part).getByRole('progressbar')).toBeVisible();
  await rowOf(page, part).getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, part)).toContainText('v1.bin');
  await modify(page, part, second.path);
  await expect(rowOf(page, part).getByRole('progressbar')).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(rowOf(page, part)).toContainText('v1.bin');
});

// promise j1.jobs.together
test('a change in another tab of the same user is shown at once', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await startSession(page);
  const { first, second } = await prepare(page, product);
  await modify(page, part, first.path);
  await expect(rowOf(page, part)).toContainText('v1.bin');
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await expect(rowOf(tab, part)).toContainText('v1.bin');
  await modify(tab, part, second.path);
  await expect(rowOf(page, part)).toContainText('v2.bin');
  await expect(page.getByText(/^Anna Conti replaced “Modified file”/)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText(/^Anna Conti replaced/)).toHaveCount(0);
});
