/** Checksums of a real control unit in a real browser: reported, corrected by a switch, and shown in the job. */
import type { Page } from '@playwright/test';
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { generateChecked, makeRight } from '../../../codec/samples/me7-checksums.ts';
import { read } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { flash, sealReadOf } from '../../slave.ts';
import { choose, decode, encode, neverTimeOut } from '../../workflow.ts';

const keyFile = 'KV2-000007.json';
const options = { seed: 21 } as const;
const generous = { timeout: 60_000 };

const title = (page: Page, words: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: words });

// promise 5.known-checksums.correct
test('the checksums of a tuned ME7 image are wrong, are corrected when the switch is on, and the job names what was corrected', {
  tag: '@release',
}, async ({ page, product }) => {
  const stock = generateChecked(options);
  const sealed = await sealReadOf(product, keyFile, 9000, { obd: stock });
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
  await decode(page, { name: 'read.tfc', mimeType: '', buffer: sealed });
  const tuned = new Uint8Array(stock);
  for (let at = 0x11000; at < 0x11040; at += 1) tuned[at] = (tuned[at] ?? 0) ^ 0x11;
  const buffer = Buffer.from(tuned);
  await choose(page, { name: 'stage1.bin', mimeType: 'application/octet-stream', buffer });
  await expect(title(page, '1 item to check')).toBeVisible(generous);
  const wrong = 'Incorrect checksums of the ECU: Byte sum, CRC, and Multipoint 2 (Bosch ME7).';
  await expect(page.getByText(wrong)).toBeVisible();
  await expectAccessible(page, 'kessv2, wrong checksums of a control unit');

  const correct = page.getByRole('switch', { name: 'Correct checksums', exact: true });
  await expect(correct).not.toBeChecked();
  await page.getByText('Correct checksums', { exact: true }).click();
  await expect(correct).toBeChecked();
  await expect(title(page, /Passed, but \d+ items? could not be checked/)).toBeVisible(generous);
  const line = page.locator('summary', { hasText: 'Show all checks' });
  await line.focus();
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(/Checksums of the ECU that will be corrected: Byte sum/),
  ).toBeVisible();

  const flashed = (await flash(product, await encode(page), keyFile)).get('obd');
  const expected = new Uint8Array(tuned);
  makeRight(expected, options);
  expect(flashed?.equals(Buffer.from(expected))).toBe(true);

  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  await page.goto(`/jobs/${job?.slotGUID}`);
  await expect(page.getByText(/Checksums corrected: Byte sum, CRC/)).toBeVisible(generous);
});
