/**
 * `node recodery.mjs --tool pictures`: takes the user guide's screenshots from the running product, in every language
 * or in the named ones. The Chinese ones need a font with Chinese characters (Debian: fonts-wqy-microhei).
 */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { signIn } from '../e2e/fixtures.ts';
import { type Product, startProduct } from '../e2e/product.ts';
import { startMailServer } from '../server/test/email/mail-server.ts';
import { languages } from '../web/src/i18n/languages.ts';
import { decode, openRecoding, type Recoding, tune } from './audit/scene.ts';
import { findChromium } from './chromium.ts';
import { textsOf } from '../e2e/page-texts.ts';
import { projectDir } from './steps.ts';

const folder = join(projectDir, 'server/src/guide/pictures');
/** Pixels: wide enough for a row on one line, narrow enough to be readable when a page scales it down. */
const width = 820;
/** Pixels: taller than any page, so that nothing needs to be scrolled. */
const height = 1800;
/** Pixels of margin around the element. */
const margin = 16;
/** Of the WebP files, up to 100: as low as their texts stay easy to read. */
const quality = 62;
/** Milliseconds after which all animations have finished. */
const settling = 600;

/** The content of a picture: the last element that matches a selector, cut off below `greatestHeight` pixels. */
interface Frame {
  readonly selector: string;
  readonly greatestHeight?: number;
}

async function openKessv2(stage: Recoding): Promise<void> {
  await openRecoding(stage.page, '/kessv2');
  await decode(stage, 'kessv2/read-1001.tfc');
  await tune(stage, stage.t('recoding.part.modified'), 'kessv2/read-1001-modified.bin');
}

/** Opens the popup that asks for the recipient, from the menu next to the encode button. */
async function openSendPopup({ page, t }: Recoding): Promise<void> {
  await page.getByRole('button', { name: t('recoding.encodeMore'), exact: true }).click();
  await page.getByRole('menuitem', { name: t('recoding.encodeAndSend'), exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
}

/** Each scene leaves the page in the state of the picture, and returns what to capture. */
const scenes: Readonly<Record<string, (stage: Recoding) => Promise<Frame>>> = {
  async kessv2(stage) {
    await openKessv2(stage);
    return { selector: 'main > *' };
  },
  async ktag(stage) {
    await openRecoding(stage.page, '/ktag');
    await decode(stage, 'ktag/backup-2001.tfc');
    await tune(stage, 'Flash', 'ktag/backup-2001-flash-modified.bin');
    return { selector: 'main section:last-of-type' };
  },
  async kess3(stage) {
    await openRecoding(stage.page, '/kess3');
    await decode(stage, 'kess3/read-bootbench-9000.tfc');
    await tune(stage, 'Flash', 'kess3/read-bootbench-9000-flash-modified.bin');
    return { selector: 'main section:last-of-type' };
  },
  async send(stage) {
    await openKessv2(stage);
    await openSendPopup(stage);
    return { selector: '[role=dialog]' };
  },
  async notifications({ page }) {
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goto('/notifications');
    await page.getByRole('main').getByText('garage@rossi.test').first().waitFor();
    // the list grows with each language
    return { selector: 'main > *', greatestHeight: 560 };
  },
};

/** Takes the picture of an element, as WebP; returns its size in pixels. */
async function draw(page: Page, frame: Frame, path: string): Promise<readonly number[]> {
  const { selector, greatestHeight = height } = frame;
  await page.mouse.move(0, 0);
  await page.waitForTimeout(settling);
  await page.evaluate(() => {
    // a toast would cover the element, and the focus ring does not belong in the picture
    for (const toast of document.querySelectorAll<HTMLElement>('[role=alertdialog]'))
      toast.style.display = 'none';
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  const box = await page.locator(selector).last().boundingBox();
  if (box === null) throw new Error(`element not found: ${selector}`);
  const clip = {
    x: Math.max(0, Math.floor(box.x) - margin),
    y: Math.max(0, Math.floor(box.y) - margin),
    width: Math.min(width, Math.ceil(box.width) + 2 * margin),
    height: Math.min(greatestHeight, Math.ceil(box.height) + 2 * margin),
    scale: 1,
  };
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    clip,
  });
  await session.detach();
  await writeFile(path, Buffer.from(data, 'base64'));
  return [clip.width, clip.height];
}

async function drawLanguage(
  context: BrowserContext,
  product: Product,
  language: string,
): Promise<Record<string, readonly number[]>> {
  const page = await context.newPage();
  await page.addInitScript((chosen) => localStorage.setItem('LNG', chosen), language);
  const sizes: Record<string, readonly number[]> = {};
  for (const [name, play] of Object.entries(scenes)) {
    const frame = await play({ page, product, t: textsOf(language) });
    const path = join(folder, `${name}.${language}.webp`);
    sizes[`${name}.${language}`] = await draw(page, frame, path);
  }
  await page.close();
  process.stdout.write(`${language}: ${Object.keys(sizes).length} pictures\n`);
  return sizes;
}

/** Takes all pictures, or those of the named languages; returns the exit code. */
export async function run(names: readonly string[]): Promise<number> {
  const executablePath = await findChromium();
  if (executablePath === null) return 1;
  const wanted = languages.filter((one) => names.length === 0 || names.includes(one));
  // the dialog that sends would warn without one
  const mailServer = await startMailServer();
  const product = await startProduct({
    RECODERY_SMTP_URL: mailServer.url,
    RECODERY_MAIL_FROM: 'portal@demo.test',
  });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await mkdir(folder, { recursive: true });
    const context = await browser.newContext({
      baseURL: product.url,
      locale: 'en-US',
      timezoneId: 'Europe/Rome',
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    const first = await context.newPage();
    await signIn(first);
    await first.close();
    const known: Record<string, readonly number[]> = JSON.parse(
      readFileSync(join(folder, 'sizes.json'), 'utf8'),
    );
    for (const language of wanted) {
      Object.assign(known, await drawLanguage(context, product, language));
    }
    const drawn = new Set(await readdir(folder));
    const kept = Object.entries(known).filter(([name]) => drawn.has(`${name}.webp`));
    const lines = kept
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, [across = 0, down = 0]]) => `  "${name}": [${across}, ${down}]`);
    const text = `{\n${lines.join(',\n')}\n}`;
    await writeFile(join(folder, 'sizes.json'), `${text}\n`);
  } finally {
    await browser.close();
    await product.stop();
    await mailServer.stop();
  }
  return 0;
}
