/** Requests that no browser sends: they are refused with a code, and never redirect to another site. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, openTestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Sends raw lines; returns the complete response. */
async function send(...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write([...lines, '', ''].join('\r\n'));
  return text(socket);
}
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

describe('a target that is not a path', () => {
  test.each([
    'GET http://evil.test/healthz HTTP/1.1',
    'GET https://evil.test/login HTTP/1.1',
    'POST http://evil.test/api/ring/t HTTP/1.1',
    'GET http://evil.test HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET http:evil HTTP/1.1',
  ])('is refused: %s', async (line) => {
    const answer = await send(line, 'host: localhost:8080', 'connection: close');
    expect([statusOf(answer), bodyOf(answer)]).toEqual([400, 'BAD_REQUEST']);
    expect(answer).not.toMatch(/^location:/im);
  });

  test('and a second host are refused alike', async () => {
    const hosts = ['host: localhost:8080', 'Host: evil.test', 'connection: close'];
    const answer = await send('GET /healthz HTTP/1.1', ...hosts);
    expect([statusOf(answer), bodyOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });

  test('does not affect the same call with a path', async () => {
    const head = ['host: localhost:8080', 'connection: close'];
    expect(statusOf(await send('GET /healthz HTTP/1.1', ...head))).toBe(200);
    expect(statusOf(await send('POST /api/ring/t HTTP/1.1', ...head))).toBe(204);
  });
});

test.each(['TRACE', 'PROPFIND', 'LOCK'])(
  'the method %s is unknown, and echoes nothing',
  async (verb) => {
    const head = ['host: localhost:8080', 'cookie: s3cret', 'connection: close'];
    const answer = await send(`${verb} /healthz HTTP/1.1`, ...head);
    expect([statusOf(answer), bodyOf(answer)]).toEqual([404, 'NOT_FOUND']);
    expect(answer).not.toContain('s3cret');
  },
);

describe('a request that is not HTTP', () => {
  test.each([
    ['noise', ['hello']],
    ['a broken header', ['GET / HTTP/1.1', 'host: x', 'bro ken: y\u0001']],
    [
      'two content lengths',
      ['POST / HTTP/1.1', 'host: x', 'content-length: 1', 'content-length: 2'],
    ],
    [
      'both a content length and chunks',
      ['POST / HTTP/1.1', 'host: x', 'content-length: 1', 'transfer-encoding: chunked'],
    ],
    ['an oversized header', ['GET / HTTP/1.1', 'host: x', `x: ${'y'.repeat(20_000)}`], 431],
  ])('is refused with one code as plain text: %s', async (_what, lines, status = 400) => {
    const answer = await send(...lines);
    expect(statusOf(answer)).toBe(status);
    expect(answer).toMatch(/^content-type: text\/plain; charset=utf-8$/im);
    expect(answer).toMatch(/^content-security-policy: .*frame-ancestors 'none'/im);
    expect(bodyOf(answer)).toBe('BAD_REQUEST');
  });
});

describe('the sign-in under a different host name', () => {
  const visit = (path: string) => fetch(server.url + path, { redirect: 'manual' });

  test.each([
    ['/login', 'http://localhost:8080/login?moved=1'],
    ['/login?from=%2Fktag%3Fa%3D1', 'http://localhost:8080/login?from=%2Fktag%3Fa%3D1&moved=1'],
  ])('redirects from %s to the public one, once', async (path, wanted) => {
    const answer = await visit(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, wanted]);
    const again = await visit(new URL(wanted).pathname + new URL(wanted).search);
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('way in')]);
  });

  test('does not redirect callers that use the public one', async () => {
    const answer = await send('GET /login HTTP/1.1', 'host: localhost:8080', 'connection: close');
    expect(statusOf(answer)).toBe(200);
  });

  test('does not redirect other pages or the return from the provider', async () => {
    expect((await visit('/kessv2')).status).toBe(200);
    expect((await visit('/loggedin?__dbSSO_token__=x')).status).toBe(200);
  });
});
