/** A network that blocks event streams: polling delivers everything, only later. */
import { decodeUnwatched, revokeSession } from '../calls.ts';
import { answerSignIn, expect, expectAccessible, openSignedIn, test } from '../fixtures.ts';
import { choose, decode } from '../workflow.ts';
import { readNew } from './notifications/bell-steps.ts';

const sample = 'samples/kessv2/read-9000.tfc';

test.beforeEach(async ({ page }) => {
  await page.context().route('**/api/events', (route) => route.abort());
});

// promise d6.push.polling
test('an operation finishes', async ({ page, product }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/async-operations\/[^/]+$/.test(request.url())) asked.push(request.url());
  });
  await openSignedIn(page, '/kessv2');
  await product.signalEngines('SIGSTOP');
  try {
    await choose(page, product.demoFile(sample));
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2);
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(page.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
  await expectAccessible(page, 'kessv2, decoded without the stream');
});

test('the next call finds the session expired, and the sign-in returns to the page', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await revokeSession(page);
  // the provider's session has expired too
  await page.context().clearCookies();
  await choose(page, product.demoFile(sample));
  await page.waitForURL(/\/idp\//);
  await answerSignIn(page);
  await page.waitForURL((url) => url.pathname === '/kessv2');
  await decode(page, product.demoFile(sample));
});

// promise d6.push.polling
test('messages, service status and notifications update by polling', { tag: '@release' }, async ({
  page,
  product,
  openTab,
}) => {
  const seconds = (count: number) => page.clock.fastForward(count * 1000);
  await page.clock.install();
  await openSignedIn(page, '/kessv2');
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  // on a busy machine, the commands take as long as the pause between two polls
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  const message = page.getByText('Closed for the holidays');
  const suspended = page.getByText('The decoding service is suspended.', { exact: true });
  const add = ['message', 'add', '--language', 'en', '--text', 'Closed for the holidays'];
  const guid = (await product.recodery(...add)).trim();
  await product.recodery('maintenance', 'on');
  await expect(message).toBeHidden();
  await expect(suspended).toBeHidden();
  await seconds(60);
  await page.clock.resume();
  await expect(message).toBeVisible();
  await expect(suspended).toBeVisible();
  await expect(page.locator('input[type=file]').first()).toBeDisabled();

  await product.recodery('maintenance', 'off');
  await product.recodery('message', 'remove', guid);
  await seconds(15);
  await expect(message).toBeHidden();
  await expect(suspended).toBeHidden();
  await expect(page.locator('input[type=file]').first()).toBeEnabled();

  const tab = await openTab();
  // a device page that is still loading would follow the decode itself, and the user would have seen its end
  await tab.goto('/settings');
  await decodeUnwatched(tab, product.demoFile(sample));
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications, \d+ new$/ });
  // A request that was already in progress when the notification was created does not include it: the next one does.
  await expect(async () => {
    await seconds(180);
    const fresh = (await readNew(tab)).length;
    expect(fresh).toBeGreaterThan(0);
    await expect(bell).toHaveAccessibleName(`Notifications, ${fresh} new`, { timeout: 20_000 });
  }).toPass();
});
