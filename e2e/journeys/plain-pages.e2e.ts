/**
 * The pages outside of the application, and the email, in a real browser: the same typeface, colors and bar, and the
 * reader's local time.
 */
import { readFile } from 'node:fs/promises';
import { sessionHeader } from '@recodery/contract/headers';
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import type { Operation } from '@recodery/contract/features/operations';
import type { Page } from '@playwright/test';
import {
  type MailServer,
  type ReceivedMail,
  sharePathIn,
} from '../../server/test/email/mail-server.ts';
import { read, runOperation } from '../calls.ts';
import { isEachRun } from '../each-run.ts';
import { expect, expectAccessible, signIn } from '../fixtures.ts';
import { emulatesMedia } from '../workflow.ts';
import { type Product } from '../product.ts';
import { test } from './equipped.ts';

/** What makes two pages look alike: the typeface in use and its source, and the colors. */
async function lookOf(page: Page) {
  return page.evaluate(async () => {
    await document.fonts.ready;
    const sans = 'IBM Plex Sans Variable';
    const isSans = ({ family }: FontFace): boolean => family.replaceAll('"', '') === sans;
    const body = getComputedStyle(document.body);
    const heading = document.querySelector('h1');
    const bar = document.querySelector('header');
    return {
      families: [body, getComputedStyle(heading ?? document.body)].map(({ fontFamily }) =>
        fontFamily.split(',', 1).join('').replaceAll('"', ''),
      ),
      isLoaded: [...document.fonts].some((font) => isSans(font) && font.status === 'loaded'),
      canShow: document.fonts.check(`16px "${sans}"`),
      fonts: performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => /plex-sans-latin-wght/.test(path)),
      ink: body.color,
      ground: body.backgroundColor,
      bar: bar === null ? null : getComputedStyle(bar).backgroundColor,
      mark: document.querySelector('header svg rect') !== null,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
}

/** Sends the encoded file of a demo read by email, and returns the email. */
async function sendFile(page: Page, product: Product, server: MailServer): Promise<ReceivedMail> {
  await signIn(page);
  const session = await page.evaluate(() => localStorage.getItem('LLC'));
  const upload = async <T>(
    method: string,
    path: string,
    field: string,
    file: string,
  ): Promise<T> => {
    const buffer = await readFile(product.demoFile(`samples/kessv2/${file}`));
    const answer = await page.request.fetch(path, {
      method,
      headers: { [sessionHeader]: session ?? '' },
      multipart: { [field]: { name: file, mimeType: 'application/octet-stream', buffer } },
    });
    expect(answer.ok(), path).toBe(true);
    return (await answer.json()) as T;
  };
  const path = '/api/kessv2/upload-read-file';
  const started = await upload<Operation>('POST', path, 'readFile', 'read-9000.tfc');
  const record = `/api/async-operations/${started.guid}`;
  await expect
    .poll(async () => (await read<Operation>(page, record)).isSuccessful, { intervals: [50] })
    .toBe(true);
  const { result } = await read<Operation & { result: DecodeResult }>(page, record);
  const slot = result.kessv2SlotGUID;
  const modified = await upload<UploadedFile>(
    'PUT',
    `/api/kessv2/upload-modified-file/${slot}`,
    'modifiedFile',
    'read-9000-modified.bin',
  );
  const coming = server.next();
  await runOperation(page, '/api/kessv2/encode-file', {
    kessv2FileSlotGUID: slot,
    modifiedFileGUID: modified.fileGUID,
    notificationInfo: { email: 'garage@rossi.test', message: 'Ciao', isPrivate: true },
  });
  return coming;
}

/** Opens each page outside of the application; `share` is the path of a link in an email. */
function outsidePages(share: string): Readonly<Record<string, (page: Page) => Promise<unknown>>> {
  const open =
    (path: string) =>
    (page: Page): Promise<unknown> =>
      page.goto(path);
  return {
    'sign-in': async (page) => {
      await page.goto('/login');
      await page.waitForURL(/\/idp\//);
    },
    'failed sign-in': async (page) => {
      await page.goto('/loggedin');
      await expect(page.getByRole('alert')).toBeVisible();
    },
    'signed out': async (page) => {
      await page.goto('/login?signedOut');
      await expect(page.getByRole('alert')).toBeVisible();
    },
    'used invitation': open('/idp/password/none'),
    'public page': open(share),
    'broken link': open('/r/none'),
    guide: open('/guide/en'),
    'sample terms': open('/sample-terms/en'),
    API: open('/api/docs'),
  };
}

/** The page of the API describes hundreds of calls in the same way: axe checks a few of them in each run. */
async function shortenApi(page: Page): Promise<void> {
  if (!isEachRun) return;
  const repeated =
    'article.call ~ article.call ~ article.call, section:nth-of-type(n+9) article.call';
  await page.locator(repeated).evaluateAll((calls) => {
    for (const call of calls) call.remove();
  });
  await expect(page.locator('article.call')).not.toHaveCount(0);
}

/** The journeys of the other pages check them with axe. */
const seenOnlyHere = ['signed out', 'guide', 'API'];

/** The public page shows the reader’s local time next to UTC, and only UTC without JavaScript. */
async function expectTimes(
  share: string,
  openScriptless: () => Promise<Page>,
  openIn: (timezoneId: string) => Promise<Page>,
): Promise<void> {
  const timesOf = async (reader: Page): Promise<string[]> => {
    await reader.goto(share);
    return reader.locator('dd:has(time) > *').allInnerTexts();
  };
  const scriptless = await openScriptless();
  const [utc = '', ...others] = await timesOf(scriptless);
  expect(utc).toMatch(/^\d+ \p{L}+ \d{4} .*\d\d:\d\d UTC$/u);
  expect(others).toEqual([]);
  const atUtc = await openIn('UTC');
  expect(await timesOf(atUtc)).toEqual([utc]);
  const inKolkata = await openIn('Asia/Kolkata');
  const [local = '', beside] = await timesOf(inKolkata);
  expect(beside).toBe(utc);
  expect(local).toContain('ora locale');
  const minutesOf = (text: string): number => {
    const [, hours, minutes] = /(\d\d):(\d\d)/.exec(text) ?? [];
    return Number(hours) * 60 + Number(minutes);
  };
  expect((minutesOf(local) - minutesOf(utc) + 1440) % 1440).toBe(330);
}

// promise d10.page.one-look, d9.link.time
test('every page outside of the application has its typeface from the same file, its colors and its bar; the public page shows the local time', async ({
  page,
  product,
  mailServer,
  openBrowser,
  openScriptless,
}) => {
  const share = sharePathIn(await sendFile(page, product, mailServer));
  const application = await lookOf(page);
  expect(application).toMatchObject({ isLoaded: true, mark: true });
  const stranger = await openBrowser({ baseURL: product.url });
  for (const [name, open] of Object.entries(outsidePages(share))) {
    await open(stranger);
    const look = await lookOf(stranger);
    expect(look, name).toEqual({ ...application, fonts: look.fonts });
    expect(new Set(look.fonts), name).toEqual(new Set(application.fonts));
    if (!seenOnlyHere.includes(name)) continue;
    if (name === 'API') await shortenApi(stranger);
    await expectAccessible(stranger, name);
  }
  const address = { baseURL: product.url };
  await expectTimes(
    share,
    () => openScriptless(address),
    (timezoneId) => openBrowser({ ...address, timezoneId }),
  );
});

test('none of them is wider than a phone of 320 px, in either theme', { tag: '@release' }, async ({
  page,
  product,
  mailServer,
  openBrowser,
}) => {
  const mail = await sendFile(page, product, mailServer);
  const viewport = { width: 320, height: 640 };
  const stranger = await openBrowser({ baseURL: product.url, viewport });
  for (const [name, open] of Object.entries(outsidePages(sharePathIn(mail)))) {
    await open(stranger);
    expect((await lookOf(stranger)).overflow, name).toBe(0);
    await stranger.emulateMedia({ colorScheme: 'dark' });
    const dark = await lookOf(stranger);
    const colors = emulatesMedia(stranger)
      ? ['rgb(14, 18, 21)', 'rgb(22, 27, 31)']
      : ['rgb(244, 246, 247)', 'rgb(255, 255, 255)'];
    expect([dark.ground, dark.bar], name).toEqual(colors);
    await stranger.emulateMedia({ colorScheme: 'light' });
  }
  // a separate page: a mail program does not apply our content security policy
  const program = await openBrowser({ viewport });
  await program.setContent(mail.part('text/html'));
  const { families, overflow } = await lookOf(program);
  expect(families).toEqual(['IBM Plex Sans', 'IBM Plex Sans']);
  expect(overflow, 'the email').toBe(0);
});
