/**
 * The public page behind an email's link: anyone who has the link can download the file, for a while; opening the page
 * leaves no trace.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatTime } from '../../src/email/formats.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import { decode, sealImage, started } from '../journeys/families/kessv2-workflow.ts';
import {
  listOf,
  noticeOf,
  type Sending,
  startSending,
  vin,
} from '../notifications/sending-workshop.ts';

let server: MailServer;
let sending: Sending;
beforeAll(async () => {
  server = await startMailServer();
  sending = await startSending({
    RECODERY_SMTP_URL: server.url,
    RECODERY_MAIL_FROM: 'portal@recodery.test',
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
});
afterAll(async () => {
  await sending.portal.stop();
  await server.stop();
});

const italian = textsByLocale.get('it-IT');

/** Sends an email and returns its operation, the path of its page, and a call to it without a session. */
async function receive(message: string | null = null) {
  const operation = await sending.send({ email: 'garage@rossi.test', message });
  const mail = await server.next();
  const path = sharePathIn(mail);
  const visit = (method: 'GET' | 'HEAD' | 'POST', headers: Record<string, string> = {}) =>
    fetch(new URL(path, sending.portal.url), { method, headers });
  return { operation, path, visit };
}

describe('the page', () => {
  // promise d9.link.page
  test("shows the file's facts, in the workshop’s language, to anyone who has the link", async () => {
    const { operation, visit, path } = await receive('Buon lavoro\n<script>alert(1)</script>');
    const answer = await visit('GET', { 'accept-language': 'fr' });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    const { name } = operation.result as { name: string };
    for (const said of [name, 'KV2-000007', 'Officina Demo', 'Buon lavoro', italian?.shareButton]) {
      expect(text).toContain(said);
    }
    expect(text).toContain('<html lang="it-IT">');
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain(vin);
    expect(text.match(/<form/g)).toHaveLength(1);
    expect(text).toContain(`<form method="post" action="${path}">`);
  });

  test('opens also when the last character of its link is percent-encoded', async () => {
    const { path, visit } = await receive();
    const plain = decodeURIComponent(path);
    const last = plain.charCodeAt(plain.length - 1).toString(16);
    const encoded = new URL(`${plain.slice(0, -1)}%${last}`, sending.portal.url);
    expect((await fetch(encoded)).status).toBe(200);
    expect((await visit('GET')).status).toBe(200);
  });

  test('is not cached, not indexed, and runs no script', async () => {
    const { visit } = await receive();
    const answer = await visit('GET');
    const { headers } = answer;
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("font-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|connect-src/);
    const text = await answer.text();
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/style=|<style|<script>|\son\w+=/);
    expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/[^"]+\.css">/);
  });

  test.each([...textsByLocale])('shows a readable time in %s, in UTC', async (culture, texts) => {
    const { db } = sending.portal.platform;
    const rossi = db.updateTable('organisation').where('customer_code', '=', 'CC-9001');
    await rossi.set({ culture }).execute();
    const { visit } = await receive();
    const text = await (await visit('GET')).text();
    await rossi.set({ culture: 'it-IT' }).execute();
    const [, instant = '', words = '', shown = ''] =
      /<time datetime="([^"]+)" data-local="([^"]+)">([^<]+)<\/time>/.exec(text) ?? [];
    expect(shown).toBe(formatTime(new Date(instant), culture));
    expect(words).toBe(texts.shareLocalTime);
    expect(words).toContain('{0}');
    expect(text.replace(instant, '')).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
  });

  // promise d9.link.get-shows
  test('leaves no trace, however often a link scanner opens it', async () => {
    const { operation, visit } = await receive();
    const whole = async () => {
      const { db } = sending.portal.platform;
      const mail = db.selectFrom('mail').selectAll().where('guid', '=', operation.guid);
      const notification = db
        .selectFrom('notification')
        .selectAll()
        .where('guid', '=', operation.guid);
      return [await mail.execute(), await notification.execute()];
    };
    // the email has left before it is recorded as sent
    await expect
      .poll(async () => (await noticeOf(sending.anna, operation)).mail?.status)
      .toBe('sent');
    const before = await whole();
    const looks = [
      {},
      { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' },
      { 'user-agent': 'Mozilla/5.0 (compatible; LinkScanner/1.0)', range: 'bytes=0-99' },
    ];
    for (const headers of looks) {
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        const answer = await visit(method, headers);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-disposition')).toBeNull();
      }
    }
    expect(await whole()).toEqual(before);
  });
});

describe('the button', () => {
  // promise d9.link.button
  test('downloads the file that the slave accepts, and the sender sees the time of the first download', async () => {
    const { operation, visit } = await receive();
    const { promise, resolve } = Promise.withResolvers<string>();
    const stop = await sending.anna.listen(({ name, record }) => {
      const { guid, mail } = record as { guid: string; mail: { firstDownloadOn: string | null } };
      if (name === 'notification' && guid === operation.guid && mail?.firstDownloadOn != null) {
        resolve(mail.firstDownloadOn);
      }
    });
    const answer = await visit('POST', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=.*\.moc/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { components } = acceptEncoded({ ...sending.slave, file: await answer.bytes() });
    expect(components.map(({ bytes }) => new Uint8Array(bytes))).toEqual([sending.image]);
    const first = await promise.finally(stop);
    await visit('POST');
    expect((await noticeOf(sending.anna, operation)).mail?.firstDownloadOn).toBe(first);
  });

  test('counts only if bytes were requested and sent', async () => {
    const { operation, visit } = await receive();
    const firstDownload = async () =>
      (await noticeOf(sending.anna, operation)).mail?.firstDownloadOn ?? null;
    const whole = await visit('GET');
    await whole.text();
    const outside = await visit('POST', { range: 'bytes=999999999-' });
    expect(outside.status).toBe(416);
    expect(await firstDownload()).toBeNull();
    // a client that already has the file still gets it: a form's button does not handle "not modified"
    const again = await visit('POST', { 'if-none-match': '*' });
    expect(again.status).toBe(200);
    expect((await again.bytes()).length).toBeGreaterThan(1000);
    await expect.poll(firstDownload).not.toBeNull();
  });

  test('does not count if the client disconnects midway', async () => {
    const { operation, visit, path } = await receive();
    const { db } = sending.portal.platform;
    const { fileGUID } = operation.result as { fileGUID: string };
    // too large to be buffered completely between the two
    const bytes = 32 * 1024 * 1024;
    const key = `uploads/${operation.guid}/large`;
    const store = await openStorage(sending.portal.platform.config);
    const { sha256 } = await store.storage.put(key, Readable.from([Buffer.alloc(bytes)]));
    const file = { size: bytes, sha256, storage_key: key };
    await db.updateTable('stored_file').set(file).where('guid', '=', fileGUID).execute();
    const { port } = new URL(sending.portal.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    const firstDownload = async () =>
      (await noticeOf(sending.anna, operation)).mail?.firstDownloadOn ?? null;
    // a complete download of another email takes longer than the end of this one
    const other = await receive();
    await (await other.visit('POST')).bytes();
    await expect
      .poll(async () => (await noticeOf(sending.anna, other.operation)).mail?.firstDownloadOn)
      .toBeTruthy();
    expect(await firstDownload()).toBeNull();
    await (await visit('POST')).bytes();
    await expect.poll(firstDownload).not.toBeNull();
  });
});

test('a file that is named after its vehicle appears without the VIN, except to its owner', async () => {
  const { anna, luca, slave, image, portal } = sending;
  const { db } = portal.platform;
  const demo = db.selectFrom('organisation').select('guid').where('customer_code', '=', 'CC-1001');
  const { guid: organisation_guid } = await demo.executeTakeFirstOrThrow();
  const name_formats = JSON.stringify({ kessv2: 'for %r %v' });
  const format = { organisation_guid, name_formats };
  await db.insertInto('organisation_preferences').values(format).execute();
  // one number is known from the read, the other only recognizable by its form
  const name = `${vin.toLowerCase()} WVWZZZ1KZAW123456.k2r`;
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image), name);
  const message = `${vin.slice(0, 3)} ${vin.slice(3, 9)} ${vin.slice(9)} is ready`;
  const operation = await anna.follow(
    started(
      await anna.post('/api/kessv2/reencode-decoded-file', {
        kessv2FileSlotGUID: slot,
        notificationInfo: { email: 'garage@rossi.test', message, isPrivate: false },
      }),
    ),
  );
  const mail = await server.next();
  const path = sharePathIn(mail);
  const page = await fetch(new URL(path, portal.url));
  const download = await fetch(new URL(path, portal.url), { method: 'POST' });
  const [sent, received] = await Promise.all(
    [anna, luca].map((client) => noticeOf(client, operation)),
  );
  const decoded = (await listOf(anna)).find(({ longMessage }) => longMessage?.includes('k2r'));
  const nameIn = (headers: Headers) => decodeURIComponent(headers.get('content-disposition') ?? '');
  const byTicket = await fetch(new URL(received?.targetURL ?? '', portal.url));
  const { fileGUID } = operation.result as { fileGUID: string };
  const bySession = await luca.get(`/api/files/${fileGUID}`);
  const shown = {
    subject: mail.header('subject'),
    text: mail.part('text/plain'),
    html: mail.part('text/html'),
    page: await page.text(),
    name: nameIn(download.headers),
    byTicket: nameIn(byTicket.headers),
    bySession: nameIn(bySession.headers),
    sent: JSON.stringify({ ...sent, targetURL: null }),
    received: JSON.stringify({ ...received, targetURL: null }),
    decoded: JSON.stringify(decoded),
  };
  // random letters can be those of a VIN
  const { receiptCode } = operation.result as { receiptCode: string };
  const withoutRandom = (text: string | null) =>
    text?.replaceAll(path.slice('/r/'.length), '').replaceAll(receiptCode, '');
  for (const [where, text] of Object.entries(shown)) {
    expect([where, withoutRandom(text)]).toEqual([
      where,
      expect.not.stringMatching(/zar|wvw|1234567/i),
    ]);
  }
  const { subject: _, decoded: __, ...named } = shown;
  for (const [where, text] of Object.entries(named)) {
    expect([where, text]).toEqual([where, expect.stringContaining('for … … ….moc')]);
  }
  expect(shown.decoded).toContain('… ….k2r');
  expect(shown.page).toContain('… is ready');
  const own = await fetch(new URL(sent?.targetURL ?? '', portal.url));
  expect(nameIn(own.headers)).toContain(vin.toLowerCase());
  await db.deleteFrom('organisation_preferences').execute();
});

describe('a link', () => {
  // promise d9.link.hashed
  test('is stored in the database only as a hash', async () => {
    const { path } = await receive();
    const { db } = sending.portal.platform;
    const token = decodeURIComponent(path.slice('/r/'.length));
    for (const table of ['mail', 'notification', 'operation', 'wrapped_key'] as const) {
      const { rows } = await sql<{
        row: string;
      }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(db);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ row }) => row).join()).not.toContain(token);
    }
  });

  const dead = async (visit: Awaited<ReturnType<typeof receive>>['visit']) => {
    const answers = await Promise.all((['GET', 'POST'] as const).map((verb) => visit(verb)));
    return Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        type: answer.headers.get('content-type'),
        title: /<h1>([^<]*)/.exec(await answer.text())?.[1],
      })),
    );
  };
  const page = (status: number, title: string | undefined) => {
    const one = { status, type: 'text/html; charset=utf-8', title };
    return [one, one];
  };

  // promise d9.link.revoked
  test('reports that it was withdrawn', async () => {
    const { operation, visit } = await receive();
    await sending.anna.post(`/api/async-operation-notifications/${operation.guid}/revoke`);
    expect(await dead(visit)).toEqual(page(410, italian?.shareRevokedTitle));
    expect((await noticeOf(sending.anna, operation)).mail).toMatchObject({
      status: 'revoked',
      firstDownloadOn: null,
    });
  });

  // promise d9.link.ten-days
  test('works for ten days', async () => {
    const { operation, visit } = await receive();
    const mails = sending.portal.platform.db.updateTable('mail').where('guid', '=', operation.guid);
    const age = async (interval: string) =>
      mails.set({ expires_on: sql`expires_on - ${interval}::interval` }).execute();
    await age('9 days 23 hours');
    expect((await visit('GET')).status).toBe(200);
    await age('1 hour');
    expect(await dead(visit)).toEqual(page(410, italian?.shareExpiredTitle));
  });

  test('reports that its file was deleted', async () => {
    const { operation, visit } = await receive();
    const { fileGUID } = operation.result as { fileGUID: string };
    const files = sending.portal.platform.db.updateTable('stored_file');
    await files.where('guid', '=', fileGUID).set({ deleted_on: sql`now()` }).execute();
    expect(await dead(visit)).toEqual(page(410, italian?.shareGoneTitle));
  });

  // promise d8.storage.verified
  test('shows that its file is damaged instead of downloading it', async () => {
    const { operation, visit } = await receive();
    const { db, config } = sending.portal.platform;
    const { fileGUID } = operation.result as { fileGUID: string };
    const { key } = await db
      .selectFrom('stored_file')
      .select('storage_key as key')
      .where('guid', '=', fileGUID)
      .executeTakeFirstOrThrow();
    await (await openStorage(config)).storage.put(key, Readable.from(['other bytes']));
    const answer = await visit('POST');
    const title = /<h1>([^<]*)/.exec(await answer.text())?.[1];
    expect([answer.status, title]).toEqual([410, italian?.shareDamagedTitle]);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test('reports that it never existed, in the browser’s language', async () => {
    const { path } = await receive();
    for (const broken of [
      path.slice(0, -1),
      `${path}x`,
      '/r/x',
      `/r/${'x'.repeat(900)}`,
      "/r/'%20or%201=1",
      // a link that is cut in the middle of its %2D
      '/r/x%2',
    ]) {
      const visit = (method: 'GET' | 'POST') =>
        fetch(new URL(broken, sending.portal.url), {
          method,
          headers: { 'accept-language': 'de' },
        });
      const title = textsByLocale.get('de-DE')?.shareUnknownTitle;
      expect([broken, await dead(visit as never)]).toEqual([broken, page(404, title)]);
    }
  });
});
