/** Files find their jobs, wherever they are dropped, and a drop outside of every area is explained. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, JobSummary } from '@recodery/contract/features/jobs/jobs';
import type { Page } from '@playwright/test';
import { decodeUnwatched, read } from '../../calls.ts';
import { expect, expectAccessible, startSession, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { bytesOf, choose, decode, download, drop, encode, toastOf, visit } from '../../workflow.ts';

const sample = 'samples/kessv2/read-9000.tfc';

test.beforeEach(async ({ page }) => {
  await startSession(page);
});

async function newestJob(page: Page): Promise<string> {
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  if (job === undefined) throw new Error('there is no job');
  return job.slotGUID;
}

/** Saves a file under a name. */
async function save(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'recodery-find-')), name);
  await writeFile(path, bytes);
  return path;
}

const links = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link');

// promise j1.jobs.archive
test('the zip of all components finds the job that it was downloaded from', {
  tag: '@release',
}, async ({ page, product }) => {
  await page.goto('/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await page.getByRole('button', { name: 'Boot/Bench components' }).click();
  const zip = await download(page.getByRole('button', { name: 'Download all' }));
  const job = await newestJob(page);
  await page.goto('/jobs');
  await choose(page, await save('components.zip', await bytesOf(zip)));
  await expect(page.getByText('Same content as files in components.zip')).toBeVisible();
  await expect(links(page).first()).toHaveAttribute('href', `/jobs/${job}`);
  await expectAccessible(page, 'jobs, found by an archive');
  // the address still shows it after a reload
  await page.reload();
  await expect(links(page).first()).toHaveAttribute('href', `/jobs/${job}`);
});

/** Decodes and encodes the sample with its own change; returns the job. */
async function recode(page: Page, product: Product) {
  await page.goto('/kessv2');
  const image = await bytesOf(await decode(page, product.demoFile(sample)));
  image.writeUInt32LE(Date.now() % 2 ** 32, 0x2000);
  await choose(page, await save('stage1.bin', image));
  await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
  await encode(page);
  return newestJob(page);
}

// promise j1.jobs.before
test('a read that was decoded before shows when, and offers that job', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await decodeUnwatched(page, product.demoFile(sample));
  const earlier = await newestJob(page);
  await page.goto('/');
  await choose(page, product.demoFile(sample));
  await expect(page).toHaveURL(/\/kessv2/);
  const note = page
    .getByRole('main')
    .getByRole('paragraph')
    .filter({ hasText: 'The same file was decoded before' });
  await expect(note).toContainText('Anna');
  await expectAccessible(page, 'kessv2, decoded before');
  await note.getByRole('link', { name: 'Open that job' }).click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${earlier}$`));
});

// promise 2.decode.outside, 2.decode.first
test('files that are dropped outside of the areas stay out of the browser, and an area takes the first of several', async ({
  page,
  product,
}) => {
  const file = { name: 'read.tfc', bytes: await readFile(product.demoFile(sample)) };
  await page.goto('/');
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await drop(page.getByRole('heading', { level: 1 }), file);
  await expect(toastOf(page, 'outside an upload area')).toContainText('Drop any file from a slave');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await drop(page.getByRole('contentinfo'), file);
  await expect(toastOf(page, 'outside an upload area')).toContainText(
    'This page does not accept files',
  );
  await expect(page).toHaveURL(/\/settings$/);

  await visit(page, '/kessv2');
  const area = page.getByRole('group', { name: /Drop/ }).first();
  await drop(area, { ...file, name: 'one.tfc' }, { ...file, name: 'two.tfc' });
  await expect(toastOf(page, 'Only the first file was accepted: one.tfc')).toContainText(
    'Not accepted: two.tfc',
  );
  await expect(page.getByRole('main').getByText('one.tfc').first()).toBeVisible();
});

// promise j1.jobs.compare
test('an encoded file is compared with an image of another job', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await decodeUnwatched(page, product.demoFile(sample));
  const other = await newestJob(page);
  const job = await recode(page, product);
  await page.goto(`/jobs/${job}`);
  const history = page.getByRole('region', { name: 'Timeline' });
  await history.getByRole('checkbox', { name: /\.moc$/ }).check();
  await expect(history).toContainText('the comparison uses the image that it was made from');
  await history.getByRole('button', { name: 'Compare with another job' }).click();
  const chooser = page.getByRole('dialog');
  await expect(chooser.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page, 'job, choose an image to compare');
  const { files } = await read<Job>(page, `/api/jobs/${other}`);
  const image = files.find(({ role }) => role === 'decoded')?.name ?? '';
  await chooser.getByRole('button', { name: image }).first().click();
  const map = page.getByRole('dialog');
  await expect(map).toContainText('stage1.bin');
  await expect(map).toContainText('before the checksums were corrected');
  await expect(map).toContainText(image);
});
