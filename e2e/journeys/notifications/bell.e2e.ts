/**
 * Notifications in a real browser: who gets them, when a result counts as seen, toast, badge, opening, and the paged
 * list.
 */
import type { Notification } from '@recodery/contract/features/notifications';
import type { Page } from '@playwright/test';
import { read } from '../../calls.ts';
import {
  expect,
  expectAccessible,
  openSignedIn,
  signIn,
  startSession,
  test,
} from '../../fixtures.ts';
import { flash } from '../../slave.ts';
import { choose, decode, download, hold, toastOf, write } from '../../workflow.ts';
import { listAddress, sample, bellOf, latest, seeAll } from './bell-steps.ts';

/** Encodes with the popup, without an address, and returns the downloaded file. */
async function share(page: Page, isPrivate: boolean) {
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await popup.getByLabel('Recipient email').fill('');
  await write(popup.getByLabel('Message'), isPrivate ? 'for you only' : 'for the whole garage');
  // the switch's native input is hidden behind the drawn one
  if (!isPrivate) await popup.getByText('Private', { exact: true }).click();
  // private and without an address, it is not sent to anyone
  const name = isPrivate ? 'Encode' : 'Encode and send';
  return download(popup.getByRole('button', { name, exact: true }));
}

// promise 2.send.fields, 2.notifications.click, 2.notifications.toast, d9.journeys.luca
// promise d9.journeys.mia
test("a result that is not private appears immediately in the notifications of the slave's owner; a private one does not, and no other user sees either", async ({
  page,
  product,
  openBrowser,
}) => {
  const [luca, mia] = [await openBrowser(), await openBrowser()];
  await signIn(luca, 'luca@demo.test');
  await startSession(mia, 'mia@demo.test');
  const before = await read<Notification[]>(luca, listAddress);
  const fresh = before.filter(({ receiverInteractedOn }) => receiverInteractedOn === null).length;

  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(sample));
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
  const toast = toastOf(luca, 'sent you an encoded file').first();
  // the pointer keeps it open
  const [mine] = await Promise.all([share(page, false), toast.hover()]);
  await expect(toast).toBeVisible();
  await expectAccessible(luca, 'a toast');
  await expect(bellOf(luca)).toHaveAccessibleName(`Notifications, ${fresh + 1} new`);

  await bellOf(luca).click();
  const list = luca.getByRole('dialog', { name: 'Notifications' });
  const item = list.getByRole('listitem').first();
  await expect(item).toContainText('Officina Demo sent you an encoded file');
  await expect(item).toContainText('for the whole garage');
  await expect(item).toContainText('Received');
  await expectAccessible(luca, 'the bell');
  const theirs = await flash(product, await download(item.getByRole('button')), 'KV2-000007.json');
  expect(theirs.get('obd')).toEqual((await flash(product, mine, 'KV2-000007.json')).get('obd'));
  await expect(item.getByText('New', { exact: true })).toHaveCount(0);
  await list.getByRole('link', { name: 'See more details' }).click();
  await luca.waitForURL((url) => url.pathname === '/notifications');

  await page.getByRole('button', { name: 'Encode another file' }).click();
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
  await share(page, true);
  const after = await read<Notification[]>(luca, listAddress);
  expect(after).toHaveLength(before.length + 1);
  expect(after[0]).toMatchObject({ isReceived: true, isSent: false, isPrivate: false });
  expect(JSON.stringify(after)).not.toContain('for you only');
  await luca.reload();
  await expect(luca.getByRole('main').getByRole('listitem')).toHaveCount(after.length);
  expect(await read(mia, listAddress)).toEqual([]);
  await mia.goto('/notifications');
  await expect(mia.getByRole('main')).toContainText('No notifications yet');
  await expectAccessible(mia, 'no notifications');
});

/** From now on, the page records every toast, however short, and every number of the badge. */
async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const noted: string[] = [];
    Object.assign(window, { tellings: noted });
    new MutationObserver(() => {
      const tellings = [
        ...document.querySelectorAll('[role=alertdialog], header button[aria-label*=" new"]'),
      ].map((element) => element.getAttribute('aria-label') ?? element.textContent);
      for (const announcement of tellings)
        if (!noted.includes(announcement)) noted.push(announcement);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  return () => page.evaluate(() => (window as unknown as { tellings: string[] }).tellings);
}

/** Makes the page believe that it is hidden, or visible again. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

// promise 2.notifications.seen-here
test('a result that the user waits for on the page or downloads counts as seen: no toast, no badge', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await seeAll(page);
  const tellings = await recordAnnouncements(page);
  const isSeen = async () => (await latest(page)).senderInteractedOn !== null;

  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  await expect.poll(isSeen, 'a download').toBe(true);
  await page.getByRole('button', { name: 'Re-encode decoded file', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Download encoded file' })).toBeVisible();
  await expect.poll(async () => (await latest(page)).asyncOperationType).toBe('KESSv2Encode');
  await expect.poll(isSeen, 'an encode').toBe(true);
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await choose(page, product.demoFile('samples/mistakes/damaged.tfc'));
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect.poll(async () => (await latest(page)).isSuccessful).toBe(false);
  await expect.poll(isSeen, 'a failure on show').toBe(true);
  await page.goto('/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(page.getByRole('button', { name: 'Boot/Bench components' })).toBeVisible();
  await expect.poll(async () => (await latest(page)).asyncOperationType).toBe('KESS3Decode');
  await expect.poll(isSeen, 'a result without a download').toBe(true);
  expect(await tellings()).toEqual([]);
  await page.goto('/notifications');
  await expect(page.getByRole('main').getByRole('listitem')).not.toHaveCount(0);
  await expect(bellOf(page)).toHaveAccessibleName('Notifications');
  expect(await tellings()).toEqual([]);
});

// promise 2.notifications.seen-here
test('a notification that arrives before the page knows the result shows no toast either', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  await seeAll(page);
  const tellings = await recordAnnouncements(page);
  // no stream: the page polls, and its request is delayed until the notification has arrived
  await page.route('**/api/events', (route) => route.abort());
  await page.clock.install();
  const release = await hold(page, /\/api\/async-operations\/[^/]+$/);
  await page.goto('/kessv2');
  const before = (await read<Notification[]>(page, listAddress)).length;
  await choose(page, product.demoFile(sample));
  await expect
    .poll(async () => (await read<Notification[]>(page, listAddress)).length)
    .toBe(before + 1);
  const { guid } = await latest(page);
  await bellOf(page).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await page.clock.fastForward(180_000);
  await expect(list.getByRole('listitem').first()).toContainText('File decoded');
  expect((await latest(page)).senderInteractedOn).toBeNull();
  await expect(bellOf(page)).toHaveAccessibleName('Notifications');
  const coming = page.waitForEvent('download');
  release();
  await coming;
  await expect.poll(async () => (await latest(page)).senderInteractedOn).not.toBeNull();
  expect((await latest(page)).guid).toBe(guid);
  expect(await tellings()).toEqual([]);
});

// promise 2.notifications.seen-here
test('an operation that finishes on a hidden page is seen when the page becomes visible; one whose page was left shows a toast', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  await seeAll(page);
  const tellings = await recordAnnouncements(page);
  await page.goto('/kess3');
  await setVisibility(page, 'hidden');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(page.getByRole('button', { name: 'Boot/Bench components' })).toBeVisible();
  expect((await latest(page)).senderInteractedOn).toBeNull();
  await setVisibility(page, 'visible');
  await expect.poll(async () => (await latest(page)).senderInteractedOn).not.toBeNull();
  expect(await tellings()).toEqual([]);

  await page.getByRole('navigation').getByRole('link', { name: 'KESSv2' }).click();
  // the previous page has a file field too
  await expect(page.getByRole('heading', { level: 1, name: 'KESSv2' })).toBeVisible();
  await product.signalEngines('SIGSTOP');
  try {
    await choose(page, product.demoFile(sample));
    await expect(page).toHaveURL(/operation=/);
    await page.getByRole('banner').getByRole('link', { name: 'Recodery, home' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(toastOf(page, 'File decoded')).toBeVisible();
  await expect(bellOf(page)).toHaveAccessibleName('Notifications, 1 new');
  // opened from the list, its result counts as seen
  await page.getByRole('main').getByRole('link', { name: 'read-9000.tfc' }).first().click();
  await expect(page.getByRole('button', { name: 'Download decoded file' })).toBeVisible();
  await expect(bellOf(page)).toHaveAccessibleName('Notifications');
});

// promise 2.notifications.direction, 2.notifications.seen-here
test('an email stored in the outbox is shown as such and as private, in the notifications popup and on the page', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await seeAll(page);
  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  await page.getByRole('button', { name: 'More ways to re-encode the decoded file' }).click();
  await page.getByRole('menuitem', { name: 'Re-encode decoded file and send' }).click();
  const popup = page.getByRole('dialog');
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
  const words = 'remains in the portal’s outbox';
  await expect(page.getByRole('main').getByText(words).last()).toBeVisible();
  // the page has shown the result
  await expect.poll(async () => (await latest(page)).senderInteractedOn !== null).toBe(true);
  await expect(bellOf(page)).toHaveAccessibleName('Notifications');
  await expect(toastOf(page)).toHaveCount(0);
  await bellOf(page).click();
  const list = page.getByRole('dialog', { name: 'Notifications' });
  const [sent, decoded] = [list.getByRole('listitem').first(), list.getByRole('listitem').nth(1)];
  await expect(sent).toContainText(words);
  await expect(sent).toContainText('Private');
  await expect(sent).not.toContainText(/Successful|Sent/);
  await expect(decoded).toContainText('File decoded');
  await expect(decoded).not.toContainText(/Sent|Private/);
  await expectAccessible(page, 'the bell, sent privately');
  await list.getByRole('link', { name: 'See more details' }).click();
  const row = page.getByRole('main').getByRole('listitem').first();
  await expect(row.getByText('Email in the outbox', { exact: true })).toBeVisible();
  await expect(row.getByText('Private', { exact: true })).toBeVisible();
  await expect(row).not.toContainText(/Successful|Sent/);
});

// promise 2.notifications.seen-here
test('a result that was seen while the network failed is marked as seen once the network is back', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  let failed = 0;
  const downloaded = page.waitForEvent('download');
  await page.route(/mark-as-interacted/, async (route) => {
    if (failed === 2) return route.continue();
    // Firefox also cancels a download that has not finished
    await (await downloaded).path();
    if (failed === 0) {
      await page.context().setOffline(true);
      await expect(page.getByText('You are offline.')).toBeVisible();
    }
    // the second one: a browser reports a network a moment before requests succeed
    await route.abort();
    failed += 1;
  });
  await decode(page, product.demoFile(sample));
  await expect.poll(() => failed).toBe(1);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.context().setOffline(false);
  await expect.poll(async () => (await latest(page)).senderInteractedOn).not.toBeNull();
});
