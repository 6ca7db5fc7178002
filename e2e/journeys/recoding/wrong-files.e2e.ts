/** Wrong files on the KESSv2 page: each gets a specific error, and the page stays usable. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findWithAxe } from '../../axe.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../../fixtures.ts';
import { bytesOf, choose, decode, modify, neverTimeOut, rowOf } from '../../workflow.ts';

const mistakes: readonly (readonly [file: string, code: string])[] = [
  ['mistakes/empty.tfc', 'FILE_LOAD_ERROR'],
  ['mistakes/not-a-read.bin', 'INVALID_FILE'],
  ['mistakes/truncated.tfc', 'UNEXPECTED_SIZE'],
  ['mistakes/sent-as-text.tfc', 'FILE_CORRUPTED'],
  ['mistakes/damaged.tfc', 'FILE_CORRUPTED'],
  ['mistakes/zipped.zip', 'FILE_IS_ZIP_ARCHIVE'],
  ['mistakes/encoded.moc', 'INVALID_FILE'],
  ['mistakes/of-another-master.tfc', 'WRONG_MASTER_CODE'],
  ['mistakes/wrong-checksum.tfc', 'CHECKSUM_ERROR'],
  ['mistakes/unknown-protocol.tfc', 'ECU_NOT_SUPPORTED'],
  ['ktag/backup-9000.tfc', 'FILE_IS_KTAG_BACKUP'],
  ['kess3/read-obd-1001.tfc', 'FILE_IS_KESS3'],
];

async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findWithAxe(page), colorScheme).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

// promise 4.decode.retry, 5.files.ktag-on-kessv2, 5.files.master, 8.display.recod-key, d10.page.light-dark
test('each typical mistake has its own error, accessible in light and dark, and the page then accepts the right file', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const headlines = new Set<string>();
  for (const [file, code] of mistakes) {
    await choose(page, product.demoFile(`samples/${file}`));
    // the toast of the failed operation is an alert too; the panel is in the page itself
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert, file).toContainText(code);
    headlines.add((await alert.innerText()).replaceAll(code, ''));
    if (file === 'mistakes/damaged.tfc') await expectReadable(page);
    await alert
      .getByRole('button', { name: /another file|try again/i })
      .first()
      .click();
    await expect(alert).toHaveCount(0);
  }
  // different mistakes with the same error name can share their text, but no two error names do
  expect(headlines.size).toBeGreaterThanOrEqual(new Set(mistakes.map(([, code]) => code)).size);
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
});

// promise 4.resume.reload
test('a decode that failed keeps its error and the name of its file after a reload', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  for (const [path, sample, file] of [
    ['/kess3', 'kess3/read-obd-1001.tfc', 'kess3-damaged.tfc'],
    ['/kessv2', 'mistakes/damaged.tfc', 'damaged.tfc'],
  ] as const) {
    const damaged = join(await mkdtemp(join(tmpdir(), 'recodery-damaged-')), file);
    const bytes = await readFile(product.demoFile(`samples/${sample}`));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0xff;
    await writeFile(damaged, bytes);
    await page.goto(path);
    await choose(page, damaged);
    const alert = page.getByRole('main').getByRole('alert');
    const steps = page.getByRole('main').getByRole('list').first();
    await expect(alert).toBeVisible();
    await expect(steps).toContainText(file);
    const before = await alert.innerText();
    await page.reload();
    await expect(alert).toHaveText(before, { useInnerText: true });
    await expect(steps).toContainText(file);
  }
});

test('a modified file of the wrong size is refused immediately, and the right one is then accepted', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  await choose(page, product.demoFile('samples/kessv2/read-1004-modified.bin'));
  const refused = page.getByRole('main').getByRole('alert');
  await expect(refused).toContainText('FILE_NOT_COMPATIBLE_WITH_READ_FILE');
  await expect(refused).toContainText(/The size is 2\sMiB; it must be 512\sKiB\./);
  await page
    .getByRole('main')
    .getByRole('alert')
    .getByRole('button', { name: /another file|try again/i })
    .first()
    .click();
  await choose(page, product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
});

// promise 8.display.cause
test('a wrong original file gets advice about the original, after the page has explained why it needs one', {
  tag: '@release',
}, async ({ page, product }) => {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1003.tfc'));
  await expect(
    page.getByText('This protocol needs the original file to calculate a checksum.'),
  ).toBeVisible();
  const row = rowOf(page, 'Original file');
  const wrong = product.demoFile('samples/kessv2/read-1001-modified.bin');
  await modify(page, 'Original file', wrong);
  await page.getByRole('dialog').getByRole('button', { name: 'Upload anyway' }).click();
  const refused = row.getByRole('alert');
  await expect(refused).toContainText('The original file does not belong to this read');
  await expect(refused).toContainText('Upload the unmodified original file');
  await expect(refused).not.toContainText('modified file');
  await expect(refused).toContainText('FILE_NOT_COMPATIBLE_WITH_READ_FILE');
  await expect(refused.getByText('An error occurred')).toBeVisible();
  await expectAccessible(page, 'kessv2, a wrong original');
});

// promise 8.display.sizes
test('a modified file that is one byte short, or empty, is refused with the expected size', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  const image = await bytesOf(await decode(page, product.demoFile('samples/kessv2/read-1001.tfc')));
  const cut = join(await mkdtemp(join(tmpdir(), 'recodery-cut-')), 'cut.bin');
  await writeFile(cut, image.subarray(1));
  await choose(page, cut);
  const refused = page.getByRole('main').getByRole('alert');
  await expect(refused).toContainText(/524,287\sB.*524,288\sB/);
  await refused.getByRole('button', { name: 'Choose another file' }).click();
  await writeFile(cut, '');
  await choose(page, cut);
  await expect(refused).toContainText('Save the file again in your editor');
  await expect(refused).not.toContainText('slave');
});

test('a file identical to the decoded one is reported as unchanged', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  const decoded = await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  await choose(page, await decoded.path());
  const row = rowOf(page, 'Modified file');
  await expect(row.getByText('Unchanged', { exact: true })).toBeVisible();
  await expect(row.getByText('Modified', { exact: true })).toHaveCount(0);
  await expect(page.getByText('Modified file: Modified')).toHaveCount(0);
});
