/** The setup of an installation, and the user's own account. */
import { expect } from '@playwright/test';
import { type Group, type Promises, testGroup } from '../states.ts';
import { all, button, expectReports, offers, refuses, showsText, t } from '../steps.ts';

/** The number of reasons why the connection is not right. */
const hasFaults =
  (count: number): Promises =>
  async (page) => {
    await expect(page.getByRole('listitem')).toHaveCount(count);
  };

const setup: Group = {
  'features/admin/new-password.tsx': {
    'easy to guess': all(showsText(t('admin.fault.PASSWORD_TOO_COMMON')), async (page) => {
      const field = page.getByLabel('Password', { exact: true });
      await expect(field).toHaveAttribute('type', 'password');
      await page.getByRole('checkbox', { name: t('admin.password.show') }).check();
      await expect(field).toHaveAttribute('type', 'text');
    }),
  },
  'features/admin/setup/device-rows.tsx': {
    async 'a master and two slaves'(page) {
      await expect(page.getByLabel(t('admin.field.serial'))).toHaveCount(3);
      await button(page, 'admin.masters.add').click();
      const name = `${t('setup.slave')} 2`;
      await button(page, 'setup.removeNamed', { name }).click();
      await expectReports(page, '2 undefined', 'undefined 1');
    },
  },
  'features/admin/setup/setup-form.tsx': {
    async filled(page) {
      // a panel has the same name
      const email = page.getByRole('textbox', { name: t('admin.field.email') });
      await email.fill('');
      await button(page, 'setup.save').click();
      await showsText(t('admin.fault.REQUIRED'), t('admin.checkFields'))(page);
      await expect(email).toBeFocused();
      await email.fill('anna@demo.test');
      await button(page, 'setup.save').click();
      await expectReports(page, 'saved');
    },
    'not accepted': all(
      showsText(t('admin.fault.PASSWORD_TOO_COMMON'), t('admin.checkFields')),
      async (page) => {
        const second = page.getByRole('group', { name: `${t('setup.slave')} 2` });
        await expect(second.getByLabel(t('admin.field.serial'))).toHaveAttribute('aria-invalid');
        await expect(second).toContainText(t('admin.fault.TAKEN'));
      },
    ),
    'external sign-in, saving': all(showsText('https://sso.demo.test'), async (page) => {
      await expect(page.getByLabel(t('admin.password.label'), { exact: true })).toHaveCount(0);
    }),
  },
  'features/admin/setup/operator-sign-in.tsx': {
    'passkey refused': all(showsText(t('account.passkeyCanceled')), async (page) => {
      await expect(page.getByLabel(t('admin.password.label'), { exact: true })).toHaveCount(0);
    }),
    both: all(showsText(t('setup.passkeyAbout')), async (page) => {
      await expect(page.getByLabel(t('admin.password.label'), { exact: true })).toBeVisible();
    }),
  },
  'features/admin/setup/connection-panel.tsx': {
    right: all(showsText(t('admin.finding.ok'), '203.0.113.7'), hasFaults(0)),
    wrong: all(showsText(t('admin.finding.warning'), 'https://portal.example.org'), hasFaults(3)),
    'proxy that is not trusted': all(
      showsText(t('admin.finding.warning'), '10.0.0.7'),
      hasFaults(1),
    ),
  },
  'features/admin/setup/email-test.tsx': {
    'not tested': all(showsText(t('setup.email.untested')), offers('setup.emailSend')),
    'without address': all(showsText(t('setup.emailNeedsAddress')), refuses('setup.emailSend')),
  },
  'features/admin/setup/next-steps-panel.tsx': {
    'with devices': all(showsText(t('setup.next.file')), async (page) => {
      await button(page, 'ui.close').click();
      await expectReports(page, 'closed');
    }),
    'without devices': all(showsText(t('setup.next.noDevices')), async (page) => {
      const add = page.getByRole('link', { name: t('admin.masters.add') });
      await expect(add).toHaveAttribute('href', '/admin/masters');
    }),
  },
  'pages/setup-page.tsx': {
    empty: all(showsText(t('setup.about')), offers('setup.save'), refuses('admin.slaves.add')),
    async loading(page) {
      await expect(page.locator('.animate-skeleton').first()).toBeVisible();
    },
    'link refused': showsText(t('setup.refused'), 'recodery setup-link'),
    'network error': offers('ui.tryAgain'),
  },
};

const account: Group = {
  'features/admin/account/profile-form.tsx': {
    unchanged: all(showsText('anna@demo.test'), refuses('admin.save'), async (page) => {
      await page.getByLabel(t('admin.users.name')).fill('');
      await showsText(t('admin.fault.REQUIRED'))(page);
      await button(page, 'ui.discard').click();
      await expect(page.getByLabel(t('admin.users.name'))).toHaveValue('Anna Conti');
    }),
  },
  'features/admin/account/password-form.tsx': {
    empty: all(refuses('account.changePassword'), async (page) => {
      await page.getByLabel(t('account.oldPassword')).fill('before');
      await page.getByLabel(t('account.newPassword')).fill('afterwards');
      await offers('account.changePassword')(page);
    }),
  },
  'features/admin/account/own-sessions.tsx': {
    three: all(
      showsText('Firefox · Windows', 'Safari · iPhone', t('account.unknownDevice')),
      async (page) => {
        await offers('account.endOthers')(page);
        const name = 'Safari · iPhone';
        await expect(button(page, 'account.endNamed', { name })).toBeVisible();
        await button(page, 'account.endOthers').click();
        await expect(page.getByRole('dialog')).toContainText(t('account.endOthersAbout'));
      },
    ),
    'only this one': all(showsText(t('account.thisSession')), async (page) => {
      await expect(page.getByRole('button')).toHaveCount(0);
    }),
  },
  'pages/account-page.tsx': {
    filled: showsText(t('account.profile'), t('account.factors'), t('account.sessions')),
    async 'external sign-in'(page) {
      await showsText(t('account.sessions'))(page);
      await expect(page.getByText(t('account.passwordAbout'))).toHaveCount(0);
    },
    async loading(page) {
      await expect(page.getByRole('main').locator('.animate-skeleton').first()).toBeVisible();
    },
    'network error': offers('ui.tryAgain'),
  },
};

testGroup('accounts', { ...setup, ...account });
