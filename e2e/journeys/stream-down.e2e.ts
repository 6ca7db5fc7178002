/** A network that lets no stream of events through: what is polled brings everything all the same, only later. */
import { endSession } from '../calls.ts';
import { answerSignIn, expect, expectAccessible, signIn, test } from '../fixtures.ts';
import { choose, decode } from '../trip.ts';

const sample = 'samples/kessv2/read-9000.tfc';

test.beforeEach(async ({ page }) => {
  await page.context().route('**/api/events', (route) => route.abort());
});

test('an operation comes to its end', async ({ page, product }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/async-operations\/[^/]+$/.test(request.url())) asked.push(request.url());
  });
  await signIn(page);
  await page.goto('/kessv2');
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

test('the next call finds the session ended, and the sign-in leads back to the page', async ({
  page,
  product,
}) => {
  await signIn(page);
  await page.goto('/kessv2');
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await endSession(page);
  // the provider has forgotten the browser as well
  await page.context().clearCookies();
  await choose(page, product.demoFile(sample));
  await page.waitForURL(/\/idp\//);
  await answerSignIn(page);
  await page.waitForURL((url) => url.pathname === '/kessv2');
  await decode(page, product.demoFile(sample));
});
