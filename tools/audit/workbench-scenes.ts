/** Scenes of the workbench: jobs, trays, the other sections of the settings, and their dialogs. */
import { choose } from '../../e2e/workflow.ts';
import { decode, open, openRecoding, partOf, type Stage, whileHung } from './scene.ts';

/** Opens the newest job from the list. */
async function openNewestJob({ page, t }: Stage): Promise<void> {
  await open(page, '/jobs');
  await page
    .getByRole('list', { name: t('menu.jobs') })
    .getByRole('link')
    .first()
    .click();
  await page.waitForURL(/\/jobs\/./);
  await page.getByRole('button', { name: t('job.delete'), exact: true }).waitFor();
}

async function playJobs(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  await openRecoding(page, '/kessv2');
  await decode(stage, 'kessv2/read-1001.tfc');
  await open(page, '/jobs?search=nothing-like-it');
  await page.getByText(t('jobs.none')).waitFor();
  await look(page, 'jobs, none found');
  await openNewestJob(stage);
  await look(page, 'job');
  await page.getByRole('button', { name: t('job.delete'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'job, delete');
  await openRecoding(page, '/kessv2');
  await choose(page, product.demoFile('samples/mistakes/damaged.tfc'));
  await page.getByRole('main').getByRole('alert').first().waitFor();
  await look(page, 'KESSv2, read refused');
  await openNewestJob(stage);
  await look(page, 'job, failed');
}

async function playHomeRefusal({ page, product, t, look }: Stage): Promise<void> {
  await open(page, '/');
  await choose(page, product.demoFile('samples/mistakes/empty.tfc'));
  await page.locator('main [role=alert], [role=dialog]').first().waitFor();
  await look(page, 'home, file refused');
  await open(page, '/');
  const files = ['kessv2/read-1001.tfc', 'mistakes/damaged.tfc'];
  await choose(
    page,
    files.map((file) => product.demoFile(`samples/${file}`)),
  );
  await page.waitForURL(/\/trays\//);
  const list = page.getByRole('list', { name: t('tray.list') });
  await list.getByText('FILE_CORRUPTED').waitFor();
  await list.getByText(t('operation.decoded'), { exact: true }).first().waitFor();
  await look(page, 'tray, one decoded and one failed');
  const bytes = Buffer.from('no image at all');
  await choose(page, { name: 'holiday.bin', mimeType: 'application/octet-stream', buffer: bytes });
  await page.getByRole('heading', { name: t('tray.unplaced.title') }).waitFor();
  await look(page, 'tray, unmatched file');
  // of the right size, but of no ECU
  const other = Buffer.alloc(512 * 1024);
  await choose(page, {
    name: 'read-1001.bin',
    mimeType: 'application/octet-stream',
    buffer: other,
  });
  await list.getByText(t('tray.refused.row'), { exact: true }).waitFor();
  await look(page, 'tray, modified file refused');
  // the page is left before the file has arrived
  await list.getByRole('button', { name: partOf(t('tray.image.remove')) }).click();
  await list.getByText(t('tray.refused.row'), { exact: true }).waitFor({ state: 'hidden' });
  await whileHung(page, '**/upload-modified-file/**', async () => {
    await choose(page, product.demoFile('samples/kessv2/read-1001-modified.bin'));
    await list.getByText(t('tray.state.uploading'), { exact: true }).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
  });
  await list.getByText(t('tray.notUploaded.row'), { exact: true }).waitFor();
  await look(page, 'tray, modified file not uploaded');
}

async function playSections({ page, t, look }: Stage): Promise<void> {
  await open(page, '/settings/storage');
  const days = page.getByRole('main').getByRole('textbox');
  await days.waitFor();
  await look(page, 'settings, storage');
  await days.fill('10');
  await page.getByRole('button', { name: t('storage.save'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'settings, shorten the retention');
  await page.keyboard.press('Escape');
  for (const [path, add, name] of [
    ['clients', 'clients.add', 'client applications'],
    ['webhooks', 'webhooks.add', 'webhooks'],
  ] as const) {
    await open(page, `/settings/${path}`);
    const button = page.getByRole('button', { name: t(add), exact: true }).first();
    await button.waitFor();
    await look(page, `settings, ${name}`);
    await button.click();
    await page.getByRole('dialog').waitFor();
    await look(page, `settings, add to ${name}`);
  }
  await open(page, '/settings/engines');
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await look(page, 'settings, engines');
}

async function playReceiptCheck({ signedOutPage: page, look }: Stage): Promise<void> {
  await open(page, '/verify');
  await look(page, 'check a receipt');
}

/** The scenes in their order. */
export const workbenchScenes: readonly ((stage: Stage) => Promise<void>)[] = [
  playJobs,
  playHomeRefusal,
  playSections,
  playReceiptCheck,
];
