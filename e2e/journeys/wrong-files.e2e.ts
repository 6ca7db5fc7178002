/** Wrong files on the KESSv2 page: each gets its own clear words, and the page goes on. */
import { expect, expectAccessible, signIn, test } from '../fixtures.ts';

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

test('each typical mistake is named, and the page takes the right file afterwards', async ({
  page,
  product,
}) => {
  await signIn(page);
  await page.goto('/kessv2');
  const headlines = new Set<string>();
  for (const [file, code] of mistakes) {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(product.demoFile(`samples/${file}`));
    // the toast of the failed operation is an alert as well; the panel stands in the page itself
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert, file).toContainText(code);
    headlines.add((await alert.innerText()).replaceAll(code, ''));
    await alert
      .getByRole('button', { name: /another file|try again/i })
      .first()
      .click();
    await expect(alert).toHaveCount(0);
  }
  // different mistakes that share an error name may share their words, but no two error names do
  expect(headlines.size).toBeGreaterThanOrEqual(new Set(mistakes.map(([, code]) => code)).size);
  const coming = page.waitForEvent('download');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile('samples/kessv2/read-9000.tfc'));
  await coming;
});

test('an error panel can be read by everybody, in light and dark', async ({ page, product }) => {
  await signIn(page);
  await page.goto('/kessv2');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile('samples/mistakes/damaged.tfc'));
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'kessv2, refused, light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'kessv2, refused, dark');
});

test('a modified file of another size is refused at once, and the right one is taken afterwards', async ({
  page,
  product,
}) => {
  await signIn(page);
  await page.goto('/kessv2');
  const coming = page.waitForEvent('download');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile('samples/kessv2/read-1001.tfc'));
  await coming;
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile('samples/kessv2/read-1004-modified.bin'));
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
  );
  await page
    .getByRole('main')
    .getByRole('alert')
    .getByRole('button', { name: /another file|try again/i })
    .first()
    .click();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled();
});
