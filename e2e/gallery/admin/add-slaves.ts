/** The dialog that adds many slaves: the list is checked, and each line is shown with its error. */
import { expect } from '@playwright/test';
import type { Group } from '../states.ts';
import { button, dialogOf, expectReports, showsText, t } from '../steps.ts';

export const addSlaves: Group = {
  'features/admin/devices/add-slaves-dialog.tsx': {
    async empty(page) {
      // the gallery has no server: what it would answer
      await page.evaluate(() => {
        const line = { line: 1, serial: 'KS3-1', owner: null, error: null };
        const error = { field: 'serial', code: 'TAKEN' };
        const lines = [line, { ...line, line: 2, serial: 'KS3-2', owner: 'CC-9001', error }];
        globalThis.fetch = async () =>
          new Response(JSON.stringify({ lines, added: 0 }), {
            headers: { 'content-type': 'application/json' },
          });
      });
      const dialog = dialogOf(page);
      await button(page, 'admin.slaves.check').click();
      const list = page.getByLabel(t('admin.slaves.list'), { exact: true });
      // separators alone are no list
      await list.fill(' ;\n;');
      await expect(list).toHaveAccessibleDescription(
        `${t('admin.slaves.listHint')} ${t('admin.fault.REQUIRED')}`,
      );
      // empty lines after the last of the most lines do not count
      const tooMany = t('admin.slaves.tooMany', { most: '500' });
      await list.fill('KS3-1\n'.repeat(501));
      await expect(list).toHaveAccessibleDescription(`${t('admin.slaves.listHint')} ${tooMany}`);
      await list.fill('KS3-1\n'.repeat(500));
      await expect(list).toHaveAccessibleDescription(t('admin.slaves.listHint'));
      await dialog.getByRole('button', { name: new RegExp(`^${t('admin.field.family')}`) }).click();
      await page.getByRole('menuitemradio', { name: 'KESS3', exact: true }).click();
      await page.getByLabel(t('admin.field.masterSerial'), { exact: true }).fill('KS3-M-1');
      await page.getByLabel(t('admin.slaves.list'), { exact: true }).fill('KS3-1\nKS3-2');
      await button(page, 'admin.slaves.check').click();
      await showsText(
        t('admin.slaves.faulty'),
        t('admin.slaves.line', { line: '2' }),
        t('admin.fault.TAKEN'),
        t('admin.slaves.new'),
      )(page);
      // a change has to be checked again
      await page.getByLabel(t('admin.slaves.list'), { exact: true }).fill('KS3-1');
      await expect(page.getByText(t('admin.slaves.faulty'))).toHaveCount(0);
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'close');
    },
  },
};
