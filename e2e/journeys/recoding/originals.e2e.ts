/** Decoded images that are kept as originals: one user keeps one, and another sees how a later read differs from it. */
import type { Page } from '@playwright/test';
import { generateChecked } from '../../../codec/samples/me7-checksums.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { sealReadOf } from '../../slave.ts';
import { decode, neverTimeOut, openJob, visit } from '../../workflow.ts';

const generous = { timeout: 60_000 };

type FilePayload = Awaited<ReturnType<typeof readOf>>;

/** A read of this image, as the slave writes it. */
async function readOf(product: Product, obd: Uint8Array) {
  const buffer = await sealReadOf(product, 'KV2-000007.json', 9000, { obd });
  return { name: 'factory.tfc', mimeType: '', buffer };
}

async function decodeOnPage(page: Page, read: FilePayload, email?: string): Promise<void> {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2', email);
  await decode(page, read);
}

// promise 5.originals.page
test('a user keeps a decoded image as an original, and another user sees how a later read differs from it', async ({
  page,
  browser,
  product,
}) => {
  const factory = generateChecked({ seed: 77 });
  await decodeOnPage(page, await readOf(product, factory));
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Keep as original' }).click(generous);
  await expect(main.getByText(/^Kept as an original: .*Anna Conti$/)).toBeVisible(generous);
  await expectAccessible(page, 'a decoded image that is kept as an original');

  const other = await browser.newPage();
  const changed = factory.slice();
  for (const at of [0x11000, 0x11001, 0x11002]) changed[at] = (changed[at] ?? 0) ^ 0x11;
  await decodeOnPage(other, await readOf(product, changed), 'paolo@demo.test');
  const line = other.getByText(/^3 bytes differ from the image that was kept as an original: /);
  await expect(line).toContainText('Anna Conti', generous);
  await other.getByRole('button', { name: 'Keep as original' }).click();
  await expect(
    other.getByText('A checksum or the signature of the image is wrong.', { exact: true }).first(),
  ).toBeVisible(generous);
  await openJob(other);
  await expect(line).toBeVisible(generous);
  await expectAccessible(other, 'a job whose image differs from an original');
  await visit(other, '/settings/storage');
  await expect(other.getByRole('heading', { name: 'Kept originals' })).toBeVisible(generous);
  await expect(other.getByRole('link', { name: 'factory.tfc' })).toBeVisible(generous);
  await expect(other.getByRole('button', { name: /^Remove / })).toHaveCount(0);
  await other.close();

  await visit(page, '/settings/storage');
  await page.getByRole('button', { name: /^Remove / }).click(generous);
  await expect(page.getByText('No image is kept as an original.')).toBeVisible(generous);
  await expectAccessible(page, 'the storage settings without originals');
});
