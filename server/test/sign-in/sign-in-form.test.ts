/** The form of the sign-in: plain, in the language of the browser, and for the browser that opened it. */
import { describe, expect, test } from 'vitest';
import { Browser } from './browser.ts';
import { goToForm, password, signInAtProvider, startPortalWithAccounts } from './open-portal.ts';

const { portal } = await startPortalWithAccounts();
const openBrowser = (): Browser => new Browser(portal.url);

describe('the form', () => {
  // promise d4.sign-in.form
  test('is a plain form, beside that of passkeys, in the language of the browser, with the strict content security policy', async () => {
    const browser = openBrowser();
    const address = await goToForm(browser);
    const page = await browser.get(address, { 'accept-language': 'it-CH, en;q=0.5' });
    expect(page.text.match(/<form/g)).toHaveLength(2);
    expect(page.text).toContain('<html lang="it-IT">');
    expect(page.text).toContain('<h1>Accedi</h1>');
    expect(page.text).not.toMatch(/style=|<style|<script>|\son\w+=/);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("font-src 'self'");
    expect(page.text).toMatch(/<link rel="stylesheet" href="\/assets\/[^"]+\.css">/);
    expect(page.text.length).toBeLessThan(5000);
  });

  test.each([
    ['de-AT', 'de-DE'],
    ['pt', 'pt-BR'],
    ['zh-TW, fr;q=0.9', 'zh-CN'],
    ['nl, ru;q=0.3, pl;q=0.7', 'pl-PL'],
    ['tlh', 'en-US'],
  ])('responds to %s in %s', async (header, locale) => {
    const browser = openBrowser();
    const page = await browser.get(await goToForm(browser), { 'accept-language': header });
    expect(page.text).toContain(`<html lang="${locale}">`);
  });

  test.each([
    ['a wrong password', 'anna@shop.test', 'wrong'],
    ['an unknown account', 'nobody@shop.test', password],
    ['an account without a password', 'guest@shop.test', ''],
    ['a password of a megabyte', 'anna@shop.test', 'x'.repeat(10_000)],
    ['an address that no text column accepts', 'an\0na@shop.test', password],
  ])('shows the same error for %s', async (_, email, typed) => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const seen = await browser.submit(form, { email, password: typed });
    expect(seen.status).toBe(200);
    expect(seen.text).toContain('role="alert">Incorrect email or password.<');
  });

  test('shows the input as text, never as markup', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const seen = await browser.submit(form, { email: '"><script>x', password: 'y' });
    expect(seen.text).not.toContain('<script>x');
    expect(seen.text).toContain('&quot;&gt;&lt;script&gt;x');
  });

  test('cannot be sent from another browser', async () => {
    const form = await goToForm(openBrowser());
    const seen = await openBrowser().submit(form, { email: 'anna@shop.test', password });
    expect(seen.status).toBe(400);
    expect(seen.text).toContain('This sign-in page has expired');
  });

  // promise d4.sign-in.guessing
  test('makes users who guess wait, and shows how long', async () => {
    const browser = openBrowser();
    const form = await goToForm(browser);
    const guess = () => browser.submit(form, { email: 'mia@shop.test', password: 'guess' });
    for (let count = 0; count < 8; count += 1) expect((await guess()).status).toBe(200);
    const seen = await guess();
    expect(seen.status).toBe(429);
    expect(Number(seen.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(seen.text).toContain('Try again in 15\u{a0}min.');
    // The right password is not checked either, but other users can sign in.
    expect((await browser.submit(form, { email: 'mia@shop.test', password })).status).toBe(429);
    expect((await browser.submit(form, { email: 'anna@shop.test', password })).status).toBe(303);
  });

  // promise d3.settings.demo-loopback
  test('accepts a demo account on this machine only', async () => {
    const near = await signInAtProvider(openBrowser(), 'demo@shop.test');
    expect(near.get('__dbSSO_token__')).not.toBeNull();
    const browser = openBrowser();
    const form = await goToForm(browser);
    const ask = (headers: Readonly<Record<string, string>>) =>
      portal.app.inject({
        method: 'POST',
        url: new URL(form, portal.url).pathname,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          cookie: [...browser.cookies.values()]
            .map(({ name, value }) => `${name}=${value}`)
            .join('; '),
        },
        payload: String(new URLSearchParams({ email: 'demo@shop.test', password })),
      });
    for (const headers of [
      { host: 'recodery.example' },
      { host: 'localhost.recodery.example' },
      { host: 'localhost:8080', 'x-forwarded-host': 'recodery.example' },
      { host: 'localhost:8080', forwarded: 'for=1.2.3.4;host=recodery.example;proto=https' },
    ]) {
      const far = await ask(headers);
      expect(far.statusCode).toBe(200);
      expect(far.body).toContain('Incorrect email or password.');
      expect(far.body).not.toContain('Demo account');
    }
    expect((await ask({ host: '[::1]:8080' })).statusCode).toBe(303);
  });
});
