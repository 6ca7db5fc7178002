/** Each page once in WebKit: opened by its link, used to the end, and its output compared byte by byte. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { By } from 'selenium-webdriver';
import { type Product, projectFolder, startProduct } from '../product.ts';
import { flash } from '../slave.ts';
import { startWebKit, type WebKit } from './driver.ts';
import {
  choose,
  drop,
  expectNoComplaints,
  listen,
  open,
  press,
  pressBeginning,
  rowOf,
  see,
  seeAddress,
  seeTitle,
  visible,
  write,
} from './actions.ts';

/** The overlay on the page. */
const popup = '//*[@role="dialog"]';

interface WorkerFixtures {
  readonly product: Product;
  /** Signed in as Anna; one browser for all journeys, which run one after the other. */
  readonly webkit: WebKit;
}

const test = base.extend<Record<never, never>, WorkerFixtures>({
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  webkit: [
    async ({ product }, use) => {
      const webkit = await startWebKit();
      const version = (await webkit.driver.getCapabilities()).getBrowserVersion() ?? 'unknown';
      await writeFile(join(projectFolder, 'test-results/webkit.version'), version);
      await open(webkit, product.url);
      await signIn(webkit, 'demo');
      await press(webkit, 'I accept the terms of use', popup);
      await pressBeginning(webkit, 'I expressly accept', popup);
      await press(webkit, 'Accept', popup);
      await seeTitle(webkit, 'Anna');
      await use(webkit);
      await webkit.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

async function signIn(webkit: WebKit, password: string): Promise<void> {
  const address = await visible(webkit, By.css('form input[type=email]'));
  await address.clear();
  await address.sendKeys('anna@demo.test');
  await (await visible(webkit, By.css('form input[type=password]'))).sendKeys(password);
  await (await visible(webkit, By.css('form button'))).click();
}

/** Opens a page from the menu, as a user does in a new tab: in the same one, it would show its last work. */
async function goBy(webkit: WebKit, product: Product, link: string, title: string): Promise<void> {
  await webkit.driver.executeScript('sessionStorage.removeItem("recodery.shown-operations")');
  await open(webkit, product.url);
  await press(webkit, link, '//nav[@aria-label="Main menu"]');
  await seeTitle(webkit, title);
}

/** Decodes a KESSv2 read; returns the path of its image. */
async function decodeKessv2(webkit: WebKit, product: Product): Promise<string> {
  await goBy(webkit, product, 'KESSv2', 'KESSv2');
  await choose(webkit, product.demoFile('samples/kessv2/read-9000.tfc'));
  return webkit.downloaded(/^KESSv2_.*\.bin$/);
}

/** Writes the modified bytes to a separate file. */
async function keep(name: string, bytes: Buffer): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'recodery-tune-')), name);
  await writeFile(path, bytes);
  return path;
}

test.afterEach(async ({ webkit }, testInfo) => {
  if (testInfo.status !== testInfo.expectedStatus) {
    const picture = await webkit.driver.takeScreenshot();
    await writeFile(testInfo.outputPath('failed.png'), Buffer.from(picture, 'base64'));
  }
  await expectNoComplaints(webkit);
});

test('the home page greets, and a file dropped there is decoded on its page', async ({
  webkit,
  product,
}) => {
  await open(webkit, product.url);
  await seeTitle(webkit, 'Anna');
  expect(await webkit.driver.findElements(By.css('nav[aria-label="Go to"] a'))).toHaveLength(4);
  const words = await webkit.driver.findElements(By.css('.words'));
  for (const word of words) expect(await word.isDisplayed()).toBe(false);
  const backup = await readFile(product.demoFile('samples/ktag/backup-9000.tfc'));
  await drop(webkit, 'Drop any file from a slave', 'dropped.tfc', backup);
  await seeAddress(webkit, ({ pathname }) => pathname === '/ktag');
  await webkit.downloaded(/^components.*\.zip$/);
});

// promise 1.browsers.safari
test('decodes a KESSv2 read and encodes its modified image: the slave flashes exactly that', async ({
  webkit,
  product,
}) => {
  const image = await readFile(await decodeKessv2(webkit, product));
  image.writeUInt32LE(0xc0ffee, 0x1000);
  await choose(webkit, await keep('stage1.bin', image));
  await see(webkit, 'changed in 1 region');
  await press(webkit, 'Encode');
  const encoded = await webkit.downloaded(/\.moc$/);
  const flashed = await flash(product, encoded, 'KV2-000007.json');
  expect(flashed.get('obd')?.equals(image)).toBe(true);
  await see(webkit, 'Encode another file');
});

test('modifies two components of a K-TAG backup and encodes them with the rest', async ({
  webkit,
  product,
}) => {
  await goBy(webkit, product, 'K-TAG', 'K-TAG');
  await choose(webkit, product.demoFile('samples/ktag/backup-9000.tfc'));
  await webkit.downloaded(/^components.*\.zip$/);
  const modified = new Map<string, Buffer>();
  for (const part of ['Flash', 'EEPROM']) {
    await pressBeginning(webkit, part, '//main');
    const image = await readFile(await webkit.downloaded(/^K-TAG_/));
    image.writeUInt16LE(0xbeef, 0x40);
    await choose(webkit, await keep(`${part}.bin`, image), rowOf(part));
    await visible(webkit, By.xpath(`${rowOf(part)}[contains(., "changed")]`));
    modified.set(part.toLowerCase(), image);
  }
  await press(webkit, 'Encode');
  const encoded = await webkit.downloaded(/\.unq$/);
  const flashed = await flash(product, encoded, 'KTG-000007.json');
  expect([...flashed.keys()].toSorted()).toEqual(['eeprom', 'flash', 'micro']);
  for (const [part, image] of modified) expect(flashed.get(part)?.equals(image), part).toBe(true);
});

test('downloads components of a KESS3 BootBench read from the popup, modifies one and keeps one removed', async ({
  webkit,
  product,
}) => {
  await goBy(webkit, product, 'KESS3', 'KESS3 slave management');
  await choose(webkit, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await press(webkit, 'Boot/Bench components');
  await press(webkit, 'Download all', popup);
  const zip = await readFile(await webkit.downloaded(/^components.*\.zip$/));
  expect(zip.subarray(0, 2).toString()).toBe('PK');
  await press(webkit, 'Close', popup);
  const path = product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin');
  await choose(webkit, path, rowOf('Flash'));
  await visible(webkit, By.xpath(`${rowOf('Flash')}[contains(., "changed")]`));
  await press(webkit, 'Encode');
  const encoded = await webkit.downloaded(/^KESS3_/);
  const flashed = await flash(product, encoded, 'KS3-000042.json');
  expect([...flashed.keys()].toSorted()).toEqual(['flash', 'micro']);
  expect(flashed.get('flash')?.equals(await readFile(path))).toBe(true);
});

test('the utility unpacks a backup and compacts the modified result', async ({
  webkit,
  product,
}) => {
  await goBy(webkit, product, 'KESS3', 'KESS3 slave management');
  await pressBeginning(webkit, 'KESS3 utility', '//main');
  await seeTitle(webkit, 'KESS3 utility');
  await choose(webkit, product.demoFile('samples/kess3-utility/backup-obd-1001.tfc'));
  await webkit.downloaded(/\.bin$/);
  const path = product.demoFile('samples/kess3-utility/backup-obd-1001-modified.bin');
  await choose(webkit, path, rowOf('Modified file'));
  await press(webkit, 'Compact');
  expect((await readFile(await webkit.downloaded(/\.(?!bin)\w+$/))).length).toBeGreaterThan(1000);
});

test('the notifications popup and page list the operations, and offer their files', async ({
  webkit,
  product,
}) => {
  const image = await readFile(await decodeKessv2(webkit, product));
  await pressBeginning(webkit, 'Notifications', '//header');
  await press(webkit, 'See more details', popup);
  await seeTitle(webkit, 'Notifications');
  // the page has shown how the operations ended: none is new
  await visible(webkit, By.css('header button[aria-label="Notifications"]'));
  await pressBeginning(webkit, 'Download', '//main//li');
  const again = await readFile(await webkit.downloaded(/^KESSv2_.*\.bin$/));
  expect(again.equals(image)).toBe(true);
});

test('the settings refuse an invalid name, save a valid one, and reset it', async ({
  webkit,
  product,
}) => {
  await open(webkit, product.url);
  await press(webkit, 'Settings', '//header');
  await seeTitle(webkit, 'Settings');
  await write(webkit, 'Encoded KESSv2 files', 'tuned %q');
  await see(webkit, 'Only d or r can follow %');
  await write(webkit, 'Encoded KESSv2 files', 'tuned %r');
  await see(webkit, 'tuned read_0416.moc');
  const label = '//span[normalize-space(.)="Encode button action"]';
  await (await visible(webkit, By.xpath(`${label}/following::button[1]`))).click();
  await press(webkit, 'Encode and send');
  await press(webkit, 'Save');
  await see(webkit, 'Saved');
  for (const name of ['Encoded KESSv2 files', 'Encode button action'])
    await press(webkit, `Reset to default: ${name}`);
  await see(webkit, 'Unsaved changes');
  await press(webkit, 'Save');
  await see(webkit, 'Saved');
});

test('the operations log downloads as a file', async ({ webkit, product }) => {
  await decodeKessv2(webkit, product);
  await press(webkit, 'Operations log', '//nav[@aria-label="Main menu"]');
  await seeTitle(webkit, 'Operations log');
  await press(webkit, 'Download KESSv2 log');
  const path = await webkit.downloaded(/^operations-log_kessv2_.*\.csv$/);
  expect(await readFile(path, 'utf8')).toMatch(/KESSv2Decode.*succeeded/);
});

test("the guide is in the page's language, with its pictures", async ({ webkit, product }) => {
  await open(webkit, `${product.url}/guide/it`);
  await seeTitle(webkit, 'Guida utente');
  const pictures = await webkit.driver.findElements(By.css('main img'));
  expect(pictures.length).toBeGreaterThan(3);
  for (const picture of pictures) {
    await webkit.driver.executeScript('arguments[0].scrollIntoView()', picture);
    const width = () => picture.getProperty('naturalWidth').then(Number);
    await expect.poll(width).toBeGreaterThan(400);
  }
});

test('an unknown address shows that there is no page, and signing out leads to the sign-in', async ({
  webkit,
  product,
}) => {
  await open(webkit, `${product.url}/nowhere`);
  await seeTitle(webkit, 'Page not found');
  await press(webkit, 'Go to the home page');
  await seeTitle(webkit, 'Anna');
  await pressBeginning(webkit, 'Account', '//header');
  await press(webkit, 'Sign out');
  await visible(webkit, By.css('form input[type=password]'));
  await webkit.driver.get(`${product.url}/ktag`);
  await seeAddress(webkit, ({ pathname }) => pathname.startsWith('/idp/'));
  await visible(webkit, By.css('form input[type=password]'));
  await listen(webkit);
});
