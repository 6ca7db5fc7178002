/** Uploads and requests whose response is lost, or that the server has no room for: they are repeated, and nothing happens twice. */
import type { Operation } from '@recodery/contract/features/operations';
import type { Page } from '@playwright/test';
import { read as readJson } from '../../calls.ts';
import { expect, openSignedIn, signIn, startSession } from '../../fixtures.ts';
import { test } from '../equipped.ts';
import { choose, decode, download, modify, rowOf } from '../../workflow.ts';

const read = 'samples/kessv2/read-9000.tfc';
const modified = 'samples/kessv2/read-9000-modified.bin';

/** Refuses the next request to an address with a code. */
const refuseOnce = (page: Page, address: RegExp, code: string): Promise<unknown> =>
  page.route(
    address,
    // Firefox reads a body without a type as XML, and complains
    (route) => route.fulfill({ status: 400, contentType: 'text/plain', body: code }),
    { times: 1 },
  );

// promise 4.encode.error
test('a file that the server had no room for is sent again, and is not shown as refused', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await refuseOnce(page, /upload-read-file/, 'UPLOAD_INTERRUPTED');
  await choose(page, product.demoFile(read));
  await expect(page.getByRole('main').getByRole('alert')).toContainText('UPLOAD_INTERRUPTED');
  await download(page.getByRole('button', { name: 'Try again' }));

  await refuseOnce(page, /upload-modified/, 'TOO_MANY_UPLOADS');
  const row = rowOf(page, 'Modified file');
  await modify(page, 'Modified file', product.demoFile(modified));
  await expect(row.getByRole('alert')).toContainText('Too many uploads at once');
  await expect(row).toContainText('Not uploaded: read-9000-modified.bin');
  await expect(row).not.toContainText('File not accepted');
  await row.getByRole('button', { name: 'Try again' }).click();
  await expect(row).toContainText('changed in');
});

/** Loses the next response of a path, in the page: `route.fetch` sends requests of Firefox without their body. */
const loseResponse = (page: Page, path: string): Promise<void> =>
  page.evaluate((lost) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request);
      if (!response.url.endsWith(lost)) return response;
      globalThis.fetch = fetch;
      throw new TypeError('the response was lost');
    };
  }, path);

/** Encodes and sends the file to the customer, using the popup. */
async function encodeAndSend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByLabel('Recipient email')).toHaveValue('garage@rossi.test');
  await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
}

for (const [how, tag, again] of [
  [
    'the same page',
    '@release',
    (page: Page) => page.getByRole('main').getByRole('button', { name: 'Try again' }).click(),
  ],
  [
    'a reloaded page',
    '@each-run',
    async (page: Page) => {
      await page.reload();
      await expect(rowOf(page, 'Modified file')).toContainText('changed in');
      await encodeAndSend(page);
    },
  ],
] as const) {
  // promise 4.encode.once
  test(`an encode whose response was lost is not started or emailed twice by ${how}`, {
    tag,
  }, async ({ page, product, mailServer }) => {
    await startSession(page);
    const before = mailServer.emails.length;
    const encodes = async (): Promise<number> => {
      const operations = await readJson<Operation[]>(page, '/api/operations?count=20');
      return operations.filter(({ asyncOperationType: type }) => type === 'KESSv2Encode').length;
    };
    const first = await encodes();
    await page.goto('/kessv2');
    await decode(page, product.demoFile(read));
    await choose(page, product.demoFile(modified));
    await expect(rowOf(page, 'Modified file')).toContainText('changed in');
    await loseResponse(page, '/encode-file');
    await encodeAndSend(page);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('An error occurred');
    expect((await mailServer.next()).to).toEqual(['garage@rossi.test']);
    await again(page);
    await expect(
      page
        .getByRole('main')
        .getByText('File encoded and sent to garage@rossi.test', { exact: true }),
    ).toBeVisible();
    expect(await encodes()).toBe(first + 1);
    expect(mailServer.emails).toHaveLength(before + 1);
  });
}

test('an outage that only a request notices is shown immediately, and disappears when the portal responds again', {
  tag: '@release',
}, async ({ page }) => {
  await signIn(page);
  await expect(page.locator('h1')).toBeVisible();
  // the stream stays open: neither it nor the browser reports anything
  const rest = /\/api\/(?!events)/;
  await page.route(rest, (route) => route.abort());
  await page.getByRole('link', { name: 'Jobs' }).first().click();
  const banner = page.getByText('The portal cannot be reached.');
  await expect(banner).toBeVisible();
  await page.unroute(rest);
  await expect(banner).toBeHidden();
});
