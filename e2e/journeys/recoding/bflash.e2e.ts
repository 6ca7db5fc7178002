/** bFlash in a real browser, against a double of its service: from a file on the home page to the file for the slave. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect, expectAccessible, signIn, test as base } from '../../fixtures.ts';
import { type Product, startProduct } from '../../product.ts';
import { bytesOf, choose, decode, encode } from '../../workflow.ts';
import {
  type FakeBFlash,
  openBFlash,
  sealBFlash,
  startFakeBFlash,
} from '../../../server/test/fixtures/fake-bflash.ts';

interface WorkerFixtures {
  readonly product: Product;
  readonly service: FakeBFlash;
}

const directory = `
organisations:
  - customerCode: CC-1001
    groupCodes:
      - code: G-B
        masters:
          - { family: bflash, serial: BFL-M-0001, engine: our-bflash }
`;

/** Adds the connection and a master of Anna's organisation, as an operator does. */
async function connect({ demoFile, recodery }: Product, { url, token }: FakeBFlash): Promise<void> {
  const [secret, file] = [demoFile('keys/bflash.txt'), demoFile('bflash.yaml')];
  await writeFile(secret, `${token}\n`);
  await writeFile(file, directory);
  const words = ['--kind', 'bflash', '--url', url, '--secret-file', secret];
  await recodery('engine', 'add', 'our-bflash', ...words);
  expect(await recodery('engine', 'test', 'our-bflash')).toContain('does not refuse');
  await recodery('directory', 'apply', file);
}

// a product of its own: a master here changes what the home page does with unknown files
const test = base.extend<object, WorkerFixtures>({
  service: [
    async ({}, use) => {
      const service = await startFakeBFlash();
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ service }, use) => {
      const product = await startProduct();
      await connect(product, service);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

const image = randomBytes(65_536);
const read = {
  name: 'golf.sbdc',
  mimeType: 'application/octet-stream',
  buffer: sealBFlash('Golf 7 of Jürgen', image),
};
const modified = {
  name: 'golf stage 1.bin',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(image).fill(7, 4096, 4112),
};

test('a file on the home page is decoded, modified and encoded for its slave', async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'bFlash' })).not.toHaveCount(
    0,
  );
  const decoded = await decode(page, read);
  await expect(page.getByRole('heading', { level: 1, name: 'bFlash' })).toBeVisible();
  expect(image.equals(await bytesOf(decoded))).toBe(true);
  await expect(page.getByText('Golf 7 of Jürgen').first()).toBeVisible();
  await expectAccessible(page, 'bflash, decoded');

  await choose(page, modified);
  await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
  const encoded = await encode(page);
  expect(encoded.suggestedFilename()).toMatch(/\.sbdc$/);
  expect(openBFlash(await bytesOf(encoded))).toEqual({
    name: 'Golf 7 of Jürgen',
    image: modified.buffer,
  });
  await expectAccessible(page, 'bflash, encoded');
});

test('an archive in place of the image is refused, and never sealed', async ({ page, service }) => {
  await signIn(page);
  await page.goto('/bflash');
  await decode(page, read);
  service.sealed.length = 0;
  const buffer = Buffer.from(image);
  buffer.set([0x50, 0x4b, 3, 4]);
  await choose(page, { ...modified, name: 'golf.zip', buffer });
  await expect(page.getByText(/archive/i).first()).toBeVisible();
  expect(service.sealed).toEqual([]);
});

test('a service that refuses the token is reported in its words', async ({ page, service }) => {
  await signIn(page);
  await page.goto('/bflash');
  service.misbehave({ status: 401, body: '{"message":"Unauthenticated."}' });
  await choose(page, { ...read, name: 'other.sbdc' });
  await expect(page.getByText(/refuses the credentials: HTTP 401: Unauthenticated/)).toBeVisible();
});

test('an organization without such a master does not see the page', async ({ page }) => {
  await signIn(page, 'mia@demo.test');
  await expect(page.getByRole('link', { name: 'KESS3', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'bFlash' })).toHaveCount(0);
});
