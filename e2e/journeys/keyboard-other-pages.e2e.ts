/**
 * Everything around the workflow by keyboard alone: sign-in and sign-out, menus, settings, notifications, the log,
 * errors.
 */
import { decodeUnwatched } from '../calls.ts';
import { expect, test } from '../fixtures.ts';
import {
  chooseItem,
  expectFocusSeen,
  expectSpoken,
  goTo,
  listen,
  openByMenu,
  press,
  signInByKeyboard,
} from '../keyboard.ts';
import { createdFile, hold, holdToast, toastOf } from '../workflow.ts';

test.beforeEach(async ({ page }) => listen(page));

// promise d10.everybody.keyboard
test('sign-in, terms of use, and sign-out', { tag: '@release' }, async ({ page }) => {
  // once: after the acceptance, the page asks again
  const asks = '**/api/auth/tou/has-accepted';
  await page.route(asks, (route) => route.fulfill({ json: false }), { times: 1 });
  await signInByKeyboard(page);
  const account = page.getByRole('banner').getByRole('button', { name: /^Account/ });
  await goTo(page, account);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/(login|idp)/);
  await goTo(page, page.locator('form input[type=password]'));
});

// promise d10.everybody.keyboard
test('the menus and the notifications popup open, can be navigated, and return the focus', {
  tag: '@release',
}, async ({ page }) => {
  await signInByKeyboard(page);
  const header = page.getByRole('banner');
  const menu = page.getByRole('menu');
  const items = menu.getByRole('menuitemradio').or(menu.getByRole('menuitem'));
  for (const name of [/^Language/, /^Account/, 'Change customer code']) {
    const place = typeof name === 'string' ? page.getByRole('main') : header;
    const trigger = place.getByRole('button', { name });
    for (const [open, at] of [
      ['Enter', 'first'],
      ['Space', 'first'],
      ['ArrowDown', 'first'],
      ['ArrowUp', 'last'],
    ] as const) {
      await goTo(page, trigger);
      await page.keyboard.press(open);
      await expect(at === 'first' ? items.first() : items.last()).toBeFocused();
      await expectFocusSeen(page, `opening the menu ${name} by ${open}`);
      await page.keyboard.press(open === 'Enter' ? 'Tab' : 'Escape');
      await expect(trigger).toBeFocused();
    }
    // again immediately, while the list is still fading out
    await page.keyboard.press('Enter');
    await expect(items.first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }

  const language = header.getByRole('button', { name: /^(Language|Lingua)/ });
  await press(page, language);
  await expect(items.first()).toBeFocused();
  await page.keyboard.type('ita');
  await expect(page.getByRole('menuitemradio', { name: 'Italiano' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'it-IT');
  await expect(language).toBeFocused();
  await chooseItem(page, language, page.getByRole('menuitemradio', { name: 'English' }));
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  await expectFocusSeen(page, 'choosing a language');

  const codes = header.getByRole('button', { name: /CC-\d+/ });
  for (const code of ['CC-2002', 'CC-1001']) {
    await chooseItem(page, codes, page.getByRole('menuitemradio', { name: new RegExp(code) }));
    await expect(codes).toContainText(code);
    await expectFocusSeen(page, 'choosing a customer code');
  }
  await openByMenu(page, 'KESSv2');
  await chooseItem(page, codes, page.getByRole('menuitemradio', { name: /CC-2002/ }));
  await page.waitForURL((url) => url.pathname === '/');
  await expectFocusSeen(page, 'going home under another customer code');
  await chooseItem(page, codes, page.getByRole('menuitemradio', { name: /CC-1001/ }));
  await expect(codes).toContainText('CC-1001');

  const bell = header.getByRole('button', { name: /^Notifications/ });
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await press(page, bell);
  await expect(list).toBeVisible();
  await expectFocusSeen(page, 'opening the bell');
  // the focus moves into it after the fade, and Escape works from then on
  await expect(
    list
      .locator(':focus')
      .or(list.and(page.locator(':focus')))
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(bell).toBeFocused();
});

// promise d10.everybody.keyboard
test('the first stop skips to the content; the menu of a narrow screen opens, and closes when the focus leaves it', {
  tag: '@release',
}, async ({ page }) => {
  await signInByKeyboard(page);
  await page.goto('/settings');
  // the title comes before the links to the settings, which Tab must reach
  const first = page.getByRole('main').getByRole('link', { name: 'General' });
  await expect(first).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expectFocusSeen(page, 'the first Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(first).toBeFocused();

  await page.setViewportSize({ width: 480, height: 800 });
  const opener = page.getByRole('button', { name: 'Open the menu' });
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await press(page, opener);
  await expect(menu.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
  await press(page, opener, 'Space');
  await goTo(page, menu.getByRole('link', { name: /^User guide/ }));
  await page.keyboard.press('Tab');
  await expect(menu).toBeHidden();
  await expectFocusSeen(page, 'leaving the menu');
  await press(page, opener);
  await openByMenu(page, 'Operations log');
});

// promise d10.everybody.keyboard
test('changes settings, saves them and resets them to their defaults', { tag: '@release' }, async ({
  page,
}) => {
  await signInByKeyboard(page);
  await press(page, page.getByRole('banner').getByRole('link', { name: 'Settings' }));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const saved = page.getByRole('status').filter({ hasText: 'Saved' });
  const privately = page.getByRole('switch', { name: 'Send privately' });
  await goTo(page, page.getByLabel('Encoded KESSv2 files', { exact: true }));
  await page.keyboard.type('keyed %r');
  await expectSpoken(page, /Unsaved changes/);
  await chooseItem(
    page,
    page.getByRole('button', { name: /^Encode button action/ }),
    page.getByRole('menuitemradio', { name: 'Encode and send' }),
  );
  await press(page, privately, 'Space');
  await expect(privately).toBeFocused();
  await press(page, save);
  await expect(saved).toBeVisible();
  await expectFocusSeen(page, 'saving');
  await expectSpoken(page, /^Saved$/m);
  for (const name of ['Encoded KESSv2 files', 'Encode button action', 'Send privately']) {
    await press(page, page.getByRole('button', { name: `Reset to default: ${name}` }));
    await expectFocusSeen(page, 'a reset');
  }
  // the page may still say "Saved" of the changes before; later journeys need the defaults
  const stored = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && /preferences/.test(response.url()),
  );
  await press(page, save, 'Space');
  expect((await stored).ok()).toBe(true);
  await expect(saved).toBeVisible();
  await expectFocusSeen(page, 'saving the defaults');
});

// promise d10.everybody.keyboard
test('opens and marks notifications, and dismisses a toast', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await signInByKeyboard(page);
  // a device page that is still loading would follow the decode itself
  await openByMenu(page, 'Operations log');
  const toast = toastOf(page, 'could not be decoded').first();
  // on a busy machine it would close before Tab reaches it
  await holdToast(toast, () =>
    decodeUnwatched(page, product.demoFile('samples/mistakes/damaged.tfc')),
  );
  await press(page, toast.getByRole('button').last());
  await expect(toast).toHaveCount(0);
  await expectFocusSeen(page, 'putting a toast away');
  // a second one, so that "mark all" has something to mark
  await decodeUnwatched(page, product.demoFile('samples/mistakes/damaged.tfc'));
  await decodeUnwatched(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await expectSpoken(page, /File decoded/);

  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications, \d+ new/ });
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await press(page, bell, 'Space');
  const first = list.getByRole('listitem').first();
  const coming = page.waitForEvent('download');
  await press(page, first.getByRole('button'));
  await coming;
  await expect(first.getByText('New', { exact: true })).toHaveCount(0);
  await expectFocusSeen(page, 'opening a notification in the bell');
  await press(page, list.getByRole('link', { name: 'See more details' }));
  await page.waitForURL((url) => url.pathname === '/notifications');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const rows = page.getByRole('main').getByRole('listitem');
  const failed = rows.filter({ hasText: 'damaged.tfc' }).first();
  const mark = failed.getByRole('button', { name: /^Mark/ });
  await press(page, mark);
  await expect(mark).toHaveCount(0);
  await expectFocusSeen(page, 'marking one as seen');
  const markAll = page.getByRole('button', { name: 'Mark all as seen' });
  await press(page, markAll);
  await expect(markAll).toBeDisabled();
  await expectFocusSeen(page, 'marking all as seen');
});

// promise d10.everybody.keyboard, d10.everybody.spoken
test('downloads the log, cancels a slow download, closes a message, and reloads a page', {
  tag: '@release',
}, async ({ page, product }) => {
  await signInByKeyboard(page);
  await openByMenu(page, 'Operations log');
  for (const family of ['KESS3', 'KESSv2', 'K-TAG']) {
    const button = page.getByRole('button', { name: `Download ${family} log` });
    const coming = createdFile(page);
    await press(page, button);
    expect((await coming).suggestedFilename()).toMatch(/\.csv$/);
    await expect(button).toBeFocused();
  }
  const release = await hold(page, '**/api/operations-log/ktag');
  const slow = page.getByRole('button', { name: 'Download K-TAG log' });
  await press(page, slow, 'Space');
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeFocused();
  await expectFocusSeen(page, 'a slow log');
  await expectSpoken(page, /Preparing the K-TAG log/);
  await page.keyboard.press('Enter');
  await expect(slow).toBeFocused();
  release();

  await product.recodery('message', 'add', '--language', 'en', '--text', 'Closed on Friday');
  await expectSpoken(page, /Closed on Friday/);
  const message = page.getByText('Closed on Friday');
  const close = page.getByRole('button', { name: 'Close', exact: true });
  // A message of another journey may still be shown above this one.
  const banner = page.locator('div').filter({ has: message }).filter({ has: close }).last();
  await press(page, banner.getByRole('button', { name: 'Close', exact: true }));
  await expect(message).toBeHidden();
  await expectFocusSeen(page, 'closing a message');

  await page.route('**/api/ktag?*', (route) =>
    route.fulfill({ status: 403, contentType: 'text/plain', body: 'USER_NO_RIGHTS' }),
  );
  await openByMenu(page, 'K-TAG');
  await expectSpoken(page, /UNAUTHORIZED ROLE/);
  await page.unroute('**/api/ktag?*');
  await press(page, page.getByRole('button', { name: 'Refresh page' }));
  await expect(page.locator('input[type=file]')).toHaveCount(1);
  await expectFocusSeen(page, 'asking for the page again');
});
