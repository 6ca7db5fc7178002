/** What became of files, in a real browser: sent and downloaded by whom, why a job failed, and what the slave may refuse. */
import type { EncodeResult } from '@recodery/contract/results';
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import type { Locator, Page } from '@playwright/test';
import { call, decodeUnwatched, read, runOperation } from '../../calls.ts';
import { expect, expectAccessible, startSession, test } from '../../fixtures.ts';
import {
  bytesOf,
  choose,
  decode,
  download,
  holdToast,
  toastOf,
  visit,
  write,
} from '../../workflow.ts';

const sample = 'samples/kessv2/read-9000.tfc';
const modified = 'samples/kessv2/read-9000-modified.bin';
/** Of a size that no component of the backup next to it has: otherwise the tray asks which of them the file is for. */
const read1001 = 'samples/kessv2/read-1001.tfc';
const modified1001 = 'samples/kessv2/read-1001-modified.bin';

const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

/** Opens the list of the bell. */
async function openBell(page: Page): Promise<Locator> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click();
  return dialogOf(page, 'Notifications');
}

async function newest(page: Page): Promise<JobSummary> {
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  if (job === undefined) throw new Error('there is no job');
  return job;
}

test.beforeEach(async ({ page }) => {
  await startSession(page);
});

// promise 4.tray.together, 4.tray.send, j1.jobs.archive
// promise j1.sending.later, j1.sending.again, j1.sending.status, j1.sending.downloads
test('reads that are dropped with a modified file are matched in a tray, whose zip finds their jobs; the encoded file is sent from there, and its job shows who sent and downloaded it', async ({
  page,
  product,
}) => {
  await page.goto('/');
  await choose(
    page,
    [read1001, 'samples/ktag/backup-9000.tfc', modified1001].map(product.demoFile),
  );
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
  const rows = page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
  await expect(rows).toHaveCount(2);
  const row = rows.filter({ has: page.getByText('read-1001.tfc', { exact: true }) });
  await expect(row).toContainText('read-1001-modified.bin');
  await expect(rows.filter({ hasText: 'backup-9000.tfc' })).toContainText('Decoded');
  await expect(row).toContainText('Ready to encode');
  const zip = await download(page.getByRole('button', { name: 'Download decoded files' }));
  const jobs = await read<JobSummary[]>(page, '/api/jobs?count=2');
  await page.getByRole('button', { name: /^Encode/ }).click();
  await expect(row).toContainText('Encoded');
  await download(row.getByRole('button', { name: 'Download encoded file: read-1001.tfc' }));
  await row.getByRole('button', { name: 'Send encoded file: read-1001.tfc' }).click();
  const dialog = dialogOf(page, 'Send encoded file');
  await expect(dialog.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await write(dialog.getByLabel('Message'), 'From the tray.');
  // what was typed is still there
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Send encoded file: read-1001.tfc' }).click();
  await expect(dialog.getByLabel('Message')).toHaveValue('From the tray.');
  await expectAccessible(page, 'tray, send');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(toastOf(page, 'Email to garage@rossi.test: queued, not sent yet')).toBeVisible();

  await visit(page, '/jobs');
  await choose(page, { name: 'tray.zip', mimeType: '', buffer: await bytesOf(zip) });
  await expect(page.getByText('Same content as files in tray.zip')).toBeVisible();
  const found = ({ slotGUID }: JobSummary) =>
    page.getByRole('main').locator(`a[href="/jobs/${slotGUID}"]`).first();
  for (const job of jobs) await expect(found(job)).toBeVisible();
  const job = jobs.find(({ fileName }) => fileName === 'read-1001.tfc');
  await visit(page, `/jobs/${job?.slotGUID}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText(/Email to garage@rossi.test: in the portal’s outbox/);
  await expect(timeline).toContainText(/Downloaded by Anna Conti \d\d:\d\d/);
  await timeline.getByRole('button', { name: /^Send / }).click();
  // the suggestion would be put before what is typed while it arrives
  await expect(dialog.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await write(dialog.getByLabel('Recipient email'), 'other@example.test');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(timeline).toContainText('Email to other@example.test');
});

// promise j1.failed.reason, j1.failed.notification
test('a failed job is opened from the page that decoded it, a toast and the bell, and shows its reason', {
  tag: '@release',
}, async ({ page, product }) => {
  const damaged = product.demoFile('samples/mistakes/damaged.tfc');
  const expectJob = async (): Promise<void> => {
    await expect(page).toHaveURL(new RegExp(`/jobs/${(await newest(page)).slotGUID}$`));
    await expect(page.getByRole('main')).toContainText('FILE_CORRUPTED');
    await expect(page.getByRole('main')).toContainText('Copy it from the slave again');
  };
  await page.goto('/kessv2');
  await choose(page, damaged);
  await page.getByRole('alert').getByRole('link', { name: 'Open job' }).click();
  await expectJob();

  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const toast = toastOf(page, 'damaged.tfc');
  await holdToast(toast, async () => {
    if (!(await toast.isVisible())) await decodeUnwatched(page, damaged);
  });
  await toast.getByRole('button', { name: 'Open job' }).click();
  await expectJob();

  await decodeUnwatched(page, damaged);
  const bell = await openBell(page);
  const item = bell.getByRole('listitem').filter({ hasText: 'damaged.tfc' }).first();
  await expect(item).toContainText('FILE_CORRUPTED');
  await item.getByRole('button').click();
  await expectJob();
});

// promise j1.sending.outdated
test('an older encoded file is downloaded only after a question: on the page of its family, from its job and from the bell', {
  tag: '@release',
}, async ({ page, product }) => {
  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  const { slotGUID } = await newest(page);
  const encodeAgain = () =>
    runOperation(page, '/api/kessv2/reencode-decoded-file', { kessv2FileSlotGUID: slotGUID });
  const older = await encodeAgain();
  await encodeAgain();
  const { name } = older.result as EncodeResult;
  await page.goto(`/kessv2?operation=${older.guid}`);
  const question = dialogOf(page, 'Download an older file?');
  await page.getByRole('button', { name: 'Download encoded file' }).click();
  await expect(question).toContainText('it may refuse this one');
  await expectAccessible(page, 'kessv2, older file');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`/jobs/${slotGUID}`);
  const version = page.getByRole('listitem').filter({ hasText: 'A newer file was encoded' });
  await expect(version).toContainText('it may refuse this one');
  await version.getByRole('button', { name: `Download ${name}` }).click();
  await expect(question).toContainText('it may refuse this one');
  await question.getByRole('button', { name: 'Cancel' }).click();

  const bell = await openBell(page);
  await bell.getByRole('listitem').nth(1).getByRole('button').click();
  await expect(question).toBeVisible();
  const downloaded = await download(question.getByRole('button', { name: 'Download anyway' }));
  expect(downloaded.suggestedFilename()).toBe(name);
});

// promise j1.jobs.entered
test('names of files show the vehicle, the time of the organization, and the customer label that is entered on the page', {
  tag: '@release',
}, async ({ page, product }) => {
  const { organisationPreferences: before } = await read<{ organisationPreferences: object }>(
    page,
    '/api/preferences/',
  );
  await page.goto('/settings');
  await write(page.getByLabel('Encoded KESSv2 files', { exact: true }), '%c stage 1');
  await write(page.getByLabel('Decoded files', { exact: true }), '%v %t');
  const zone = page.getByLabel('Your organization’s time zone');
  await write(zone, 'Mars/Olympus');
  await expect(page.getByText('This time zone is unknown.')).toBeVisible();
  await zone.fill('');
  // its clocks are more than a day ahead of those of the browser
  await write(zone, 'Pacific/Kiritimati');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.goto('/kessv2');
  const decoded = (await decode(page, product.demoFile(sample))).suggestedFilename();
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' });
  const days = [new Date(Date.now() - 3_600_000), new Date()].map((at) =>
    today.format(at).replaceAll('-', ''),
  );
  expect(decoded).toMatch(new RegExp(`^ZZZREF00000DEMO01 (${days.join('|')})-\\d{6}\\.bin$`));
  await page.getByRole('button', { name: 'Customer and vehicle' }).click();
  await write(page.getByLabel('Customer label'), 'Rossi');
  await expectAccessible(page, 'kessv2, customer and vehicle');
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Customer label')).toHaveValue('Rossi');
  const form = page.getByRole('region', { name: 'Customer and vehicle' });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await choose(page, product.demoFile(modified));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
  const downloaded = await download(page.getByRole('button', { name: 'Encode', exact: true }));
  expect(downloaded.suggestedFilename()).toBe('Rossi stage 1.moc');
  await page.goto('/jobs?search=rossi');
  await expect(page.getByRole('list', { name: 'Jobs' })).toContainText('Rossi');
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: before });
});
