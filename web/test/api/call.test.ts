/** The requests of the page, and how it handles each response. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from '@recodery/contract/refusal';
import { portalRoutes } from '@recodery/contract/family-routes/registry';
import { getOperation, listOperations } from '@recodery/contract/features/operations';
import { getConfig, getServiceStatus } from '@recodery/contract/features/service-status';
import { registerTerms } from '@recodery/contract/features/session';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { operation } from '../recoding/results.ts';
import { call } from '../../src/api/call.ts';
import { rememberCustomerCode } from '../../src/api/customer-code.ts';
import { keepSessionId, onSessionEnded, readSessionId } from '../../src/api/session-id.ts';
import { beBrowser, visited } from './browser.ts';

const { encodeFile } = portalRoutes.kessv2;

let server: Server;
let origin: string;
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string };
let answer: (response: ServerResponse) => void;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen = { method, url, headers, body: Buffer.concat(pieces).toString() };
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  globalThis.fetch = realFetch;
  beBrowser(origin);
  keepSessionId('session-1');
});

function answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
  answer = (response) => response.writeHead(status, headers).end(body);
}

async function refusalFrom(pending: Promise<unknown>): Promise<Refusal> {
  const thrown: unknown = await pending.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(Refusal);
  return thrown as Refusal;
}

// promise 7.general.session-header, 7.general.renewed
test('reads the session ID for each request and updates it from the response', async () => {
  answerWith(200, '{"statusCode":200}', { 'X-Recodery-Session': 'session-2' });
  await call(getServiceStatus);
  expect(seen.headers['x-recodery-session']).toBe('session-1');
  expect(readSessionId()).toBe('session-2');
  keepSessionId('session-3');
  await call(getServiceStatus);
  expect(seen.headers['x-recodery-session']).toBe('session-3');
});

test('sends the language of the page with every call', async () => {
  answerWith(200, '{"statusCode":200}');
  await call(getServiceStatus);
  expect(seen.headers['x-recodery-language']).toBe('it-IT');
  document.documentElement.lang = 'de-DE';
  answerWith(503, '');
  await refusalFrom(call(getConfig));
  expect(seen.headers['x-recodery-language']).toBe('de-DE');
});

test('a response after the sign-out does not sign in again', async () => {
  answer = (response) => {
    localStorage.removeItem('LLC');
    response.writeHead(200, { 'X-Recodery-Session': 'session-2' }).end('{"statusCode":200}');
  };
  await call(getServiceStatus);
  expect(readSessionId()).toBeNull();
});

// promise 7.general.public-bare
test('a public call contains no session', async () => {
  answerWith(503, '');
  await refusalFrom(call(getConfig));
  expect(seen.headers).not.toHaveProperty('x-recodery-session');
});

test('encodes parameters and query in the address', async () => {
  answerWith(200, '[]');
  await call(listOperations, { query: { count: '6' } });
  expect(seen.url).toBe('/api/operations?count=6');
  answerWith(404, 'NOT_FOUND');
  await refusalFrom(call(getOperation, { params: { guid: 'a/b c' } }));
  expect(seen.url).toBe('/api/async-operations/a%2Fb%20c');
});

// promise d4.session.customer-code
test('an encode sends the customer code that the page assumes', async () => {
  rememberCustomerCode('CC-1001');
  answerWith(400, 'CUSTOMER_CODE_CHANGED');
  const body = { kessv2FileSlotGUID: '00000000-0000-7000-8000-000000000001' };
  const { code } = await refusalFrom(call(encodeFile, { body }));
  expect(code).toBe('CUSTOMER_CODE_CHANGED');
  expect(seen.headers['x-recodery-customer-code']).toBe('CC-1001');
  expect(seen.headers['content-type']).toBe('application/json');
  expect(JSON.parse(seen.body)).toEqual(body);
});

test('a request that starts work has the same key until its response arrives', async () => {
  const guid = '00000000-0000-7000-8000-000000000002';
  const encode = (contextData: string): Promise<unknown> =>
    call(encodeFile, { body: { kessv2FileSlotGUID: guid, contextData } }).catch(() => null);
  const keys: unknown[] = [];
  const send = async (contextData: string): Promise<void> => {
    await encode(contextData);
    keys.push(seen.headers['idempotency-key']);
  };
  answer = (response) => response.destroy();
  await send('a');
  // the status arrives, but not the body
  answer = (response) => {
    response.writeHead(202, { 'Content-Length': '1000' }).write('{');
    setTimeout(() => response.destroy());
  };
  await send('a');
  answerWith(502, '<html>');
  await send('a');
  await send('b');
  answerWith(202, '{}');
  await send('a');
  await send('a');
  const [first, second, third, other, answered, next] = keys;
  expect(first).toMatch(/^[\da-f]{32}$/);
  expect([second, third, answered]).toEqual([first, first, first]);
  expect(new Set([first, other, next]).size).toBe(3);
});

/** Sends an encode, and returns its key. */
async function keyOf(body: { kessv2FileSlotGUID: string; contextData?: string }): Promise<unknown> {
  await call(encodeFile, { body }).catch(() => null);
  return seen.headers['idempotency-key'];
}

// promise 4.encode.once
test('a request has the same key after a reload, and its content is not stored in the tab', async () => {
  const body = {
    kessv2FileSlotGUID: '00000000-0000-7000-8000-000000000004',
    contextData: 'written to garage@rossi.test',
  };
  answer = (response) => response.destroy();
  rememberCustomerCode('CC-1001');
  const first = await keyOf(body);
  vi.resetModules();
  const reloaded = await import('../../src/api/call.ts');
  // the session that the page loads
  const session = await import('../../src/api/customer-code.ts');
  session.rememberCustomerCode('CC-1001');
  await reloaded.call(encodeFile, { body }).catch(() => null);
  expect(seen.headers['idempotency-key']).toBe(first);
  expect(sessionStorage.getItem('recodery.request-keys')).toContain(first);
  expect(sessionStorage.getItem('recodery.request-keys')).not.toContain('rossi');
});

test('a request that is sent ten minutes after its response was lost has a new key', async () => {
  const body = { kessv2FileSlotGUID: '00000000-0000-7000-8000-000000000005' };
  answer = (response) => response.destroy();
  const clock = vi.spyOn(Date, 'now');
  const sent = Date.now();
  clock.mockReturnValue(sent);
  const first = await keyOf(body);
  clock.mockReturnValue(sent + 599_000);
  expect(await keyOf(body)).toBe(first);
  // ten minutes after it was sent last
  clock.mockReturnValue(sent + 599_000 + 601_000);
  expect(await keyOf(body)).not.toBe(first);
  vi.restoreAllMocks();
});

test('a request that was refused has a new key, unless an earlier one may have started it', async () => {
  const body = { kessv2FileSlotGUID: '00000000-0000-7000-8000-000000000006' };
  answerWith(400, 'WRONG_MASTER_CODE');
  const refused = await keyOf(body);
  expect(sessionStorage.getItem('recodery.request-keys')).toBe('{}');
  answerWith(500, 'GENERIC_ERROR');
  const broken = await keyOf(body);
  answerWith(429, '{"errorCode":"API_ERROR_THROTTLING"}');
  const throttled = await keyOf(body);
  answerWith(202, '{}');
  expect(broken).not.toBe(refused);
  expect([throttled, await keyOf(body)]).toEqual([broken, broken]);
});

test('only requests that start work have a key', async () => {
  answerWith(200, '[]');
  await call(listOperations, { query: { count: '6' } });
  expect(seen.headers).not.toHaveProperty('idempotency-key');
});

test('a key that was used for another request is replaced', async () => {
  const body = { kessv2FileSlotGUID: '00000000-0000-7000-8000-000000000003' };
  answerWith(422, '{"errorCode":"IDEMPOTENCY_KEY_REUSED"}');
  const { code } = await refusalFrom(call(encodeFile, { body }));
  expect([code, visited]).toEqual(['GENERIC_ERROR', []]);
  const first = seen.headers['idempotency-key'];
  answerWith(429, '{"errorCode":"IDEMPOTENCY_KEY_IN_USE"}');
  const later = await refusalFrom(call(encodeFile, { body }));
  expect(later.code).toBe('IDEMPOTENCY_KEY_IN_USE');
  expect(seen.headers['idempotency-key']).not.toBe(first);
});

test("a call sends its caller's headers in addition to its own", async () => {
  answerWith(200, '');
  await call(registerTerms, {}, { headers: { 'X-Recodery-Tab': 'one' } });
  expect(seen.headers).toMatchObject({ 'x-recodery-tab': 'one', accept: expect.anything() });
});

test('a call with an empty response resolves to undefined', async () => {
  answerWith(200, '');
  await expect(call(registerTerms)).resolves.toBeUndefined();
});

// promise 8.http.400-403, 8.http.404-download, 8.http.410, 8.http.other
test.each([
  [400, 'FILE_TOO_LARGE', 'FILE_TOO_LARGE'],
  [400, 'WRONG_MASTER_CODE', 'WRONG_MASTER_CODE'],
  [403, 'USER_NO_RIGHTS', 'USER_NO_RIGHTS'],
  [404, 'whatever', 'NOT_FOUND'],
  [410, 'FILE_DAMAGED', 'FILE_DAMAGED'],
  [500, '<h1>oops</h1>', 'GENERIC_ERROR'],
  [502, '', 'GENERIC_ERROR'],
  [503, '', 'SERVICE_UNAVAILABLE'],
])('%i with the text %j is the refusal %s', async (status, text, code) => {
  answerWith(status, text);
  expect((await refusalFrom(call(getServiceStatus))).code).toBe(code);
});

test('a problem document is the refusal of its code, with its details', async () => {
  const details = { detail: 'obd', cause: 'ORI_MISMATCH', sizes: null };
  answerWith(400, JSON.stringify({ errorCode: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE', details }));
  const refusal = await refusalFrom(call(getServiceStatus));
  expect([refusal.code, refusal.details]).toEqual(['FILE_NOT_COMPATIBLE_WITH_READ_FILE', details]);
  expect(seen.headers['accept']).toContain('application/problem+json');
});

// promise 8.display.unknown-code
test('a code without a text is kept for support', async () => {
  answerWith(400, 'SOMETHING_NEW');
  const { code, details } = await refusalFrom(call(getServiceStatus));
  expect([code, details]).toEqual(['GENERIC_ERROR', { detail: 'SOMETHING_NEW' }]);
});

// promise 8.http.429
test('429 contains the pending operations', async () => {
  const details = [operation({ status: 'running' })];
  answerWith(429, JSON.stringify({ errorCode: 'API_ERROR_THROTTLING', details }));
  const refusal = await refusalFrom(call(getServiceStatus));
  expect(refusal.code).toBe('API_ERROR_THROTTLING');
  expect(refusal.details).toEqual(details);
});

test('details that another version of the server sends in an unknown form are left out', async () => {
  const details = [{ guid: 'g1' }];
  answerWith(429, JSON.stringify({ errorCode: 'API_ERROR_THROTTLING', details }));
  const refusal = await refusalFrom(call(getServiceStatus));
  expect([refusal.code, refusal.details]).toEqual(['API_ERROR_THROTTLING', undefined]);
});

// promise 8.http.422
test('422 redirects the browser to the sign-in, and back to the current page', async () => {
  answerWith(422, '');
  expect((await refusalFrom(call(getServiceStatus))).code).toBe('SIGN_IN_AGAIN');
  expect(visited).toEqual(['/sso/start?returnTo=%2Fkessv2%3Fa%3D1%23step']);
});

// promise 8.http.401
test('401 ends the session in this browser and announces it', async () => {
  let ended = 0;
  const stop = onSessionEnded(() => {
    ended += 1;
  });
  answerWith(401, '');
  expect((await refusalFrom(call(getServiceStatus))).code).toBe('API_ERROR_UNAUTHORIZED');
  expect([ended, readSessionId()]).toEqual([1, null]);
  stop();
});

test('401 for a session that another tab has replaced does not end the new session', async () => {
  let ended = 0;
  const stop = onSessionEnded(() => {
    ended += 1;
  });
  answer = (response) => {
    keepSessionId('session-of-another-tab');
    response.writeHead(401).end();
  };
  await refusalFrom(call(getServiceStatus));
  expect([ended, readSessionId()]).toEqual([0, 'session-of-another-tab']);
  stop();
});

test('a response that violates the contract is an internal error, not a refusal', async () => {
  answerWith(200, '{"statusCode":"fine"}');
  const thrown: unknown = await call(getServiceStatus).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).not.toBeInstanceOf(Refusal);
});

// promise 8.http.network
test('a network failure is rethrown', async () => {
  beBrowser('http://127.0.0.1:9');
  const thrown: unknown = await call(getServiceStatus).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(TypeError);
});
