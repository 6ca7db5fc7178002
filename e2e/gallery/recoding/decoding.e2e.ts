/** The decode step of a recoding page, and what its read shows. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from '../states.ts';
import {
  all,
  bar,
  button,
  damaged,
  dialogOf,
  dropFiles,
  expectFocusTrapped,
  expectReports,
  hasFault,
  offers,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';

const dropArea = (page: Page) => page.getByRole('group', { name: t('recoding.drop') });

const choosesDevice =
  (name: string): Promises =>
  async (page) => {
    const chooser = page.getByRole('button', { name: new RegExp(`^${t('devices.choose')}`) });
    await expect(chooser).toHaveAccessibleName(new RegExp(name));
    await pressKey(chooser, 'Enter');
    const items = page.getByRole('menuitemradio');
    await expect(items).toHaveCount(3);
    await expect(page.getByRole('menuitemradio', { name })).toBeChecked();
    await items.nth(1).click();
    await expectReports(page, 'KS3-M-0001');
    await expect(chooser).toBeFocused();
  };

/** The decoded file can be downloaded and printed, and another file decoded. */
const isDecoded =
  (...keys: readonly string[]): Promises =>
  async (page) => {
    await expect(page.getByRole('region', { name: t('recoding.decodedTitle') })).toBeVisible();
    await offers('recoding.downloadId', 'ui.print', ...keys)(page);
    await pressKey(button(page, 'recoding.decodeNew'), 'Enter');
    await expectReports(page, 'reset');
  };

testGroup('decoding', {
  'features/devices/device-chooser.tsx': {
    automatic: choosesDevice(t('devices.automatic')),
    chosen: choosesDevice('KS3-M-0001 G-10'),
    'a long serial number': choosesDevice('KS3-M-0002-WITH-A-VERY-LONG-SERIAL-NUMBER'),
  },
  'features/recoding/decode/failed-decode.tsx': {
    'asks for the slave': all(
      hasFault(t('SLAVE_NEEDED_TITLE'), 'recoding.chooseAnother'),
      async (page) => {
        await page.getByRole('button', { name: 'MM-000042', exact: true }).click();
        await expectReports(page, 'MM-000042');
      },
    ),
  },
  'features/recoding/decode/slave-choice.tsx': {
    async closed(page) {
      await expect(page.getByRole('button', { name: 'MM-000007', exact: true })).toBeDisabled();
    },
  },
  'features/recoding/decode/engine-down.tsx': { down: showsText(t('recoding.engineDown')) },
  'features/recoding/decode/decode-step.tsx': {
    async choosing(page) {
      await dropFiles(dropArea(page), 'read.kv2', 'second.kv2');
      await expect(page.getByText('read.kv2', { exact: true })).toBeVisible();
      await expect(bar(page)).toHaveAccessibleName(t('recoding.uploading'));
      await expect(dropArea(page)).toHaveCount(0);
    },
    async uploading(page) {
      await expect(bar(page)).toHaveAttribute('aria-valuenow', '42');
      await pressKey(button(page, 'ui.cancel'), 'Enter');
      await expect(dropArea(page)).toBeVisible();
    },
    async decoding(page) {
      await expect(bar(page)).toHaveAccessibleName(t('recoding.decoding'));
      await expect(bar(page)).not.toHaveAttribute('aria-valuenow');
      await showsText(t('recoding.pleaseWait'))(page);
    },
    'file corrupted': all(hasFault(damaged, 'ui.tryAgain'), async (page) => {
      await button(page, 'ui.tryAgain').click();
      await expect(page.getByRole('alert')).toHaveCount(0);
    }),
    'opens on another page': all(
      hasFault(t('RECOD_ERROR_FILE_IS_KTAG_BACKUP_TITLE'), 'recoding.chooseAnother'),
      async (page) => {
        await expect(button(page, 'recoding.openOtherPage', { page: 'K-TAG' })).toBeEnabled();
      },
    ),
    "another group's slave": all(
      hasFault(t('RECOD_ERROR_WRONG_MASTER_CODE_TITLE'), 'recoding.chooseAnother'),
      async (page) => {
        const device = 'KS3-M-0002-WITH-A-VERY-LONG-SERIAL-NUMBER';
        await button(page, 'recoding.openWithDevice', { device, group: 'G-11' }).click();
        await expectReports(page, 'the file decides');
      },
    ),
    'connection lost': hasFault(t('recoding.lost.title'), 'recoding.followAgain', 'ui.tryAgain'),
    'code changed in another tab': hasFault(
      t('CUSTOMER_CODE_CHANGED_TITLE'),
      'recoding.underNewCode',
      'ui.tryAgain',
    ),
    async 'closed, the engine is down'(page) {
      await expect(page.getByRole('status').first()).toHaveText(t('recoding.engineDown'));
      await refuses('recoding.choose')(page);
      await dropFiles(dropArea(page), 'read.kv2');
      await expect(dropArea(page)).toHaveAttribute('aria-disabled', 'true');
    },
    'not uploaded, the engine is down': all(
      refuses('ui.tryAgain'),
      showsText(t('recoding.engineDown')),
      async (page) => {
        await expect(button(page, 'recoding.chooseAnother')).toBeEnabled();
      },
    ),
    'opens on another page, the engine is down': all(
      showsText(t('recoding.engineDown')),
      async (page) => {
        await expect(button(page, 'recoding.openOtherPage', { page: 'K-TAG' })).toBeDisabled();
      },
    ),
    async 'utility, with its switch'(page) {
      const skip = page.getByRole('switch');
      await pressKey(skip, 'Space');
      await expect(skip).toBeChecked();
    },
  },
  'features/recoding/decode/decoded-before.tsx': {
    async 'by a user'(page) {
      await showsText('Anna Conti', t('recoding.beforeEncoded', { files: '2' }))(page);
      await expect(page.getByRole('link')).toHaveAttribute('href', /^\/jobs\//);
    },
    'by no one who is left': showsText(t('recoding.beforeOpen')),
  },
  'features/recoding/decode/decoded-panel.tsx': {
    async BootBench(page) {
      const open = button(page, 'recoding.components.open');
      await pressKey(open, 'Enter');
      await expectFocusTrapped(dialogOf(page));
      await expect(dialogOf(page).getByRole('listitem')).toHaveCount(4);
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toHaveCount(0);
      await expect(open).toBeFocused();
      await isDecoded()(page);
    },
    'an image': isDecoded('recoding.downloadDecoded'),
    'identification only, long values': all(
      showsText(t('recoding.virtualReading'), t('recoding.noImage')),
      isDecoded(),
    ),
    'K-TAG': all(isDecoded('recoding.downloadComponents'), async (page) => {
      for (const part of ['flash', 'micro', 'eeprom', 'mapfile']) {
        const name = new RegExp(`^${t(`recoding.part.${part}`)} `);
        await expect(page.getByRole('button', { name })).toBeEnabled();
      }
    }),
  },
  'features/recoding/decode/information-panel.tsx': {
    async 'a value that is wrong'(page) {
      await expect(page.getByRole('definition')).toHaveText('KO');
      await expect(page.locator('p')).toContainText(t('recoding.notGiven'));
    },
  },
  'features/recoding/decode/download-button.tsx': {
    async ready(page) {
      await expect(page.getByRole('button', { name: 'Download ID' })).toBeEnabled();
    },
  },
  'features/recoding/notices/fault-panel.tsx': {
    'with an action': hasFault(damaged, 'ui.tryAgain'),
  },
  'features/recoding/notices/double-note.tsx': {
    'a page of the demo': showsText(t('recoding.double', { name: 'bFlash' })),
  },
  'features/recoding/notices/code-changed.tsx': {
    async 'both ways'(page) {
      const ways = [button(page, 'recoding.underNewCode'), /CC-1001/] as const;
      await expect(ways[0]).toHaveCount(2);
      await expect(page.getByRole('button', { name: ways[1] })).toHaveCount(2);
      await pressKey(ways[0].last(), 'Enter');
      await expect(page.getByRole('button', { name: t('ui.working') })).toHaveCount(1);
    },
  },
});
