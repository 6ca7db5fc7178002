/** The toasts of notifications: when they appear, what they show, and what they do not cover. */
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation } from '@recodery/contract/features/operations';
import { decodeUnwatched, read, runOperation } from '../../calls.ts';
import { expect, expectAccessible, signIn, test } from '../../fixtures.ts';
import { boxOf, download, holdToast, toastOf, write } from '../../workflow.ts';
import { bellOf, listAddress, readNew, sample, seeAll } from './bell-steps.ts';

// promise 2.notifications.toast-place
test('a toast has room for a file name, shows the error on its own line, and does not cover header and menu', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const toast = toastOf(page, 'wrong-checksum.tfc').first();
    await holdToast(toast, () =>
      decodeUnwatched(page, product.demoFile('samples/mistakes/wrong-checksum.tfc')),
    );
    const box = await boxOf(toast);
    const header = await boxOf(page.getByRole('banner'));
    expect(box.y, `${width}: below the header`).toBeGreaterThanOrEqual(header.y + header.height);
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    if (await menu.isVisible()) {
      expect(box.x, `${width}: beside the menu`).toBeGreaterThanOrEqual((await boxOf(menu)).width);
    }
    const name = await boxOf(toast.getByText('wrong-checksum.tfc'));
    const error = await boxOf(toast.getByText('The checksums of the read are wrong'));
    expect(error.y, `${width}: the error below the name`).toBeGreaterThanOrEqual(
      name.y + name.height,
    );
    // on a busy machine, holdToast may have shown more than one; the pointer keeps those that are open
    await expect(async () => {
      if (await toast.isVisible()) await toast.getByRole('button').last().click();
      await expect(toast).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
});

// promise 2.routes.notifications, 2.layout.bell, 2.notifications.list, 2.notifications.see-more
// promise 2.notifications.badge, 2.notifications.highlight, 4.notification.new
// promise 4.notification.interacted, 9.see-more.twenty
test('a toast appears once; the badge counts until everything is seen; the page shows twenty notifications at a time', async ({
  page,
  product,
}) => {
  await signIn(page);
  await seeAll(page);
  await decodeUnwatched(page, product.demoFile(sample));
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

  // the guide receives no events, so all of them arrive together when the portal is opened again
  await page.goto('/mark.svg');
  const body = { kessv2FileSlotGUID: kessv2SlotGUID };
  // earlier journeys have left some: there must be more than the page shows at first
  const missing = 21 - (await read<Notification[]>(page, listAddress)).length;
  const rounds = Math.max(2, Math.ceil(missing / 3));
  for (let round = 0; round < rounds; round += 1) {
    const three = [1, 2, 3].map(() =>
      runOperation(page, '/api/kessv2/reencode-decoded-file', body),
    );
    await Promise.all(three);
  }
  const fresh = (await readNew(page)).length;
  await page.goto('/notifications');
  await expect(toastOf(page, `${3 * rounds} new notifications`)).toBeVisible();
  await expect(bellOf(page)).toHaveAccessibleName(`Notifications, ${fresh} new`);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(20);
  await expectAccessible(page, 'notifications, the first twenty');
  await page.getByRole('button', { name: 'See more' }).click();
  await expect(rows.nth(20)).toBeFocused();

  await rows
    .nth(5)
    .getByRole('button', { name: /^Download/ })
    .click();
  // later files were encoded for the slave
  const downloaded = await download(page.getByRole('button', { name: 'Download anyway' }));
  expect(downloaded.suggestedFilename()).toMatch(/\.moc$/);
  await expect(bellOf(page)).toHaveAccessibleName(`Notifications, ${fresh - 1} new`);
  await expect(rows.nth(5).getByText('New', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect(page.getByRole('button', { name: 'Mark all as seen' })).toBeDisabled();
  await expectAccessible(page, 'notifications, all seen');
  await page.reload();
  await expect(rows).toHaveCount(20);
  await expect(toastOf(page)).toHaveCount(0);
});

test('notifications that arrive while a dialog is open are shown afterward: one for its whole time, many in one toast', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  await page.clock.install();
  await page.goto('/settings');
  await write(page.getByLabel('Encoded KESSv2 files', { exact: true }), 'covered %r');
  const marked: string[] = [];
  page.on('request', (request) => {
    if (/mark-as-read/.test(request.url())) marked.push(request.url());
  });
  let listed = '';
  page.on('response', (response) => {
    // the list of the page is shorter
    if (!/-notifications\/\?count=\d+$/.test(response.url())) return;
    void response.text().then(
      (text) => (listed = text),
      () => {},
    );
  });
  const question = page.getByRole('dialog', { name: 'Switch to CC-2002?' });
  for (const [count, text] of [
    [1, 'File decoded'],
    [4, '4 new notifications'],
  ] as const) {
    await page.getByRole('button', { name: /^Customer code/ }).click();
    await page.getByRole('menuitemradio', { name: /CC-2002/ }).click();
    await expect(question).toBeVisible();
    marked.length = 0;
    for (let round = 0; round < count; round += 1) {
      const { guid } = await decodeUnwatched(
        page,
        product.demoFile('samples/kessv2/read-1001.tfc'),
      );
      await expect.poll(() => listed).toContain(guid);
    }
    await expect(toastOf(page)).toHaveCount(0);
    await page.clock.fastForward(60_000);
    expect(marked).toEqual([]);
    await question.getByRole('button', { name: 'Stay with CC-1001' }).click();
    await expect(toastOf(page, text)).toBeVisible();
    await expect(toastOf(page)).toHaveCount(1);
    await expect.poll(() => marked.length).toBe(count);
    await page.clock.fastForward(60_000);
    await expect(toastOf(page)).toHaveCount(0);
  }
});
