/** The requests of the page, and how it handles each response. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from '@recodery/contract/errors';
import { encodeFile } from '@recodery/contract/families/kessv2-routes';
import { getOperation, listOperations } from '@recodery/contract/features/operations';
import { getConfig, getServiceStatus } from '@recodery/contract/features/service-status';
import { registerTerms } from '@recodery/contract/features/session';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call } from '../../src/api/call.ts';
import { rememberCustomerCode } from '../../src/api/customer-code.ts';
import { keepSessionId, onSessionEnded, readSessionId } from '../../src/api/session-id.ts';
import { beBrowser, visited } from './browser.ts';

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

test('a call with an empty response resolves to undefined', async () => {
  answerWith(200, '');
  await expect(call(registerTerms)).resolves.toBeUndefined();
});

// promise 8.http.400-403, 8.http.404-download, 8.http.other
test.each([
  [400, 'FILE_TOO_LARGE', 'FILE_TOO_LARGE'],
  [400, 'WRONG_MASTER_CODE', 'WRONG_MASTER_CODE'],
  [403, 'USER_NO_RIGHTS', 'USER_NO_RIGHTS'],
  [404, 'whatever', 'NOT_FOUND'],
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
  expect([code, details]).toEqual(['GENERIC_ERROR', 'SOMETHING_NEW']);
});

// promise 8.http.429
test('429 contains the pending operations', async () => {
  const details = [{ guid: 'g1' }];
  answerWith(429, JSON.stringify({ errorCode: 'API_ERROR_THROTTLING', details }));
  const refusal = await refusalFrom(call(getServiceStatus));
  expect(refusal.code).toBe('API_ERROR_THROTTLING');
  expect(refusal.details).toEqual(details);
});

// promise 8.http.422
test('422 redirects the browser to the sign-in, and back to the current page', async () => {
  answerWith(422, '');
  expect((await refusalFrom(call(getServiceStatus))).code).toBe('SIGN_IN_AGAIN');
  expect(visited).toEqual(['/sso/start?returnTo=%2Fkessv2%3Fa%3D1']);
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

test('401 for a session that another tab has replaced meanwhile ends nothing', async () => {
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
