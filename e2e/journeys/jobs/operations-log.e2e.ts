/**
 * The operations log in a real browser: one CSV per family, the overlay during a download, and the messages after a
 * failure.
 */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { readCsv } from '../../../server/test/operations-log/read-csv.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { bytesOf, createdFile, decode, hold } from '../../workflow.ts';

const byteOrderMark = '\uFEFF';

async function download(page: Page, family: string): ReturnType<typeof createdFile> {
  const coming = createdFile(page);
  await page.getByRole('button', { name: `Download ${family} log` }).click();
  return coming;
}

/** The log's lines, each as its values by column name. */
async function linesOf(log: Pick<Download, 'path'>): Promise<Readonly<Record<string, string>>[]> {
  const text = (await bytesOf(log)).toString('utf8');
  expect(text.startsWith(byteOrderMark)).toBe(true);
  const [columns = [], ...lines] = readCsv(text.slice(byteOrderMark.length));
  expect(columns).toContain('SHA-256 in');
  return lines.map((line) => Object.fromEntries(columns.map((name, at) => [name, line[at] ?? ''])));
}

/** A slow log covers the page and can be canceled; a failed one shows an error and can be retried. */
async function cancelAndRetry(page: Page): Promise<void> {
  const release = await hold(page, '**/api/operations-log/ktag');
  const button = page.getByRole('button', { name: 'Download K-TAG log' });
  await button.click();
  await expect(page.getByText('Preparing the K-TAG log')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'operations log, under way');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Preparing the K-TAG log')).toHaveCount(0);
  await expect(button).toBeFocused();
  release();
  await download(page, 'K-TAG');

  await expect(page.getByRole('alert'), 'a canceled download is no failure').toHaveCount(0);
  const address = '**/api/operations-log/kess3';
  await page.route(address, (route) =>
    route.fulfill({ status: 500, contentType: 'text/plain', body: 'GENERIC_ERROR' }),
  );
  await page.getByRole('button', { name: 'Download KESS3 log' }).click();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('The KESS3 log could not be downloaded');
  await expect(failure).toContainText('GENERIC_ERROR');
  await expect(page.getByRole('button', { name: 'Download KESSv2 log' })).toBeEnabled();
  await expectAccessible(page, 'operations log, failed');
  await page.unroute(address);
  const coming = createdFile(page);
  await failure.getByRole('button', { name: 'Try again' }).click();
  expect((await coming).suggestedFilename()).toMatch(/^operations-log_kess3_/);
  await expect(failure).toHaveCount(0);
}

// promise 2.routes.operations-log, 2.log.three, 2.log.thirty-days-said, 2.log.overlay, 8.display.log-failed
test('each family has its log, with a file name that looks like a formula as text; a slow one can be canceled, a failed one retried', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const buffer = await readFile(product.demoFile('samples/kessv2/read-9000.tfc'));
  await decode(page, { name: '=1+1, "quoted".tfc', mimeType: 'application/octet-stream', buffer });

  await page.goto('/operations-log');
  await expect(page.getByRole('main')).toContainText('30 days');
  await expectAccessible(page, 'operations log');
  const log = await download(page, 'KESSv2');
  expect(log.suggestedFilename()).toMatch(/^operations-log_kessv2_\d{4}-\d\d-\d\d\.csv$/);
  const [line] = await linesOf(log);
  expect(line).toMatchObject({
    User: 'Anna Conti',
    Email: 'anna@demo.test',
    'Customer code': 'CC-1001',
    Operation: 'KESSv2Decode',
    Slave: 'KV2-000007',
    'Protocol ID': '9000',
    Outcome: 'succeeded',
  });
  expect(line?.['Read file']).toMatch(/^'=1\+1/);
  expect(line?.['SHA-256 in']).toMatch(/^[0-9a-f]{64}$/);
  for (const family of ['KESS3', 'K-TAG']) {
    const other = await linesOf(await download(page, family));
    expect(other.filter(({ Operation = '' }) => Operation.startsWith('KESSv2'))).toEqual([]);
  }

  await cancelAndRetry(page);
});
