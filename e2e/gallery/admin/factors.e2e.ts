/** The second factors of the user's own account. */
import { expect } from '@playwright/test';
import { testGroup } from '../states.ts';
import { all, button, expectReports, offers, refuses, showsText, t } from '../steps.ts';

testGroup('factors', {
  'features/admin/account/factors/own-factors-panel.tsx': {
    none: all(offers('account.addPasskey'), offers('account.addApp'), async (page) => {
      await expect(button(page, 'account.renewCodes')).toHaveCount(0);
    }),
    missing: showsText(t('account.factorMissing')),
    two: all(
      showsText(t('account.neverUsed'), t('account.codesLeft', { count: '9' })),
      async (page) => {
        await button(page, 'setup.removeNamed', { name: 'Phone' }).click();
        await expect(page.getByRole('dialog')).toContainText(t('account.removeAbout'));
      },
    ),
    'no passkeys here': all(showsText(t('account.noPasskeys')), async (page) => {
      await expect(button(page, 'account.addPasskey')).toHaveCount(0);
    }),
  },
  'features/admin/account/factors/qr-code.tsx': {
    async small(page) {
      await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
    },
  },
  'features/admin/account/factors/add-app.tsx': {
    empty: all(
      showsText('JBSW Y3DP', t('account.appScan')),
      refuses('account.add'),
      async (page) => {
        await page.getByLabel(t('account.appCode')).fill('123456');
        await offers('account.add')(page);
        await button(page, 'ui.cancel').click();
        await expectReports(page, 'close');
      },
    ),
  },
  'features/admin/account/factors/add-passkey.tsx': {
    named: all(offers('account.createPasskey'), async (page) => {
      await page.getByLabel(t('account.factorName')).fill('');
      await refuses('account.createPasskey')(page);
    }),
  },
  'features/admin/account/factors/recovery-codes.tsx': {
    new: all(showsText('k3jt-0x9v-2mwq-8hc0', t('account.codesAbout')), async (page) => {
      await page.evaluate(() => {
        const writeText = async (text: string) => {
          document.title = text;
        };
        Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
      });
      await button(page, 'account.codesCopy').click();
      await expect(page.getByText(t('ui.copied'), { exact: true })).toBeVisible();
      const codes = await page.getByRole('dialog').getByRole('listitem').allTextContents();
      // a title has no line breaks
      await expect(page).toHaveTitle(codes.join(' '));
      // Escape must not lose them
      await page.keyboard.press('Escape');
      await button(page, 'account.codesStored').click();
      await expectReports(page, 'close');
    }),
  },
  'features/admin/account/factors/confirm-password.tsx': {
    empty: all(refuses('account.confirm'), async (page) => {
      await page.getByLabel(t('account.oldPassword')).fill('a sentence');
      await offers('account.confirm')(page);
    }),
    'without a password': async (page) => {
      const link = page.getByRole('link', { name: t('account.again'), exact: true });
      await expect(link).toHaveAttribute('href', /^\/sso\/start\?returnTo=.+&again=1$/);
    },
  },
});
