/** Journeys by keyboard alone: each control is reached by Tab, and wherever the focus stands it can be seen. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { chooseBy, expectFocusSeen, goTo, press } from '../keyboard.ts';

async function signInByKeyboard(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForURL(/\/idp\//);
  const terms = page.waitForResponse((one) => one.url().endsWith('/api/auth/tou/has-accepted'));
  await goTo(page, page.locator('form input:not([type=password]):not([type=hidden])'));
  await page.keyboard.type('anna@demo.test');
  await goTo(page, page.locator('form input[type=password]'));
  await page.keyboard.type('demo');
  await page.keyboard.press('Enter');
  const hasAccepted: unknown = await (await terms).json();
  if (hasAccepted === false) {
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    for (const statement of await dialog.getByRole('checkbox').all())
      await press(page, statement, 'Space');
    await press(page, dialog.getByRole('button').last());
    await expect(dialog).toBeHidden();
  }
  await expect(page.locator('h1')).toBeVisible();
}

/** Opens a page from the main menu; the reading goes on at its title. */
async function openByMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await press(page, menu.getByRole('link', { name, exact: true }));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
}

/** The button of the drop area for the read file. */
function readChooser(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Choose it from this computer' });
}

function rowOf(page: Page, part: string): Locator {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: part }).last();
}

function encodeButton(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Encode', exact: true });
}

test.beforeEach(async ({ page }) => signInByKeyboard(page));

test('a KESSv2 read is decoded, modified, encoded and downloaded', async ({ page, product }) => {
  await openByMenu(page, 'KESSv2');
  const decoded = page.waitForEvent('download');
  await chooseBy(
    page,
    readChooser(page),
    'Enter',
    product.demoFile('samples/kessv2/read-9000.tfc'),
  );
  await decoded;
  await expectFocusSeen(page, 'decoding');
  const again = page.waitForEvent('download');
  const downloadButton = page.getByRole('button', { name: 'Download decoded file' });
  await press(page, downloadButton);
  await again;
  await expectFocusSeen(page, 'a download');
  await expect(downloadButton).toBeFocused();

  const modified = product.demoFile('samples/kessv2/read-9000-modified.bin');
  await chooseBy(page, rowOf(page, 'Modified file').getByRole('button'), 'Space', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed');
  await expectFocusSeen(page, 'the modified file');
  const encoded = page.waitForEvent('download');
  await press(page, encodeButton(page), 'Space');
  expect((await encoded).suggestedFilename()).toMatch(/\.moc$/);
  await expectFocusSeen(page, 'encoding');
  const once = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Download encoded file' }));
  expect((await once).suggestedFilename()).toMatch(/\.moc$/);
  await expectFocusSeen(page, 'another download');
  await press(page, page.getByRole('button', { name: 'Encode another file' }));
  await expectFocusSeen(page, 'asking for another file');
  await press(page, page.getByRole('button', { name: 'Start over' }));
  await expect(readChooser(page)).toBeVisible();
  await expectFocusSeen(page, 'starting over');
});

test('a K-TAG component is uploaded and restored', async ({ page, product }) => {
  await openByMenu(page, 'K-TAG');
  const backup = product.demoFile('samples/ktag/backup-2001.tfc');
  await chooseBy(page, readChooser(page), 'Enter', backup);
  const flash = rowOf(page, 'Flash');
  await expect(flash).toContainText('From backup');
  const modified = product.demoFile('samples/ktag/backup-2001-flash-modified.bin');
  await chooseBy(page, flash.getByRole('button', { name: 'choose it' }), 'Enter', modified);
  await expect(flash).toContainText('Modified');
  await expectFocusSeen(page, 'a modified component');
  await press(page, flash.getByRole('button', { name: /^Restore backup/ }));
  await expect(flash).toContainText('From backup');
  await expectFocusSeen(page, 'restoring a component');
});

test('the Boot/Bench popup gives the focus back, and a component is kept and removed', async ({
  page,
  product,
}) => {
  await openByMenu(page, 'KESS3');
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
    await expect(popup).toBeVisible();
    await expectFocusSeen(page, 'opening the popup');
    const coming = page.waitForEvent('download');
    await press(page, popup.getByRole('button', { name: 'Download all' }));
    expect((await coming).suggestedFilename()).toBe('components.zip');
    await expectFocusSeen(page, 'a download in the popup');
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
});
