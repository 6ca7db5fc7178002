/** The checks before encoding: each state shows its meaning with an icon, a word and a sentence. */
import { expect } from '@playwright/test';
import { type Promises, testGroup } from '../states.ts';
import {
  all,
  button,
  dialogOf,
  expectFocusTrapped,
  expectReports,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';

/** The title names the state. The page announces it; the panel has no live region of its own. */
const announces =
  (words: string): Promises =>
  async (page) => {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByRole('status')).toHaveCount(0);
  };

/** A state without anything green: neither the word nor the color of a passed check is visible. */
const isNotGreen: Promises = async (page) => {
  await expect(page.getByText(t('checks.passed'), { exact: true })).toHaveCount(0);
  await expect(page.locator('.text-good:visible')).toHaveCount(0);
};

/** Each state is recognizable by its icon, also in forced colors, which remove its colors. */
const differsInForcedColors: Promises = async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const border = await page
    .locator('.rounded-s')
    .first()
    .evaluate((box) => getComputedStyle(box).borderTopWidth);
  expect(border).toBe('1px');
  await page.emulateMedia({ forcedColors: 'none' });
};

/** Everything that needs no attention is behind a line, which the keyboard opens. */
const opens =
  (words: string): Promises =>
  async (page) => {
    const line = page.getByText(words);
    await expect(line).toBeHidden();
    await pressKey(page.locator('summary'), 'Enter');
    await expect(line).toBeVisible();
  };

const known = t('checks.known-elsewhere.green');
const skip = t('recoding.skipChecksum');
const outside = t('checks.outside-calibration.amber', { bytes: '12', address: '0x20000' });

/** The question names the amber line; after it was confirmed, it is not shown again. */
const asksOnce: Promises = async (page) => {
  const start = page.getByRole('button', { name: 'Encode', exact: true });
  await pressKey(start, 'Enter');
  await expect(dialogOf(page)).toHaveAccessibleName(t('checks.ask.title'));
  await expect(dialogOf(page)).toContainText(outside);
  await expectFocusTrapped(dialogOf(page));
  await pressEscape(page);
  await expect(dialogOf(page)).toHaveCount(0);
  await expectReports(page);
  await start.press('Enter');
  await button(page, 'checks.ask.confirm').click();
  await expectReports(page, 'encode');
  await expect(dialogOf(page)).toHaveCount(0);
  await start.press('Enter');
  await expectReports(page, 'encode', 'encode');
};

testGroup('checks', {
  'features/recoding/encode/preflight-panel.tsx': {
    checking: announces(t('recoding.checks.running')),
    late: all(announces(t('recoding.checks.late')), isNotGreen),
    failed: all(announces(t('recoding.checks.failed')), isNotGreen, async (page) => {
      await pressKey(button(page, 'recoding.checks.again'), 'Enter');
      await expectReports(page, 'again');
    }),
    green: all(
      announces(t('checks.passed')),
      opens(known),
      showsText(t('checks.checksums.corrected_other', { count: '2' }), '17f0939e'),
      showsText(t('checks.cvn.changes', { before: '4AD31F07', after: '9E0021BC' })),
    ),
    'one amber': all(
      announces(t('checks.open_one', { count: '1' })),
      showsText(outside, t('checks.outside-calibration.look'), t('recoding.part.flash')),
      opens(known),
    ),
    'changes that are overwritten': all(
      announces(t('checks.open_other', { count: '3' })),
      isNotGreen,
      showsText(
        t('checks.overwritten.amber', {
          bytes: '64',
          address: '0x2C800',
          rules: 'CALIBRATION-COPY and CALIBRATION',
        }),
        t('checks.original.differs', { bytes: '16' }),
      ),
      // an edited VIN is outside the calibration
      opens(t('checks.outside-calibration.greenFields')),
    ),
    'nothing left of the change': all(
      announces(t('checks.stopped')),
      showsText(t('checks.overwritten.red', { rules: 'CALIBRATION-COPY' })),
    ),
    'checksums of a real control unit': all(
      announces(t('checks.open_one', { count: '1' })),
      showsText(
        t('checks.known-checksums.amber', { scheme: 'Bosch ME7', parts: 'CRC and Multipoint 2' }),
        t('checks.known-checksums.look', { correct: t('recoding.correctChecksums') }),
      ),
    ),
    limited: all(
      announces(t('checks.limited_other', { count: '3' })),
      isNotGreen,
      differsInForcedColors,
      // named without opening anything, with their meaning and reason, once for all components
      showsText(
        t('checks.checksums.unchecked'),
        t('checks.reason.no-scheme'),
        'Micro and EEPROM',
        t('checks.outside-calibration.unchecked'),
        t('checks.reason.no-original-in-library'),
      ),
      opens(known),
    ),
    'a refused file': all(
      announces(t('checks.incomplete', { parts: 'Flash' })),
      isNotGreen,
      opens(known),
    ),
    'another file was refused': all(
      announces(t('checks.earlier', { parts: 'Flash' })),
      isNotGreen,
      opens(known),
    ),
    'every amber': all(
      announces(t('checks.open_other', { count: '8' })),
      showsText(
        t('checks.identification.amber', { fields: 'Software date and VIN' }),
        t('checks.cvn.look', { skip }),
        t('checks.outside-calibration.protected', { bytes: '4' }),
        t('checks.much-changed.amber', { share: '57%' }),
        t('checks.identical.amber'),
        t('checks.identical.nothing'),
        t('checks.already-tuned.amber', { bytes: '2,048' }),
      ),
    ),
    red: all(
      announces(t('checks.stopped')),
      showsText(
        t('checks.word.red'),
        t('checks.checksums.red', { rules: 'BOOT-SIGNATURE' }),
        t('checks.checksums.next'),
      ),
      opens(known),
    ),
    'the engine of a vendor': all(
      announces(t('checks.limited_other', { count: '5' })),
      isNotGreen,
      showsText(t('checks.checksums.unknown'), t('checks.reason.engine-does-not-report')),
      opens(known),
    ),
  },
  'features/recoding/encode/preflight-lines.tsx': {
    'every amber': async (page) => {
      await expect(page.getByRole('listitem')).not.toHaveCount(0);
      await showsText(t('checks.word.amber'))(page);
    },
    'blocks the encode': all(
      refuses('recoding.encodeAndSend', 'recoding.encodeMore'),
      showsText(
        t('checks.blocked', { reason: t('checks.checksums.red', { rules: 'BOOT-SIGNATURE' }) }),
      ),
    ),
  },
  'features/recoding/encode/encode-questions.tsx': { 'asks once': asksOnce },
});
