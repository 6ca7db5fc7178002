/**
 * Files are matched to their components: several files and an archive dropped on the encode step, a Flash dropped on
 * Micro, a file that fits nowhere.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { zipOf } from '../../../web/test/recoding/zip-of.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { press } from '../../keyboard.ts';
import type { Product } from '../../product.ts';
import { flash } from '../../slave.ts';
import {
  bytesOf,
  choose,
  decode,
  download,
  drop,
  encode,
  modify,
  neverTimeOut,
  rowOf,
  toastOf,
} from '../../workflow.ts';

const flashModified = 'samples/ktag/backup-2001-flash-modified.bin';

/** A decoded component with a change of two bytes. */
async function changed(page: Page, part: string): Promise<Buffer> {
  const downloaded = await download(
    page.getByRole('button', { name: new RegExp(`^(Download )?${part}`) }).first(),
  );
  const image = await bytesOf(downloaded);
  const at = image.length >> 1;
  image.writeUInt16LE(image.readUInt16LE(at) ^ 0xbeef, at);
  return image;
}

async function openBackup(page: Page, product: Product, sample = 'backup-9000.tfc'): Promise<void> {
  await neverTimeOut(page);
  await openSignedIn(page, '/ktag');
  await decode(page, product.demoFile(`samples/ktag/${sample}`));
}

const stepOf = (page: Page) => page.getByRole('region', { name: 'Encode', exact: true });
const check = (page: Page) => page.getByRole('dialog', { name: 'Check where the files go' });
const fileIn = (page: Page, name: string) =>
  check(page).getByRole('listitem').filter({ hasText: name });

/** A refused file does not affect the others, and the place of each file can be changed before the upload. */
async function expectOneRefused(page: Page, image: Buffer, eeprom: Buffer): Promise<void> {
  const address = '**/upload-modified-component-file/*/flash';
  await page.route(address, (route) =>
    route.fulfill({ status: 400, contentType: 'text/plain', body: 'WRONG_SIZE' }),
  );
  await drop(stepOf(page), { name: 'a.bin', bytes: image }, { name: 'b.bin', bytes: eeprom });
  await check(page).getByRole('button', { name: 'Upload b.bin as EEPROM' }).click();
  await page.getByRole('menuitemradio', { name: 'Do not upload' }).click();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(fileIn(page, 'b.bin')).toContainText('Not uploaded unless you change the selection');
  await expect(check(page).getByRole('button', { name: 'Upload 1 file' })).toBeEnabled();
  await check(page).getByRole('button', { name: 'Upload b.bin as Do not upload' }).click();
  await page.getByRole('menuitemradio', { name: 'EEPROM' }).click();
  await check(page).getByRole('button', { name: 'Upload 2 files' }).click();
  await expect(rowOf(page, 'Flash').getByRole('alert')).toContainText('WRONG_SIZE');
  await expect(rowOf(page, 'EEPROM')).toContainText('2 bytes changed');
  await page.unroute(address);
}

// promise 2.places.dropped, 2.places.zip, 2.places.misfits, 2.places.kept, 2.places.failed
test('dropped files and the contents of a zip go to their components, and stay after a reload; a refused file does not affect the others', async ({
  page,
  product,
}) => {
  await openBackup(page, product);
  const modified = new Map<string, Buffer>();
  for (const part of ['Flash', 'Micro', 'EEPROM']) {
    modified.set(part.toLowerCase(), await changed(page, part));
  }
  await expectOneRefused(
    page,
    modified.get('flash') ?? Buffer.of(),
    modified.get('eeprom') ?? Buffer.of(),
  );
  const [one, two, three] = [...modified.values()].map((bytes) => Uint8Array.from(bytes));
  if (!one || !two || !three) throw new Error('a component is missing');
  const sealed = await readFile(product.demoFile('samples/ktag/backup-9000.tfc'));
  const archive = await zipOf(
    { path: 'tune/three', bytes: three },
    { path: '__MACOSX/tune/._three', bytes: Uint8Array.of(1, 2, 3) },
  );
  const uploads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/upload-')) uploads.push(request.url());
  });
  await drop(
    stepOf(page),
    { name: 'tune-1', bytes: one },
    { name: 'tune-2', bytes: two },
    { name: 'tune.zip', bytes: archive },
    { name: 'backup.tfc', bytes: sealed },
    { name: 'notes.txt', bytes: new TextEncoder().encode('Stage 1 for Rossi') },
  );
  await expect(fileIn(page, 'tune-1')).toContainText(
    /Differs from the Flash of the read in at most [\d,]+\sB/,
  );
  await expect(fileIn(page, 'tune-2')).toContainText(
    /Differs from the Micro of the read in at most [\d,]+\sB/,
  );
  await expect(fileIn(page, 'three')).toContainText(
    /Differs from the EEPROM of the read in at most [\d,]+\sB/,
  );
  await expect(fileIn(page, 'three')).toContainText('from tune.zip');
  await expect(fileIn(page, 'backup.tfc')).toContainText('This file is sealed');
  await expect(fileIn(page, 'notes.txt')).toContainText(
    'No component of this read has this size (17 B)',
  );
  await expect(check(page).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page, 'ktag, the places of files');
  expect(uploads).toEqual([]);
  await check(page).getByRole('button', { name: 'Upload 3 files' }).click();
  await expect(check(page)).toHaveCount(0);
  for (const part of ['Flash', 'Micro', 'EEPROM']) {
    await expect(rowOf(page, part)).toContainText('2 bytes changed');
  }
  await page.reload();
  for (const part of ['Flash', 'Micro', 'EEPROM']) {
    await expect(rowOf(page, part)).toContainText('2 bytes changed');
  }
  const flashed = await flash(product, await encode(page), 'KTG-000007.json');
  for (const [part, image] of modified) expect(flashed.get(part)?.equals(image), part).toBe(true);
});

// promise 2.places.other
test('a Flash file dropped on the Micro row is offered the Flash row', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openBackup(page, product, 'backup-2001.tfc');
  await modify(page, 'Micro', product.demoFile(flashModified));
  const question = page.getByRole('dialog', {
    name: 'This looks like the Flash. Put it there?',
  });
  await expect(question).toContainText('backup-2001-flash-modified.bin');
  await expect(question).toContainText(/Differs from the Flash of the read in at most [\d,]+\sB/);
  // the Micro has a different size: it cannot be kept there
  await expect(question.getByRole('button', { name: /^Keep/ })).toHaveCount(0);
  await expectAccessible(page, 'ktag, a Flash on Micro');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, 'Micro')).toContainText('From backup');
  await modify(page, 'Micro', product.demoFile(flashModified));
  await question.getByRole('button', { name: 'Put it in Flash' }).click();
  await expect(rowOf(page, 'Flash')).toContainText('Modified');
  await expect(rowOf(page, 'Micro')).toContainText('From backup');
  await encode(page);
});

// promise 2.places.straight, 5.several-files.first, 2.places.unlike
test('a file on its own row is uploaded without a question, of several files the first; one that has only the size is asked about', async ({
  page,
  product,
}) => {
  await openBackup(page, product, 'backup-2001.tfc');
  const bytes = await readFile(product.demoFile(flashModified));
  const row = rowOf(page, 'Flash');
  await drop(row.getByRole('group'), { name: 'a', bytes }, { name: 'b', bytes });
  await expect(row).toContainText('Modified');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // nothing is ignored silently
  await expect(toastOf(page, 'Only the first file was accepted: a')).toContainText(
    'Not accepted: b',
  );
  await expect(row.getByText('b', { exact: true })).toHaveCount(0);

  const other = await readFile(product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await drop(rowOf(page, 'Micro').getByRole('group'), { name: 'other.bin', bytes: other });
  const question = page.getByRole('dialog', { name: 'Is this the right file?' });
  await expect(question).toContainText(/Possibly only \d% identical to the Micro of the read/);
  await question.getByRole('button', { name: 'Upload anyway' }).click();
  await expect(stepOf(page)).toContainText(
    'Micro · 74% of the bytes differ, which is more than usual.',
  );
});

test('a file that cannot be compared is uploaded anyway', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openBackup(page, product, 'backup-2001.tfc');
  await page.route('**/fingerprints', (route) => route.abort());
  await modify(page, 'Flash', product.demoFile(flashModified));
  await expect(rowOf(page, 'Flash')).toContainText('Modified');
});

// promise 2.places.original
test('two files for a read that needs its original: the one similar to the read is the original', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const decoded = await decode(page, product.demoFile('samples/kessv2/read-1003.tfc'));
  const original = await bytesOf(decoded);
  const tuned = await readFile(product.demoFile('samples/kessv2/read-1003-modified.bin'));
  await drop(
    // the download can start before the page shows the step of the decoded read
    stepOf(page).filter({ hasText: 'Drop several files' }),
    { name: 'original.bin', bytes: tuned },
    { name: 'stage1.bin', bytes: original },
  );
  await expect(fileIn(page, 'stage1.bin')).toContainText('Identical to the decoded file');
  await check(page).getByRole('button', { name: 'Upload 2 files' }).click();
  await expect(rowOf(page, 'Original file')).toContainText('stage1.bin');
  await expect(rowOf(page, 'Modified file')).toContainText('original.bin');
  await encode(page);
});

// promise d10.everybody.keyboard
test('chooses files for a KESS3 read with the keyboard, one of them for a removed component', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await page.getByRole('button', { name: 'Boot/Bench components' }).click();
  const components = page.getByRole('dialog').getByRole('listitem');
  const eeprom = await bytesOf(
    await download(components.filter({ hasText: 'EEPROM' }).getByRole('button').first()),
  );
  await page.keyboard.press('Escape');
  const folder = await mkdtemp(join(tmpdir(), 'recodery-places-'));
  const path = join(folder, 'a.bin');
  eeprom.writeUInt16LE(eeprom.readUInt16LE(8) ^ 0xbeef, 8);
  await writeFile(path, eeprom);
  const choosing = page.waitForEvent('filechooser');
  await press(page, page.getByRole('button', { name: 'Choose files' }));
  const flashPath = product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin');
  await (await choosing).setFiles([flashPath, path]);
  await expect(fileIn(page, 'a.bin')).toContainText('This component is currently removed');
  await press(page, check(page).getByRole('button', { name: 'Upload 2 files' }));
  await expect(rowOf(page, 'EEPROM')).toContainText('2 bytes changed');
  await expect(rowOf(page, 'Flash')).toContainText('Modified');
});
