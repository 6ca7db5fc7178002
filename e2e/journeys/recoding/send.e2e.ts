/**
 * Encode and send in a real browser: the popup, the email from a real mail server, its link without a session, and its
 * revocation.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { decodeUnwatched } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession } from '../../fixtures.ts';
import { test } from '../equipped.ts';
import { seeAll } from '../notifications/bell-steps.ts';
import { type Product } from '../../product.ts';
import { flash } from '../../slave.ts';
import {
  boxOf,
  bytesOf,
  choose,
  decode,
  download,
  encode,
  holdToast,
  toastOf,
  visit,
  write,
} from '../../workflow.ts';

const keyFile = 'KV2-000007.json';
const read = 'samples/kessv2/read-9000.tfc';
const modifiedRead = 'samples/kessv2/read-9000-modified.bin';

/** Opens the popup from the menu next to the encode button. */
async function openPopup(page: Page) {
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  return popup;
}

/** Signs in, decodes a read of Garage Rossi's slave and uploads its modified image. */
async function prepare(page: Page, product: Product): Promise<void> {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(read));
  await choose(page, product.demoFile(modifiedRead));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
}

// promise 2.send.dropdown, 2.send.fields, 2.send.prefilled, 2.send.buttons, 2.send.reencode-send, 4.send.cancel
// promise 4.send.without-mail, 5.send.email
test('the popup suggests the owner of the slave, private; without an address the file is downloaded here; the decoded file has one too', async ({
  page,
  product,
  mailServer,
}) => {
  await prepare(page, product);
  const before = mailServer.emails.length;
  const started: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/kessv2/encode-file')) started.push(request.url());
  });
  const popup = await openPopup(page);
  await expect(popup).toContainText('Garage Rossi');
  await expect(popup).toContainText('Read fileread-9000.tfc');
  await expect(popup).toContainText('SlaveKV2-000007');
  await expect(popup.getByRole('switch', { name: 'Private' })).toBeChecked();
  await expectAccessible(page, 'send popup');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(popup).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
  expect(started, 'a canceled popup starts nothing').toEqual([]);

  const again = await openPopup(page);
  await write(again.getByLabel('Recipient email'), 'garage@rossi');
  await again.getByRole('button', { name: 'Encode and send', exact: true }).click();
  await expect(again).toContainText('Enter a complete email address');
  await expectAccessible(page, 'send popup, wrong address');
  await again.getByLabel('Recipient email').fill('');
  const downloaded = await download(again.getByRole('button', { name: 'Encode', exact: true }));
  const flashed = await flash(product, downloaded, keyFile);
  expect(flashed.get('obd')?.equals(await readFile(product.demoFile(modifiedRead)))).toBe(true);
  expect(started).toHaveLength(1);

  await page.getByRole('button', { name: 'Encode another file' }).click();
  // recorded inside of the page: Firefox does not report the body of a call to its driver
  const asked = page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const call = window.fetch;
        window.fetch = (address, options) => {
          if (typeof address === 'string' && address.endsWith('/reencode-decoded-file'))
            resolve(options?.body);
          return call(address, options);
        };
      }),
  );
  await page.getByRole('button', { name: 'More ways to re-encode the decoded file' }).click();
  await page.getByRole('menuitem', { name: 'Re-encode decoded file and send' }).click();
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await popup.getByLabel('Recipient email').fill('');
  await write(popup.getByLabel('Message'), 'as it was');
  const reencoded = await download(popup.getByRole('button', { name: 'Encode', exact: true }));
  expect(JSON.parse(String(await asked))).toMatchObject({
    notificationInfo: { email: null, message: 'as it was', isPrivate: true },
  });
  expect((await flash(product, reencoded, keyFile)).has('obd')).toBe(true);
  expect(mailServer.emails).toHaveLength(before);
});

test('the popup still has what was typed after Back and Forward', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await prepare(page, product);
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  // until it is shown, it is not in the history
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'KESSv2', exact: true }).click();
  const popup = await openPopup(page);
  await write(popup.getByLabel('Recipient email'), 'other@example.test');
  await write(popup.getByLabel('Message'), 'Call me first.');
  await popup.getByRole('switch', { name: 'Private' }).press('Space');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
  await page.goForward();
  await expect(popup.getByLabel('Recipient email')).toHaveValue('other@example.test');
  await expect(popup.getByLabel('Message')).toHaveValue('Call me first.');
  await expect(popup.getByRole('switch', { name: 'Private' })).not.toBeChecked();
  await popup.getByRole('button', { name: 'Cancel' }).click();
  // canceled, it keeps what was typed
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  await expect(popup.getByLabel('Message')).toHaveValue('Call me first.');
});

// promise j1.sending.later, j1.sending.again
test('an encoded file that was tested is sent from its page, and again to another address', {
  tag: '@release',
}, async ({ page, product, mailServer }) => {
  await prepare(page, product);
  const tested = await bytesOf(await encode(page));
  const send = page.getByRole('button', { name: 'Send encoded file' });
  const dialog = page.getByRole('dialog', { name: 'Send encoded file' });
  const message = dialog.getByLabel('Message');
  await send.click();
  await expect(dialog.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await write(message, 'Tested on the dyno.');
  await expect(message).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await send.click();
  await expect(message).toHaveValue('Tested on the dyno.');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const first = await mailServer.next();
  expect(first.to).toEqual(['garage@rossi.test']);
  expect(first.part('text/plain')).toContain('Tested on the dyno.');

  await send.click();
  // the suggestion would be put before what is typed while it arrives
  await expect(dialog.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await write(dialog.getByLabel('Recipient email'), 'other@example.test');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const second = await mailServer.next();
  expect(second.to).toEqual(['other@example.test']);
  const [link = ''] = /http\S+\/r\/\S+/.exec(second.part('text/plain')) ?? [];
  await page.goto(link);
  const sent = await download(page.getByRole('button', { name: /^(Download|Scarica)/ }));
  expect((await bytesOf(sent)).equals(tested)).toBe(true);
});

// promise 4.send.with-mail, d9.journeys.send, d9.journeys.told
test('the email delivers the file to a recipient without an account, until the sender withdraws the link', async ({
  page,
  product,
  mailServer,
  openBrowser,
  openScriptless,
}) => {
  await startSession(page);
  // other journeys have left some
  await seeAll(page);
  await prepare(page, product);
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  const popup = await openPopup(page);
  await write(popup.getByLabel('Message'), 'Dyno first <b>then</b> https://example.test/x');
  await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
  // the panel updates automatically, from the request to its result
  const outcome = page
    .getByRole('main')
    .getByText('File encoded and sent to garage@rossi.test', { exact: true });
  await expect(outcome).toBeVisible();
  const panel = page.getByRole('main');
  await expect(panel.getByText(/\.moc · KV2-000007/)).toBeVisible();
  await expect(panel.getByRole('link', { name: /notifications/ })).toHaveCount(0);
  // the page has shown the result: it counts as seen
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications');
  await expect(toastOf(page)).toHaveCount(0);
  await expectAccessible(page, 'kessv2, sent');
  // another operation shows a toast, next to what can be done here
  const toast = toastOf(page, 'File decoded');
  await holdToast(toast, () =>
    decodeUnwatched(page, product.demoFile('samples/kessv2/read-1001.tfc')),
  );
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const box = await boxOf(toast);
    const next = await boxOf(page.getByRole('button', { name: 'Encode another file' }));
    expect(box.x + box.width, `${width}: beside the next action`).toBeLessThanOrEqual(next.x);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  const mail = await mailServer.next();
  expect(mail.to).toEqual(['garage@rossi.test']);
  expect(mail.header('subject')).toBe('Officina Demo ti ha inviato un file per KV2-000007');
  expect(mail.header('content-language')).toBe('it-IT');
  const text = mail.part('text/plain');
  const link = new RegExp(`^${product.url}/r/\\S+$`, 'm').exec(text)?.[0] ?? '';
  expect(mail.part('text/html')).toContain(`href="${link}"`);
  expect(downloads, 'nothing is downloaded where it was sent').toEqual([]);
  const downloaded = await download(page.getByRole('button', { name: 'Download encoded file' }));
  const own = await flash(product, downloaded, keyFile);
  expect(own.get('obd')?.equals(await readFile(product.demoFile(modifiedRead)))).toBe(true);

  const stranger = await openBrowser({ locale: 'it-IT' });
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Un file per KV2-000007');
  await expect(stranger.getByRole('main')).toContainText('Dyno first <b>then</b>');
  await expectAccessible(stranger, 'public page');
  await visit(page, '/notifications');
  const rows = page.getByRole('main').getByRole('listitem');
  // the newest: other tests send to the same address
  const row = rows.filter({ hasText: 'garage@rossi.test' }).first();
  await expect(row).toContainText('Link not used yet');
  for (const mark of ['Sent', 'Private'])
    await expect(row.getByText(mark, { exact: true })).toBeVisible();
  await expectAccessible(page, 'notifications, mail sent');

  const scriptless = await openScriptless({ locale: 'it-IT' });
  await scriptless.goto(link);
  const coming = scriptless.waitForEvent('download');
  // by keyboard: without JavaScript, Playwright cannot tell when a button is stable
  await scriptless.getByRole('button', { name: 'Scarica file' }).focus();
  await scriptless.keyboard.press('Enter');
  const received = await coming;
  expect(received.suggestedFilename()).toMatch(/\.moc$/);
  const flashed = await flash(product, received, keyFile);
  expect(flashed.get('obd')?.equals(await readFile(product.demoFile(modifiedRead)))).toBe(true);
  await page.reload();
  await expect(row).toContainText(/First downloaded (\d\d\/\d\d )?\d\d:\d\d/);

  await row.getByRole('button', { name: 'Withdraw link' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw the link?' });
  await expect(question).toContainText('garage@rossi.test');
  await expectAccessible(page, 'withdraw the link');
  await question.getByRole('button', { name: 'Withdraw link' }).click();
  await expect(row).toContainText('Link withdrawn');
  await stranger.goto(link);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(
    'Questo link è stato revocato',
  );
  await expect(stranger.getByRole('button')).toHaveCount(0);
  await expectAccessible(stranger, 'public page, withdrawn');
  await stranger.goto(link.slice(0, -1));
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Questo link non funziona');
  await expectAccessible(stranger, 'public page, broken link');
});

// promise d9.journeys.told
test('the sender sees that the mail server refuses the email', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await prepare(page, product);
  await page.getByRole('button', { name: 'More ways to re-encode the decoded file' }).click();
  await page.getByRole('menuitem', { name: 'Re-encode decoded file and send' }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  // a suggestion between clearing and typing would stay in front of the typed text
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await write(popup.getByLabel('Recipient email'), 'gone@rossi.test');
  await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
  const main = page.getByRole('main');
  await expect(
    main.getByText('the mail server refused the email to gone@rossi.test').last(),
  ).toBeVisible();
  await page.goto('/notifications');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'gone@rossi.test' });
  await expect(row).toContainText('the mail server refused the email to gone@rossi.test');
  await expect(row).toContainText('Email not sent');
  await expectAccessible(page, 'notifications, mail refused');
});

for (const [words, path, sample] of [
  ['a K-TAG backup', '/ktag', 'samples/ktag/backup-9000.tfc'],
  ['a BootBench read of KESS3', '/kess3', 'samples/kess3/read-bootbench-9000.tfc'],
] as const)
  test(`${words} is suggested for the slave's owner, private`, { tag: '@release' }, async ({
    page,
    product,
  }) => {
    await openSignedIn(page, path);
    await choose(page, product.demoFile(sample));
    const popup = await openPopup(page);
    await expect(popup.getByRole('switch', { name: 'Private' })).toBeChecked();
  });
