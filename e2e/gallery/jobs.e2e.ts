/** Jobs: the finder, the list, one job, the restore kit, and the storage. */
import { expect, type Page } from '@playwright/test';
import { type Group, testGroup } from './states.ts';
import {
  all,
  asksToLose,
  button,
  dialogOf,
  expectFocusTrapped,
  expectReports,
  offers,
  pressEscape,
  showsText,
  t,
} from './steps.ts';

const waits = async (page: Page): Promise<void> => {
  await expect(page.locator('.animate-skeleton').first()).toBeVisible();
};
const kit = 'kit.download';

const group: Group = {
  'features/jobs/list/job-finder.tsx': {
    async empty(page) {
      await page.getByLabel(t('jobs.search'), { exact: true }).fill('wvw');
      await expectReports(page, 'wvw||false');
    },
    async filtered(page) {
      await page.getByRole('switch', { name: t('jobs.keptOnly') }).click();
      await button(page, 'jobs.clear').click();
      await expectReports(page, 'golf|kess3|false', '||false');
    },
  },
  'features/jobs/list/job-row.tsx': {
    async 'all is known'(page) {
      await showsText('WVWZZZ1KZAW000123', t('jobs.kept'))(page);
      await expect(page.getByRole('link')).toHaveAttribute('href', /^\/jobs\//);
    },
    'not decoded': showsText(t('operation.notDecoded')),
    'deleted soon': showsText(t('jobs.expires', { time: '' }).trim()),
    async 'being selected'(page) {
      // the whole row changes it, and opens nothing
      await expect(page.getByRole('link')).toHaveCount(0);
      await page.getByRole('listitem').click();
      await expectReports(page, 'false');
    },
    'of the utility': async (page) => {
      await showsText(t('recoding.utility.operation.decoding'))(page);
      // long words must not hide the time
      await page.setViewportSize({ width: 780, height: 400 });
      const [time, row] = await Promise.all([
        page.locator('time').boundingBox(),
        page.getByRole('listitem').boundingBox(),
      ]);
      if (time === null || row === null) throw new Error('they are not visible');
      expect(time.x + time.width).toBeLessThanOrEqual(row.x + row.width);
    },
  },
  'features/jobs/list/keep-selected.tsx': {
    async none(page) {
      await expect(button(page, 'jobs.keepSelected')).toBeDisabled();
      await button(page, 'jobs.selectAll').click();
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'a,b', 'ended');
    },
    async 'one of two'(page) {
      await expect(page.getByRole('status')).toHaveText(t('jobs.selected', { jobs: '1' }));
      await expect(button(page, 'jobs.keepSelected')).toBeEnabled();
    },
  },
  'features/jobs/list/job-list.tsx': {
    async filled(page) {
      await expect(page.getByRole('listitem')).toHaveCount(2);
      await button(page, 'jobs.select').click();
      await page.getByRole('checkbox').first().click();
      await expect(page.getByRole('status').last()).toHaveText(t('jobs.selected', { jobs: '1' }));
      await button(page, 'ui.cancel').click();
      await expect(page.getByRole('checkbox')).toHaveCount(0);
    },
    empty: showsText(t('jobs.empty')),
    async 'found, with more'(page) {
      await expect(page.getByRole('status')).toHaveText(t('jobs.countMore', { jobs: '1,000' }));
      await expect(button(page, 'notifications.more')).toBeVisible();
    },
    async 'none found'(page) {
      await showsText(t('jobs.none'))(page);
      await expect(page.getByRole('status')).toHaveText(t('jobs.count', { jobs: '0' }));
    },
    loading: waits,
    error: all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
  'features/jobs/list/found-files.tsx': {
    async filled(page) {
      await expect(page.getByRole('listitem')).toHaveCount(7);
      await button(page, 'jobs.found.back').click();
      await expectReports(page, 'close');
    },
    async 'of an archive'(page) {
      await showsText(t('jobs.found.inArchive', { name: 'components.zip' }))(page);
      // each role of a job once
      await expect(page.getByRole('listitem')).toHaveCount(7);
    },
    empty: showsText(t('jobs.found.none')),
    error: showsText(t('NETWORK_ERROR_TITLE')),
  },
  'features/jobs/facts/job-vehicle.tsx': {
    kept: all(
      showsText(t('job.keptAbout'), '03/12/2015', t('job.readChecksums.wrong')),
      async (page) => {
        await button(page, 'job.delete').click();
        await expect(dialogOf(page)).toContainText('golf_stage_0.kess3');
      },
    ),
    imported: showsText(t('job.imported'), 'CC-1001'),
    async expires(page) {
      await expect(page.getByRole('switch')).not.toBeChecked();
    },
  },
  'features/jobs/history/job-timeline.tsx': {
    async 'to compare'(page) {
      await expect(button(page, 'job.compare')).toBeDisabled();
      const choices = page.getByRole('checkbox');
      // a deleted version cannot be compared
      await expect(choices).toHaveCount(4);
      await choices.nth(1).check();
      await expect(button(page, 'job.compareOther')).toBeEnabled();
      await choices.nth(0).check();
      await button(page, 'job.compare').click();
      await expectReports(page, 'KESS3_KS3-000042_1001.fls stage2.fls');
      const encoded = 'KESS3_KS3-000042_1001.moc';
      await page.getByRole('button', { name: `${t('job.send')} ${encoded}` }).click();
      await expectReports(page, 'KESS3_KS3-000042_1001.fls stage2.fls', `send ${encoded}`);
    },
    async 'with a repair'(page) {
      await showsText(
        t('job.repaired', { name: 'halves.bin' }),
        t('misfit.pieces'),
        t('job.repaired', { name: 'tune.hex' }),
        t('misfit.format', { format: 'Intel HEX' }),
      )(page);
      const place = { from: '0x0–0x3FFFF', to: '0x40000–0x7FFFF' };
      // nothing is drawn of a text, nor of a repair of an earlier version
      await expect(page.getByRole('img')).toHaveAccessibleName(
        new RegExp(t('misfit.picture.place', place)),
      );
    },
    async 'the page may not be entered'(page) {
      await expect(page.getByRole('button', { name: t('job.again') })).toHaveCount(0);
      await expect(page.getByRole('checkbox')).toHaveCount(0);
    },
  },
  'features/jobs/history/restore-kit-panel.tsx': {
    ready: all(showsText(t('kit.ready')), offers(kit)),
    outdated: all(showsText(t('kit.outdated')), offers(kit)),
    missing: all(showsText(t('kit.missing')), offers(kit)),
    preparing: all(showsText(t('kit.preparing')), offers(kit)),
    FORMER_KEY: showsText(t('kit.FORMER_KEY')),
    FAILED: all(showsText(t('kit.FAILED')), offers(kit)),
    async NOT_READ(page) {
      await showsText(t('kit.NOT_READ'))(page);
      await expect(page.getByRole('button')).toHaveCount(0);
    },
  },
  'features/jobs/facts/job-customer.tsx': {
    async filled(page) {
      const plate = page.getByLabel(t('job.plate'));
      await expect(plate).toHaveValue('AB 123 CD');
      await expect(button(page, 'job.customerSave')).toBeDisabled();
      await plate.fill('EF 456 GH');
      await expect(button(page, 'job.customerSave')).toBeEnabled();
    },
    async empty(page) {
      await expect(page.getByRole('textbox')).toHaveCount(4);
      await expect(button(page, 'job.customerSave')).toBeDisabled();
    },
  },
  'features/jobs/facts/job-note.tsx': {
    async filled(page) {
      await expect(button(page, 'job.noteSave')).toBeDisabled();
      await page.getByRole('textbox').fill('Something else');
      await expect(button(page, 'job.noteSave')).toBeEnabled();
    },
    empty: showsText(t('job.noteHint')),
  },
  'features/jobs/history/compare-chooser.tsx': {
    async filled(page) {
      await showsText(t('job.encodedAs', { name: 'KESS3_KS3-000042_1001.moc' }))(page);
      await page.getByRole('button', { name: 'stage2.fls' }).click();
      await expectReports(page, 'stage2.fls');
    },
    empty: showsText(t('job.compareNone')),
  },
  'features/jobs/delete-job-dialog.tsx': {
    async before(page) {
      await expect(dialogOf(page)).toContainText(t('job.deleteKept'));
      await expectFocusTrapped(dialogOf(page));
      await page.keyboard.press('Escape');
      await expectReports(page, 'close');
    },
    async 'with an original'(page) {
      const names = 'KESS3_KS3-000042_1001.fls';
      await expect(dialogOf(page)).toContainText(t('job.deleteOriginals', { names }));
    },
  },
  'features/jobs/import-export/import-panel.tsx': {
    async before(page) {
      const choosing = page.waitForEvent('filechooser');
      await button(page, 'storage.importChoose').click();
      const buffer = Buffer.from('zip');
      const file = { name: 'CC-1001-jobs.zip', mimeType: 'application/zip', buffer };
      await (await choosing).setFiles(file);
      await expectReports(page, 'import CC-1001-jobs.zip');
    },
    reading: showsText(t('storage.importReading')),
    async running(page) {
      await showsText(t('storage.importing', { done: '334', total: '1,204' }))(page);
      await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '28');
      await button(page, 'storage.importCancel').click();
      await expectReports(page, 'cancel');
    },
    finished: showsText(
      t('storage.importEnded'),
      t('storage.imported', { jobs: '311' }),
      t('storage.importThere', { jobs: '12' }),
      t('storage.importRefused', { jobs: '10' }),
    ),
    canceled: showsText(t('storage.importStopped')),
    stopped: showsText(t('STORAGE_QUOTA_REACHED_TITLE'), t('storage.importStopped')),
    'not an export': showsText(t('storage.importNotExport'), t('storage.importNotExportText')),
  },
  'features/jobs/storage/storage-panel.tsx': {
    async 'nearly full'(page) {
      await showsText(t('storage.spare', { size: '1.3\u00a0GiB' }))(page);
      const days = page.getByLabel(t('storage.days'));
      await days.fill('5');
      await expect(button(page, 'storage.save')).toBeDisabled();
      await days.fill('20');
      await button(page, 'storage.save').click();
      await asksToLose(page, 'storage.shortenTitle', '20', 'storage.shorten');
      await pressEscape(page);
      await expect(dialogOf(page)).toHaveCount(0);
    },
    async 'of a user who is no manager'(page) {
      await showsText(t('storage.days'))(page);
      await expect(page.getByLabel(t('storage.days'))).toHaveCount(0);
      await expect(button(page, 'storage.save')).toHaveCount(0);
    },
  },
  'pages/jobs/customer-of-job.tsx': {
    async closed(page) {
      await button(page, 'job.customer').click();
      await expect(page.getByLabel(t('job.customerLabel'))).toHaveValue('Rossi');
      await expect(button(page, 'job.customerSave')).toBeDisabled();
      await page.getByLabel(t('job.customerLabel')).fill('Bianchi');
      await expect(button(page, 'job.customerSave')).toBeEnabled();
    },
  },
  'pages/jobs/jobs-page.tsx': {
    filled: showsText('golf_stage_0.kess3'),
    'found by a file': showsText(t('jobs.found.back')),
  },
  'pages/jobs/other-jobs.tsx': {
    async two(page) {
      await showsText(t('job.others'))(page);
      await expect(page.getByRole('listitem')).toHaveCount(2);
    },
  },
  'pages/jobs/job-page.tsx': {
    filled: all(showsText(t('job.others')), offers(kit)),
    'being decoded': all(showsText(t('operation.decoding')), async (page) => {
      await expect(page.getByText(t('job.notDecoded'))).toHaveCount(0);
    }),
    'not decoded': showsText(t('job.notDecoded')),
    loading: waits,
    async deleted(page) {
      await expect(page.getByRole('alert').first()).toBeVisible();
    },
  },
  'pages/settings/settings-storage-page.tsx': {
    filled: showsText(t('storage.export')),
    loading: waits,
  },
};

testGroup('jobs', group);
