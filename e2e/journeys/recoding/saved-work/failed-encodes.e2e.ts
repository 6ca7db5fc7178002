/** An encode that failed loses no file: it is sent again, or its files are changed. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../../fixtures.ts';
import type { Product } from '../../../product.ts';
import { sealReadOf } from '../../../slave.ts';
import { decode, download, encode, modify, rowOf } from '../../../workflow.ts';
import { prepare, expectPrepared, encodeButton, cvn } from './prepared-files.ts';

// promise 4.encode.error
test('an encode that failed because of the connection is sent again with everything kept', async ({
  page,
  product,
}) => {
  await startSession(page);
  await prepare(page, product.demoFile);
  await cvn(page).check();
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await encodeButton(page).click();
  await expect(page.getByRole('alert')).toContainText('An error occurred');
  await expectPrepared(page);
  await expectAccessible(page, 'kessv2, offline');
  await page.context().setOffline(false);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
  const downloaded = await download(page.getByRole('button', { name: 'Try again' }));
  expect(downloaded.suggestedFilename()).toMatch(/\.moc$/);
  await expectPrepared(page);
});

for (const [what, status, body] of [
  ['maintenance', 503, 'SERVICE_UNAVAILABLE'],
  ['a full quota', 429, '{"errorCode":"API_ERROR_THROTTLING","details":[]}'],
  ['a fault of the server', 500, 'GENERIC_ERROR'],
] as const) {
  test(`an encode that failed with ${what} is sent again with everything kept`, {
    tag: '@release',
  }, async ({ page, product }) => {
    await startSession(page);
    await prepare(page, product.demoFile);
    await page.route('**/encode-file', (route) => route.fulfill({ status, body }), { times: 2 });
    await encodeButton(page).click();
    await page.getByRole('button', { name: 'Back to the files' }).click();
    await expectPrepared(page);
    await encodeButton(page).click();
    await download(page.getByRole('button', { name: 'Try again' }));
  });
}

/** A K-TAG backup whose flash lists its own blocks, and the same flash with a list that no one can follow. */
async function makeUncorrectable(product: Product) {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-uncorrectable-'));
  const protocol = findProtocol(2003);
  if (protocol === null) throw new Error('there is no such protocol');
  const flash = generateImage(protocol, 'flash', 1);
  const eeprom = generateImage(protocol, 'eeprom', 1);
  const paths = { read: join(folder, 'table.tfc'), flash: join(folder, 'flash.bin') };
  const eepromPath = join(folder, 'eeprom.bin');
  const read = await sealReadOf(product, 'KTG-000007.json', 2003, { flash, eeprom }, 'bootbench');
  await writeFile(paths.read, read);
  await writeFile(paths.flash, flash.fill(0xff, 0x100, 0x180));
  await writeFile(eepromPath, eeprom.with(0x10, (eeprom[0x10] ?? 0) ^ 0xff));
  return { ...paths, eeprom: eepromPath };
}

// promise 4.encode.error, 4.resume.reload
test('an encode that fails because of one component keeps the others, and its error survives a reload', {
  tag: '@release',
}, async ({ page, product }) => {
  const files = await makeUncorrectable(product);
  await openSignedIn(page, '/ktag');
  await decode(page, files.read);
  // the checks would find the error before the encode does
  await page.route('**/preflight', (route) =>
    route.fulfill({ status: 500, body: 'GENERIC_ERROR' }),
  );
  await modify(page, 'Flash', files.flash);
  await modify(page, 'EEPROM', files.eeprom);
  const expectFiles = async (): Promise<void> => {
    await expect(rowOf(page, 'Flash')).toContainText('flash.bin');
    await expect(rowOf(page, 'EEPROM')).toContainText('eeprom.bin');
    await expect(rowOf(page, 'EEPROM')).toContainText('changed in');
  };
  await expectFiles();
  await encodeButton(page).click();
  const fault = page.getByRole('main').getByRole('alert').filter({ hasText: 'CHECKSUM_ERROR' });
  await expect(fault).toContainText('An error occurred');
  await expectFiles();
  await page.reload();
  await expect(fault).toContainText('An error occurred');
  await expectFiles();
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect(fault).toHaveCount(0);
  await expectFiles();
  await rowOf(page, 'Flash')
    .getByRole('button', { name: /^Restore backup/ })
    .click();
  await encode(page);
  await expect(rowOf(page, 'EEPROM')).toContainText('eeprom.bin');
});

test('a component’s error disappears with its cause, and encoding without the file asks for confirmation first', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-2001.tfc'));
  const flash = product.demoFile('samples/ktag/backup-2001-flash-modified.bin');
  // a comparison would find the Flash's own place before the server refuses it
  await page.route('**/fingerprints', (route) => route.abort());
  await modify(page, 'EEPROM', flash);
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeVisible();
  await expect(page.getByText('EEPROM: file not accepted.')).toBeVisible();
  await encodeButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await modify(page, 'Flash', flash);
  await expect(rowOf(page, 'Flash')).toContainText('changed in');
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeHidden();
  await modify(page, 'EEPROM', flash);
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeVisible();
  await encodeButton(page).click();
  await download(page.getByRole('dialog').getByRole('button', { name: 'Continue' }));
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeHidden();
  await expect(rowOf(page, 'EEPROM')).toContainText('From backup');
});

test('canceling the send popup keeps the error of a refused component', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-2001.tfc'));
  await page.route('**/fingerprints', (route) => route.abort());
  const flash = product.demoFile('samples/ktag/backup-2001-flash-modified.bin');
  await modify(page, 'EEPROM', flash);
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const popup = page.getByRole('dialog');
  await expect(popup.getByRole('textbox').first()).toBeVisible();
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await expect(popup).toHaveCount(0);
  await expect(rowOf(page, 'EEPROM').getByRole('alert')).toBeVisible();
  await encodeButton(page).click();
  await expect(page.getByRole('dialog', { name: /EEPROM/ })).toBeVisible();
});
