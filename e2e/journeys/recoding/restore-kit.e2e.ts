/**
 * The restore kit in a real browser: the slave accepts it, also after a later file was written, and flashes the
 * original.
 */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { decodeUnwatched, read, runOperation } from '../../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import { flash } from '../../slave.ts';
import { bytesOf, choose, decode, download, encode, toastOf } from '../../workflow.ts';

const keyFile = 'KV2-000007.json';

// promise j1.kit.background, j1.kit.again
test('the restore kit stays available after a tuned file was written', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const original = await bytesOf(
    await decode(page, product.demoFile('samples/kessv2/read-9000.tfc')),
  );
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  const kit = page.getByRole('region', { name: 'Restore kit' });
  const restore = async (): Promise<void> => {
    const downloaded = await download(kit.getByRole('button', { name: 'Download restore kit' }));
    const flashed = await flash(product, downloaded, keyFile);
    expect(flashed.get('obd')?.equals(original)).toBe(true);
  };
  await page.goto(`/jobs/${job?.slotGUID}`);
  await restore();
  await expectAccessible(page, 'job with a restore kit');
  // offline, it fails immediately instead of waiting without a message
  await page.context().setOffline(true);
  const button = kit.getByRole('button', { name: 'Download restore kit' });
  await button.click();
  await expect(toastOf(page)).toBeVisible();
  await page.context().setOffline(false);

  const modified = Buffer.from(original);
  modified.writeUInt32LE(0xc0ffee, 0x1000);
  await page.getByRole('link', { name: 'Open and encode' }).click();
  await choose(page, {
    name: 'stage1.bin',
    mimeType: 'application/octet-stream',
    buffer: modified,
  });
  await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
  const tuned = await flash(product, await encode(page), keyFile);
  expect(tuned.get('obd')?.equals(modified)).toBe(true);

  await page.goto(`/jobs/${job?.slotGUID}`);
  await expect(kit).toContainText('A newer file was encoded for this slave');
  await restore();

  // encoded in another tab, while the page shows that the kit is ready
  await expect(kit).toContainText('The kit is ready.');
  const again = await runOperation(page, '/api/kessv2/reencode-decoded-file', {
    kessv2FileSlotGUID: job?.slotGUID,
  });
  const { encodedFileURL } = again.result as { encodedFileURL: string };
  const coming = page.waitForEvent('download');
  await page.evaluate((address) => location.assign(address), encodedFileURL);
  await flash(product, await coming, keyFile);
  const sealed = page.waitForRequest((request) => request.url().endsWith('/restore-kit'));
  await Promise.all([sealed, restore()]);
});

// promise j1.kit.reason
test('a job whose image was not read explains why there is no kit', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await startSession(page);
  await decodeUnwatched(page, product.demoFile('samples/kessv2/read-1002-identification-only.tfc'));
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  await page.goto(`/jobs/${job?.slotGUID}`);
  const kit = page.getByRole('region', { name: 'Restore kit' });
  await expect(kit).toContainText('No kit is available: the image was not read from the vehicle');
  await expect(kit.getByRole('button')).toHaveCount(0);
});

test('a job shows that its read file was not decoded, and offers no kit', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  await decodeUnwatched(page, product.demoFile('samples/mistakes/damaged.tfc'));
  const [job] = await read<JobSummary[]>(page, '/api/jobs?count=1');
  await page.goto(`/jobs/${job?.slotGUID}`);
  await expect(page.getByRole('alert')).toContainText('The file is damaged');
  const kit = page.getByRole('region', { name: 'Restore kit' });
  await expect(kit).toContainText('No kit is available until the file is decoded.');
  await expect(kit.getByRole('button')).toHaveCount(0);
});
