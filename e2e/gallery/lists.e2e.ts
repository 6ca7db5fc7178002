/** The components around the workflow: lists, log, settings. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from './states.ts';
import {
  all,
  asksToLose,
  button,
  expectReports,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from './steps.ts';

const hasLineBroken: Promises = all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain'));

const isWaiting: Promises = async (page) => {
  await expect(page.locator('.animate-skeleton').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
};

const cells = (page: Page) => page.getByRole('row').last().getByRole('cell');

const isOperation =
  (file: string, state: string): Promises =>
  async (page) => {
    await expect(cells(page)).toHaveCount(6);
    await expect(page.getByRole('link')).toHaveAttribute('href', /\?operation=/);
    await expect(page.getByRole('link')).toContainText(file);
    await expect(cells(page).nth(4)).toHaveText(t(state));
  };

const item = (page: Page) => page.getByRole('listitem');

/** A notification has the heading of its result and these texts, and offers its file or not. */
const isNotification =
  (words: readonly string[], download: string | null): Promises =>
  async (page) => {
    for (const one of words) await expect(item(page)).toContainText(one);
    const get = item(page).getByRole('button', { name: t('notifications.download') });
    await expect(get).toHaveCount(download === null ? 0 : 1);
    if (download === null) await expect(item(page)).toContainText(t('notifications.noAction'));
    else
      await expect(get).toHaveAccessibleName(t('notifications.downloadNamed', { file: download }));
  };

const decoded = 'bench_KS3-000042.zip';
const encoded = 'stage1_KS3-000042.moc';

const canBeWithdrawn: Promises = async (page) => {
  await pressKey(button(page, 'notifications.revoke'), 'Enter');
  await expectReports(page, 'revoke');
};

const cannotBeWithdrawn: Promises = async (page) => {
  await expect(button(page, 'notifications.revoke')).toHaveCount(0);
};

const isMail = (key: string, ...more: readonly string[]): Promises =>
  all(
    isNotification([t(`notifications.mail.${key}`), 'garage@rossi.test', ...more], encoded),
    key === 'revoked' ? cannotBeWithdrawn : canBeWithdrawn,
  );

const reset = (page: Page, name: string) => button(page, 'settings.resetNamed', { name });
const kessv2 = (page: Page) =>
  page.getByRole('textbox', {
    name: t('settings.encodedFileNameFormat', { name: 'KESSv2' }),
    exact: true,
  });

testGroup('lists', {
  'features/last-operations/last-operations.tsx': {
    async filled(page) {
      await expect(page.getByRole('columnheader')).toHaveCount(6);
      await expect(page.getByRole('row')).toHaveCount(7);
      // a long name is not shortened in its link
      const long = page.getByRole('link', { name: /^(a very long name of a file ){6}\.kv2$/ });
      await expect(long).toBeVisible();
      await offers('notifications.more')(page);
    },
    empty: showsText(t('home.last.empty')),
    loading: isWaiting,
    error: hasLineBroken,
  },
  'features/last-operations/operation-row.tsx': {
    async 'its page may not be entered'(page) {
      await expect(page.getByRole('link')).toHaveCount(0);
      await expect(cells(page).nth(4)).toHaveText(t('operation.encoded'));
    },
    succeeded: isOperation('stage1_KS3-000042.moc', 'operation.encoded'),
    running: isOperation('bench_KS3-000042.k3r', 'operation.decoding'),
    failed: all(
      isOperation('backup_07.ktb', 'operation.notDecoded'),
      showsText(t('RECOD_ERROR_FILE_CORRUPTED_TITLE')),
    ),
  },
  'features/notifications/notification-row.tsx': {
    new: all(
      isNotification([t('notifications.successful'), t('notifications.new')], decoded),
      cannotBeWithdrawn,
    ),
    async seen(page) {
      await isNotification([t('notifications.successful')], decoded)(page);
      await expect(item(page).getByText(t('notifications.new'), { exact: true })).toBeHidden();
    },
    failed: all(
      isNotification([t('notifications.failed'), t('RECOD_ERROR_FILE_CORRUPTED_TITLE')], null),
      async (page) => {
        const markSeen = button(page, 'notifications.markSeen', { message: 'File not decoded' });
        await expect(markSeen).toBeEnabled();
      },
    ),
    'too old to download': isNotification([t('notifications.successful')], null),
    sent: isMail('sent', t('notifications.mail.notFetched')),
    'mail waiting': isMail('waiting'),
    'mail failed': isMail('failed'),
    'link revoked': isMail('revoked'),
    'in the outbox': isMail('outbox'),
    fetched: isMail('sent', t('notifications.mail.fetched').split('{')[0] ?? ''),
    'received, with a note': all(
      isNotification(
        [t('notifications.received'), 'Officina Demo', 'Stage 1, EGR left as it was.'],
        encoded,
      ),
      cannotBeWithdrawn,
    ),
    'long names': all(
      isNotification(['_customer_final_v3.moc', 'very-long-domain.example'], encoded),
      canBeWithdrawn,
    ),
  },
  'features/notifications/received-files.tsx': {
    async filled(page) {
      await expect(item(page)).toHaveCount(1);
      await isNotification(['Officina Demo'], encoded)(page);
      const whole = page.getByRole('link', { name: t('home.received.all') });
      await expect(whole).toHaveAttribute('href', '/notifications');
    },
    empty: showsText(t('home.received.empty')),
    loading: isWaiting,
    error: hasLineBroken,
  },
  'features/notifications/notification-list.tsx': {
    async filled(page) {
      await expect(item(page)).toHaveCount(12);
      // the confirmation opens above the page, and Escape returns the focus
      const revoke = button(page, 'notifications.revoke').first();
      await pressKey(revoke, 'Enter');
      const question = t('notifications.revokeAbout', { whom: 'garage@rossi.test' });
      await asksToLose(page, 'notifications.revokeTitle', question, 'notifications.revoke');
      await pressEscape(page);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(revoke).toBeFocused();
    },
    empty: showsText(t('notifications.empty')),
  },
  'features/operations-log/log-downloads.tsx': {
    async 'ready; press one for the rest'(page) {
      await expect(item(page)).toHaveCount(3);
      await pressKey(button(page, 'log.download', { family: 'KESSv2' }), 'Enter');
      // no server responds in the gallery: it keeps waiting
      await expect(page.getByRole('status')).toContainText(
        t('log.downloading', { family: 'KESSv2' }),
      );
    },
  },
  'features/preferences/preferences-form.tsx': {
    async 'as saved; change a field for the rest'(page) {
      await refuses('settings.save', 'ui.discard')(page);
      await kessv2(page).fill('mine_%r');
      await offers('settings.save', 'ui.discard')(page);
      await button(page, 'ui.discard').click();
      await expect(kessv2(page)).toHaveValue('tuned_%r');
      await pressKey(reset(page, t('settings.encodedFileNameFormat', { name: 'KESSv2' })), 'Enter');
      await expect(kessv2(page)).toHaveValue('');
      await kessv2(page).fill('%x');
      await expect(kessv2(page)).toHaveAttribute('aria-invalid', 'true');
      await refuses('settings.save')(page);
    },
  },
  'features/preferences/preference-fields.tsx': {
    async "defaults and one of one's own"(page) {
      await expect(
        reset(page, t('settings.encodedFileNameFormat', { name: 'KESSv2' })),
      ).toBeDisabled();
      await pressKey(reset(page, t('settings.encodedFileNameFormat', { name: 'K-TAG' })), 'Enter');
      await pressKey(page.getByRole('switch', { name: t('settings.private') }), 'Space');
      await expectReports(page, '{"encodedKTAGFileNameFormat":""}', '{"isPrivate":false}');
    },
    async 'a format that is wrong'(page) {
      await expect(kessv2(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(kessv2(page)).toHaveAccessibleDescription(t('settings.faultPlace'));
    },
  },
  'features/preferences/time-zone-field.tsx': {
    'the default': showsText(t('settings.timeZoneAbout')),
    async 'Europe/Rome'(page) {
      await pressKey(reset(page, t('settings.timeZone')), 'Enter');
      await expectReports(page, '{"timeZone":""}');
    },
    'Mars/Olympus': showsText(t('settings.timeZoneFault')),
  },
  'features/preferences/preference-field.tsx': {
    async default(page) {
      await expect(reset(page, 'Name')).toBeDisabled();
    },
    async "one's own"(page) {
      await pressKey(reset(page, 'Name'), 'Enter');
      await expectReports(page, 'reset');
    },
  },
  'features/ad-block/ad-block-warning.tsx': {
    async 'shows nothing until a blocker is at work'(page) {
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
  },
});
