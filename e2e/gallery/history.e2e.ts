/** What happened to a job's files: failures, sendings and downloads. */
import { expect } from '@playwright/test';
import { type Group, testGroup } from './states.ts';
import { showsText, t } from './steps.ts';

const group: Group = {
  'features/jobs/job-failures.tsx': {
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
};

testGroup('history', group);
