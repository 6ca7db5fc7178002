/** The states of the backups and of the directory file, by the component's file. */
import { expect, type Page } from '@playwright/test';
import type { Group } from '../states.ts';
import { all, button, expectReports, offers, refuses, showsText, t } from '../steps.ts';

/** Which restore command the page shows for a portal with and without containers. */
const showsCommands = showsText(
  'npx --no-install recodery restore /mnt/backups/',
  'docker compose run --rm recodery restore /mnt/backups/',
);
const isLoading = async (page: Page): Promise<void> => {
  await expect(page.locator('.animate-skeleton').first()).toBeVisible();
};

const backups: Group = {
  'features/admin/backups/backup-notes.tsx': {
    'a verified one, with schedule': all(
      showsText('03:00', t('admin.backups.withSecret')),
      showsCommands,
    ),
    'no folder': showsText(
      'RECODERY_BACKUP_DIR',
      t('admin.backups.noneVerified'),
      t('admin.backups.notScheduled'),
      t('admin.backups.withoutSecret'),
    ),
    'folder missing': showsText('The backup folder /mnt/backups does not exist.'),
    loading: isLoading,
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
  'features/admin/backups/restore-steps.tsx': {
    'a long command': all(showsText(t('admin.backups.restoreStop')), showsCommands),
  },
  'features/admin/actions/download-record.tsx': { 'a backup': offers('admin.action.download') },
};

const directory: Group = {
  'features/admin/directory/directory-panels.tsx': {
    'no file yet': all(offers('admin.action.download'), showsText(t('directory.uploadAbout'))),
    async 'changes, one moves a device'(page) {
      await showsText('KESS3 KS3-000007')(page);
      await refuses('directory.apply')(page);
      await page.getByRole('checkbox').check();
      await button(page, 'directory.apply').click();
      await expectReports(page, 'apply true');
    },
    'changed by a colleague': all(showsText(t('directory.changed')), async (page) => {
      await button(page, 'directory.another').click();
      await expectReports(page, 'clear');
    }),
    'nothing to change': all(showsText(t('directory.none')), async (page) => {
      await expect(button(page, 'directory.apply')).toHaveCount(0);
    }),
    refused: all(showsText(t('directory.line', { line: '14' }), 'CC-9009'), async (page) => {
      await expect(page.getByRole('alert').getByRole('listitem')).toHaveCount(2);
      await expect(button(page, 'directory.apply')).toHaveCount(0);
    }),
  },
  'features/admin/directory/previewed-changes.tsx': {
    'added, changed, removed': showsText('Garage Rossi', 'KS3-000007', 'paolo.neri'),
  },
  'pages/admin/admin-directory-page.tsx': {
    'the page': all(showsText(t('directory.downloadTitle')), offers('admin.action.download')),
  },
};

export const upkeep: Group = { ...backups, ...directory };

/** In the lists and records of the administration. */
export const listedBackups: Group[string] = {
  backups: all(offers('admin.backups.create'), async (page) => {
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await expect(rows).toHaveCount(6);
    await expect(rows.filter({ hasText: '2026-11-28T001500Z' })).toContainText('62');
  }),
};
export const backupRecords: Group[string] = {
  backup: all(offers('admin.action.download'), showsCommands),
  'backup schedule': showsText('/mnt/backups'),
};
