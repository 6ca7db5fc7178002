/** Images of real control units: what is found in them is shown, searched and compared; and files that no slave wrote. */
import type { Page } from '@playwright/test';
import { generateEcuImage } from '../../../codec/samples/ecu-images.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { sealReadOf } from '../../slave.ts';
import { choose, decode, neverTimeOut, rowOf } from '../../workflow.ts';

const generous = { timeout: 60_000 };

/** A read of this image, as the slave writes it. */
async function readOf(product: Product, obd: Uint8Array) {
  const buffer = await sealReadOf(product, 'KV2-000007.json', 9000, { obd });
  return { name: 'read.tfc', mimeType: '', buffer };
}

async function openPage(page: Page): Promise<void> {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
}

// promise 5.recognition.job, 5.recognition.preflight
test('the numbers in an image are shown with their places, find its job, and warn about other software', {
  tag: '@release',
}, async ({ page, product }) => {
  const one = generateEcuImage('bosch-me7', 11);
  const other = generateEcuImage('bosch-me7', 13);
  const software = one.expected.software ?? '';
  await openPage(page);
  await decode(page, await readOf(product, one.image));
  const found = page.getByRole('main').getByRole('heading', { name: 'Found in the image' });
  await expect(found).toBeVisible(generous);
  const offset = Buffer.from(one.image).indexOf(software).toString(16).toUpperCase();
  await expect(page.getByText(`at 0x${offset}`, { exact: true })).toBeVisible();
  await expectAccessible(page, 'kessv2, a recognized image');
  await rowOf(page, 'Modified file')
    .locator('input[type=file]')
    .setInputFiles({ name: 'other.bin', mimeType: '', buffer: Buffer.from(other.image) });
  await page.getByRole('dialog').getByRole('button', { name: 'Upload anyway' }).click(generous);
  const warning = page.getByText(/The file is for another ECU or another software version: /);
  await expect(warning.first()).toContainText(`${software} → ${other.expected.software}`, generous);
  await page.goto(`/jobs?search=${software}`);
  await page.getByRole('link', { name: 'read.tfc' }).first().click();
  await expect(found).toBeVisible(generous);
  await expect(page.getByRole('main').getByText(software, { exact: true })).toBeVisible();
  await expectAccessible(page, 'a job with a recognized image');
});

const foreign: readonly (readonly [name: string, bytes: Buffer, sentence: string])[] = [
  [
    'download.tfc',
    Buffer.from(`<!DOCTYPE html><title>Sign in</title>${'<p>'.repeat(500)}`),
    'This is a web page. A download has probably failed.',
  ],
  [
    'image.bin',
    Buffer.from(generateEcuImage('siemens-ms43', 1).image),
    'This is an image, not a file from a slave.',
  ],
  [
    'locked.zip',
    Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 1, 0]), Buffer.alloc(100)]),
    'This archive has a password.',
  ],
];

// promise 5.recognition.foreign
test('a file that no slave wrote is refused with what it is', { tag: '@release' }, async ({
  page,
}) => {
  await openPage(page);
  for (const [name, buffer, sentence] of foreign) {
    await choose(page, { name, mimeType: '', buffer });
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText(sentence, generous);
    await alert
      .getByRole('button', { name: /another file|try again/i })
      .first()
      .click();
    await expect(alert).toHaveCount(0);
  }
});
