/** Modified files that do not fit, each after another accident: the page says what happened, and repairs what it can. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { transform } from '@recodery/codec/diagnosis/transformations';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { writeBase64, writeIntelHex, writeSRecord } from '../../../codec/samples/write-texts.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { choose, decode, neverTimeOut, rowOf } from '../../workflow.ts';

const part = 'Modified file';
const generous = { timeout: 60_000 };

async function decodeSample(page: Page, product: Product, protocol: number): Promise<Buffer> {
  await neverTimeOut(page);
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile(`samples/kessv2/read-${protocol}.tfc`));
  return readFile(product.demoFile(`samples/kessv2/read-${protocol}-modified.bin`));
}

/** Chooses a file for the row; one that has the size of the image, but not its content, is confirmed first. */
async function chooseDamaged(
  page: Page,
  name: string,
  bytes: Uint8Array,
  image: Uint8Array,
): Promise<void> {
  await rowOf(page, part)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) });
  if (bytes.length !== image.length) return;
  await page.getByRole('dialog').getByRole('button', { name: 'Upload anyway' }).click(generous);
}

/** The repaired file is in the row, and nothing is wrong with it. */
async function isRepaired(page: Page, name: string): Promise<void> {
  const row = rowOf(page, part);
  await expect(row.getByText(name, { exact: true })).toBeVisible(generous);
  await expect(row.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Encode', exact: true })).toBeEnabled(generous);
}

const behind = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const half = 0x40000;

interface Accident {
  readonly name: string;
  readonly damage: (image: Uint8Array) => Uint8Array;
  readonly sentence: string;
  readonly button: string;
}

const accidents: readonly Accident[] = [
  {
    name: 'twice.bin',
    damage: (image) => behind(image, image),
    sentence: 'The file contains the image more than once. Copies: 2. All copies are equal.',
    button: 'Use this part',
  },
  {
    name: 'swapped.bin',
    damage: (image) => transform(image, 'pairs'),
    sentence: 'The bytes are swapped in pairs.',
    button: 'Swap the bytes',
  },
  {
    name: 'inverted.bin',
    damage: (image) => transform(image, 'inverted'),
    sentence: 'Every bit is inverted.',
    button: 'Convert',
  },
  {
    name: 'padded.bin',
    damage: (image) => behind(Buffer.alloc(0x10000, 0xff), image),
    sentence: 'The file contains the whole image, and more.',
    button: 'Use this part',
  },
  {
    name: 'halves.bin',
    damage: (image) => behind(image.subarray(half), image.subarray(0, half)),
    sentence: 'The file contains parts of the image, but not in their places.',
    button: 'Convert',
  },
  {
    name: 'hex.bin',
    damage: (image) => writeIntelHex(image, 0),
    sentence: 'This is a text file (Intel HEX) that stores bytes.',
    button: 'Convert',
  },
  {
    name: 'record.bin',
    damage: (image) => writeSRecord(image, 0),
    sentence: 'This is a text file (S-record) that stores bytes.',
    button: 'Convert',
  },
  {
    name: 'base64.bin',
    damage: (image) => writeBase64(image),
    sentence: 'This is a text file (Base64) that stores bytes.',
    button: 'Convert',
  },
  {
    name: 'lines.bin',
    damage: (image) =>
      new Uint8Array(
        Buffer.from(Buffer.from(image).toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
      ),
    sentence: 'The image was saved as text, which changed its bytes.',
    button: 'Convert',
  },
];

const actionOf = (alert: Locator, button: string) =>
  alert.getByRole('button', { name: `${button}: ${part}` });

// promise 5.diagnosis.page
test('each accident is named, and one click repairs the file', { tag: '@release' }, async ({
  page,
  product,
}) => {
  const image = await decodeSample(page, product, 1001);
  const alert = rowOf(page, part).getByRole('alert');
  for (const { name, damage, sentence, button } of accidents) {
    await chooseDamaged(page, name, damage(image), image);
    await expect(alert, name).toContainText(sentence, generous);
    await actionOf(alert, button).click();
    await isRepaired(page, name);
  }
});

// promise 5.diagnosis.page
test('a repair that takes bytes from the read asks first, with the keyboard', {
  tag: '@release',
}, async ({ page, product }) => {
  const image = await decodeSample(page, product, 1001);
  const alert = rowOf(page, part).getByRole('alert');
  await chooseDamaged(page, 'part.bin', image.subarray(0x10000), image);
  await expect(alert).toContainText('The file contains only a part of the image.', generous);
  await expect(alert.getByRole('img')).toHaveAccessibleName(
    '0x0–0x6FFFF of your file belongs at 0x10000–0x7FFFF. Missing in your file: 0x0–0xFFFF.',
  );
  await expectAccessible(page, 'kessv2, a part of the image');
  const fill = actionOf(alert, 'Use the ECU’s data for the rest');
  await fill.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Not in your file: 65,536\sB\./);
  await dialog.press('Escape');
  await expect(dialog).toHaveCount(0);
  await fill.press('Enter');
  await dialog.getByRole('button', { name: 'Use the ECU’s data for the rest' }).press('Enter');
  await isRepaired(page, 'part.bin');
});

// promise 5.diagnosis.page
test('a web page is named, and another file can be chosen', { tag: '@release' }, async ({
  page,
  product,
}) => {
  const image = await decodeSample(page, product, 1001);
  const alert = rowOf(page, part).getByRole('alert');
  const saved = Buffer.from('<!doctype html><title>Sign in</title>');
  await chooseDamaged(page, 'tune.bin', saved, image);
  await expect(alert).toContainText('This is a web page.', generous);
  const chooser = page.waitForEvent('filechooser');
  await alert.getByRole('button', { name: `Choose another file: ${part}` }).click();
  await chooser;
});

// promise 5.diagnosis.page
test('a file that only has the right size is repaired from the checks', {
  tag: '@release',
}, async ({ page, product }) => {
  const image = await decodeSample(page, product, 9000);
  await chooseDamaged(page, 'fours.bin', transform(image, 'fours'), image);
  const swap = page.getByRole('button', { name: `Swap the bytes: ${part}` });
  await expect(page.getByText('The bytes are reversed in groups of four.')).toBeVisible(generous);
  await swap.click();
  await expect(swap).toHaveCount(0, generous);
  await isRepaired(page, 'fours.bin');
});

// promise 5.diagnosis.component
test('a file for a part that is removed at first is put into that part', {
  tag: '@release',
}, async ({ page, product }) => {
  await neverTimeOut(page);
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-3001.tfc'));
  const protocol = findProtocol(3001);
  if (protocol === null) throw new Error('there is no protocol 3001');
  // the image of the demo read
  const eeprom = tuneImage(protocol, 'eeprom', generateImage(protocol, 'eeprom', 11), 2);
  const flash = rowOf(page, 'Flash');
  await flash
    .locator('input[type=file]')
    .setInputFiles({ name: 'dump.bin', mimeType: '', buffer: Buffer.from(writeBase64(eeprom)) });
  const alert = flash.getByRole('alert');
  await expect(alert).toContainText('EEPROM', generous);
  await alert.getByRole('button', { name: 'Put it in EEPROM: Flash', exact: true }).click();
  await expect(rowOf(page, 'EEPROM').getByText('dump.bin', { exact: true })).toBeVisible(generous);
  await expect(alert).toHaveCount(0);
});
