/** The HTTP layer: what all routes return and refuse in the same way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { route } from '@recodery/contract/api';
import { customerCodeHeader } from '@recodery/contract/headers';
import { createApp } from '../../src/http/app.ts';
import { httpProblemOf } from '../../src/http/problem.ts';
import { createRouter, type RouterOptions } from '../../src/http/serve.ts';
import { pino } from 'pino';
import { anna, testRoutes, greet, type TestServer, openTestServer, prove } from './test-server.ts';

const guid = '01900000-0000-7000-8000-00000000000A';
const problemJson = { accept: 'application/problem+json' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const call = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
const post = (path: string, body: string | null, headers: Record<string, string> = {}) =>
  call(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...anna, ...headers },
  });

test.each(['40001', '40P01', '53300', 'ENOSPC'])('the temporary fault %s is 503', (code) => {
  const error = Object.assign(new Error('x'), { code });
  expect(httpProblemOf(error)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
});

describe('a route', () => {
  test("returns its handler's result with the renewed session, and forbids caching", async () => {
    const answer = await call(`/api/greet/${guid}?loud=true`, { headers: anna });
    expect(await answer.json()).toEqual({ greeting: 'ANNA' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('X-Recodery-Session')).toBe('renewed');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('refuses a caller without a session, with the code as plain text', async () => {
    const answer = await call(`/api/greet/${guid}`);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toBe('API_ERROR_UNAUTHORIZED');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test.each([
    '42',
    'x'.repeat(300),
    '..%2f..%2fetc',
    '%00',
    '01900000-0000-7000-8000-00000000000g',
  ])('returns 404 for the GUID %s', async (text) => {
    const answer = await call(`/api/greet/${text}`, { headers: anna });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('NOT_FOUND');
  });

  test('returns 404 for a path that cannot be decoded', async () => {
    const answer = await call('/api/greet/%ff', { headers: anna });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('NOT_FOUND');
  });

  // promise 7.general.json
  test('accepts a body that matches its schema', async () => {
    const answer = await post(
      '/api/write',
      '{"text":"x","otherGUID":"00000000-0000-0000-0000-000000000000"}',
    );
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ text: 'x', otherGUID: null });
  });

  // promise 7.general.json, d6.payloads.exact
  test.each([
    ['nothing', ''],
    ['an array', '[]'],
    ['invalid JSON', '{"text":'],
    ['a wrong type', '{"text":5}'],
    ['a NUL', '{"text":"a\\u0000b"}'],
    ['a lone surrogate', '{"text":"\\ud800"}'],
    ['a poisoned prototype', '{"text":"x","__proto__":{"a":1}}'],
    ['too many bytes', JSON.stringify({ text: 'x'.repeat(600_000) })],
  ])('refuses a body that contains %s', async (_what, body) => {
    const answer = await post('/api/write', body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('BAD_REQUEST');
  });

  test('refuses a body with a different content type if it needs one', async () => {
    const answer = await post('/api/write', '{"text":"x"}', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(400);
  });

  // promise d6.payloads.empty-body
  test.each(['', '[]', '{}', '  '])('accepts %j if it needs no body', async (body) => {
    expect((await post('/api/ring/t', body)).status).toBe(204);
  });

  // promise d6.payloads.empty-body
  test('accepts no body if it needs none, and a trailing slash', async () => {
    expect((await call('/api/ring/t/', { method: 'POST' })).status).toBe(204);
  });

  test.each(['loud=perhaps', 'loud=true&loud=true', 'loud[]=true&loud=true&loud=false'])(
    'refuses an invalid query: %s',
    async (query) => {
      const answer = await call(`/api/greet/${guid}?${query}`, { headers: anna });
      expect(await answer.text()).toBe('BAD_REQUEST');
    },
  );

  test.each(['{"text":"x","__proto__":{"a":1}}', '{"text":"x","constructor":{"prototype":{}}}'])(
    'refuses a body that could change a prototype: %s',
    async (body) => {
      const answer = await post('/api/write', body);
      expect([answer.status, await answer.text()]).toEqual([400, 'BAD_REQUEST']);
    },
  );

  test('limits attempts from one address if it checks credentials', async () => {
    const limited = await openTestServer({
      routes: new Map([['test.prove', prove]]),
      serve: (one) => one.serve(prove, async () => undefined),
    });
    const tries = Array.from({ length: 130 }, () =>
      fetch(`${limited.url}/api/auth/prove`, { method: 'POST' }),
    );
    const answers = await Promise.all(tries);
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 204).length).toBe(120);
    expect(await refused?.json()).toEqual({ errorCode: 'API_ERROR_THROTTLING', details: [] });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.close();
  });

  // promise d6.errors.not-limited
  test('is not limited for a signed-in caller', async () => {
    const asks = Array.from({ length: 300 }, () => call(`/api/greet/${guid}`, { headers: anna }));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('refuses a page that assumes another customer code', async () => {
    const under = (code: string) =>
      post('/api/write', '{"text":"x"}', { [customerCodeHeader]: code });
    const answer = await under('CC-2002');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe('CUSTOMER_CODE_CHANGED');
    expect((await under('CC-1001')).status).toBe(202);
  });
});

describe('a problem', () => {
  // promise 8.http.400-403, d6.errors.plain
  test.each([
    ['BAD_REQUEST', 400],
    ['USER_NO_RIGHTS', 403],
    ['FeatureNotAvailable', 403],
    ['NOT_FOUND', 404],
    ['SIGN_IN_AGAIN', 422],
    ['SERVICE_UNAVAILABLE', 503],
    ['FILE_IS_ZIP_ARCHIVE', 400],
  ])('%s is returned as one code', async (code, status) => {
    const answer = await call(`/api/fail/${code}`);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(code);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  // promise 8.http.429
  test('with too many operations lists the pending ones and when to retry', async () => {
    const answer = await call('/api/fail/API_ERROR_THROTTLING');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toEqual({
      errorCode: 'API_ERROR_THROTTLING',
      details: [{ guid: 'first' }],
    });
  });

  // promise d6.errors.problem-json
  test('is an RFC 9457 document for callers that accept one', async () => {
    const answer = await call('/api/fail/USER_NO_RIGHTS', { headers: problemJson });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(await answer.json()).toMatchObject({
      type: '/api/docs#USER_NO_RIGHTS',
      title: 'The user does not have permission to do this.',
      status: 403,
      errorCode: 'USER_NO_RIGHTS',
    });
  });

  // promise 8.http.other, d6.errors.no-stack
  test.each([{}, problemJson])(
    'that is an internal error does not reveal its cause',
    async (headers) => {
      const answer = await call('/api/fail/fault', { headers });
      const text = await answer.text();
      expect(answer.status).toBe(500);
      expect(text).toContain('GENERIC_ERROR');
      expect(text).not.toMatch(/select|secret|at .*\.ts/);
      expect(server.log.join('')).toContain('select secret from table');
    },
  );

  // promise 8.http.503
  test('with the database is reported as "not available"', async () => {
    const answer = await call('/api/fail/database');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('the server', () => {
  // promise d10.page.csp, d4.session.referrer
  test('sends a strict content security policy and no referrer', async () => {
    const { headers } = await call('/kessv2');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none';script-src 'self';style-src 'self' 'sha256-/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  test('gives pages of other sites no access', async () => {
    const origin = 'https://evil.test';
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const answers = await Promise.all([
      call(`/api/greet/${guid}`, { headers: { ...anna, origin } }),
      call('/api/write', { method: 'OPTIONS', headers: preflight }),
      call('/kessv2', { headers: { origin } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  test.each([
    ['/', 'page'],
    ['/kessv2', 'page'],
    ['/settings/', 'page'],
    ['/login?moved=1', 'way in'],
    ['/loggedin?__dbSSO_token__=x', 'way in'],
  ])('serves %s as the %s, uncached', async (path, title) => {
    const answer = await call(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`<title>${title}</title>`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('serves hashed assets as immutable, and compressed if the browser supports it', async () => {
    const answer = await call('/assets/main-abc.js', {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(await answer.text()).toBe('export {};');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    const packed = await call('/assets/main-abc.js', {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('cache-control')).toContain('immutable');
  });

  test('serves fonts with their type, as immutable, and lets pages load no other fonts', async () => {
    const { status, headers } = await call('/assets/plex-abc.woff2');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('font/woff2');
    expect(headers.get('cache-control')).toContain('immutable');
    const page = await call('/kessv2');
    expect(page.headers.get('content-security-policy')).toContain("font-src 'self'");
  });

  test.each([
    '/api/nothing',
    '/ktag/slots/nothing',
    // a page here would tell password managers that it exists
    '/.well-known/change-password',
    '/assets/gone.js',
    // stored for browsers that support them, not to be requested by name
    '/assets/main-abc.js.br',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/favicon.ico',
    '/api/../package.json',
  ])('returns 404 for %s', async (path) => {
    const answer = await call(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('NOT_FOUND');
  });

  test('refuses the path of an asset that no file can have', async () => {
    const answer = await call('/assets/main-abc.js%00');
    expect([answer.status, await answer.text()]).toEqual([400, 'BAD_REQUEST']);
  });

  // promise d4.public.health
  test('reports that it is alive and ready', async () => {
    expect((await call('/healthz')).status).toBe(200);
    expect((await call('/readyz')).status).toBe(200);
  });

  // promise d4.session.secrets-blank
  test('writes no secret from a path or query to its log', async () => {
    await call('/api/ring/s3cret', { method: 'POST' });
    await call('/loggedin?__dbSSO_token__=s3cret');
    await call('/api/nothing/at/s3cret?x=s3cret');
    await call('/r/s3cret-of-a-link-in-an-email', { method: 'OPTIONS' });
    const lines = server.log.join('');
    expect(lines).toContain('/api/ring/-');
    expect(lines).not.toContain('s3cret');
  });
});

describe('starting the HTTP layer', () => {
  const audit = { record: async () => undefined, announce: async () => async () => undefined };
  const options = { routes: testRoutes, audit } as unknown as RouterOptions;
  const app = () =>
    createApp({
      log: pino({ level: 'silent' }),
      trustedProxies: [],
      publicUrl: 'http://localhost',
      webDir: '/nowhere',
      isReady: async () => true,
    });

  test('fails if a route has no handler', async () => {
    const half = createRouter(await app(), options);
    half.serve(greet, async () => ({ greeting: '' }));
    expect(() => half.finish()).toThrow(/test\.fail, test\.write/);
  });

  test('fails if a route has two handlers, or is not in the contract', async () => {
    const twice = createRouter(await app(), options);
    twice.serve(greet, async () => ({ greeting: '' }));
    expect(() => twice.serve(greet, async () => ({ greeting: '' }))).toThrow(/twice/);
    const stranger = route('GET', '/api/stranger', { ...greet.parts });
    expect(() => twice.serve(stranger, async () => ({ greeting: '' }))).toThrow(
      /not in the contract/,
    );
  });
});
