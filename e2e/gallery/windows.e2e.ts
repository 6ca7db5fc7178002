/** Everything above or instead of a page: dialogs, open menus, toasts, full-page screens. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from './states.ts';
import {
  all,
  button,
  dialogOf,
  expectFocusTrapped,
  expectReports,
  offers,
  pressKey,
  showsText,
  t,
} from './steps.ts';

/** A confirmation traps the focus, closes on Escape and on its close button, and reports its answer once. */
const asks =
  (title: string, stay: string, go: string, left: string, gone: string): Promises =>
  async (page) => {
    await expect(dialogOf(page)).toHaveAccessibleName(title);
    await expectFocusTrapped(dialogOf(page));
    await page.keyboard.press('Escape');
    await expectReports(page, left);
    await button(page, 'ui.close').click();
    await dialogOf(page).getByRole('button', { name: stay, exact: true }).click();
    await expectReports(page, left, left, left);
    const goOn = dialogOf(page).getByRole('button', { name: go, exact: true });
    await expect(goOn).toBeEnabled();
    await pressKey(goOn, 'Enter');
    await expectReports(page, left, left, left, gone);
  };

/** The terms must be answered: they cannot be closed, and Continue is disabled until both statements are checked. */
const mustBeAccepted: Promises = async (page) => {
  await expect(dialogOf(page)).toHaveAccessibleName(t('terms.title'));
  await expectFocusTrapped(dialogOf(page));
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toBeVisible();
  await expect(button(page, 'ui.close')).toHaveCount(0);
  const accept = button(page, 'terms.confirm');
  const [first, second] = [page.getByRole('checkbox').first(), page.getByRole('checkbox').last()];
  await pressKey(first, 'Space');
  await expect(accept).toBeDisabled();
  await pressKey(second, 'Space');
  await expect(accept).toBeEnabled();
  await pressKey(first, 'Space');
  await expect(accept).toBeDisabled();
  await offers('layout.logout')(page);
};

const sends =
  (email: string, hint: string, isPrivate: boolean): Promises =>
  async (page) => {
    await expectFocusTrapped(dialogOf(page));
    const field = page.getByRole('textbox', { name: t('recoding.send.email') });
    await expect(field).toHaveValue(email);
    await expect(field).toHaveAccessibleDescription(hint);
    const isSwitch = page.getByRole('switch', { name: t('recoding.send.private') });
    await expect(isSwitch).toBeChecked({ checked: isPrivate });
    await pressKey(isSwitch, 'Space');
    await expect(isSwitch).toBeChecked({ checked: !isPrivate });
    await field.fill('');
    await expect(field).toHaveAccessibleDescription(t('recoding.send.emailHint'));
    // without an address, a private file is not sent, so there is no link in an email
    await expect(isSwitch).toBeChecked({ checked: !isPrivate });
    await showsText(t(isPrivate ? 'recoding.send.privateOff' : 'recoding.send.noRecipient'))(page);
    await isSwitch.press('Space');
    await showsText(t(isPrivate ? 'recoding.send.noRecipient' : 'recoding.send.privateOff'))(page);
    await expect(page.getByText(t('recoding.send.privateOn'))).toHaveCount(0);
    await field.fill('garage@');
    const send = dialogOf(page).getByRole('button').last();
    await send.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(
      new RegExp(t('recoding.send.emailWrong').slice(0, -1)),
    );
    await expectReports(page);
    await field.fill('garage@rossi.test');
    await send.click();
    await expectReports(page, 'confirm');
    await page.keyboard.press('Escape');
    await expectReports(page, 'confirm', 'cancel');
  };

const bell = (page: Page) => page.getByRole('dialog', { name: t('menu.notifications') });

const listsInBell =
  (promises: Promises): Promises =>
  async (page) => {
    await expect(bell(page)).toBeVisible();
    await promises(page);
    await expect(bell(page).getByRole('link')).toHaveAttribute('href', '/notifications');
    await page.keyboard.press('Escape');
    await expectReports(page, 'close');
  };

testGroup('windows', {
  'ui/dialogs/dialog.tsx': {
    async 'with actions'(page) {
      const dialog = page.getByRole('dialog', { name: 'Download Boot/Bench components' });
      await expectFocusTrapped(dialog);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      const opener = page.getByRole('button', { name: 'Open the dialog' });
      await pressKey(opener, 'Enter');
      await expectFocusTrapped(dialog);
      await pressKey(button(page, 'ui.close'), 'Enter');
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    },
  },
  'features/recoding/encode/send-popup.tsx': {
    'with a suggested recipient': sends('garage@rossi.test', 'Garage Rossi', true),
    'without one': sends('', t('recoding.send.emailHint'), false),
    async 'while the recipient is looked up'(page) {
      const send = dialogOf(page).getByRole('button', { name: t('recoding.encodeAndSend') });
      await expect(send).toHaveAttribute('aria-disabled', 'true');
      await pressKey(send, 'Enter');
      await expectReports(page);
      await dialogOf(page).getByRole('textbox').first().fill('garage@rossi.test');
      await send.click();
      await expectReports(page, 'confirm');
    },
  },
  'features/recoding/decode/components-popup.tsx': {
    async 'four components'(page) {
      await expectFocusTrapped(dialogOf(page));
      await expect(dialogOf(page).getByRole('listitem')).toHaveCount(4);
      await expect(button(page, 'recoding.components.one')).toHaveCount(4);
      await offers('recoding.components.all')(page);
      await page.keyboard.press('Escape');
      await expectReports(page, 'close');
    },
  },
  'ui/dialogs/confirm-dialog.tsx': {
    'with both buttons': asks(
      'Continue without the file for EEPROM?',
      t('ui.cancel'),
      'Continue',
      'cancel',
      'confirm',
    ),
  },
  'ui/dialogs/confirm.tsx': {
    'loaded on demand': asks('Start over?', t('ui.cancel'), 'Start over', 'cancel', 'confirm'),
  },
  'ui/dialogs/leave-guard.tsx': {
    asked: asks(t('ui.leaveTitle'), t('ui.stayHere'), t('ui.discard'), 'stay', 'leave'),
    async 'two, the first changed'(page) {
      await page.getByRole('link', { name: 'Leave' }).click();
      await button(page, 'ui.discard').click();
      await expectReports(page, 'discard first');
    },
    async 'before an action within the page'(page) {
      await button(page, 'recoding.startOver').click();
      await button(page, 'ui.stayHere').click();
      await expect(dialogOf(page)).toBeHidden();
      await button(page, 'recoding.startOver').click();
      await button(page, 'ui.discard').click();
      await expectReports(page, 'discard', 'act');
    },
  },
  'features/recoding/notices/page-questions.tsx': {
    'before starting over': asks(
      t('recoding.reset.title'),
      t('recoding.reset.stay'),
      t('recoding.startOver'),
      'stay',
      'reset',
    ),
    async 'before starting over, during an upload'(page) {
      await expect(dialogOf(page)).toContainText(t('recoding.reset.aboutUpload'));
      await expect(dialogOf(page)).not.toContainText(t('recoding.reset.about'));
      await expect(dialogOf(page)).toContainText(t('ui.leaveAbout'));
    },
    'an unknown operation': showsText(t('recoding.notFound')),
    'an operation of a deleted job': showsText(t('recoding.jobDeleted')),
    async 'an operation of another page'(page) {
      await showsText(t('recoding.otherPage'))(page);
      await expect(page.getByRole('link')).toHaveAttribute('href', /^\/ktag\?operation=/);
    },
  },
  'features/ad-block/ad-block-modal.tsx': {
    async open(page) {
      await expectFocusTrapped(dialogOf(page));
      await pressKey(button(page, 'adBlock.confirm'), 'Enter');
      await page.keyboard.press('Escape');
      await expectReports(page, 'close', 'close');
    },
  },
  'features/session/terms-modal.tsx': {
    async open(page) {
      const link = page.getByRole('link', { name: t('terms.read') });
      await expect(link).toHaveAttribute('href', '#terms');
      await mustBeAccepted(page);
    },
    async 'without articles'(page) {
      await expect(page.getByRole('link', { name: t('terms.read') })).toBeVisible();
      await expect(page.getByRole('checkbox')).toHaveCount(1);
    },
    'without a text': all(showsText(t('terms.none')), mustBeAccepted),
  },
  'ui/actions/menu-list.tsx': {
    async choices(page) {
      const items = page.getByRole('menuitemradio');
      await expect(items.first()).toBeChecked();
      await expect(items.first()).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expectReports(page, 'b', 'close', 'close');
    },
  },
  'features/sending/older-file-question.tsx': {
    async open(page) {
      await expect(dialogOf(page)).toContainText(t('job.older'));
      await page.keyboard.press('Escape');
      await button(page, 'job.outdatedDownload').click();
      await expectReports(page, 'stay', 'download');
    },
    expired: showsText(t('job.expiredTitle'), t('job.expired')),
    'former key': showsText(t('job.outdatedTitle'), t('job.formerKey')),
    received: showsText(t('job.expiredTitle'), t('job.askSender')),
  },
  'features/notifications/expiring-notice.tsx': {
    '2 jobs': async (page) => {
      await showsText(t('storage.expiring_other', { count: '2' }))(page);
      await expect(page.getByRole('listitem')).toHaveCount(2);
      await page.getByRole('link', { name: t('storage.expiringShow') }).click();
      await expectReports(page, 'leave');
    },
    '1234 jobs': async (page) => {
      await expect(page.getByRole('listitem')).toHaveCount(4);
      await expect(button(page, 'storage.keepAll')).toBeEnabled();
    },
  },
  'features/notifications/bell-list.tsx': {
    filled: listsInBell(async (page) => {
      await expect(bell(page).getByRole('listitem')).toHaveCount(12);
      await expect(bell(page).getByText(t('notifications.new'), { exact: true })).toHaveCount(3);
    }),
    empty: listsInBell(showsText(t('notifications.empty'))),
    loading: listsInBell(async (page) => {
      await expect(bell(page).getByRole('listitem')).toHaveCount(0);
      await expect(bell(page).locator('.animate-skeleton').first()).toBeVisible();
    }),
    error: listsInBell(async (page) => {
      await expect(bell(page).getByRole('alert')).toHaveText(t('NETWORK_ERROR_TITLE'));
    }),
  },
  'ui/toasts/toast-region.tsx': {
    async 'each tone'(page) {
      const region = page.getByRole('region', { name: t('ui.notifications') });
      const toast = (name: string) => region.getByRole('alertdialog', { name });
      await expect(region.getByRole('alertdialog')).toHaveCount(3);
      await expect(toast('File not decoded')).toContainText('The file is corrupted');
      await toast('You now work under CC-2002').getByRole('button', { name: 'Go back' }).click();
      await expectReports(page, 'back');
      // the toast that had no room appears instead
      await expect(toast('File encoded')).toBeVisible();
      const detail = 'KESS3_KS3-000042_9000_20261121-095833.moc';
      await expect(toast('File encoded').getByTitle(detail)).toHaveText(detail);
      await pressKey(
        toast('The file is no longer available').getByRole('button', { name: t('ui.close') }),
        'Enter',
      );
      await expect(toast('The file is no longer available')).toHaveCount(0);
    },
  },
  'ui/loading/forbidden-page.tsx': {
    'with a code': all(showsText('Role not authorized'), offers('RefreshPage'), async (page) => {
      await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toBeVisible();
      const home = page.getByRole('link', { name: t('notFound.home') });
      await expect(home).toHaveAttribute('href', '/');
      await expect(button(page, 'ui.copyCode', { code: 'USER_NO_RIGHTS' })).toBeVisible();
    }),
  },
});
