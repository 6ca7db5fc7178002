/** Scenes of every step of the recoding pages: success, refusals, and work in progress. */
import { readFile } from 'node:fs/promises';
import { modify, rowOf } from '../../e2e/workflow.ts';
import {
  beRefused,
  decode,
  encode,
  open,
  openRecoding,
  type Stage,
  tune,
  whileAnswered,
  whileHung,
} from './scene.ts';

const longName = `${'RS6_4.0TFSI_stage-2_by_Officina-Demo_second-attempt_'.repeat(3)}final.tfc`;

async function playKessv2(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  await openRecoding(page, '/kessv2');
  await look(page, 'KESSv2, empty');
  await decode(stage, 'kessv2/read-1001.tfc');
  await look(page, 'KESSv2, decoded');
  await page.getByRole('button', { name: t('recoding.reencodeMore'), exact: true }).click();
  await page.getByRole('menu').waitFor();
  await look(page, 'KESSv2, re-encode menu');
  await page.keyboard.press('Escape');
  const part = t('recoding.part.modified');
  await beRefused(stage, 'kessv2/read-1004-modified.bin');
  await look(page, 'KESSv2, modified file refused');
  await page.getByRole('main').getByRole('alert').getByRole('button').last().click();
  await tune(stage, part, 'kessv2/read-1001-modified.bin');
  await look(page, 'KESSv2, modified');
  await whileHung(page, '**/encode-file', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: t('recoding.encode'), exact: true })
      .click();
    await page
      .getByRole('button', { name: t('recoding.encoding') })
      .first()
      .waitFor();
    await look(page, 'KESSv2, encoding');
  });
}

async function playKessv2Ends(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  await openRecoding(page, '/kessv2');
  await decode(stage, 'kessv2/read-1001.tfc');
  await tune(stage, t('recoding.part.modified'), 'kessv2/read-1001-modified.bin');
  const press = page
    .getByRole('main')
    .getByRole('button', { name: t('recoding.encode'), exact: true });
  const alert = page.getByRole('main').getByRole('alert');
  await whileAnswered(page, '**/encode-file', { status: 500, body: 'GENERIC_ERROR' }, async () => {
    await press.click();
    await alert.first().waitFor();
    await look(page, 'KESSv2, encoding failed');
  });
  // the modified file is still there
  await alert.getByRole('button', { name: t('ui.tryAgain'), exact: true }).click();
  await page.getByRole('button', { name: t('recoding.downloadEncoded'), exact: true }).waitFor();
  await look(page, 'KESSv2, encoded');
}

async function playMistakes(stage: Stage): Promise<void> {
  const { page, look } = stage;
  for (const [path, file, state] of [
    ['/kessv2', 'mistakes/damaged.tfc', 'KESSv2, damaged file'],
    ['/kessv2', 'ktag/backup-9000.tfc', 'KESSv2, file of another page'],
    ['/ktag', 'mistakes/zipped.zip', 'K-TAG, zipped file'],
    ['/kess3', 'mistakes/empty.tfc', 'KESS3, empty file'],
    ['/kess3-utility', 'kess3/read-obd-1001.tfc', 'KESS3 utility, a read file'],
  ] as const) {
    await openRecoding(page, path);
    await beRefused(stage, file);
    await look(page, state);
  }
}

async function playWaiting(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  await page.route('**/api/kessv2?*', () => undefined);
  await open(page, '/kessv2');
  await page.getByText(t('recoding.waitingForFile')).first().waitFor();
  await look(page, 'KESSv2, loading');
  await page.unroute('**/api/kessv2?*');
  const field = page.locator('main input[type=file]').first();
  await openRecoding(page, '/kessv2');
  await whileHung(page, '**/upload-read-file*', async () => {
    await field.setInputFiles(product.demoFile('samples/kessv2/read-1001.tfc'));
    await page.getByRole('progressbar').waitFor();
    await look(page, 'KESSv2, uploading');
    // otherwise the upload continues after this, and the next visit may find its read
    await page.getByRole('button', { name: t('ui.cancel'), exact: true }).click();
    await page.getByRole('progressbar').waitFor({ state: 'hidden' });
  });
  await page.route('**/api/events', (route) => route.abort());
  await openRecoding(page, '/kessv2');
  await whileHung(page, '**/api/async-operations/*', async () => {
    await field.setInputFiles({
      name: longName,
      mimeType: 'application/octet-stream',
      buffer: await readFile(product.demoFile('samples/kessv2/read-1001.tfc')),
    });
    await page.getByText(t('recoding.pleaseWait')).first().waitFor();
    await look(page, 'KESSv2, decoding a file with a long name');
  });
  await page.unroute('**/api/events');
}

/** A long name in every step, and in the list on the home page afterward. */
async function playLongName(stage: Stage): Promise<void> {
  const { page, product, t, look } = stage;
  const buffer = (file: string) => readFile(product.demoFile(`samples/kessv2/${file}`));
  const mimeType = 'application/octet-stream';
  await openRecoding(page, '/kessv2');
  await page
    .locator('main input[type=file]')
    .first()
    .setInputFiles({ name: longName, mimeType, buffer: await buffer('read-1001.tfc') });
  await page.getByRole('button', { name: t('recoding.decodeNew'), exact: true }).waitFor();
  const row = rowOf(page, t('recoding.part.modified'));
  await row.locator('input[type=file]').setInputFiles({
    name: longName.replace('.tfc', '.bin'),
    mimeType,
    buffer: await buffer('read-1001-modified.bin'),
  });
  await row.getByRole('img').waitFor();
  await look(page, 'KESSv2, long names, modified');
  await encode(stage);
  await look(page, 'KESSv2, long names, encoded');
  await open(page, '/');
  await page.getByRole('main').getByText(longName.slice(0, 20)).first().waitFor();
  await look(page, 'home, long names');
}

async function playKtag(stage: Stage): Promise<void> {
  const { page, look } = stage;
  await openRecoding(page, '/ktag');
  await look(page, 'K-TAG, empty');
  await decode(stage, 'ktag/backup-2001.tfc');
  await look(page, 'K-TAG, decoded');
  await tune(stage, 'Flash', 'ktag/backup-2001-flash-modified.bin');
  await look(page, 'K-TAG, modified');
  await encode(stage);
  await look(page, 'K-TAG, encoded');
}

async function playKess3(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  await openRecoding(page, '/kess3');
  await look(page, 'KESS3, empty');
  await page.getByRole('button', { name: t('devices.choose') }).click();
  await page.getByRole('menu').waitFor();
  await look(page, 'KESS3, list of master devices');
  await page.keyboard.press('Escape');
  await decode(stage, 'kess3/read-obd-1001.tfc');
  await look(page, 'KESS3, OBD, decoded');
  await openRecoding(page, '/kess3');
  await decode(stage, 'kess3/read-obd-1002-identification-only.tfc');
  await look(page, 'KESS3, OBD, original needed');
}

async function playBench(stage: Stage): Promise<void> {
  const { page, t, look } = stage;
  await openRecoding(page, '/kess3');
  await decode(stage, 'kess3/read-bootbench-9000.tfc');
  await look(page, 'KESS3, Boot/Bench, decoded');
  await page.getByRole('button', { name: t('recoding.components.open'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'KESS3, Boot/Bench, components');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const { product } = stage;
  await modify(page, 'Flash', product.demoFile('samples/kessv2/read-1004-modified.bin'));
  await rowOf(page, 'Flash').getByRole('alert').waitFor();
  await look(page, 'KESS3, Boot/Bench, component refused');
  const removal = rowOf(page, 'Flash').getByRole('switch');
  await removal.check();
  await rowOf(page, 'Flash').getByText(t('recoding.removedNotice')).waitFor();
  await look(page, 'KESS3, Boot/Bench, component removed with a refused file');
  await removal.uncheck();
  // its error is not shown again
  await modify(
    page,
    'Flash',
    product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin'),
  );
  await rowOf(page, 'Flash').getByRole('img').waitFor();
  await look(page, 'KESS3, Boot/Bench, modified and removed');
  await encode(stage);
  await look(page, 'KESS3, Boot/Bench, encoded');
}

/** The texts as the utility's page shows them: its own where it has any. */
function inUtilityWords({ t }: Stage): Stage['t'] {
  return (key) => {
    const own = key.replace(/^recoding\./, 'recoding.utility.');
    const text = t(own);
    return text === own ? t(key) : text;
  };
}

async function playUtility(given: Stage): Promise<void> {
  const stage = { ...given, t: inUtilityWords(given) };
  const { page, t, look } = stage;
  await openRecoding(page, '/kess3-utility');
  await look(page, 'KESS3 utility, empty');
  await decode(stage, 'kess3-utility/backup-obd-1001.tfc');
  await look(page, 'KESS3 utility, unpacked');
  const part = t('recoding.part.modified');
  await tune(stage, part, 'kess3-utility/backup-obd-1001-modified.bin');
  await look(page, 'KESS3 utility, modified');
  await encode(stage);
  await look(page, 'KESS3 utility, compacted');
}

/** The scenes in their order. */
export const recodingScenes: readonly ((stage: Stage) => Promise<void>)[] = [
  playKessv2,
  playKessv2Ends,
  playMistakes,
  playWaiting,
  playLongName,
  playKtag,
  playKess3,
  playBench,
  playUtility,
];
