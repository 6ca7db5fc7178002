/** The people of an organisation, as its managers see them. */
import { expect } from '@playwright/test';
import { testGroup } from '../states.ts';
import { all, button, dialogOf, expectReports, offers, showsText, t } from '../steps.ts';

testGroup('people', {
  'features/admin/actions/link-dialog.tsx': {
    async 'of one person'(page) {
      await showsText(t('admin.linkTitle'), t('admin.linkAbout'))(page);
      await expect(page.getByLabel('mario.rossi@example.org', { exact: true })).toContainText(
        'https://portal.example.org/idp/password/k3Jt0x',
      );
      // the other one is the cross of the dialog
      await button(page, 'ui.close').last().click();
      await expectReports(page, 'close');
    },
  },
  'features/admin/people/invite-dialog.tsx': {
    async 'empty; press one for the rest'(page) {
      // the gallery has no server: what it would answer
      await page.evaluate(() => {
        const items = [
          {
            guid: '0198c0de-5a1e-7c3d-9f42-7b1e6a2d4c88',
            email: 'new@shop.test',
            outcome: 'invited',
            link: 'https://portal.example.org/idp/password/a',
            isMailed: false,
            expiresOn: null,
          },
          {
            guid: null,
            email: 'anna@demo.test',
            outcome: 'alreadyUser',
            link: null,
            isMailed: false,
            expiresOn: null,
          },
        ];
        globalThis.fetch = async () =>
          new Response(JSON.stringify({ items }), {
            headers: { 'content-type': 'application/json' },
          });
      });
      const invite = dialogOf(page).getByRole('button', { name: t('people.invite'), exact: true });
      await invite.click();
      const emails = page.getByLabel(t('people.emails'));
      await expect(emails).toHaveAccessibleDescription(
        `${t('people.emailsHint')} ${t('admin.fault.REQUIRED')}`,
      );
      await emails.fill('new@shop.test, anna@demo.test');
      await invite.click();
      await showsText(
        t('people.link'),
        t('people.outcome.invited'),
        t('people.outcome.alreadyUser'),
      )(page);
      // the other one is the cross of the dialog
      await button(page, 'ui.close').last().click();
      await expectReports(page, 'close');
    },
  },
  'pages/admin/people-pages.tsx': {
    list: all(
      offers('people.invite'),
      showsText('Anna Conti', 'mario.rossi@example.org', 'Paolo Bianchi'),
    ),
    one: showsText('anna@demo.test'),
    'of a user who is no manager': all(showsText(t('settings.managersOnly')), async (page) => {
      await expect(button(page, 'people.invite')).toHaveCount(0);
    }),
  },
});
