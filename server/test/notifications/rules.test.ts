/**
 * The pure rules of notifications and emails: cursors, the ten days, retries with a mail server, formats of times and
 * sizes.
 */
import type { Workflow } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { describeNotification } from '../../src/notifications/describe.ts';
import { formatSize, formatTime, formatTimeIn, usableTimeZone } from '../../src/email/formats.ts';
import { writeEmail } from '../../src/email/file-email.ts';
import { nameDevice } from '../../src/email/file-origin.ts';
import { retryForADay } from '../../src/queue/retry-rules.ts';
import { type ClaimedMail, mailPauses } from '../../src/email/emails.ts';
import { downloadEnd, roleOf, readCursor } from '../../src/notifications/notification-rules.ts';
import type { MailState, SeenNotification } from '../../src/notifications/notifications.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import type { MailWay } from '../../src/email/smtp.ts';
import { negotiateLanguage, textsByLocale } from '../../src/texts/texts.ts';

const guid = '01900000-0000-7000-8000-00000000dead';

describe('the role of a viewer', () => {
  const [own, other] = [mintOrganisationId('own'), mintOrganisationId('other')];
  const user = (organisationId = own, accountGuid = 'user') => ({
    organisationId,
    accountGuid,
    clientGuid: null,
  });
  const program = (organisationId = own, clientGuid = 'program') => ({
    organisationId,
    accountGuid: null,
    clientGuid,
  });
  const by = (sender: ReturnType<typeof user> | ReturnType<typeof program>) => ({
    senderOrganisationId: sender.organisationId,
    senderAccountGuid: sender.accountGuid,
    senderClientGuid: sender.clientGuid,
  });
  test.each([
    ['the user who sent it', user(), user(), null, 'sender'],
    ['a colleague, of a private one', user(own, 'colleague'), user(), null, null],
    ['a colleague, of one for their organisation', user(own, 'colleague'), user(), own, 'receiver'],
    ['the sender, of one for their own organisation', user(), user(), own, 'sender'],
    ['the sender under another customer code', user(other), user(), null, null],
    ['the sender under the customer code that receives it', user(other), user(), other, 'receiver'],
    ['the receiver', user(other, 'receiver'), user(), other, 'receiver'],
    ['a third organisation', user(mintOrganisationId('third'), 'x'), user(), other, null],
    ['the program that sent it', program(), program(), null, 'sender'],
    ['another program', program(own, 'another'), program(), null, null],
    ['a program, of what a user sent', program(), user(), null, null],
    ['a user, of what a program sent', user(), program(), null, null],
    ['a user, of what a program sent to their organisation', user(), program(), own, 'receiver'],
  ])('%s', (_name, viewer, sender, receiverOrganisationGuid, role) => {
    expect(roleOf({ ...by(sender), receiverOrganisationGuid }, viewer)).toBe(role);
  });
});

describe('a cursor', () => {
  test.each([
    [undefined, 'newest'],
    ['', 'newest'],
    ['2026-11-21T10:00:00Z', { time: '2026-11-21T10:00:00.000Z', guid: null }],
    ['2026-11-21T10:00', { time: '2026-11-21T10:00:00.000Z', guid: null }],
    ['2026-11-21T10:00:00.123456Z', { time: '2026-11-21T10:00:00.123Z', guid: null }],
    ['2026-11-21t10:00:00z'.toUpperCase(), { time: '2026-11-21T10:00:00.000Z', guid: null }],
    ['2026-11-21T10:00:00-05:00', { time: '2026-11-21T15:00:00.000Z', guid: null }],
    ['2026-11-21T10:00:00 02:00', { time: '2026-11-21T08:00:00.000Z', guid: null }],
    [`2026-11-21T10:00:00.5Z~${guid.toUpperCase()}`, { time: '2026-11-21T10:00:00.500Z', guid }],
  ])('%j starts at %j', (text, cursor) => {
    expect(JSON.parse(JSON.stringify(readCursor(text)))).toEqual(cursor);
  });

  test.each([
    'now',
    '2026-11-21',
    '2026-11-21T25:00:00Z',
    '1969-12-31T23:59:59Z',
    `~${guid}`,
    `2026-11-21T10:00:00Z~${guid}x`,
    `2026-11-21T10:00:00Z~${guid.replace('-', '0')}`,
  ])('%j is ignored', (text) => {
    expect(readCursor(text)).toBeNull();
  });
});

// promise 4.notification.download, 9.figures.download-days
test('a file can be downloaded until exactly ten days after its operation finished', () => {
  expect(downloadEnd(new Date('2026-02-20T10:00:00.001Z'))).toEqual(
    new Date('2026-03-02T10:00:00.001Z'),
  );
});

describe('an email that could not be sent', () => {
  const created = new Date('2026-11-21T00:00:00Z');
  const after = (hours: number) => new Date(created.getTime() + hours * 3_600_000);

  test.each([
    [1, 0, 5],
    [2, 0, 10],
    [7, 1, 320],
    [8, 2, 600],
    [1000, 23.99, 600],
  ])('is retried after attempt %i, at %f h, in %i s', (attempt, hours, afterSeconds) => {
    const retry = retryForADay(mailPauses, attempt, created, after(hours));
    expect(retry).toEqual({ decision: 'again', afterSeconds });
  });

  test('is given up after a day', () => {
    expect(retryForADay(mailPauses, 2, created, after(24))).toEqual({ decision: 'fail' });
  });
});

test.each([
  [0, 'en-US', '0 B'],
  [1023, 'en-US', '1,023 B'],
  [1024, 'en-US', '1 KiB'],
  [4403, 'it-IT', '4,3 KiB'],
  [2 * 1024 * 1024, 'de-DE', '2 MiB'],
  [4403, 'fr-FR', '4,3 Kio'],
  [1024 ** 4, 'en-US', '1,024 GiB'],
])('%i bytes are, in %s, %s', (bytes, locale, said) => {
  expect(formatSize(bytes, locale)).toBe(said.replace(' ', '\u00a0'));
});

test.each([...textsByLocale.keys()])(
  'a time is shown to the minute, with its time zone, in %s',
  (locale) => {
    const said = formatTime(new Date('2026-12-01T05:03:59Z'), locale);
    for (const part of ['2026', '05:03', 'UTC']) expect(said).toContain(part);
  },
);

describe('a time for readers with an unknown time zone', () => {
  const winter = new Date('2026-12-01T05:03:59Z');

  test.each([
    ['zh-CN', '2026年12月1日 13:03 GMT+8 (05:03\u00a0UTC)'],
    ['fr-FR', '1er décembre 2026 à 13:03 UTC+8 (05:03\u00a0UTC)'],
  ])('is written in the way of %s', (locale, shown) => {
    expect(formatTimeIn(winter, locale, 'Asia/Shanghai')).toBe(shown);
  });

  test.each([
    ['Europe/Rome', '1 dicembre 2026 alle ore 06:03 CET (05:03\u00a0UTC)'],
    ['UTC', '1 dicembre 2026 alle ore 05:03 UTC'],
    ['Africa/Abidjan', '1 dicembre 2026 alle ore 05:03 UTC'],
    ['America/New_York', '1 dicembre 2026 alle ore 00:03 GMT-5 (05:03\u00a0UTC)'],
    [
      'America/Los_Angeles',
      '30 novembre 2026 alle ore 21:03 GMT-8 (1 dicembre 2026 alle ore 05:03 UTC)',
    ],
  ])('is in the zone %s, followed by UTC', (zone, shown) => {
    expect(formatTimeIn(winter, 'it-IT', zone)).toBe(shown);
  });

  test('respects daylight saving time', () => {
    const summer = new Date('2026-07-01T05:03:59Z');
    expect(formatTimeIn(summer, 'de-DE', 'Europe/Rome')).toBe(
      '1. Juli 2026 um 07:03 MESZ (05:03\u00a0UTC)',
    );
  });
});

describe('the server’s texts', () => {
  const english = textsByLocale.get('en-US');
  const places = (text: string) =>
    (text.match(/\{\d\}/g) ?? []).toSorted((a, b) => (a < b ? -1 : 1));

  test.each([...textsByLocale])(
    'in %s have the same keys and placeholders as the English ones',
    (_, texts) => {
      expect(Object.keys(texts)).toEqual(Object.keys(english ?? {}));
      for (const [key, text] of Object.entries(english ?? {})) {
        const other = (texts as Record<string, string>)[key] ?? '';
        expect([key, places(other)]).toEqual([key, places(text)]);
        expect(other.trim()).not.toBe('');
      }
    },
  );
});

describe('an email', () => {
  const mail: ClaimedMail = {
    guid,
    attempt: 1,
    organisation: guid,
    email: 'garage@rossi.test',
    culture: 'en-US',
    createdOn: new Date('2026-11-21T10:00:00Z'),
    triedSince: new Date('2026-11-21T10:00:00Z'),
    expiresOn: new Date('2026-12-01T10:00:00Z'),
    shareKeyId: 1,
    senderName: 'Bianchi S.r.l.',
    senderEmail: 'x@y.test',
    fileName: 'a.moc',
    slaveSerialNumber: 'KV2-000007',
    note: null,
    timeZone: null,
    receiptCode: '7K3M-9QXD-02HF-VT5B',
    origin: null,
  };
  const link = 'https://portal.test/r/x';
  const links = { file: link, receipt: 'https://portal.test/receipts/7K3M-9QXD-02HF-VT5B' };

  test.each([...textsByLocale.keys()])(
    'ends its sentences with exactly one period in %s',
    (locale) => {
      const { text, html } = writeEmail(mail, negotiateLanguage(undefined, [locale]), links, 'UTC');
      for (const part of [text, html]) expect(part).not.toMatch(/(?<!\.)\.\.(?!\.)/);
    },
  );

  test('separates a French label from its colon with a narrow no-break space', () => {
    const { text } = writeEmail(mail, negotiateLanguage(undefined, ['fr-FR']), links, 'UTC');
    expect(text).toContain('Fichier\u202f: a.moc');
    expect(text).toContain(`Aller au téléchargement\u202f:\n${link}`);
  });

  // promise d9.mail.time
  test('shows the time in the portal’s zone followed by UTC, in both of its parts', () => {
    const italian = negotiateLanguage(undefined, ['it-IT']);
    const { text, html } = writeEmail(mail, italian, links, 'Europe/Rome');
    for (const part of [text, html]) {
      expect(part).toContain('1 dicembre 2026 alle ore 11:00 CET (10:00\u00a0UTC)');
      expect(part).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
    }
  });

  test('does not break serial numbers at their hyphens, and escapes invalid ones', () => {
    const english = negotiateLanguage(undefined, ['en-US']);
    const whole = '<span style="white-space:nowrap">KV2-000007</span>';
    expect(writeEmail(mail, english, links, 'UTC').html).toContain(whole);
    const hostile = { ...mail, slaveSerialNumber: '<b>1</b>' };
    expect(writeEmail(hostile, english, links, 'UTC').html).not.toContain('<b>');
  });
});

describe('the device of a file', () => {
  test('is its serial number, or else its family', () => {
    const origin = { family: 'bflash', sealedOn: null, isDouble: false } as const;
    expect(nameDevice('KV2-000007', origin)).toBe('KV2-000007');
    expect(nameDevice(null, origin)).toBe('bFlash');
    expect(nameDevice(null, null)).toBe('–');
  });
});

describe('the words of a notification', () => {
  const sender = mintOrganisationId('01900000-0000-7000-8000-0000000000aa');
  const seen: SeenNotification = {
    guid,
    senderOrganisationId: sender,
    senderAccountGuid: guid,
    senderClientGuid: null,
    senderName: 'Officina Demo',
    receiverOrganisationGuid: null,
    receiverName: null,
    operationType: 'KESS3Encode',
    family: 'kess3',
    slotGuid: guid,
    workflow: 'kess3',
    completedOn: new Date('2026-11-21T10:00:00Z'),
    isSuccessful: true,
    fileName: 'tuned.moc',
    slaveSerialNumber: 'KS3-000042',
    target: null,
    errorName: null,
    errorDetail: null,
    internalCode: null,
    isPrivate: true,
    note: null,
    role: 'sender',
    hasJob: true,
    receivedOn: null,
    isRevoked: false,
    senderNotifiedOn: null,
    senderInteractedOn: null,
    receiverNotifiedOn: null,
    receiverInteractedOn: null,
    mail: null,
  };
  const mail = {
    email: 'garage@rossi.test',
    failure: null,
    sentOn: null,
    way: null,
    firstDownloadOn: null,
  };
  const never = async (): Promise<string> => {
    throw new Error('there is no file');
  };
  const deps = {
    clock: { now: () => new Date() },
    mailWay: 'mail-server' as const,
    mintFileURL: never,
    mintSharedFileURL: never,
    mintZipURL: never,
  };

  test.each([...textsByLocale])('in %s', async (locale, texts) => {
    const kinds: Partial<SeenNotification>[] = [
      ...(['waiting', 'sent', 'failed', 'revoked'] as const).map((status) => ({
        mail: { ...mail, status },
      })),
      { receiverOrganisationGuid: guid, receiverName: 'Garage Rossi' },
    ];
    for (const kind of kinds)
      for (const [workflow, done] of [
        ['kess3', texts.notificationEncoded],
        ['kess3-utility', texts.notificationFileCompacted],
      ] as const) {
        const shown = { ...seen, ...kind, workflow };
        const { message } = await describeNotification(deps, bearerOf(sender), shown, {
          locale,
          texts,
        });
        expect.soft(message.startsWith(done), message).toBe(true);
        expect.soft(message).toMatch(/garage@rossi\.test|Garage Rossi/);
        expect.soft(message).not.toContain('{');
      }
  });

  test.each<[Workflow, boolean, string]>([
    ['kess3', false, 'Officina Demo sent you an encoded file'],
    ['kess3', true, 'Officina Demo withdrew an encoded file'],
    ['kess3-utility', false, 'Officina Demo sent you a packed backup'],
    ['kess3-utility', true, 'Officina Demo withdrew a packed backup'],
  ])(
    'names a received file by its operation: %s, revoked %s',
    async (workflow, isRevoked, message) => {
      const { texts } = negotiateLanguage('en-US');
      const shown: SeenNotification = {
        ...seen,
        role: 'receiver',
        senderName: 'Officina Demo',
        workflow,
        isRevoked,
      };
      const described = await describeNotification(deps, bearerOf(sender), shown, {
        locale: 'en-US',
        texts,
      });
      expect(described.message).toBe(message);
    },
  );

  test('describes a waiting email like one in the outbox if there is no mail server', async () => {
    const locale = 'en-US';
    const texts = negotiateLanguage(locale).texts;
    const messageOf = async (mailWay: MailWay, state: Pick<MailState, 'status' | 'way'>) => {
      const shown = { ...seen, mail: { ...mail, ...state } };
      return (
        await describeNotification({ ...deps, mailWay }, bearerOf(sender), shown, { locale, texts })
      ).message;
    };
    const kept = await messageOf('outbox', { status: 'sent', way: 'outbox' });
    expect(kept).toContain('no mail server is configured');
    expect(await messageOf('outbox', { status: 'waiting', way: null })).toBe(kept);
    expect(await messageOf('mail-server', { status: 'waiting', way: null })).toContain(
      'is waiting to be sent',
    );
  });
});

test.each([
  ['Etc/Unknown', 'UTC'],
  [undefined, 'UTC'],
  ['Europe/Rome', 'Europe/Rome'],
])('emails show times in %s as %s', (found, used) => {
  const zone = usableTimeZone(found);
  expect(zone).toBe(used);
  expect(formatTimeIn(new Date('2026-11-21T10:00:00Z'), 'en-US', zone)).toContain('UTC');
});
