/** What `engine test` and `doctor` report about a connection, for each possible problem. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkConnection } from '../../../src/engine/encoding-api/check-connection.ts';
import { describeNetworkFault } from '../../../src/encoding-api-client/network-faults.ts';
import { type FakeVendor, startFakeVendor } from '../../fixtures/services/fake-vendor.ts';

let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor();
});
afterAll(() => vendor.stop());

function examine(own: { url?: string; clientGuid?: string } = {}, now = () => new Date()) {
  const { url, credentials } = vendor;
  return checkConnection({ url, ...credentials, ...own }, now);
}

// promise e3.connections.test
describe('a connection', () => {
  test('reports the number of open slots if the connection works', async () => {
    const text = `${vendor.url} accepts the credentials. Open slots: 0.`;
    expect(await examine()).toEqual({ isRight: true, text });
  });

  test('reports that the host name is unknown', async () => {
    const { isRight, text } = await examine({ url: 'https://vendor.invalid/base' });
    expect(isRight).toBe(false);
    expect(text).toMatch(/the name vendor\.invalid is not found/);
  });

  test('reports that nothing listens on the port', async () => {
    const gone = await startFakeVendor();
    await gone.stop();
    const { isRight, text } = await examine({ url: gone.url });
    expect(isRight).toBe(false);
    expect(text).toMatch(/the connection to 127\.0\.0\.1:\d+ is refused/);
  });

  test('reports a path without the Encoding API', async () => {
    const { text } = await examine({ url: vendor.url.replace('/base', '/elsewhere') });
    expect(text).toMatch(/does not respond like an Encoding API/);
  });

  test.each([
    ['html', /does not respond like an Encoding API: the response is not JSON/],
    ['redirect', /HTTP 302/],
    [{ status: 403, body: 'IP_NOT_ALLOWED' }, /does not allow the address of this machine/],
    [{ status: 503 }, /HTTP 503/],
    [
      { status: 401 },
      /refuses the credentials: .*401.*then replace the credentials of this connection/,
    ],
    [{ status: 404, body: '<html>none</html>' }, /does not respond like an Encoding API: HTTP 404/],
  ] as const)('reports that the response to the token request was %j', async (how, words) => {
    vendor.misbehave(/access-tokens/, how);
    const { isRight, text } = await examine();
    expect(isRight).toBe(false);
    expect(text).toMatch(words);
  });

  test('whose list of slots is longer than 1 MiB works', async () => {
    const rows = Array.from({ length: 2000 }, () => ({
      guid: randomUUID(),
      comment: 'x'.repeat(999),
    }));
    vendor.misbehave(/GET .*file-slots/, { status: 401 });
    vendor.misbehave(/GET .*file-slots/, { change: () => JSON.stringify(rows) });
    expect((await examine()).text).toMatch(/Open slots: 2000\./);
  });

  test('reports refused credentials, but not the secret', async () => {
    const { text } = await examine({ clientGuid: randomUUID() });
    expect(text).toMatch(/refuses the credentials \(INVALID_CREDENTIALS\)/);
    expect(text).not.toContain(vendor.credentials.secretKey);
  });

  test('reports clocks that differ by more than five minutes', async () => {
    const { isRight, text } = await examine({}, () => new Date(Date.now() - 3_600_000));
    expect(isRight).toBe(false);
    expect(text).toMatch(/60 minutes behind/);
  });
});

test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'a request that fails with %s is explained by the certificate',
  (code) => {
    const cause = Object.assign(new Error('tls'), { code });
    const { fault, text } = describeNetworkFault(
      new TypeError('fetch failed', { cause }),
      new URL('https://vendor.example/base'),
    );
    expect(fault).toBe('certificate');
    expect(text).toBe(`the certificate of vendor.example is not accepted (${code})`);
  },
);
