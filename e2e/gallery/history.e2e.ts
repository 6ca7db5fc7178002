/** What happened to a job's files: failures, sendings and downloads. */
import { expect } from '@playwright/test';
import { type Group, testGroup } from './states.ts';
import { button, expectReports, pressEscape, showsText, t } from './steps.ts';

const group: Group = {
  'features/jobs/history/job-failures.tsx': {
    async decode(page) {
      await showsText(t('RECOD_ERROR_KESS3_DECRYPT_ERROR_TITLE'))(page);
      await expect(page.getByText('KESS3_DECRYPT_ERROR')).toBeVisible();
      const way = page.getByRole('link', { name: t('recoding.decodeNew') });
      await expect(way).toHaveAttribute('href', '/kess3');
    },
    async 'decode, without access to the page'(page) {
      await showsText(t('RECOD_ERROR_KESS3_DECRYPT_ERROR_TITLE'))(page);
      await expect(page.getByRole('link', { name: t('recoding.decodeNew') })).toHaveCount(0);
    },
    encodes: showsText(
      t('job.failedEncodes'),
      t('RECOD_ERROR_KESS3_CHECKSUM_ERROR.CHECKSUM_UNCORRECTABLE_TITLE'),
      t('GENERIC_ERROR_TITLE'),
    ),
  },
  'features/jobs/history/file-history.tsx': {
    async nothing(page) {
      await expect(page.getByText(t('job.sending.notReceived'))).toHaveCount(0);
    },
    outdated: showsText(t('job.older')),
    'sealed for a while': showsText('Write this file before'),
    'under a former key': showsText(t('job.formerKey')),
    'no longer accepted': showsText(t('job.expired')),
    'no longer accepted, but sealed again': showsText(t('job.sealOld')),
    'sealed again': showsText(t('job.sealedAgain', { by: 'Anna Conti' })),
    queued: showsText(t('job.sending.waiting', { email: 'officina@demo.test' })),
    'sent, downloaded by its sender only': showsText(t('job.sending.notReceived')),
    async 'in the outbox'(page) {
      await showsText(t('job.sending.outbox', { email: 'officina@demo.test' }))(page);
      await expect(page.getByText(t('job.sending.notReceived'))).toHaveCount(0);
    },
    async 'sent, more downloads than listed'(page) {
      await expect(page.getByText(t('job.sending.notReceived'))).toHaveCount(0);
    },
    'failed in each way': showsText(
      t('job.sending.limit', { email: 'officina@demo.test', count: '100' }),
      t('job.sending.refused', { email: 'officina@demo.test' }),
      t('job.sending.undeliverable', { email: 'officina@demo.test' }),
    ),
    withdrawn: showsText(t('job.sending.revoked', { whom: 'officina@demo.test' })),
    async 'received in every way'(page) {
      await expect(page.getByText(t('job.sending.notReceived'))).toHaveCount(0);
      await page.getByText(t('job.download.all', { count: '27' })).click();
      await expect(page.getByRole('listitem')).toHaveCount(5);
    },
  },
  'features/sending/seal-dialog.tsx': {
    'in progress': showsText(t('job.seal.title'), t('ui.working')),
    async 'while the service does not respond'(page) {
      await showsText(t('job.seal.waiting'), t('job.seal.earlierHint'))(page);
      await button(page, 'job.seal.earlier').click();
      await expectReports(page, 'earlier');
    },
    async refused(page) {
      await showsText(t('job.seal.ENGINE_REFUSED'), 'HTTP 400: The read is too old.')(page);
      await button(page, 'ui.tryAgain').click();
      await expectReports(page, 'again');
    },
    'without a response': showsText(t('job.seal.ENGINE_UNAVAILABLE')),
    failed: showsText(t('job.seal.FAILED')),
    'not started': showsText(t('job.seal.failedTitle')),
  },
  'features/sending/download-question.tsx': {
    async asked(page) {
      await showsText(t('job.expired'))(page);
      await button(page, 'job.outdatedDownload').click();
      await expectReports(page, 'download');
    },
    'sealed again': showsText(t('job.seal.title')),
  },
  'features/sending/seal-again.tsx': {
    async starting(page) {
      await showsText(t('job.seal.title'))(page);
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'cancel');
    },
  },
  'features/sending/send-dialog.tsx': {
    async proposed(page) {
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expectReports(page, 'send garage@rossi.test');
    },
    async 'no one to send to'(page) {
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
      await pressEscape(page);
      await expectReports(page, 'cancel');
    },
    'no mail server': showsText(t('recoding.send.noMailServer')),
    async 'being sent'(page) {
      await expect(button(page, 'ui.cancel')).toBeDisabled();
      await expect(page.getByRole('button', { name: t('ui.close') })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expectReports(page);
    },
  },
  'features/sending/send-file.tsx': {
    async before(page) {
      await expect(page.getByLabel(t('recoding.send.email'))).toHaveValue('garage@rossi.test');
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'close');
    },
  },
};

testGroup('history', group);
