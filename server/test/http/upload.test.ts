/** Uploads: complete files are stored, and nothing remains of incomplete ones. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { customerCodeHeader, sessionHeader } from '@recodery/contract/headers';
import { anna, mia, type TestServer, openTestServer } from './test-server.ts';

const limit = 1024 * 1024;
let server: TestServer;
afterEach(() => server.close());

function form(bytes: Uint8Array, name = 'read.slv', field = 'readFile'): FormData {
  const data = new FormData();
  data.append(field, new Blob([new Uint8Array(bytes)]), name);
  return data;
}
const send = (body: FormData | string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/upload${query}`, {
    method: 'POST',
    body,
    headers: { ...anna, ...headers },
  });

/** A connection on which the test writes a raw request. */
function dial(): Socket {
  return connect(Number(new URL(server.url).port), '127.0.0.1');
}
const head = (headers: Record<string, string | number>) =>
  [
    'POST /api/upload HTTP/1.1',
    'host: localhost',
    `${sessionHeader}: ${anna[sessionHeader]}`,
    'content-type: multipart/form-data; boundary=cut',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
const partHead = (name = 'read.slv') =>
  `--cut\r\ncontent-disposition: form-data; name="readFile"; filename="${name}"\r\n\r\n`;
async function firstAnswer(socket: Socket): Promise<string> {
  const closed = once(socket, 'close').then(() => {
    throw new Error('the connection was closed before an answer');
  });
  const [bytes] = (await Promise.race([once(socket, 'data'), closed])) as [Buffer];
  return bytes.toString();
}
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(5);
}
const logged = (text: string) => () => server.log.some((line) => line.includes(text));

describe('an upload', () => {
  // promise d6.files.streamed
  test('is stored completely and hashed, with text fields before or after it', async () => {
    server = await openTestServer();
    const bytes = randomBytes(700_000);
    const behind = form(bytes);
    behind.append('userFlow', 'E');
    const before = new FormData();
    before.append('userFlow', 'E');
    before.append('readFile', new Blob([bytes]), 'read.slv');
    for (const body of [behind, before]) {
      const answer = await send(body);
      expect(await answer.json()).toEqual({
        name: 'read.slv',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        userFlow: 'E',
      });
    }
    expect((await server.stored()).length).toBe(2);
  });

  test('can be empty, and exactly as large as the limit', async () => {
    server = await openTestServer();
    expect(await (await send(form(new Uint8Array()))).json()).toMatchObject({ size: 0 });
    expect(await (await send(form(randomBytes(limit)))).json()).toMatchObject({ size: limit });
  });

  // promise 5.files.first-of-many
  test('uses the first of several files', async () => {
    server = await openTestServer();
    const body = form(Buffer.from('first'), 'first.slv');
    body.append('readFile', new Blob(['second']), 'second.slv');
    expect(await (await send(body)).json()).toMatchObject({ name: 'first.slv', size: 5 });
    expect((await server.stored()).length).toBe(1);
  });

  test('ignores files in other fields', async () => {
    server = await openTestServer();
    const body = form(Buffer.from('other'), 'other.slv', 'file');
    body.append('readFile', new Blob(['wanted']), 'wanted.slv');
    expect(await (await send(body)).json()).toMatchObject({ name: 'wanted.slv' });
  });

  test.each([
    ['a file in another field', () => form(Buffer.from('x'), 'x', 'file')],
    ['an empty file input', () => form(new Uint8Array(), '')],
    ['no form', () => 'hello'],
    [
      'no file',
      () => {
        const body = new FormData();
        body.append('userFlow', 'D');
        return body;
      },
    ],
  ])('that contains %s is refused with FILE_MISSING', async (_what, body) => {
    server = await openTestServer();
    const answer = await send(body());
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('FILE_MISSING');
    expect(await server.stored()).toEqual([]);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/mixed; boundary=x',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    `multipart/form-data; boundary="${'x'.repeat(5000)}"`,
  ])('of the type %s is refused', async (type) => {
    server = await openTestServer();
    const answer = await send('--x\r\n\r\n--x--', '', { 'content-type': type });
    expect(await answer.text()).toBe('FILE_MISSING');
  });

  test('of any type is accepted or refused, and never causes an internal error', async () => {
    server = await openTestServer();
    const odd = fc.string({
      unit: fc.constantFrom('=', '"', ';', ' ', '*', "'", 'x', '%', ',', 'boundary', 'utf-8'),
    });
    await fc.assert(
      fc.asyncProperty(odd, odd, async (before, behind) => {
        const type = `multipart/form-data;${before} boundary=${behind}`;
        const answer = await send('--x\r\n\r\n--x--', '', { 'content-type': type });
        expect(answer.status).toBe(400);
      }),
      { numRuns: 60 },
    );
  });

  test('with an invalid text field is refused and deleted', async () => {
    server = await openTestServer();
    const body = form(Buffer.from('x'));
    body.append('userFlow', 'Q');
    expect(await (await send(body)).text()).toBe('BAD_REQUEST');
    expect(await server.stored()).toEqual([]);
  });

  test('that its handler refuses later is deleted', async () => {
    server = await openTestServer();
    expect((await send(form(randomBytes(9000)), '?refuse=after')).status).toBe(404);
    expect(await server.stored()).toEqual([]);
  });

  // promise d8.storage.limit
  test('in chunks without a declared length is stopped at the limit, and nothing of it remains', async () => {
    server = await openTestServer();
    const socket = dial();
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    const part = `${partHead()}${'x'.repeat(limit + 1)}`;
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 400 [^]*FILE_TOO_LARGE$/);
    socket.destroy();
    expect(await server.stored()).toEqual([]);
  });

  test('in chunks without a declared length is stopped once it must be more than a file and its form', async () => {
    server = await openTestServer();
    const socket = dial();
    socket.on('error', () => undefined);
    socket.write(head({ 'transfer-encoding': 'chunked' }));
    // a file in another field is ignored, but it costs time and bandwidth, so it is limited too
    const piece = 'x'.repeat(64 * 1024);
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    socket.write(chunk(partHead().replace('readFile', 'other')));
    const answered = firstAnswer(socket);
    let sent = 0;
    let isOver = false;
    void answered.finally(() => {
      isOver = true;
    });
    while (!isOver && sent < 16 * limit) {
      sent += piece.length;
      await new Promise((resolve) => socket.write(chunk(piece), resolve));
    }
    socket.end(chunk('\r\n--cut--\r\n') + chunk(''));
    expect(await answered).toMatch(/^HTTP\/1\.1 400 [^]*FILE_TOO_LARGE$/);
    socket.destroy();
    expect(await server.stored()).toEqual([]);
  });

  test('whose form ends without its last boundary is refused, and nothing of it remains', async () => {
    server = await openTestServer();
    const answer = await send(`${partHead()}half a file`, '', {
      'content-type': 'multipart/form-data; boundary=cut',
    });
    expect(await answer.text()).toBe('UPLOAD_INTERRUPTED');
    expect(await server.stored()).toEqual([]);
  });

  test('whose form is damaged anywhere is accepted or refused, and the server keeps running', async () => {
    server = await openTestServer();
    const form = Buffer.from(
      `--cut\r\ncontent-disposition: form-data; name="userFlow"\r\n\r\nE\r\n${partHead()}${'x'.repeat(300)}\r\n--cut--\r\n`,
    );
    const damaged = fc.tuple(
      fc.nat(form.length - 1),
      fc.oneof(fc.constantFrom(0, 10, 13, 34, 45), fc.nat(255)),
      fc.option(fc.nat(form.length)),
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(damaged, async ([at, byte, end]) => {
        const body = Buffer.from(form);
        body[at] = byte;
        const answer = await fetch(`${server.url}/api/upload`, {
          method: 'POST',
          body: body.subarray(0, end ?? form.length),
          headers: { ...anna, 'content-type': 'multipart/form-data; boundary=cut' },
        });
        const text = await answer.text();
        if (answer.status === 200) taken += 1;
        else expect(['FILE_MISSING', 'UPLOAD_INTERRUPTED', 'BAD_REQUEST']).toContain(text);
        expect((await server.stored()).length).toBe(taken);
      }),
      { numRuns: 100 },
    );
  });

  test('that is interrupted midway leaves nothing behind', async () => {
    server = await openTestServer();
    const socket = dial();
    socket.write(head({ 'content-length': 500_000 }) + partHead() + 'x'.repeat(200_000));
    await until(logged('receiving file'));
    socket.destroy();
    await until(logged('client disconnected'));
    await until(async () => (await server.stored()).length === 0);
    expect(await server.stored()).toEqual([]);
  });
});

describe('before a byte of the body is read', () => {
  // promise d6.errors.too-large
  test('a file declared too large is refused', async () => {
    server = await openTestServer();
    const socket = dial();
    socket.write(head({ 'content-length': 10 * limit }));
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 400 [^]*FILE_TOO_LARGE$/);
    socket.destroy();
  });

  test('session, customer code and handler are checked', async () => {
    server = await openTestServer();
    const large = { 'content-length': String(10 * limit), expect: '100-continue' };
    const ask = async (path: string, headers: Record<string, string>) => {
      const socket = dial();
      socket.write(head({ ...large, ...headers }).replace('/api/upload', `/api/upload${path}`));
      const answer = await firstAnswer(socket);
      socket.destroy();
      return answer;
    };
    expect(await ask('', { [customerCodeHeader]: 'CC-2002' })).toContain('CUSTOMER_CODE_CHANGED');
    expect(await ask('?refuse=before', {})).toContain('USER_NO_RIGHTS');
    expect(await ask('', {})).toContain('FILE_TOO_LARGE');
  });

  test('a client that waits for "continue" gets it only if the file is accepted', async () => {
    server = await openTestServer();
    const socket = dial();
    const body = `${partHead()}hello\r\n--cut--\r\n`;
    socket.write(head({ 'content-length': body.length, expect: '100-continue' }));
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 100 /);
    socket.write(body);
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  // promise d8.storage.quota
  test.each([
    [
      'the organisation has used up its storage',
      { fitsQuota: async () => false },
      400,
      'STORAGE_QUOTA_REACHED',
    ],
    ['the disk is nearly full', { hasDiskRoom: async () => false }, 503, 'SERVICE_UNAVAILABLE'],
  ])('it is refused if %s', async (_when, options, status, code) => {
    server = await openTestServer(options);
    const answer = await send(form(Buffer.from('x')));
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(code);
  });
});

describe('concurrent uploads', () => {
  const hold = () => {
    const socket = dial();
    socket.write(head({ 'content-length': 500_000 }) + partHead() + 'x'.repeat(1000));
    return socket;
  };
  const beginnings = () => server.log.filter((line) => line.includes('receiving file')).length;

  // promise d8.storage.four-uploads
  test('are refused if there are more than four of an organisation; other organisations are not affected', async () => {
    server = await openTestServer({ places: { atOnce: 4, waitMs: 1 } });
    const held = [hold(), hold(), hold(), hold()];
    await until(() => beginnings() === 4);
    const answer = await send(form(Buffer.from('x')));
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.json()).toMatchObject({ errorCode: 'TOO_MANY_UPLOADS' });
    expect((await send(form(Buffer.from('x')), '', mia)).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('wait for their turn if there are more than four', async () => {
    server = await openTestServer({ places: { atOnce: 4, waitMs: 60_000 } });
    const held = [hold(), hold(), hold(), hold()];
    await until(() => beginnings() === 4);
    const fifth = send(form(Buffer.from('x')));
    held[0]?.destroy();
    expect((await fifth).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('that are disconnected right after the last byte free their place at once', async () => {
    // only the disconnect can end them
    const pace = { bytes: 1, ms: 3_600_000 };
    server = await openTestServer({ pace, places: { atOnce: 1, waitMs: 3_600_000 } });
    for (const kib of [1, 64, 64, 64, 256, 512]) {
      const body = `${partHead()}${'x'.repeat(kib * 1024)}\r\n--cut--\r\n`;
      const socket = dial();
      socket.write(head({ 'content-length': body.length }) + body, () => socket.destroy());
      await once(socket, 'close');
    }
    expect((await send(form(Buffer.from('x')))).status).toBe(200);
  });

  // promise d8.storage.slow
  test('that are too slow are stopped, and nothing of them remains', async () => {
    server = await openTestServer({ pace: { bytes: 1_000_000, ms: 50 } });
    const socket = hold();
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 400 [^]*UPLOAD_INTERRUPTED$/);
    socket.destroy();
    expect(await server.stored()).toEqual([]);
  });
});

describe('a hostile file name', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
    ['Größe 5 µ.slv', 'Größe 5 µ.slv'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['con.txt', '_con.txt'],
    ['..', 'file'],
  ])('%j becomes %j', async (given, safe) => {
    server = await openTestServer();
    expect(await (await send(form(Buffer.from('x'), given))).json()).toMatchObject({ name: safe });
  });
});
