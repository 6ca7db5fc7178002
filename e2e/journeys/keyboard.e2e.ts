/**
 * The workflow by keyboard alone: every control can be reached by Tab, the focus is never lost, and changes are
 * announced.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import {
  chooseBy,
  chooseItem,
  expectFocusSeen,
  expectSpoken,
  expectTrapped,
  goTo,
  listen,
  openByMenu,
  press,
  signInByKeyboard,
} from '../keyboard.ts';

/** The button of the drop area for the read file. */
function readChooser(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Choose from this computer' });
}

function rowOf(page: Page, part: string): Locator {
  return page.getByRole('main').getByRole('listitem', { name: part, exact: true });
}

/** Presses a button that downloads a file, and keeps the focus. */
async function fetchBy(page: Page, button: Locator, name: RegExp): Promise<void> {
  const coming = page.waitForEvent('download');
  await press(page, button);
  expect((await coming).suggestedFilename()).toMatch(name);
  await expect(button).toBeFocused();
  await expectFocusSeen(page, 'a download');
}

/** Presses the encode button, and downloads the file again after the automatic download. */
async function encodeBy(page: Page, name: 'Encode' | 'Compact', extension: RegExp): Promise<void> {
  const isEncode = name === 'Encode';
  const coming = page.waitForEvent('download');
  await press(page, page.getByRole('main').getByRole('button', { name, exact: true }), 'Space');
  expect((await coming).suggestedFilename()).toMatch(extension);
  await expectFocusSeen(page, 'encoding');
  await expectSpoken(
    page,
    isEncode ? /Encoded, current step, Encoding/ : /Compacted, current step, Compacting/,
  );
  await expectSpoken(page, isEncode ? /Encoded, done, / : /Compacted, done, /);
  const download = isEncode ? 'Download encoded file' : 'Download packed backup';
  await fetchBy(page, page.getByRole('button', { name: download }), extension);
}

test.beforeEach(async ({ page }) => {
  await listen(page);
  await signInByKeyboard(page);
});

// promise d10.everybody.keyboard, d10.everybody.spoken
test('decodes, modifies, encodes and downloads a KESSv2 read', async ({ page, product }) => {
  await openByMenu(page, 'KESSv2');
  const decoded = page.waitForEvent('download');
  const read = product.demoFile('samples/kessv2/read-9000.tfc');
  await chooseBy(page, readChooser(page), 'Enter', read);
  await decoded;
  await expectFocusSeen(page, 'decoding');
  await expectSpoken(page, /Decoded, current step, Decoding/);
  await expectSpoken(page, /Decoded, done, .*Modified, current step/);
  await fetchBy(page, page.getByRole('button', { name: 'Download decoded file' }), /\.bin$/);
  await fetchBy(page, page.getByRole('button', { name: 'Download ID' }), /\.id$/);

  const modified = product.demoFile('samples/kessv2/read-9000-modified.bin');
  await chooseBy(page, rowOf(page, 'Modified file').getByRole('button'), 'Space', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed');
  await expectFocusSeen(page, 'the modified file');
  await expectSpoken(page, /Modified, current step, read-9000-modified\.bin/);
  await encodeBy(page, 'Encode', /\.moc$/);
  await press(page, page.getByRole('button', { name: 'Encode another file' }));
  await expectFocusSeen(page, 'asking for another file');
  await press(page, page.getByRole('button', { name: 'Start over' }));
  await expect(readChooser(page)).toBeVisible();
  await expectFocusSeen(page, 'starting over');
});

// promise d10.everybody.keyboard, d10.everybody.spoken
test('cancels an upload, announces and clears a refusal, and takes the next file', {
  tag: '@release',
}, async ({ page, product }) => {
  await openByMenu(page, 'KESSv2');
  const right = product.demoFile('samples/kessv2/read-1001.tfc');
  const main = page.getByRole('main');
  await page.route('**/api/kessv2/upload-*', () => undefined);
  await chooseBy(page, readChooser(page), 'Enter', right);
  await expectFocusSeen(page, 'beginning an upload');
  await press(page, main.getByRole('button', { name: 'Cancel' }));
  await expect(readChooser(page)).toBeVisible();
  await expectFocusSeen(page, 'canceling an upload');
  await page.unroute('**/api/kessv2/upload-*');

  const damaged = product.demoFile('samples/mistakes/damaged.tfc');
  await chooseBy(page, readChooser(page), 'Enter', damaged);
  const alert = main.getByRole('alert');
  await expect(alert).toContainText('FILE_CORRUPTED');
  await expectFocusSeen(page, 'a refusal');
  await expectSpoken(page, /An error occurred.*FILE_CORRUPTED/);
  await press(page, alert.getByRole('button', { name: /try again/i }));
  await expectFocusSeen(page, 'trying again');
  await chooseBy(page, readChooser(page), 'Space', right);
  const row = rowOf(page, 'Modified file');
  await expect(row).toBeVisible();
  const wrong = product.demoFile('samples/kessv2/read-1004-modified.bin');
  await chooseBy(page, row.getByRole('button'), 'Enter', wrong);
  await expect(alert).toContainText('FILE_NOT_COMPATIBLE_WITH_READ_FILE');
  await expectFocusSeen(page, 'a refused modified file');
  await expectSpoken(page, /FILE_NOT_COMPATIBLE_WITH_READ_FILE/);
  await press(page, alert.getByRole('button', { name: /another file/i }));
  await expect(alert).toHaveCount(0);
  await expectFocusSeen(page, 'clearing the refusal');
});

// promise d10.everybody.keyboard
test('uploads, restores, uploads again and encodes a K-TAG component', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openByMenu(page, 'K-TAG');
  const backup = product.demoFile('samples/ktag/backup-2001.tfc');
  const decoded = page.waitForEvent('download');
  await chooseBy(page, readChooser(page), 'Enter', backup);
  await decoded;
  const flash = rowOf(page, 'Flash');
  await expect(flash).toContainText('From backup');
  await fetchBy(page, page.getByRole('button', { name: /^Micro/ }), /\.mpc$/);
  const modified = product.demoFile('samples/ktag/backup-2001-flash-modified.bin');
  for (const key of ['Enter', 'Space'] as const) {
    await chooseBy(page, flash.getByRole('button', { name: 'choose it' }), key, modified);
    await expect(flash).toContainText('Modified');
    await expectFocusSeen(page, 'a modified component');
    await expectSpoken(page, /1 of 3 modified/);
    if (key === 'Space') break;
    await press(page, flash.getByRole('button', { name: /^Restore backup/ }));
    await expect(flash).toContainText('From backup');
    await expectFocusSeen(page, 'restoring a component');
  }
  await encodeBy(page, 'Encode', /\.unq$/);
});

// promise d10.everybody.keyboard
test('a KESS3 read: selects the device, the BootBench popup returns the focus, one component is kept and one removed', {
  tag: '@release',
}, async ({ page, product }) => {
  await openByMenu(page, 'KESS3');
  const device = page.getByRole('button', { name: /^Choose the master device/ });
  for (const group of ['G-11', 'G-10']) {
    const item = page.getByRole('menuitemradio', { name: new RegExp(group) });
    await chooseItem(page, device, item);
    await expect(device).toContainText(group);
    await expect(device).toBeFocused();
  }
  const read = product.demoFile('samples/kess3/read-bootbench-9000.tfc');
  await chooseBy(page, readChooser(page), 'Enter', read);
  const opener = page.getByRole('button', { name: 'Boot/Bench components' });
  await expect(opener).toBeVisible();
  const popup = page.getByRole('dialog');
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => press(page, popup.getByRole('button', { name: 'Close' })),
  ]) {
    await press(page, opener);
    await expectTrapped(page, popup);
    // Firefox reports the name under which a second file of the same name is saved
    const zip = /^components(\(1\))?\.zip$/;
    await fetchBy(page, popup.getByRole('button', { name: 'Download all' }), zip);
    await close();
    await expect(popup).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
  const removal = rowOf(page, 'EEPROM').getByRole('switch');
  await expect(removal).toBeChecked();
  for (const word of ['From backup', 'Component removed']) {
    await press(page, removal, 'Space');
    await expect(rowOf(page, 'EEPROM')).toContainText(word);
    await expect(removal).toBeFocused();
    await expectFocusSeen(page, 'a removal switch');
  }
  await encodeBy(page, 'Encode', /\.moc$/);
});

// promise d10.everybody.keyboard
test('enters the utility from the KESS3 page, unpacks a backup and compacts it', {
  tag: '@release',
}, async ({ page, product }) => {
  await openByMenu(page, 'KESS3');
  await press(page, page.getByRole('main').getByRole('link', { name: 'KESS3 utility' }));
  await expect(page.getByRole('heading', { level: 1, name: 'KESS3 utility' })).toBeFocused();
  const backup = product.demoFile('samples/kess3-utility/backup-obd-1001.tfc');
  await chooseBy(page, readChooser(page), 'Enter', backup);
  await fetchBy(page, page.getByRole('button', { name: 'Download unpacked file' }), /\.bin$/);
  const modified = product.demoFile('samples/kess3-utility/backup-obd-1001-modified.bin');
  await chooseBy(page, rowOf(page, 'Modified file').getByRole('button'), 'Enter', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed');
  await encodeBy(page, 'Compact', /\.moc$/);
});

// promise d10.everybody.keyboard
test('the send popup has the right tab order, Escape cancels it, and its button sends to the workshop', {
  tag: '@release',
}, async ({ page, product }) => {
  await openByMenu(page, 'KESSv2');
  const read = product.demoFile('samples/kessv2/read-9000.tfc');
  await chooseBy(page, readChooser(page), 'Enter', read);
  const modified = product.demoFile('samples/kessv2/read-9000-modified.bin');
  await expect(rowOf(page, 'Modified file')).toBeVisible();
  await chooseBy(page, rowOf(page, 'Modified file').getByRole('button'), 'Enter', modified);
  const more = page.getByRole('button', { name: 'More ways to encode' });
  await expect(more).toBeEnabled();
  const item = page.getByRole('menuitem', { name: 'Encode and send', exact: true });
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  const email = popup.getByLabel('Recipient email');
  for (const cancel of [
    () => page.keyboard.press('Escape'),
    () => press(page, popup.getByRole('button', { name: 'Cancel' })),
  ]) {
    await chooseItem(page, more, item);
    await expect(email).toHaveValue('garage@rossi.test');
    await expectFocusSeen(page, 'opening the send popup');
    await goTo(page, popup.getByRole('button', { name: 'Close' }));
    for (const next of [
      email,
      popup.getByLabel('Message'),
      popup.getByRole('switch', { name: 'Private' }),
      popup.getByRole('button', { name: 'Cancel' }),
      popup.getByRole('button', { name: 'Encode and send', exact: true }),
      popup.getByRole('button', { name: 'Close' }),
    ]) {
      await page.keyboard.press('Tab');
      await expect(next).toBeFocused();
      await expectFocusSeen(page, `Tab to ${next}`);
    }
    await cancel();
    await expect(popup).toHaveCount(0);
    await expect(more).toBeFocused();
  }

  await chooseItem(page, more, item);
  await goTo(page, popup.getByLabel('Message'));
  await page.keyboard.type('Dyno first');
  await press(page, popup.getByRole('switch', { name: 'Private' }), 'Space');
  await press(page, popup.getByRole('button', { name: 'Encode and send', exact: true }));
  await expect(popup).toHaveCount(0);
  await expectFocusSeen(page, 'sending');
  await expectSpoken(page, /Encoded, done, KESSv2_KV2-000007_/);

  // its result, and revoking the link
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
  await press(page, bell);
  await press(page, page.getByRole('link', { name: 'See more details' }));
  const sent = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'garage@rossi.test' });
  const withdraw = sent.first().getByRole('button', { name: 'Withdraw link' });
  const question = page.getByRole('dialog', { name: 'Withdraw the link?' });
  await press(page, withdraw);
  await expectTrapped(page, question);
  await page.keyboard.press('Escape');
  await expect(withdraw).toBeFocused();
  await press(page, withdraw, 'Space');
  await press(page, question.getByRole('button', { name: 'Withdraw link' }));
  await expect(question).toHaveCount(0);
  await expect(withdraw).toHaveCount(0);
  await expectFocusSeen(page, 'withdrawing the link');
});
