/** `/.well-known/security.txt` leads to the operator's support link. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/config/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { createApp } from '../../src/http/app.ts';
import { serveSecurityText } from '../../src/http/security-text.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';

/** Requests the text from a portal with these links. */
async function requestText(links: string) {
  const publicUrl = 'https://portal.example';
  const app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    publicUrl,
    webDir: '/nowhere',
    isReady: async () => true,
  });
  const config = readConfig({ RECODERY_LINKS: links, RECODERY_PUBLIC_URL: publicUrl });
  const readLinks = async () => config.links;
  serveSecurityText(app, { config, clock: systemClock, readLinks });
  const answer = await app.inject('/.well-known/security.txt');
  await app.close();
  return answer;
}

test.each([
  ['support=mailto:help@example.org', 'mailto:help@example.org'],
  ['support=https://example.org/{language}/help', 'https://example.org/en/help'],
])('security.txt with %s names it, and expires within a year', async (links, contact) => {
  const { statusCode, headers, body } = await requestText(links);
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const [first, second = '', ...rest] = body.split('\n');
  expect(first).toBe(`Contact: ${contact}`);
  const days = (Date.parse(second.replace('Expires: ', '')) - Date.now()) / 86_400_000;
  expect([days > 1, days < 365]).toEqual([true, true]);
  expect(rest).toEqual(['Canonical: https://portal.example/.well-known/security.txt', '']);
});

test('a portal serves its security.txt', async () => {
  const portal = await startTestPortal({ RECODERY_LINKS: 'support=mailto:a@example.org' }, false);
  const answer = await fetch(`${portal.url}/.well-known/security.txt`);
  const text = await answer.text();
  await portal.stop();
  expect(text).toMatch(/^Contact: mailto:a@example\.org\nExpires: /);
});

test.each(['', 'terms=https://example.org/terms', 'support=http://example.org/help'])(
  'security.txt does not exist with the links %j',
  async (links) => {
    expect((await requestText(links)).statusCode).toBe(404);
  },
);
