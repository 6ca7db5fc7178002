/** Scenes of what happened to files: findings of the checks, other people's changes, versions, sending again, trays. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { call, decodeUnwatched, read } from '../../e2e/calls.ts';
import { choose, rowOf } from '../../e2e/workflow.ts';
import {
  decode,
  encode,
  open,
  openRecoding,
  type Stage,
  tune,
  whileAnswered,
  partOf,
} from './scene.ts';

/** Saves a file of the given bytes, and returns its path. */
async function save(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'recodery-audit-')), name);
  await writeFile(path, bytes);
  return path;
}

/** The bytes of the decoded image, of which some are changed. */
async function changedImage({ product }: Stage, sample: string, places: readonly number[]) {
  const image = await readFile(product.demoFile(`samples/${sample}`));
  for (const at of places) image[at] = (image[at] ?? 0) ^ 0xff;
  return image;
}

async function openJob({ page, t }: Stage, search: string): Promise<void> {
  const [job] = await read<JobSummary[]>(page, `/api/jobs?count=1&search=${search}`);
  await open(page, `/jobs/${job?.slotGUID}`);
  await page.getByRole('heading', { name: t('job.history'), exact: true }).waitFor();
}

/** Opens the list of all checks. */
async function showChecks({ page, t }: Stage): Promise<void> {
  const line = page.locator('summary', { hasText: t('checks.rest') });
  await line.waitFor();
  await line.click();
}

/** Findings of the checks, and a file that was replaced and can be taken back. */
async function playChecks(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  const part = t('recoding.part.modified');
  await openRecoding(page, '/kessv2');
  await decode(stage, 'kessv2/read-1001.tfc');
  await tune(stage, part, 'kessv2/read-1001-modified.bin');
  await showChecks(stage);
  await look(page, 'KESSv2, all checks');
  // the identification, and the protected first bytes
  const wrong = await changedImage(stage, 'kessv2/read-1001-modified.bin', [0, 1, 2]);
  await rowOf(page, part)
    .locator('input[type=file]')
    .setInputFiles(await save('second attempt.bin', wrong));
  await page.getByRole('button', { name: partOf(t('recoding.part.undo')) }).waitFor();
  await page.locator('summary', { hasText: t('checks.rest') }).waitFor();
  await look(page, 'KESSv2, findings, and a replaced file');
  await page
    .getByRole('main')
    .getByRole('button', { name: t('recoding.encode'), exact: true })
    .click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'KESSv2, question about findings');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await changeElsewhere(stage);
  await page.getByRole('button', { name: t('recoding.part.dismiss'), exact: true }).waitFor();
  await look(page, 'KESSv2, changed in another tab');
}

/** Another tab of the same user replaces the modified file of the job. */
async function changeElsewhere({ page, product, t }: Stage): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  const row = rowOf(tab, t('recoding.part.modified'));
  await row.getByRole('img').waitFor();
  const path = product.demoFile('samples/kessv2/read-1001-modified.bin');
  const added = tab.waitForResponse(/upload-modified/);
  await row.locator('input[type=file]').setInputFiles(path);
  await added;
  await tab.close();
}

/** A job with versions, downloads and emails; an older encoded file; the dialogs of its page. */
async function playVersions(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  await openRecoding(page, '/kessv2');
  await decode(stage, 'kessv2/read-9000.tfc');
  await tune(stage, t('recoding.part.modified'), 'kessv2/read-9000-modified.bin');
  await look(page, 'KESSv2, checks without a protocol');
  await encode(stage);
  const first = page.url();
  await page.getByRole('button', { name: t('job.customer') }).click();
  await look(page, 'KESSv2, encoded, customer and vehicle');
  await page.getByRole('button', { name: t('recoding.another'), exact: true }).click();
  await tune(stage, t('recoding.part.modified'), 'kessv2/read-9000-modified.bin');
  await encode(stage);
  await open(page, first);
  await page.getByRole('button', { name: t('recoding.downloadEncoded'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'KESSv2, an older encoded file');
  await page.keyboard.press('Escape');
  await openJob(stage, 'read-9000');
  const timeline = page.getByRole('region', { name: t('job.history') });
  await timeline
    .getByRole('button', { name: partOf(t('job.send')) })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  await look(page, 'job, send again');
  await page.getByRole('dialog').getByRole('textbox').first().fill(`${stage.language}@rossi.test`);
  await page.getByRole('dialog').getByRole('button').last().click();
  await timeline
    .getByText(new RegExp(`${stage.language}@rossi.test`, 'i'))
    .first()
    .waitFor();
  await look(page, 'job with versions, downloads and an email');
  await timeline.getByRole('checkbox').first().check();
  await timeline.getByRole('button', { name: t('job.compareOther'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'job, compare with another job');
}

/** Jobs that are found by a file, selected, and deleted soon; the bell that reports it. */
async function playExpiring(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  await open(page, '/jobs');
  await choose(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await page
    .getByText(partOf(t('jobs.found.title')))
    .first()
    .waitFor();
  await look(page, 'jobs found by a file');
  await open(page, '/jobs');
  await page
    .getByRole('main')
    .getByRole('button', { name: t('jobs.select'), exact: true })
    .click();
  await page.getByRole('main').getByRole('list').getByRole('checkbox').first().check();
  await look(page, 'jobs, one selected');
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const first = [1, 2, 3].map((days) => ({
    slotGUID: `01890000-0000-7000-8000-00000000000${days}`,
    fileName: `RS6_4.0TFSI_stage-2_by_Officina-Demo_attempt_${days}.tfc`,
    expiresOn: soon(days),
  }));
  const json = { jobs: 17, firstOn: soon(1), lastOn: soon(6), first };
  await whileAnswered(page, '**/api/expiring-jobs*', { json }, async () => {
    await open(page, '/');
    await page.getByRole('banner').locator('button:has(.lucide-bell)').click();
    await page.getByRole('button', { name: t('storage.keepAll'), exact: true }).waitFor();
    await look(page, 'home, bell with jobs to be deleted');
  });
}

/** A tray with a read that needs its original, a file that asks and a file that is encoded; the list of trays. */
async function playTrays(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  await open(page, '/');
  const reads = ['kessv2/read-9000.tfc', 'kess3/read-obd-1002-identification-only.tfc'];
  await choose(
    page,
    reads.map((file) => product.demoFile(`samples/${file}`)),
  );
  await page.waitForURL(/\/trays\//);
  const rows = page.getByRole('list', { name: t('tray.list') }).locator('> li');
  await rows.getByText(t('tray.originalNeeded')).waitFor();
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await rows.getByText(t('tray.state.ready'), { exact: true }).waitFor();
  await look(page, 'tray, one ready and one that needs its original');
  await page.getByRole('button', { name: partOf(t('tray.encodeAll')) }).click();
  await rows.getByText(t('operation.encoded'), { exact: true }).waitFor();
  await look(page, 'tray, encoded');
  await rows.getByRole('button', { name: partOf(t('tray.sendNamed')) }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'tray, send');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: t('tray.all'), exact: true }).click();
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await look(page, 'list of trays');
}

/** The import of an export that lacks nothing, and one of its jobs, which had been deleted. */
async function playImport(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  await open(page, '/settings/storage');
  const sample = product.demoFile('samples/kessv2/read-1001.tfc');
  const { slotGUID } = await decodeUnwatched(page, sample);
  const { createdOn } = await read<JobSummary>(page, `/api/jobs/${slotGUID}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: t('storage.exportDownload'), exact: true }).click();
  const zip = await (await downloading).path();
  await call(page, 'DELETE', `/api/jobs/${slotGUID}`);
  await page.getByRole('main').locator('input[type=file]').setInputFiles(zip);
  await page.getByText(t('storage.importEnded'), { exact: true }).waitFor();
  await look(page, 'settings, storage, jobs imported');
  const jobs = await read<JobSummary[]>(page, '/api/jobs');
  await open(page, `/jobs/${jobs.find((job) => job.createdOn === createdOn)?.slotGUID}`);
  await page.getByText(t('job.imported'), { exact: true }).waitFor();
  await page.getByRole('heading', { name: t('job.decoded'), exact: true }).waitFor();
  await look(page, 'job, imported');
}

/** The scenes in their order. */
export const historyScenes: readonly ((stage: Stage) => Promise<void>)[] = [
  playChecks,
  playVersions,
  playExpiring,
  playTrays,
  playImport,
];
