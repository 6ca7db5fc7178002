/** The rules of a notification for its reader: new, seen, downloadable, with a link to withdraw, and its texts. */
import type { Notification } from '@recodery/contract/features/notifications';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  badgeCount,
  canDownload,
  canRevoke,
  detailLines,
  directionOf,
  isNew,
  isPrivatelySent,
  isUnshown,
  keyOf,
} from '../../src/features/notifications/notification-rules.ts';
import {
  problemOfNotification,
  mailLook,
  outcomeLook,
} from '../../src/features/notifications/notification-words.ts';
import { loadTexts, startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';
import { completedOn as time, notification } from './notification.ts';
import { t } from '../texts/t.ts';

const day = 86_400_000;
const afterDays = (days: number) => new Date(Date.parse(time) + days * day);

const sent = notification({
  asyncOperationType: 'KESSv2Encode',
  message: 'A file was encoded',
  longMessage: 'golf.moc · KV2-000007',
  targetURL: '/api/files/1?ticket=t',
  targetURLFileName: 'golf.moc',
});
const received: Notification = { ...sent, isSent: false, isReceived: true, isPrivate: false };

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
  await loadTexts('notifications');
});

describe('a notification', () => {
  // promise 4.notification.read, 4.notification.highlighted
  test('is new for its sender until it is shown, and highlighted until it is opened', () => {
    const stateOf = (seen: Notification) => [isUnshown(seen), isNew(seen)];
    expect(stateOf(sent)).toEqual([true, true]);
    expect(stateOf({ ...sent, senderNotifiedOn: time })).toEqual([false, true]);
    const acted = { ...sent, senderNotifiedOn: time, senderInteractedOn: time };
    expect(stateOf(acted)).toEqual([false, false]);
  });

  // promise 2.notifications.direction
  test('is marked as sent if it was emailed or shared with another organisation, and as private if only the email opens it', () => {
    const mail = {
      email: 'garage@rossi.test',
      status: 'waiting',
      failure: null,
      sentOn: null,
      way: null,
      firstDownloadOn: null,
    } as const;
    const marks = (seen: Notification) => [directionOf(seen), isPrivatelySent(seen)];
    const shared = { ...sent, isPrivate: false, otherOrganizationName: 'Rossi' };
    expect([sent, shared, received].map(marks)).toEqual([
      [null, false],
      ['sent', false],
      ['received', false],
    ]);
    expect(marks({ ...sent, mail, otherOrganizationName: 'Rossi' })).toEqual([null, true]);
    expect(marks({ ...shared, mail })).toEqual(['sent', false]);
    const left = { ...mail, status: 'sent', sentOn: time } as const;
    expect(marks({ ...sent, mail: { ...left, way: 'mail-server' } })).toEqual(['sent', true]);
    expect(marks({ ...sent, mail: { ...left, way: 'outbox' } })).toEqual([null, true]);
    expect(marks({ ...sent, mail: { ...left, status: 'revoked' } })).toEqual(['sent', true]);
    const failed = { ...mail, status: 'failed', failure: 'refused' } as const;
    expect(marks({ ...sent, mail: failed })).toEqual([null, true]);
    expect(marks({ ...shared, mail: failed })).toEqual(['sent', false]);
  });

  // promise d9.mail.told
  test('shows the real status of its email: one in the outbox was not sent', () => {
    const words = (mail: Parameters<typeof mailLook>[0]) => t(mailLook(mail).text);
    expect([
      words({ status: 'waiting', way: null }),
      words({ status: 'sent', way: 'mail-server' }),
      // sent before the delivery method was recorded
      words({ status: 'sent', way: null }),
      words({ status: 'sent', way: 'outbox' }),
      words({ status: 'failed', way: null }),
      words({ status: 'revoked', way: 'outbox' }),
    ]).toEqual([
      'Email waiting',
      'Email sent',
      'Email sent',
      'Email in the outbox',
      'Email not sent',
      'Link withdrawn',
    ]);
  });

  test.each([
    [{ status: 'waiting' }, 'Email waiting', 'open'],
    [{ status: 'sent', way: 'outbox' }, 'Email in the outbox', 'open'],
    [{ status: 'failed' }, 'Email not sent', 'bad'],
    [{ status: 'sent', way: 'mail-server' }, 'Successful', 'good'],
    [{ status: 'revoked', way: 'mail-server' }, 'Successful', 'good'],
  ] as const)('counts as done only after its email was sent: %o', (state, words, look) => {
    const mail = { email: 'garage@rossi.test', failure: null, sentOn: null, way: null } as const;
    const seen = { ...sent, mail: { ...mail, firstDownloadOn: null, ...state } };
    const { text, state: shown } = outcomeLook(seen);
    expect([t(text), shown]).toEqual([words, look]);
    expect(outcomeLook({ ...seen, isSuccessful: false }).state).toBe('bad');
  });

  test('has separate marks for its recipient', () => {
    const bySender = { ...received, senderNotifiedOn: time, senderInteractedOn: time };
    expect([isUnshown(bySender), isNew(bySender)]).toEqual([true, true]);
    const byReceiver = { ...received, receiverNotifiedOn: time, receiverInteractedOn: time };
    expect([isUnshown(byReceiver), isNew(byReceiver)]).toEqual([false, false]);
    expect(keyOf(sent)).not.toBe(keyOf(received));
  });
});

describe('the badge', () => {
  // promise 2.notifications.badge, 9.figures.badge
  test('counts notifications that were not opened, up to 99', () => {
    const acted = { ...sent, senderInteractedOn: time };
    expect(badgeCount([sent, acted, received])).toBe(2);
    expect(badgeCount(Array.from({ length: 99 }, () => sent))).toBe(99);
    expect(badgeCount(Array.from({ length: 100 }, () => sent))).toBe(99);
    expect(badgeCount([])).toBe(0);
  });
});

describe('the file', () => {
  // promise 4.notification.download
  test('can be downloaded while it has an address, until ten days after the end', () => {
    expect(canDownload(sent, afterDays(9.99))).toBe(true);
    expect(canDownload(sent, afterDays(10))).toBe(false);
    expect(canDownload({ ...sent, targetURL: null }, afterDays(0))).toBe(false);
  });

  test('can be withdrawn by its sender as long as an email links to it', () => {
    const mail = {
      email: 'garage@rossi.test',
      status: 'sent',
      failure: null,
      sentOn: time,
      way: 'mail-server',
      firstDownloadOn: null,
    } as const;
    expect(canRevoke(sent, afterDays(1))).toBe(false);
    expect(canRevoke({ ...sent, mail }, afterDays(1))).toBe(true);
    expect(canRevoke({ ...sent, mail }, afterDays(10))).toBe(false);
    expect(canRevoke({ ...sent, mail: { ...mail, status: 'revoked' } }, afterDays(1))).toBe(false);
    expect(canRevoke({ ...received, mail }, afterDays(1))).toBe(false);
  });
});

describe('the error of a notification', () => {
  const failed = {
    ...sent,
    isSuccessful: false,
    errorCode: 'FILE_CORRUPTED',
    longMessage: 'golf.tfc · FILE_CORRUPTED',
  };

  // promise 8.display.notification-key
  test('is shown with the text of its code', () => {
    expect(problemOfNotification(t, failed)).toEqual({
      headline: t('RECOD_ERROR_FILE_CORRUPTED_TITLE'),
      advice: t('RECOD_ERROR_FILE_CORRUPTED'),
      code: 'FILE_CORRUPTED',
    });
    expect(problemOfNotification(t, sent)).toBeNull();
  });

  test('is not repeated as a code next to the file', () => {
    expect(detailLines(failed)).toEqual(['golf.tfc']);
    expect(
      detailLines({ ...sent, longMessage: 'golf.moc · KV2-000007\nStage 1\nby hand' }),
    ).toEqual(['golf.moc · KV2-000007', 'Stage 1', 'by hand']);
    expect(detailLines({ ...failed, longMessage: null })).toEqual([]);
  });
});
