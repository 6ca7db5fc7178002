/**
 * Files that are dropped as reads, but that no slave wrote: on the page of a family, on the home page and in a tray, the
 * page names what each of them is, and where it belongs, whatever it is called.
 */
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { generateEcuImage } from '../../../codec/samples/ecu-images.ts';
import { zipOf } from '../../../web/test/recoding/zip-of.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { bytesOf, choose, decode, neverTimeOut, openJob } from '../../workflow.ts';

const generous = { timeout: 60_000 };

interface ForeignFile {
  readonly name: string;
  readonly buffer: Buffer;
  readonly sentence: RegExp;
}

/** The portal's own archive of a decoded backup. */
async function ownArchive(page: Page, product: Product): Promise<Buffer> {
  await openSignedIn(page, '/ktag');
  const zip = await bytesOf(await decode(page, product.demoFile('samples/ktag/backup-9000.tfc')));
  await page.getByRole('button', { name: 'Decode new file' }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  return zip;
}

async function foreignFiles(): Promise<readonly ForeignFile[]> {
  const [flash, eeprom] = [randomBytes(0x10000), randomBytes(0x1000)];
  const zip = await zipOf(
    { path: 'stage1.bin', bytes: flash },
    { path: 'eeprom.bin', bytes: eeprom },
  );
  const locked = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 1, 0]), Buffer.alloc(100)]);
  return [
    {
      name: 'modified.zip',
      buffer: Buffer.from(zip),
      sentence: /This archive contains images, not a file from a slave\./,
    },
    { name: 'locked.zip', buffer: locked, sentence: /This archive has a password\./ },
    {
      name: 'download.slave',
      buffer: Buffer.from(`<!DOCTYPE html><title>Sign in</title>${'<p>'.repeat(500)}`),
      sentence: /This is a web page\. A download has probably failed\./,
    },
    { name: 'golf.slave', buffer: randomBytes(4096), sentence: /Its name suggests AutoTuner/ },
    { name: 'golf.sbdc', buffer: randomBytes(4096), sentence: /Its name suggests bFlash/ },
  ];
}

const pages = ['/kessv2', '/ktag', '/kess3', '/kess3-utility'] as const;

// promise 5.recognition.foreign
test('the page of each family names what a file is that is no read', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await neverTimeOut(page);
  const archive = await ownArchive(page, product);
  const files = await foreignFiles();
  const image = Buffer.from(generateEcuImage('siemens-ms43', 1).image);
  // what recognizes a file is the same on all pages
  const filesOf = (path: string) => (path === pages[0] ? files : files.slice(0, 1));
  const alert = page.getByRole('main').getByRole('alert');
  for (const path of pages) {
    await page.goto(path);
    for (const { name, buffer, sentence } of filesOf(path)) {
      await choose(page, { name, mimeType: '', buffer });
      await expect(alert, `${path} ${name}`).toContainText(sentence, generous);
      await alert
        .getByRole('button', { name: /another file|try again/i })
        .first()
        .click();
      await expect(alert).toHaveCount(0);
    }
    await choose(page, { name: 'image.bin', mimeType: '', buffer: image });
    await expect(alert, path).toContainText('This is an image, not a file from a slave.', generous);
    await alert.getByRole('button', { name: 'Try again' }).click();
    for (const name of ['components.zip', 'golf.slave', 'read.sbdc']) {
      await choose(page, { name, mimeType: '', buffer: archive });
      await expect(alert, `${path} ${name}`).toContainText('This file comes from a job', generous);
      if (name !== 'read.sbdc') await alert.getByRole('button', { name: 'Try again' }).click();
    }
    await expectAccessible(page, `${path}, a file of a job`);
    await openJob(page, alert);
  }
});

// promise 5.recognition.foreign
test('the home page names them, and opens the job of its own archive under any name', {
  tag: '@release',
}, async ({ page, product }) => {
  await neverTimeOut(page);
  const archive = await ownArchive(page, product);
  const alert = page.getByRole('main').getByRole('alert');
  await page.goto('/');
  for (const { name, buffer, sentence } of await foreignFiles()) {
    await choose(page, { name, mimeType: '', buffer });
    await expect(alert, name).toContainText(sentence, generous);
    await alert.getByRole('button', { name: 'Choose another file' }).click();
  }
  await choose(page, { name: 'golf.slave', mimeType: '', buffer: archive });
  await page.waitForURL((url) => url.pathname.startsWith('/jobs'));
});

// promise 5.recognition.foreign
test('a tray names them in their rows', { tag: '@release' }, async ({ page, product }) => {
  await neverTimeOut(page);
  const archive = await ownArchive(page, product);
  const files = await foreignFiles();
  await page.goto('/');
  await choose(page, [
    ...files.map(({ name, buffer }) => ({ name, mimeType: '', buffer })),
    { name: 'components.slave', mimeType: '', buffer: archive },
  ]);
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
  const rows = page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
  const rowOf = (name: string) => rows.filter({ has: page.getByText(name, { exact: true }) });
  for (const { name, sentence } of files)
    await expect(rowOf(name)).toContainText(sentence, generous);
  await expect(rowOf('components.slave')).toContainText('This file comes from a job');
  await expectAccessible(page, 'a tray with files that are no reads');
});
