/** Jobs in a real browser: found by words, filters and files, with their history, notes, keeping and deleting. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, JobSummary, StorageSettings } from '@recodery/contract/features/jobs/jobs';
import type { Page } from '@playwright/test';
import { ageJob } from '../../aged-job.ts';
import { call, decodeUnwatched, read } from '../../calls.ts';
import { expect, expectAccessible, startSession, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { flash } from '../../slave.ts';
import {
  bytesOf,
  choose,
  decode,
  download,
  encode,
  hold,
  holdReading,
  visit,
  write,
} from '../../workflow.ts';

const sample = 'samples/kessv2/read-9000.tfc';
const stray = { name: 'other.bin', mimeType: '', buffer: Buffer.from('in no job') };

async function newest(page: Page): Promise<JobSummary> {
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  if (job === undefined) throw new Error('there is no job');
  return job;
}

/** Decodes the sample with the page and encodes a modified image; returns the paths of that image and of the encoded file. */
async function recode(page: Page, product: Product) {
  await page.goto('/kessv2');
  const image = await bytesOf(await decode(page, product.demoFile(sample)));
  const original = Buffer.from(image);
  image.writeUInt32LE(Date.now() % 2 ** 32, 0x1000);
  const path = join(await mkdtemp(join(tmpdir(), 'recodery-job-')), 'stage1.bin');
  await writeFile(path, image);
  await choose(page, path);
  await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
  const encoded = await (await encode(page)).path();
  return { original, modified: path, encoded };
}

const rows = (page: Page) => page.getByRole('list', { name: 'Jobs' }).getByRole('listitem');

test.beforeEach(async ({ page }) => {
  await startSession(page);
});

/** The list finds a job by words, filters and a dropped file; Back restores each step. */
async function expectFound(page: Page, modified: string, slotGUID: string): Promise<void> {
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await expect(rows(page).first()).toContainText('read-9000.tfc');
  await expectAccessible(page, 'jobs');

  const search = page.getByLabel('Search', { exact: true });
  await write(search, 'read-9000 kv2');
  await expect(page).toHaveURL(/search=read-9000/);
  await expect(rows(page).first()).toContainText('read-9000.tfc');
  await write(search, 'nothing like it');
  await expect(page.getByText('No jobs found')).toBeVisible();
  await expectAccessible(page, 'jobs, none found');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole('button', { name: /^Family/ }).click();
  await page.getByRole('menuitemradio', { name: 'K-TAG' }).click();
  await expect(page).toHaveURL(/family=ktag/);
  await page.goBack();
  await expect(page).not.toHaveURL(/family/);

  await choose(page, modified);
  await expect(page.getByText(/^Modified file, uploaded/)).toBeVisible();
  await expectAccessible(page, 'jobs, found by a file');
  await page.goBack();
  await expect(rows(page).first()).toBeVisible();
  await page.goForward();
  // until then the list still shows the jobs of the step before
  await expect(page.getByText(/^Modified file, uploaded/)).toBeVisible();
  await page.getByRole('link', { name: 'read-9000.tfc' }).click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${slotGUID}$`));
  await page.goBack();
  await choose(page, stray);
  await expect(page.getByText('No job contains this file')).toBeVisible();
}

/** The list of a search shows a job that another browser decodes, without a reload. */
async function expectLive(page: Page, product: Product): Promise<void> {
  await visit(page, '/jobs?search=9000');
  const found = page.getByText(/^Jobs found: /);
  const before = Number((await found.innerText()).replace('Jobs found: ', ''));
  const { slotGUID } = await decodeUnwatched(page, product.demoFile(sample));
  await expect(rows(page).first().getByRole('link')).toHaveAttribute('href', `/jobs/${slotGUID}`);
  await expect(rows(page).first()).not.toContainText('Decoding');
  await expect(found).toHaveText(`Jobs found: ${before + 1}`);
}

// promise j1.jobs.page, j1.jobs.home, j1.jobs.again, j1.jobs.live
test('a job is found by words, filters and its files, shows its history, notes and restore kit, and encodes an earlier version again; another one appears without a reload', async ({
  page,
  product,
}) => {
  const { original, modified, encoded } = await recode(page, product);
  const { slotGUID } = await newest(page);
  await expectFound(page, modified, slotGUID);
  for (const file of [modified, encoded]) {
    await visit(page, '/');
    await choose(page, file);
    await expect(page).toHaveURL(new RegExp(`/jobs/${slotGUID}$`));
    await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
  }
  await visit(page, '/');
  await choose(page, stray);
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await visit(page, `/jobs/${slotGUID}`);

  const history = page.getByRole('region', { name: 'Timeline' });
  await expect(history.getByRole('heading', { level: 3 })).toHaveText([
    'Read file uploaded',
    'Decoded',
    'ID file created',
    'Modified file uploaded',
    'Encoded',
  ]);
  await expect(history).toContainText('Made from stage1.bin');
  await expect(history).toContainText('Downloaded by Anna Conti');
  await expectAccessible(page, 'job');
  const downloaded = await download(history.getByRole('button', { name: 'Download stage1.bin' }));
  expect(downloaded.suggestedFilename()).toBe('stage1.bin');
  const kit = page.getByRole('button', { name: 'Download restore kit' });
  const restored = await flash(product, await download(kit), 'KV2-000007.json');
  expect(restored.get('obd')?.equals(original)).toBe(true);
  const note = page.getByRole('region', { name: 'Note' });
  await write(note.getByRole('textbox'), 'Customer wants more torque');
  await note.getByRole('button', { name: 'Save note' }).click();
  await expect(note).toContainText('Anna');
  await page.reload();
  await expect(note.getByRole('textbox')).toHaveValue('Customer wants more torque');

  await history.getByRole('button', { name: 'Encode again stage1.bin' }).click();
  await expect(page).toHaveURL(/\/kessv2\?operation=/);
  await expect(page.getByRole('main')).toContainText('stage1.bin');
  await encode(page);
  await expect
    .poll(async () => (await read<Job>(page, `/api/jobs/${slotGUID}`)).encodedFiles)
    .toBe(2);
  // the slave may have accepted the newer one
  await visit(page, `/jobs/${slotGUID}`);
  const older = history
    .getByRole('listitem')
    .filter({ hasText: 'A newer file was encoded for this slave.' });
  await expect(older).toHaveCount(1);
  await expect(older).toContainText('Downloaded by Anna Conti');
  await expectLive(page, product);
});

// promise j1.jobs.page
test('a page that is still loading opens, even if a search or the hash of a file finishes in the meantime', {
  tag: '@release',
}, async ({ page, product }) => {
  const releaseSettings = await hold(page, /\/assets\/settings-page-/);
  const releaseFile = await holdReading(page, '/jobs');
  await choose(page, product.demoFile(sample));
  await write(page.getByLabel('Search', { exact: true }), 'read-9000');
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  releaseFile();
  // longer than the pause after the last key, and than a small file takes
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
  releaseSettings();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
});

// promise j1.jobs.live
test('a job that failed to decode is marked in the list', { tag: '@release' }, async ({
  page,
  product,
}) => {
  const read = await readFile(product.demoFile(sample));
  const folder = await mkdtemp(join(tmpdir(), 'recodery-job-'));
  const damaged = join(folder, 'damaged.tfc');
  // the header is valid, the sealed part is not
  await writeFile(damaged, read.with(read.length - 1, (read.at(-1) ?? 0) ^ 1));
  await decodeUnwatched(page, damaged);
  await page.goto('/jobs');
  await expect(rows(page).first()).toContainText('damaged.tfc');
  await expect(rows(page).first()).toContainText('Not decoded');
});

// promise j1.jobs.page
test('a job that was decoded in another browser appears when the window gets the focus, and one page is requested for it', {
  tag: '@release',
}, async ({ page, product }) => {
  await decodeUnwatched(page, product.demoFile(sample));
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  const jobs = Array.from({ length: 70 }, (_, at) => ({
    ...job,
    slotGUID: `00000000-0000-7000-8000-${String(900 - at).padStart(12, '0')}`,
    fileName: `read-${900 - at}.tfc`,
  }));
  const asked: (string | null)[] = [];
  await page.route('**/api/jobs?*', (route) => {
    const before = new URL(route.request().url()).searchParams.get('before');
    asked.push(before);
    const from = before === null ? 0 : jobs.findIndex(({ slotGUID }) => slotGUID === before) + 1;
    return route.fulfill({ json: jobs.slice(from, from + 30) });
  });
  await page.goto('/jobs');
  await expect(rows(page)).toHaveCount(30);
  // the end of the page can be reached: only the button loads more
  const more = page.getByRole('button', { name: 'See more' });
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(page.getByRole('contentinfo')).toBeInViewport();
  await more.click();
  await expect(rows(page)).toHaveCount(60);
  await more.click();
  await expect(rows(page)).toHaveCount(70);
  await expect(more).toBeHidden();
  expect(asked.filter((before) => before !== null)).toHaveLength(2);
  const askedBefore = asked.length;

  jobs.unshift({ ...job, slotGUID: '00000000-0000-7000-8000-000000000901', fileName: 'new.tfc' });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(rows(page)).toHaveCount(71);
  await expect(rows(page).first()).toContainText('new.tfc');
  expect(new Set(asked.slice(askedBefore))).toEqual(new Set([null]));
});

test('a list that could not be requested is requested again when the window gets the focus', {
  tag: '@release',
}, async ({ page, product }) => {
  await decodeUnwatched(page, product.demoFile(sample));
  const list = '**/api/jobs?*';
  await page.route(list, (route) => route.fulfill({ status: 400, body: 'USER_NO_RIGHTS' }));
  await page.goto('/jobs');
  await expect(page.getByRole('main').getByText('USER_NO_RIGHTS')).toBeVisible();
  await page.unroute(list);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(rows(page).first()).toBeVisible();
});

// promise j1.jobs.keep, j1.jobs.delete
test('a job is kept, and deleted after the page has listed what is deleted', {
  tag: '@release',
}, async ({ page, product }) => {
  await decodeUnwatched(page, product.demoFile(sample));
  const { slotGUID } = await newest(page);
  await page.goto(`/jobs/${slotGUID}`);
  const keep = page.getByRole('switch', { name: 'Keep this job' });
  await keep.click();
  await expect(page.getByText('It is not deleted automatically.')).toBeVisible();
  await page.goto('/jobs?kept=');
  await expect(rows(page).first()).toContainText('Kept');
  await page.goto(`/jobs/${slotGUID}`);
  await expect(page.getByRole('region', { name: 'Restore kit' })).toContainText(
    'The kit is ready.',
  );
  await page.getByRole('button', { name: 'Delete now' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('read-9000.tfc: all its files are deleted (3 in total, ');
  await expect(dialog).toContainText('This job is marked to be kept.');
  await expectAccessible(page, 'job, delete');
  await dialog.getByRole('button', { name: 'Delete now' }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await page.goto(`/jobs/${slotGUID}`);
  await expect(page.getByRole('alert')).toBeVisible();
});

// promise j1.keep.several
test('several jobs of the list are kept at once', { tag: '@release' }, async ({
  page,
  product,
}) => {
  const slots: (string | null)[] = [];
  for (const name of ['read-9000.tfc', 'read-1001.tfc', 'read-1003.tfc'])
    slots.push((await decodeUnwatched(page, product.demoFile(`samples/kessv2/${name}`))).slotGUID);
  const areKept = async () =>
    Promise.all(slots.map(async (slot) => (await read<Job>(page, `/api/jobs/${slot}`)).isKept));
  await page.goto('/jobs');
  await page.getByRole('button', { name: 'Select jobs' }).click();
  for (const name of ['read-9000.tfc', 'read-1003.tfc'])
    await page
      .getByRole('checkbox', { name: `Select ${name}`, exact: true })
      .first()
      .check();
  await expect(page.getByText('Selected: 2')).toBeVisible();
  await expectAccessible(page, 'jobs, two selected');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect.poll(areKept).toEqual([true, false, true]);
});

// promise j1.storage.retention, j1.export.zip
test('the retention is changed within its bounds, and all jobs are exported', {
  tag: '@release',
}, async ({ page }) => {
  await page.goto('/settings/storage');
  const days = page.getByLabel('Days until a job is deleted');
  await expect(days).toHaveValue('365');
  await expectAccessible(page, 'storage');
  await write(days, '5');
  await expect(page.getByText('Enter a number from 10 to 3650.')).toBeVisible();
  await write(days, '400');
  const saved = page.waitForResponse(
    (response) =>
      response.url().includes('storage-settings') && response.request().method() !== 'GET',
  );
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(days).toHaveValue('400');
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await expect(page.getByRole('dialog')).toContainText('Jobs older than 365 days');
  await page.getByRole('dialog').getByRole('button', { name: 'Shorten retention' }).click();
  await expect(days).toHaveValue('365');
  const downloaded = await download(page.getByRole('button', { name: 'Export all jobs' }));
  expect(downloaded.suggestedFilename()).toBe('CC-1001-jobs.zip');
});

// promise j1.import.page
test('a deleted job comes back from the export, and can be opened and encoded', async ({
  page,
  product,
}, testInfo) => {
  const { slotGUID } = await decodeUnwatched(
    page,
    product.demoFile('samples/kessv2/read-9000.tfc'),
  );
  await page.goto('/settings/storage');
  // a job that is deleted before the export ends is not in its manifest
  const zip = testInfo.outputPath('CC-1001-jobs.zip');
  // as a file: with the jobs of other journeys, it can be larger than a buffer may be
  await (await download(page.getByRole('button', { name: 'Export all jobs' }))).saveAs(zip);
  const { createdOn } = await read<Job>(page, `/api/jobs/${slotGUID}`);
  expect((await call(page, 'DELETE', `/api/jobs/${slotGUID}`)).ok()).toBe(true);
  await page.locator('input[type=file]').setInputFiles(zip);
  await expect(page.getByText('Import finished', { exact: true })).toBeVisible();
  // other journeys may have deleted jobs in the meantime
  await expect(page.getByText(/^Imported: [1-9]/)).toBeVisible();
  await expectAccessible(page, 'storage, imported');
  const back = (await read<JobSummary[]>(page, '/api/jobs')).find(
    (job) => job.createdOn === createdOn,
  );
  await page.goto(`/jobs/${back?.slotGUID}`);
  await page.getByRole('link', { name: 'Open and encode' }).click();
  await expect(page.getByRole('button', { name: 'Re-encode decoded file' })).toBeVisible();
});

// promise j1.storage.retention
test('a retention that is typed while another one is being saved stays in the field', {
  tag: '@release',
}, async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/storage-settings', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  await page.goto('/settings/storage');
  const days = page.getByLabel('Days until a job is deleted');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await write(days, '400');
  await save.click();
  await expect(page.getByRole('button', { name: 'Save Working' })).toBeVisible();
  await write(days, '500');
  release();
  // the saved value is 400, so there is something to save again
  await expect(save).toBeEnabled();
  await expect(days).toHaveValue('500');
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(days).toHaveValue('500');
  await call(page, 'PUT', '/api/storage-settings', { retentionDays: null });
});

// promise j1.keep.warning
test('a week before the first job is deleted, the bell names it, and keeps all with one click', {
  tag: '@release',
}, async ({ page, product }) => {
  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  const { slotGUID, fileName } = await newest(page);
  const { retentionDays, defaultDays } = await read<StorageSettings>(page, '/api/storage-settings');
  await ageJob(product, slotGUID, (retentionDays ?? defaultDays) - 3);
  await page.goto('/jobs');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.click();
  const notice = page.getByRole('heading', { name: '1 job will be deleted soon' });
  await expect(notice).toBeVisible();
  // the inner one: the whole list is a section, too
  const list = page.locator('section').filter({ has: notice }).last();
  await expect(list.getByRole('listitem').filter({ hasText: fileName })).toBeVisible();
  await expectAccessible(page, 'bell, a job is deleted soon');
  await list.getByRole('button', { name: 'Keep all' }).click();
  // also announced
  await expect(page.getByText('Jobs kept: 1', { exact: true }).last()).toBeVisible();
  await expect(notice).toBeHidden();
  expect((await read<Job>(page, `/api/jobs/${slotGUID}`)).isKept).toBe(true);
  await call(page, 'DELETE', `/api/jobs/${slotGUID}`);
});
