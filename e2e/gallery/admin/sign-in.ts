/** The states of the sign-in provider and the failed sign-ins, by the component's file. */
import { expect, type Page } from '@playwright/test';
import type { Group } from '../states.ts';
import { all, expectReports, offers, showsText, t } from '../steps.ts';

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') });

const listsFailures = async (page: Page): Promise<void> => {
  await expect(rows(page)).toHaveCount(3);
  const unknown = rows(page).filter({ hasText: t('admin.option.reason.no-account') });
  await expect(unknown).toContainText('mario.rossi@officina-meccanica.test');
};
const showsAddresses = showsText(
  t('admin.signIn.register'),
  'https://portal.rossi.test/sso/callback',
);
const offersNoAddresses = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: t('admin.signIn.register') })).toHaveCount(0);
};

export const signIn: Group = {
  'features/admin/sign-in/provider-notes.tsx': {
    'an external provider': all(showsAddresses, listsFailures),
    'the built-in provider': all(showsText(t('admin.signInFailures.empty')), offersNoAddresses),
  },
};

/** In the lists, records and dialogs of the administration. */
export const listedSignIns: Group[string] = { 'failed sign-ins': listsFailures };
export const signInRecords: Group[string] = {
  'external sign-in provider': all(
    offers('admin.signIn.test'),
    showsText('https://login.rossi.test/realms/workshops', 'RECODERY_OIDC_CLIENT_SECRET'),
    showsAddresses,
  ),
  'built-in sign-in provider': all(
    showsText(t('admin.option.provider.built-in')),
    offersNoAddresses,
    async (page) => {
      await expect(page.getByText(t('admin.field.variables'), { exact: true })).toHaveCount(0);
    },
  ),
};
export const signInFindings: Group[string] = {
  'the parts of a test': all(
    showsText(
      t('admin.signIn.part.metadata'),
      t('admin.signIn.part.redirect'),
      t('admin.finding.unchecked'),
      '(invalid_client)',
    ),
    async (page) => {
      await page
        .getByRole('button', { name: t('ui.close') })
        .last()
        .click();
      await expectReports(page, 'close');
    },
  ),
};
