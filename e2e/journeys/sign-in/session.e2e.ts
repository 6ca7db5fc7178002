/** The lifetime of a session: several tabs, an expiry overnight, a change of customer code during the workflow. */
import type { BrowserContext, Page } from '@playwright/test';
import { answerSignIn, expect, openSignedIn, signIn, test } from '../../fixtures.ts';
import { choose, hold, toastOf, write } from '../../workflow.ts';

/** Calls the portal with the page's session, but not from the page. */
async function callBeside(page: Page, path: (session: string) => string): Promise<void> {
  const session = (await page.evaluate(() => localStorage.getItem('LLC'))) ?? '';
  const answer = await page.request.post(path(encodeURIComponent(session)), {
    headers: { 'X-Recodery-Session': session },
  });
  expect(answer.ok()).toBe(true);
}

function countStreams(context: BrowserContext): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) count += 1;
  });
  return () => count;
}

// promise d6.one-stream.leader
test('tabs share one stream, one customer code and one sign-out', async ({ page, openTab }) => {
  const streams = countStreams(page.context());
  const opened = page.context().waitForEvent('request', (one) => one.url().endsWith('/api/events'));
  await signIn(page);
  await opened;
  const tab = await openTab();
  await tab.goto('/operations-log');
  await expect(tab.locator('h1')).toBeVisible();
  expect(streams()).toBe(1);
  await page.getByRole('button', { name: 'Change customer code' }).click();
  await page.getByRole('menuitemradio', { name: /CC-2002/ }).click();
  await expect(tab.getByRole('banner')).toContainText('CC-2002');
  await expect(toastOf(tab, 'You are now working as CC-2002 Tuning Nord')).toBeVisible();
  await expect(toastOf(page, 'You are now working as')).toBeHidden();
  await tab.getByRole('button', { name: /CC-2002/ }).click();
  await tab.getByRole('menuitemradio', { name: /CC-1001/ }).click();
  await expect(page.getByRole('banner')).toContainText('CC-1001');

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/(login|idp)/);
  await expect(tab.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect(await tab.evaluate(() => localStorage.getItem('LLC'))).toBeNull();
  await tab.getByRole('link', { name: 'Sign in' }).click();
  await answerSignIn(tab);
  await tab.waitForURL((url) => url.pathname === '/');
});

// promise d6.one-stream.leader
test('another tab takes over the stream when the tab that has it is closed', {
  tag: '@release',
}, async ({ page, openTab, product }) => {
  await signIn(page);
  const tab = await openTab();
  const opened = tab.waitForRequest((one) => one.url().endsWith('/api/events'));
  await tab.goto('/kessv2');
  await expect(tab.locator('h1')).toBeVisible();
  const banner = tab.getByText('The decoding service is suspended.', { exact: true });
  await page.goto('about:blank');
  await opened;
  await product.recodery('maintenance', 'on');
  await expect(banner).toBeVisible();
  await product.recodery('maintenance', 'off');
  await expect(banner).toBeHidden();
});

test('a page whose session has expired asks the user to sign in and returns to its place', async ({
  page,
}) => {
  await openSignedIn(page, '/settings');
  await expect(page.locator('h1')).toBeVisible();
  await page.context().clearCookies();
  // the server ends the session and with it the stream, which is how the page notices
  await callBeside(page, (session) => `/api/auth/session/${session}/logout`);
  await page.waitForURL(/\/idp\//);
  await answerSignIn(page);
  await page.waitForURL((url) => url.pathname === '/settings');
});

test('a page that opens after the session has ended shows no error before the sign-in', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/settings');
  const ended = await page.evaluate(() => localStorage.getItem('LLC'));
  await page.context().clearCookies();
  await callBeside(page, (session) => `/api/auth/session/${session}/logout`);
  await page.waitForURL(/\/idp\//);
  await page.goto('/mark.svg');
  await page.evaluate((id) => localStorage.setItem('LLC', id ?? ''), ended);
  // While the browser waits for the sign-in, Playwright cannot look at the page that it leaves: the page reports itself.
  await page.addInitScript(() => {
    const report = () => console.info(`shown: ${document.querySelector('main')?.innerText}`);
    new MutationObserver(report).observe(document, { subtree: true, childList: true });
  });
  const shown: string[] = [];
  page.on('console', (message) => shown.push(message.text()));
  const release = await hold(page, /\/login\?from=/);
  const left = page.waitForRequest(/\/login\?from=/);
  await page.goto('/settings', { waitUntil: 'commit' });
  await left;
  await expect.poll(() => shown).toContain('shown: Loading');
  const others = shown.filter((text) => /^shown: (?!undefined$|Loading$)./.test(text));
  expect(others).toEqual([]);
  release();
  await page.waitForURL(/\/idp\//);
});

test('a tab in the background waits until it is visible before it opens the sign-in', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/settings');
  await expect(page.locator('h1')).toBeVisible();
  await page.addInitScript(() => {
    let state: DocumentVisibilityState = 'hidden';
    Object.defineProperty(document, 'visibilityState', { get: () => state });
    window.addEventListener('look', () => {
      state = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
    });
  });
  await page.context().clearCookies();
  await callBeside(page, (session) => `/api/auth/session/${session}/logout`);
  await page.waitForURL(/\/login\?from=%2Fsettings/);
  await expect(page.getByText('Redirecting to the sign-in page')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('look')));
  await page.waitForURL(/\/idp\//);
});

test('a file is uploaded under the customer code that another tab has selected', {
  tag: '@release',
}, async ({ page, product }) => {
  // neither the stream nor another tab reports it: the upload is the first to notice. An interrupted stream would make
  // the page read its session, so this one stays open without a message
  await page.route('**/api/events', () => {});
  await openSignedIn(page, '/kessv2');
  await expect(page.locator('h1')).toBeVisible();
  await callBeside(page, (session) => `/api/auth/session/${session}/switch-customer-code/CC-2002`);
  await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const goOn = page.getByRole('button', { name: 'Continue with the new code' });
  await expect(goOn).toBeVisible();
  const upload = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('upload-read-file'),
  );
  await goOn.click();
  expect((await upload).headers()['x-recodery-customer-code']).toBe('CC-2002');
  await expect(page.getByRole('banner')).toContainText('CC-2002');
  await callBeside(page, (session) => `/api/auth/session/${session}/switch-customer-code/CC-1001`);
});

test('an action without a network fails immediately, and does not run when the network is back', {
  tag: '@release',
}, async ({ page }) => {
  await openSignedIn(page, '/settings');
  const asked: string[] = [];
  page.on('request', (request) => {
    const isAction = /preferences|switch-customer-code|logout/.test(request.url());
    if (isAction && request.method() !== 'GET') asked.push(request.url());
  });
  await write(page.getByLabel('Encoded KESSv2 files', { exact: true }), 'offline %r');
  // the first menu loads the list of all menus
  await page.getByRole('button', { name: /^Customer code/ }).click();
  await expect(page.getByRole('menuitemradio', { name: /CC-2002/ })).toBeVisible();
  await expect(page.getByRole('menu').and(page.locator(':focus-within'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  const noConnection = 'The connection was interrupted';
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const failed = page.getByRole('main').getByRole('alert');
  await expect(failed).toContainText(noConnection);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(failed).toBeHidden();

  const toast = toastOf(page, noConnection);
  const close = async (): Promise<void> => {
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect(toast).toBeHidden();
  };
  await page.getByRole('button', { name: /^Customer code/ }).click();
  await page.getByRole('menuitemradio', { name: /CC-2002/ }).click();
  await close();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await close();

  asked.length = 0;
  const back = page.waitForResponse((response) => response.url().endsWith('/api/events'));
  await page.context().setOffline(false);
  await back;
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(page.getByRole('banner')).toContainText('CC-1001');
  expect(asked).toEqual([]);
});
