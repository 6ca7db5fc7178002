/** Notifications in a real browser: who hears of a result, the toast, the badge, a click, and the page in twenties. */
import type { Notification } from '@recodery/contract/notifications';
import type { Operation } from '@recodery/contract/operations';
import type { Page } from '@playwright/test';
import { read, runOperation } from '../calls.ts';
import { expect, expectAccessible, signIn, test } from '../fixtures.ts';
import { choose, decode, flash, toastOf, write } from '../trip.ts';

/** As many as the badge counts. */
const listAddress = '/api/async-operation-notifications/?count=99';
const sample = 'samples/kessv2/read-9000.tfc';

function bellOf(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
}

/** Encodes by the popup, without an address, and gives the file that comes. */
async function share(page: Page, isPrivate: boolean) {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByLabel('Recipient e-mail')).toHaveValue('garage@rossi.test');
  await popup.getByLabel('Recipient e-mail').fill('');
  await write(popup.getByLabel('Notes'), isPrivate ? 'for nobody else' : 'for the whole garage');
  // the switch's own field is hidden behind what is drawn
  if (!isPrivate) await popup.getByText('Private', { exact: true }).click();
  const coming = page.waitForEvent('download');
  await popup.getByRole('button', { name: 'Encode', exact: true }).click();
  return coming;
}

test("a result that is not private stands in the bell of the slave's owner at once; a private one does not, and nobody else sees either", async ({
  page,
  product,
  openBrowser,
}) => {
  const [luca, mia] = [await openBrowser(), await openBrowser()];
  await signIn(luca, 'luca@demo.test');
  await signIn(mia, 'mia@demo.test');
  const before = await read<Notification[]>(luca, listAddress);
  const fresh = before.filter(({ receiverInteractedOn }) => receiverInteractedOn === null).length;

  await signIn(page);
  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
  const mine = await share(page, false);
  await expect(toastOf(luca, 'has sent you an encoded file').first()).toBeVisible();
  await expectAccessible(luca, 'a toast');
  await expect(bellOf(luca)).toHaveAccessibleName(`Notifications, ${fresh + 1} new`);

  await bellOf(luca).click();
  const list = luca.getByRole('dialog', { name: 'Notifications' });
  const item = list.getByRole('listitem').first();
  await expect(item).toContainText('Officina Demo has sent you an encoded file');
  await expect(item).toContainText('for the whole garage');
  await expect(item).toContainText('Received');
  await expectAccessible(luca, 'the bell');
  const coming = luca.waitForEvent('download');
  await item.getByRole('button').click();
  const theirs = await flash(product, await coming, 'KV2-000007.json');
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
  expect(JSON.stringify(after)).not.toContain('for nobody else');
  await luca.reload();
  await expect(luca.getByRole('main').getByRole('listitem')).toHaveCount(after.length);
  expect(await read(mia, listAddress)).toEqual([]);
  await mia.goto('/notifications');
  await expect(mia.getByRole('main')).toContainText('No notifications yet');
  await expectAccessible(mia, 'no notifications');
});

test('a toast tells once; the badge counts until all are seen; the page shows twenty at a time', async ({
  page,
  product,
}) => {
  await signIn(page);
  await page.goto('/kessv2');
  await decode(page, product.demoFile(sample));
  await expect(toastOf(page, 'File decoded').first()).toBeVisible();
  await expect
    .poll(async () => {
      const list = await read<Notification[]>(page, listAddress);
      return list.filter(({ senderNotifiedOn }) => senderNotifiedOn === null);
    })
    .toEqual([]);
  const [latest] = await read<Notification[]>(page, listAddress);
  const decoded = await read<Operation>(page, `/api/async-operations/${latest?.guid}`);
  const { kessv2SlotGUID } = decoded.result as { kessv2SlotGUID: string };

  // the page of a guide hears no events, so that the rest comes at once when the portal is opened again
  await page.goto('/mark.svg');
  const body = { kessv2FileSlotGUID: kessv2SlotGUID };
  for (let round = 0; round < 14; round += 1) {
    const three = [1, 2, 3].map(() =>
      runOperation(page, '/api/kessv2/reencode-decoded-file', body),
    );
    await Promise.all(three);
  }
  const all = await read<Notification[]>(page, listAddress);
  const fresh = all.filter(({ senderInteractedOn }) => senderInteractedOn === null).length;
  await page.goto('/notifications');
  await expect(toastOf(page, '42 new notifications')).toBeVisible();
  await expect(bellOf(page)).toHaveAccessibleName(`Notifications, ${fresh} new`);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(20);
  await expectAccessible(page, 'notifications, the first twenty');
  await page.getByRole('button', { name: 'See more' }).click();
  await expect(rows).toHaveCount(40);
  await expect(rows.nth(20)).toBeFocused();

  const coming = page.waitForEvent('download');
  await rows
    .nth(21)
    .getByRole('button', { name: /^Download/ })
    .click();
  expect((await coming).suggestedFilename()).toMatch(/\.moc$/);
  await expect(bellOf(page)).toHaveAccessibleName(`Notifications, ${fresh - 1} new`);
  await expect(rows.nth(21).getByText('New', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(page.getByRole('button', { name: 'Mark all as seen' })).toBeDisabled();
  await expectAccessible(page, 'notifications, all seen');
  await page.reload();
  await expect(rows).toHaveCount(20);
  await expect(toastOf(page)).toHaveCount(0);
});
