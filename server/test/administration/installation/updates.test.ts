/** The check for a newer version: what is asked, how often, and what the overview shows of the response. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Overview } from '@recodery/contract/admin/overview';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkForUpdate, isNewer } from '../../../src/service-status/updates.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

let answer: RequestListener = (_, response) => response.end('{}');
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  answer(request, response);
});

let portal: RunningPortal;
let olga: Client;
let url: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/newest`;
  portal = await startTestPortal({ RECODERY_UPDATES_URL: url }, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(async () => {
  await portal.stop();
  server.close();
});
beforeEach(async () => {
  asked = 0;
  await sql`delete from update_check`.execute(portal.platform.db);
});

const check = () => checkForUpdate(portal.platform.db, url, new AbortController().signal);
const readUpdates = async () => ((await olga.get('/api/admin/overview')).json as Overview).updates;
const respond = (body: string, status = 200): RequestListener => {
  return (_, response) => response.writeHead(status).end(body);
};

test('shows a newer version, and asks once a day, also for processes that ask at once', async () => {
  expect(await readUpdates()).toEqual({ askedOn: null, newer: null, error: null });
  answer = respond('{"tag_name":"v99.0.1","body":"more"}');
  await Promise.all([check(), check(), check()]);
  expect(asked).toBe(1);
  expect(await readUpdates()).toEqual({
    askedOn: expect.any(String),
    newer: '99.0.1',
    error: null,
  });
  await sql`update update_check set asked_on = asked_on - interval '24 hours'`.execute(
    portal.platform.db,
  );
  answer = respond('{"version":"0.0.1"}');
  await check();
  expect(asked).toBe(2);
  expect(await readUpdates()).toMatchObject({ newer: null, error: null });
});

test.each([
  ['a status that is not 200', respond('{"version":"99.0.0"}', 503), /503/],
  ['a redirect', respond('', 302), /./],
  ['no JSON', respond('<html>'), /names no version/],
  ['markup instead of a version', respond('{"version":"<b>99.0.0</b>"}'), /names no version/],
  ['a long response', respond(`{"version":"99.0.0","x":"${'x'.repeat(70_000)}"}`), /longer/],
  ['JSON that is nested deeply', respond(`${'['.repeat(50)}${']'.repeat(50)}`), /names no version/],
] as const)(
  'a response with %s is stored as a failure, and not believed',
  async (_, given, why) => {
    answer = given;
    await check();
    expect(await readUpdates()).toMatchObject({ newer: null, error: expect.stringMatching(why) });
  },
);

test('shows the changelog to operators', async () => {
  const { text } = (await olga.get('/api/admin/changelog')).json as { text: string };
  expect(text).toContain('# Changelog');
});

test.each([
  ['1.2.3', '1.2.2', true],
  ['1.10.0', '1.9.9+62d8cfdf', true],
  ['1.2.3', '1.2.3-rc.1', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3-rc.1', '1.2.3', false],
  ['nonsense', '1.2.3', false],
])('%s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});
