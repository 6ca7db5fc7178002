/** Demo accounts are closed to other machines, also through proxies and tunnels that hide the client. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { textsByLocale } from '../../src/texts/texts.ts';
import { Browser, type Seen, type Transport } from './browser.ts';
import { goToForm, password, startPortalWithAccounts } from './open-portal.ts';

const { portal } = await startPortalWithAccounts();
const english = textsByLocale.get('en-US');

/** Sends what an nginx with nothing but `proxy_pass` sends: HTTP/1.0, its own Host, and nothing about the client. */
const bareProxy: Transport = async (url, init) => {
  const socket = connect(portal.port, '127.0.0.1');
  const body = init.body instanceof URLSearchParams ? String(init.body) : '';
  const headers = new Headers(init.headers);
  headers.set('host', `127.0.0.1:${portal.port}`);
  headers.set('connection', 'close');
  if (body !== '') {
    headers.set('content-type', 'application/x-www-form-urlencoded');
    headers.set('content-length', String(body.length));
  }
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(
    `${init.method ?? 'GET'} ${url.pathname}${url.search} HTTP/1.0\r\n${head}\r\n${body}`,
  );
  const [lines = '', content = ''] = (await text(socket)).split(/\r\n\r\n(.*)/s, 2);
  const [statusLine = '', ...answered] = lines.split('\r\n');
  const pairs = answered.map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  return new Response(content, { status: Number(statusLine.split(' ')[1]), headers: pairs });
};

/** A stranger who knows the software: sends every request through the proxy, regardless of its address. */
async function openFormAsStranger(
  headers: Readonly<Record<string, string>> = {},
): Promise<(typed: Readonly<Record<string, string>>) => Promise<Seen>> {
  const stranger = new Browser(portal.url, bareProxy);
  let seen = await stranger.get('/sso/start?moved=1', headers);
  let form = '';
  for (let step = 0; step < 5 && seen.status !== 200; step += 1) {
    const { pathname, search } = new URL(seen.location, portal.url);
    seen = await stranger.get(pathname + search, headers);
    if (pathname.startsWith('/idp/interaction/')) form = pathname;
    if (seen.status === 404) break;
  }
  expect(form).not.toBe('');
  return (typed) =>
    stranger.send(form, { method: 'POST', headers, body: new URLSearchParams(typed) });
}

// promise d3.settings.demo-loopback
test.each<Readonly<Record<string, string>>>([
  {},
  { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
])('a demo account is refused through a bare proxy, with %j', async (headers) => {
  const submit = await openFormAsStranger(headers);
  const refused = await submit({ email: 'demo@shop.test', password });
  expect(refused.status).toBe(200);
  expect(refused.text).toContain(english?.signInWrong);
  expect(refused.text).not.toContain('Demo account');
  // an account of the workshop works through the same proxy
  expect((await submit({ email: 'anna@shop.test', password })).status).toBe(303);
});

test('a demo account signs in from this machine without any further step', async () => {
  const browser = new Browser(portal.url);
  const form = await goToForm(browser);
  expect((await browser.get(form)).text).toContain('Demo account');
  expect((await browser.submit(form, { email: 'demo@shop.test', password })).status).toBe(303);
});
