/** Emails with a real mail server: their content, for whom they are, and what is refused in them. */
import { timeZoneHeader } from '@recodery/contract/headers';
import {
  longestMailAddress,
  longestRecipientMessage,
} from '@recodery/contract/features/notifications';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fill, negotiateLanguage, textsByLocale } from '../../src/texts/texts.ts';
import { startWorker } from '../../src/worker.ts';
import { environment, from, recipient, settled } from './email-portal.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { noticeOf, type Sending, startSending, vin } from '../notifications/sending-workshop.ts';

const linkForm = /https:\/\/portal\.recodery\.test\/r\/[\w%-]{32,}/g;
const receiptForm = /https:\/\/portal\.recodery\.test\/receipts\/[\w-]+/g;

const hrefsOf = (...addresses: readonly string[]) => addresses.map((one) => `href="${one}"`);

/** An address of this length, with the longest valid local part and labels. */
function longAddress(length: number): string {
  const end = '.rossi.test';
  const labels = 'a'.repeat(length - 65 - end.length).replace(/a{62}(?=a)/g, '$&.');
  return `${'a'.repeat(64)}@${labels.slice(0, length - 65 - end.length)}${end}`;
}

describe('an email', () => {
  let server: MailServer;
  let sending: Sending;
  /** Requests an encode with sending, by both KESSv2 calls; neither may start. */
  const expectRefused = async (notificationInfo: unknown) => {
    const operations = sending.portal.platform.db
      .selectFrom('operation')
      .select(({ fn }) => fn.countAll<number>().as('count'));
    const before = await operations.executeTakeFirstOrThrow();
    for (const call of ['encode-file', 'reencode-decoded-file']) {
      const body = { kessv2FileSlotGUID: sending.slot, notificationInfo };
      const answer = await sending.anna.post(`/api/kessv2/${call}`, body);
      expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await operations.executeTakeFirstOrThrow()).toEqual(before);
  };
  beforeAll(async () => {
    server = await startMailServer();
    sending = await startSending(environment(server));
  });
  afterAll(async () => {
    await sending.portal.stop();
    await server.stop();
  });

  // promise 3.preferences.time-zone
  test('shows its times in the time zone of the organisation, else in that of the sender’s browser', async () => {
    const { anna } = sending;
    const textOfNext = async (): Promise<string> => {
      await sending.send({ email: recipient });
      return (await server.next()).part('text/plain');
    };
    const openPageIn = (zone: string) =>
      anna.call('GET', `/api/auth/session/${anna.sessionId}`, {
        headers: { [timeZoneHeader]: zone },
      });
    const prefer = (organisationPreferences: object) =>
      anna.put('/api/preferences/', { organisationPreferences });
    await openPageIn('Pacific/Kiritimati');
    expect(await textOfNext()).toContain('GMT+14');
    expect((await prefer({ timeZone: 'Pacific/Niue' })).status).toBe(200);
    expect(await textOfNext()).toContain('GMT-11');
    expect((await prefer({ timeZone: null })).status).toBe(200);
    await openPageIn('UTC');
    expect(await textOfNext()).not.toContain('GMT');
  });

  // promise 1.work.send, d9.mail.language
  test('contains the link for the slave’s workshop, in its language, as text and as HTML', async () => {
    const operation = await sending.send({ email: recipient, message: 'Stage 1 – 12,5 bar' });
    const mail = await server.next();
    expect(mail).toMatchObject({ from: 'portal@recodery.test', to: [recipient] });
    expect(mail.header('from')).toBe(from);
    expect(mail.header('to')).toBe(recipient);
    expect(mail.header('reply-to')).toBe('Officina Demo <officina@demo.test>');
    expect(mail.header('message-id')).toBe(`<${operation.guid}@portal.recodery.test>`);
    expect(mail.header('subject')).toBe('Officina Demo ti ha inviato un file per KV2-000007');
    expect(mail.header('content-language')).toBe('it-IT');
    expect(mail.header('auto-submitted')).toBe('auto-generated');
    expect(mail.header('content-type')).toContain('multipart/alternative');
    const [text, html] = [mail.part('text/plain'), mail.part('text/html')];
    const { name } = operation.result as { name: string };
    for (const part of [text, html]) {
      for (const fact of ['Officina Demo', 'KV2-000007', name, 'Stage 1 – 12,5 bar']) {
        expect(part).toContain(fact);
      }
    }
    expect(html).toContain('<html lang="it-IT">');
    expect(html).toContain(textsByLocale.get('it-IT')?.mailButton);
    const [link = ''] = text.match(linkForm) ?? [];
    const [receipt = ''] = text.match(receiptForm) ?? [];
    expect(text.split('\n')).toEqual(expect.arrayContaining([link, receipt]));
    expect(html.match(/href="([^"]+)"/g)).toEqual(hrefsOf(link, link, receipt));
    expect(mail.source).not.toContain(vin);
    expect(html).not.toMatch(/<script|<img|src=|url\(/);
    expect(Math.max(...mail.source.split('\r\n').map(({ length }) => length))).toBeLessThan(100);
    const { mail: state, message } = await settled(sending, operation);
    expect(state).toMatchObject({
      email: recipient,
      status: 'sent',
      failure: null,
      way: 'mail-server',
    });
    expect(state?.sentOn).toMatch(/^20/);
    expect(message).toBe(`File encoded and sent to ${recipient}`);
  });

  test('is the only thing that the workshop sees of a private result', async () => {
    const operation = await sending.send({ email: recipient });
    await server.next();
    await expect(noticeOf(sending.luca, operation)).rejects.toThrow();
    const open = await sending.send({ email: recipient, isPrivate: false });
    await server.next();
    const { mail, isReceived } = await noticeOf(sending.luca, open);
    // the recipient is private to the sender
    expect([mail, isReceived]).toEqual([null, true]);
  });

  test('is written in the sender’s language if the slave’s owner is unknown', async () => {
    const { db } = sending.portal.platform;
    const slaves = db.updateTable('slave_device').where('serial_number', '=', 'KV2-000007');
    const owner = db.selectFrom('organisation').select('guid');
    const rossi = await owner.where('customer_code', '=', 'CC-9001').executeTakeFirstOrThrow();
    const demo = db.updateTable('organisation').where('customer_code', '=', 'CC-1001');
    await slaves.set({ owner_guid: null }).execute();
    await demo.set({ culture: 'pl-PL' }).execute();
    await sending.send({ email: 'someone@else.test' });
    const mail = await server.next();
    expect(mail.header('subject')).toBe('Plik dla KV2-000007 od Officina Demo');
    await slaves.set({ owner_guid: rossi.guid }).execute();
    await demo.set({ culture: 'it-IT' }).execute();
  });

  // promise d9.mail.language
  test.each([...textsByLocale.keys()])('is complete in %s', async (culture) => {
    const { db } = sending.portal.platform;
    const rossi = db.updateTable('organisation').where('customer_code', '=', 'CC-9001');
    await rossi.set({ culture }).execute();
    await sending.send({ email: recipient });
    const mail = await server.next();
    const { texts } = negotiateLanguage(undefined, [culture]);
    expect(mail.part('text/html')).toContain(`<html lang="${culture}">`);
    const wayIn = fill(texts.mailLabel, texts.mailButton);
    expect(mail.part('text/plain')).toContain(`${wayIn}\nhttps://`);
    expect(mail.source).not.toMatch(/\{\d\}|undefined|null/);
    expect(mail.part('text/plain')).toMatch(/UTC/);
    await rossi.set({ culture: 'it-IT' }).execute();
  });

  // promise 5.send.email-server
  test.each([
    'garage@rossi.test\r\nBcc: all@evil.test',
    'garage@rossi.test\nBcc: all@evil.test',
    'garage@rossi.test\n',
    'garage@rossi.test, all@evil.test',
    'garage@rossi.test;all@evil.test',
    'Garage <garage@rossi.test>',
    '"a b"@rossi.test',
    'garage@rossi.test\u0000',
    'garage@\u202erossi.test',
    'garage@rossi..test',
    'garage@-rossi.test',
    'garage@[127.0.0.1]',
    'garage',
    '@rossi.test',
    ' ',
    `${'a'.repeat(250)}@rossi.test`,
    `${'a'.repeat(100_000)}@rossi.test`,
    '<b>garage@rossi.test</b>',
    '\u200fgarage@rossi.test',
    `${'a'.repeat(65)}@rossi.test`,
    longAddress(longestMailAddress + 1),
  ])('is refused at the request if its recipient is %j, and nothing is encoded', async (email) => {
    await expectRefused({ email, message: null, isPrivate: true });
  });

  test('is refused at the request if its note has 100 kB, and nothing is encoded', async () => {
    const message = 'x'.repeat(100_000);
    await expectRefused({ email: recipient, message, isPrivate: true });
    await expectRefused({ email: null, message: message.slice(0, longestRecipientMessage + 1) });
  });

  test('can have the longest address and the longest note', async () => {
    // one letter below our limit: this mail server counts the brackets around an address
    const email = longAddress(longestMailAddress - 1);
    const message = 'Ünïcödé '.repeat(longestRecipientMessage / 8).trim();
    await sending.send({ email, message });
    const mail = await server.next();
    expect(mail.to).toEqual([email]);
    expect(mail.part('text/plain')).toContain(message);
  });

  // promise d9.mail.note
  test('shows a note as plain text, without active links or direction changes', async () => {
    const message = [
      'Ciao\r\nBcc: all@evil.test\r\n\r\n--boundary',
      '<img src=x onerror=alert(1)><a href="http://evil.test/a">qui</a>',
      'http://evil.test/x?a=1 www.evil.test evil.test all@evil.test javascript:alert(1)',
      '\u202egnp.exe\u202c \u2066x\u2069 \u200fشكرا 12.5 bar, 8.0 gradi.',
      '\u0007\u001b[31m{0} {1} ##KEY##',
    ].join('\r\n');
    await sending.send({ email: recipient, message });
    const mail = await server.next();
    expect(mail.to).toEqual([recipient]);
    expect(mail.header('bcc')).toBeNull();
    const [text, html] = [mail.part('text/plain'), mail.part('text/html')];
    const [link = ''] = text.match(linkForm) ?? [];
    const [receipt = ''] = text.match(receiptForm) ?? [];
    for (const part of [text, html]) {
      expect(part).not.toMatch(/:\/\/evil|www\.evil|evil\.test|@evil|javascript:a/);
      expect(part).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0007\u001b]/);
      expect(part).toContain('12.5 bar, 8.0 gradi.');
      expect(part.replaceAll('\u200b', '')).toContain('http://evil.test/x?a=1 www.evil.test');
    }
    expect(html.match(/href="[^"]+"/g)).toEqual(hrefsOf(link, link, receipt));
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toMatch(/<img|<a href="http:\/\/evil/);
  });

  // promise d9.mail.headers
  test('has no header injected by an organisation’s name or address', async () => {
    const { db } = sending.portal.platform;
    const demo = db.updateTable('organisation').where('customer_code', '=', 'CC-1001');
    const name = 'Officina\r\nBcc: all@evil.test\r\n\r\n<b>"Demo\u202e';
    await demo.set({ name, email: 'officina@demo.test\r\nBcc: all@evil.test' }).execute();
    await sending.send({ email: recipient });
    const mail = await server.next();
    expect(mail.to).toEqual([recipient]);
    expect(mail.header('bcc')).toBeNull();
    expect(mail.header('reply-to')).toBeNull();
    expect(mail.header('subject')).toContain('Officina Bcc: all@evil.test <b>"Demo ti ha');
    expect(mail.part('text/html')).not.toContain('<b>');
    await demo.set({ name: 'Officina Demo', email: 'officina@demo.test' }).execute();
  });

  test('is not sent for a failed operation', async () => {
    const { db } = sending.portal.platform;
    const count = () => db.selectFrom('mail').select(({ fn }) => fn.countAll<number>().as('count'));
    const before = await count().executeTakeFirstOrThrow();
    const decodedFiles = db.updateTable('stored_file').where('slot_guid', '=', sending.slot);
    await decodedFiles.where('role', '=', 'read').set({ deleted_on: sql`now()` }).execute();
    const started = await sending.anna.post('/api/kessv2/reencode-decoded-file', {
      kessv2FileSlotGUID: sending.slot,
      notificationInfo: { email: recipient, message: null, isPrivate: false },
    });
    const operation = await sending.anna.follow(started.json as { guid: string });
    expect(operation.hasFailed).toBe(true);
    expect(await noticeOf(sending.anna, operation)).toMatchObject({
      isSuccessful: false,
      mail: null,
    });
    await expect(noticeOf(sending.luca, operation)).rejects.toThrow();
    expect(await count().executeTakeFirstOrThrow()).toEqual(before);
    await decodedFiles.where('role', '=', 'read').set({ deleted_on: null }).execute();
  });

  test('is sent once, however many workers there are', async () => {
    const before = server.emails.length;
    const others = await Promise.all([1, 2].map(() => startWorker(sending.portal.platform)));
    const operations = await Promise.all(
      Array.from({ length: 20 }, () => sending.send({ email: recipient })),
    );
    for (const operation of operations) await settled(sending, operation);
    await Promise.all(others.map((worker) => worker.stop()));
    const sent = server.emails.slice(before).map((mail) => mail.header('message-id') ?? '');
    expect(sent.toSorted()).toEqual(
      operations.map(({ guid }) => `<${guid}@portal.recodery.test>`).toSorted(),
    );
  });
});
