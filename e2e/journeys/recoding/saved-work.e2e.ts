/** No upload is lost: not because of a temporary error, a reload, another page, another device, or a wrong click. */
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, signIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import {
  boxOf,
  bytesOf,
  choose,
  decode,
  download,
  encode,
  hold,
  modify,
  rowOf,
  toastOf,
} from '../../workflow.ts';

const kessv2Read = 'samples/kessv2/read-1001.tfc';
const kessv2Modified = 'samples/kessv2/read-1001-modified.bin';

/** Decodes a KESSv2 read and uploads its modified file. */
async function prepare(page: Page, demoFile: (name: string) => string): Promise<void> {
  await page.goto('/kessv2');
  await decode(page, demoFile(kessv2Read));
  await modify(page, 'Modified file', demoFile(kessv2Modified));
  await expectPrepared(page);
}

async function expectPrepared(page: Page): Promise<void> {
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
}

const encodeButton = (page: Page) => page.getByRole('button', { name: 'Encode', exact: true });
const cvn = (page: Page) => page.getByRole('switch', { name: 'Correct CVN' });

// promise 4.encode.error
test('an encode that failed because of the connection is sent again with everything kept', async ({
  page,
  product,
}) => {
  await signIn(page);
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

for (const [what, status, body, tag] of [
  ['maintenance', 503, 'SERVICE_UNAVAILABLE', '@each-run'],
  ['a full quota', 429, '{"errorCode":"API_ERROR_THROTTLING","details":[]}', '@release'],
  ['a fault of the server', 500, 'GENERIC_ERROR', '@release'],
] as const) {
  test(`an encode that failed with ${what} is sent again with everything kept`, { tag }, async ({
    page,
    product,
  }) => {
    await signIn(page);
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
  await writeFile(paths.flash, flash);
  const eepromPath = join(folder, 'eeprom.bin');
  await writeFile(eepromPath, eeprom);
  await product.recodery(
    ...['device', 'read', '--key', product.demoFile('keys/KTG-000007.json')],
    ...['--protocol', '2003', '--out', paths.read],
    ...['--component', `flash=${paths.flash}`, '--component', `eeprom=${eepromPath}`],
  );
  await writeFile(paths.flash, flash.fill(0xff, 0x100, 0x180));
  await writeFile(eepromPath, eeprom.with(0x10, (eeprom[0x10] ?? 0) ^ 0xff));
  return { ...paths, eeprom: eepromPath };
}

// promise 4.encode.error, 4.resume.reload
test('an encode that fails because of one component keeps the others, and its error survives a reload', async ({
  page,
  product,
}) => {
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

// promise 4.resume.reload
test('a reload restores the file with its check result, the switch, and the result', async ({
  page,
  product,
}) => {
  await signIn(page);
  await prepare(page, product.demoFile);
  await cvn(page).check();
  await page.reload();
  await expectPrepared(page);
  await expect(cvn(page)).toBeChecked();
  const encoded = await encode(page);
  await page.reload();
  await expect(page.getByText(encoded.suggestedFilename()).first()).toBeVisible();
  await expectPrepared(page);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
  await expect(cvn(page)).not.toBeChecked();
  await page.reload();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
});

// promise 4.resume.reload
test('a reload restores components: uploaded, restored, kept and removed ones', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash')).toBeVisible();
  const folder = await mkdtemp(join(tmpdir(), 'recodery-kept-'));
  await page.getByRole('button', { name: 'Boot/Bench components' }).click();
  const popup = page.getByRole('dialog');
  for (const part of ['Flash', 'Micro']) {
    const downloaded = await download(
      popup.getByRole('listitem').filter({ hasText: part }).getByRole('button').first(),
    );
    const image = await bytesOf(downloaded);
    image.writeUInt16LE(0xbeef, 0x40);
    await writeFile(join(folder, part), image);
  }
  await popup.getByRole('button', { name: 'Close' }).click();
  for (const part of ['Flash', 'Micro']) {
    await modify(page, part, join(folder, part));
    await expect(rowOf(page, part)).toContainText('changed in');
  }
  await rowOf(page, 'Micro')
    .getByRole('button', { name: /^Restore backup/ })
    .click();
  await rowOf(page, 'Flash').getByRole('switch').check();
  await rowOf(page, 'EEPROM').getByRole('switch').uncheck();
  await page.reload();
  await expect(rowOf(page, 'Flash')).toContainText('Removed');
  await expect(rowOf(page, 'Micro')).toContainText('From backup');
  await expect(rowOf(page, 'EEPROM')).toContainText('From backup');
  await rowOf(page, 'Flash').getByRole('switch').uncheck();
  await expect(rowOf(page, 'Flash')).toContainText('changed in');
});

// promise 4.resume.reload
test('a reload restores a change whose request was lost', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  let isLost = false;
  await page.route('**/draft', (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
  });
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('switch', { name: 'Correct CVN' }).check();
  await sent;
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Correct CVN' })).toBeChecked();
});

// promise 4.resume.reload
test('returning to the page restores everything, even after a reload of another page', {
  tag: '@release',
}, async ({ page, product }) => {
  await signIn(page);
  await prepare(page, product.demoFile);
  await page.getByRole('link', { name: 'Operations log' }).first().click();
  await page.getByRole('link', { name: 'KESSv2' }).first().click();
  await expectPrepared(page);
  await page.goto('/settings');
  await page.goto('/kessv2');
  await expectPrepared(page);
});

// promise 4.resume.leaving
test('an upload continues while the user visits another page', async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(kessv2Read));
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', product.demoFile(kessv2Modified));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('link', { name: 'Operations log' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Operations log' })).toBeVisible();
  const kept = page.waitForResponse(/upload-modified/);
  release();
  expect((await kept).status()).toBe(200);
  await page.getByRole('link', { name: 'KESSv2' }).first().click();
  await expectPrepared(page);
});

// promise 4.resume.leaving
test('closing the page during an upload asks for confirmation, and so does changing the customer code, in every tab', async ({
  page,
  openTab,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(kessv2Read));
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', product.demoFile(kessv2Modified));
  await expect(page.getByRole('progressbar')).toBeVisible();
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.type();
    void dialog.dismiss();
  });
  // Firefox asks only users who have clicked something
  await page.getByRole('heading', { level: 1 }).click();
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe('beforeunload');
  await expect(page.getByRole('progressbar')).toBeVisible();

  const tab = await openTab();
  await tab.goto('/');
  for (const where of [page, tab]) {
    await where.getByRole('button', { name: /^Customer code/ }).click();
    await where.getByRole('menuitemradio', { name: /CC-2002/ }).click();
    // by its name: the menu of customer codes is a dialog too, and may still be fading out
    const question = where.getByRole('dialog', { name: 'Switch to CC-2002?' });
    await expect(question).toContainText('still uploading for CC-1001');
    await where.getByRole('button', { name: 'Stay with CC-1001' }).click();
    await expect(question).toBeHidden();
  }
  const code = tab.getByRole('button', { name: /^Customer code/ });
  await expect(code).toContainText('CC-1001');
  await code.click();
  await tab.getByRole('menuitemradio', { name: /CC-2002/ }).click();
  await tab.getByRole('button', { name: 'Switch', exact: true }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  // the page's address named an operation of the other code
  await expect(page.getByText('This operation was not found.')).toBeHidden();
  // the upload belongs to the code that the user returns to
  await code.click();
  await tab.getByRole('menuitemradio', { name: /CC-1001/ }).click();
  await expect(code).toContainText('CC-1001');
  await expect(page.getByRole('progressbar')).toBeVisible();
  release();
  await expectPrepared(page);
});

test('prepared files stay with their master device, and one click leads back', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await decode(page, product.demoFile('samples/kess3/read-obd-1001.tfc'));
  const modified = product.demoFile('samples/kess3/read-obd-1001-modified.bin');
  await modify(page, 'Modified file', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
  await page.getByRole('button', { name: /KS3-M-0001/ }).click();
  await page.getByRole('menuitemradio', { name: /KS3-M-0002/ }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  const toast = toastOf(page, 'Your files are kept');
  const back = toast.getByRole('button', { name: 'Select “Automatic”' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  // a narrow screen has no room for both: the button is below the text
  const words = await boxOf(toast.getByText('Select “Automatic” again to continue with them.'));
  expect((await boxOf(back)).y).toBeGreaterThanOrEqual(words.y + words.height);
  if (size) await page.setViewportSize(size);
  await back.click();
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
});

// promise 4.resume.leaving
test('starting over with files on the page asks for confirmation once', async ({
  page,
  product,
}) => {
  await signIn(page);
  await prepare(page, product.demoFile);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('dialog', { name: 'Start over?' })).toBeVisible();
  await expectAccessible(page, 'kessv2, asked before starting over');
  await page.getByRole('button', { name: 'Keep working' }).click();
  await expectPrepared(page);
  // a file that is dropped on the home page asks by its name
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // until then, the first area is the one of the page that is left
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const question = page.getByRole('dialog', { name: 'Start over with read-1001.tfc?' });
  await question.getByRole('button', { name: 'Keep working' }).click();
  await expectPrepared(page);
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
});

test('a component’s error disappears with its cause, and encoding without the file asks for confirmation first', async ({
  page,
  product,
}) => {
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

test('if all components are removed, the page shows that there is nothing to write', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash')).toBeVisible();
  await expect(encodeButton(page)).toBeEnabled();
  for (const part of ['Flash', 'Micro']) {
    await rowOf(page, part).getByRole('switch').check();
  }
  await expect(page.getByText('there is nothing to write')).toBeVisible();
  await expect(encodeButton(page)).toBeDisabled();
  await rowOf(page, 'Micro').getByRole('switch').uncheck();
  await expect(encodeButton(page)).toBeEnabled();
});

test('an address with an unknown operation shows a message; one with an operation of another page links there', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2?operation=01900000-0000-7000-8000-00000000dead');
  await expect(page.getByText('This operation was not found.')).toBeVisible();
  await expect(page).toHaveURL(/kessv2$/);
  await page.goto('/ktag');
  await decode(page, product.demoFile('samples/ktag/backup-9000.tfc'));
  await expect(page).toHaveURL(/operation=/);
  await page.goto(`/kessv2${new URL(page.url()).search}`);
  await page.getByRole('link', { name: 'Open on the K-TAG page' }).click();
  await expect(rowOf(page, 'Flash')).toBeVisible();
});

// promise 4.resume.leaving
test('a modified file stays when the decoded file is encoded again, and the page asks before discarding it', async ({
  page,
  product,
}) => {
  await signIn(page);
  await prepare(page, product.demoFile);
  const reencode = page.getByRole('button', { name: 'Re-encode decoded file' });
  const question = page.getByRole('dialog', { name: 'Start over?' });
  const keep = question.getByRole('button', { name: 'Keep working' });
  await page.route('**/reencode-decoded-file', (route) => route.abort(), { times: 1 });
  await reencode.click();
  await expect(page.getByRole('button', { name: 'Back to the files' })).toBeVisible();
  for (const name of ['Start over', 'Decode new file']) {
    await page.getByRole('button', { name, exact: true }).click();
    await keep.click();
    await expect(question).toBeHidden();
  }
  await download(page.getByRole('button', { name: 'Try again' }));
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await keep.click();
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expectPrepared(page);
  await page.reload();
  await expectPrepared(page);
});

// promise 4.resume.reload
test('an earlier encode that is opened from the last operations replaces nothing that was uploaded since', async ({
  page,
  product,
}) => {
  await signIn(page);
  await prepare(page, product.demoFile);
  await encode(page);
  const encoded = page.url();
  const newer = join(await mkdtemp(join(tmpdir(), 'recodery-newer-')), 'newer.bin');
  await copyFile(product.demoFile(kessv2Modified), newer);
  const row = rowOf(page, 'Modified file');
  await page.getByRole('button', { name: 'Encode another file' }).click();
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', newer);
  await expect(page.getByRole('progressbar')).toBeVisible();
  const reencode = page.getByRole('button', { name: 'Re-encode decoded file' });
  await expect(reencode).toBeDisabled();
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // the latest operation is the encode
  const recent = page.getByRole('region', { name: 'Recent operations' });
  await recent.locator('tbody tr').first().getByRole('link').click();
  await expect(page).toHaveURL(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  // the upload continues behind the earlier encode
  await page.getByRole('button', { name: 'Start over' }).click();
  const question = page.getByRole('dialog', { name: 'Start over?' });
  await expect(question).toContainText('A file is still uploading.');
  await question.getByRole('button', { name: 'Keep working' }).click();
  const kept = page.waitForResponse(/upload-modified/);
  release();
  expect((await kept).status()).toBe(200);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(row).toContainText('newer.bin');
  // opened in a tab with empty storage
  await page.goto(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(row).toContainText('newer.bin');
  await page.reload();
  await expect(row).toContainText('newer.bin');
  // once the newer file is encoded too, nothing is left to encode
  await encode(page);
  await page.goto(encoded);
  await expect(row).toContainText('read-1001-modified.bin');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await page.goto(encoded);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  await expect(page.getByText('Drop the modified file')).toBeVisible();
});

/** Uploads a modified file; its check waits for the engines. */
async function uploadUnchecked(page: Page, product: Product, path: string): Promise<void> {
  await product.signalEngines('SIGSTOP');
  await modify(page, 'Modified file', product.demoFile(path));
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
}

// promise 4.resume.reload
test('a file that is still being checked when the page is reloaded is not lost', async ({
  page,
  product,
}) => {
  await signIn(page);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/kessv2');
  await decode(page, product.demoFile(kessv2Read));
  try {
    await uploadUnchecked(page, product, kessv2Modified);
    await page.reload();
    await expect(rowOf(page, 'Modified file')).toContainText('Drop');
  } finally {
    await product.signalEngines('SIGCONT');
  }
  await expect(async () => {
    await page.reload();
    await expect(rowOf(page, 'Modified file')).toContainText('changed in', { timeout: 10_000 });
  }).toPass();
  await expectPrepared(page);
});

// promise 4.resume.reload
test('a file whose upload is canceled while it is checked does not come back', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const read = 'samples/kessv2/read-1002-identification-only';
  await choose(page, product.demoFile(`${read}.tfc`));
  const row = rowOf(page, 'Modified file');
  await expect(row).toBeVisible();
  try {
    await uploadUnchecked(page, product, `${read}-modified.bin`);
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/draft') && response.request().method() === 'PUT',
    );
    await row.getByRole('button', { name: 'Cancel' }).click();
    expect((await saved).status()).toBe(204);
  } finally {
    await product.signalEngines('SIGCONT');
  }
  // its check ends after that of the canceled file
  const original = rowOf(page, 'Original file');
  await modify(page, 'Original file', product.demoFile(`${read}-original.bin`));
  await expect(original.getByRole('progressbar')).toBeHidden();
  await page.reload();
  await expect(original).toContainText('-original.bin');
  await expect(row).toContainText('Drop');
  await expect(row).not.toContainText('-modified.bin');
});

// promise 4.resume.leaving
test('the question before starting over during an upload warns that the upload is canceled', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const release = await hold(page, /upload-read-file/);
  await choose(page, product.demoFile(kessv2Read));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  // until then, the first area is the one of the page that is left
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await choose(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const question = page.getByRole('dialog', { name: 'Start over with read-1001.tfc?' });
  await expect(question).toContainText('the upload is canceled');
  await expect(question).not.toContainText('recent operations');
  await expectAccessible(page, 'kessv2, asked during an upload');
  await question.getByRole('button', { name: 'Keep working' }).click();
  const coming = page.waitForEvent('download');
  release();
  await coming;
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
