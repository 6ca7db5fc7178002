/** The dialogs that find the parts of dropped files, and the area that takes the files. */
import { expect, type Page } from '@playwright/test';
import { testGroup } from '../states.ts';
import {
  all,
  bar,
  button,
  dialogOf,
  dropFiles,
  expectFocusTrapped,
  expectReports,
  hasFault,
  lineBroken,
  pressEscape,
  pressKey,
  showsText,
  t,
} from '../steps.ts';

const rowOf = (page: Page, name: string) =>
  dialogOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Chooses another place for a file with the keyboard; the places are in the order of the read. */
async function move(page: Page, file: string, from: string, to: string): Promise<void> {
  const place = t('places.placeOf', { file });
  await pressKey(page.getByRole('button', { name: `${place} ${from}` }), 'Enter');
  await page.getByRole('menuitemradio', { name: to, exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: `${place} ${to}` })).toBeVisible();
  // the places in a menu that is still fading out have the same names as those in the next one
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/** The reasons for which a file fits nowhere. */
const reasons: Readonly<Record<string, string>> = {
  archive: t('places.reason.archive'),
  copy: t('places.reason.copy', { file: 'stage1_flash_v3.fls' }),
  empty: t('places.reason.empty'),
  large: t('places.reason.large', { size: '32\u00a0MiB' }),
  many: t('places.reason.many', { most: '16' }),
  sealed: t('places.reason.sealed'),
  // rounded, it would look like the size of the component
  size: t('places.reason.sizeNear', {
    size: '2,200,000\u00a0B',
    part: t('recoding.part.micro'),
    expected: '2,097,152\u00a0B',
  }),
  unreadable: t('places.reason.unreadable'),
  zipBroken: t('places.reason.zipBroken'),
  zipBytes: t('places.reason.zipBytes', { size: '128\u00a0MiB' }),
  zipEmpty: t('places.reason.zipEmpty'),
  zipEncrypted: t('places.reason.zipEncrypted'),
  zipFiles: t('places.reason.zipFiles', { most: '16' }),
};

const upload = (page: Page, count: number) =>
  button(page, count === 1 ? 'places.confirm_one' : 'places.confirm_other', { count: `${count}` });

testGroup('places', {
  'features/recoding/encode/dropped-files/places-review.tsx': {
    async 'four files'(page) {
      await expect(dialogOf(page)).toHaveAccessibleName(t('places.title'));
      await expectFocusTrapped(dialogOf(page));
      await expect(rowOf(page, 'stage1_flash_v3.fls')).toContainText(
        t('places.why.like.component', { share: '98%', part: 'Flash' }),
      );
      await expect(rowOf(page, 'stage1_flash_v3.fls')).toContainText(
        t('places.replaces', { file: 'stage1.fls' }),
      );
      await expect(rowOf(page, 'golf.bin')).toContainText(
        t('places.fromArchive', { archive: 'tune_for_rossi.zip' }),
      );
      await expect(rowOf(page, 'eeprom.epr')).toContainText(
        t('places.why.same.component', { part: 'EEPROM' }),
      );
      await expect(rowOf(page, 'eeprom.epr')).toContainText(t('places.returns'));
      await pressKey(upload(page, 4), 'Enter');
      await expectReports(
        page,
        'Flash stage1_flash_v3.fls,Micro golf.bin,EEPROM eeprom.epr,MapFile maps.map',
      );
      await pressEscape(page);
    },
    async 'doubtful files'(page) {
      await showsText(
        t('places.why.unlike.component', { share: '3%', part: 'Micro' }),
        t('places.why.beaten'),
        t('places.why.leftOut'),
        t('places.reason.sealed'),
      )(page);
      // the file that was there before fits nowhere else
      await move(page, 'stage2.fls', t('places.leave'), 'Flash');
      await expect(
        rowOf(page, `${'stage1_flash_of_the_customer_'.repeat(5)}v3.fls`).first(),
      ).toContainText(t('places.why.leftOut'));
      await move(page, 'other_car.bin', 'Micro', t('places.leave'));
      await upload(page, 1).click();
      await expectReports(page, 'Flash stage2.fls');
    },
    async 'nothing fits'(page) {
      await showsText(t('places.none'))(page);
      for (const [name, reason] of Object.entries(reasons)) {
        await expect(rowOf(page, `${name}.bin`)).toContainText(reason);
      }
      await expect(button(page, 'ui.cancel')).toHaveCount(0);
      await button(page, 'ui.close').last().click();
      await expectReports(page, 'close');
    },
    async 'by their names'(page) {
      await expect(rowOf(page, 'golf_ori.bin')).toContainText(t('recoding.part.original'));
      await expect(rowOf(page, 'golf_ori.bin')).toContainText(t('places.why.name'));
      const [modified, original] = [t('recoding.part.modified'), t('recoding.part.original')];
      // two files change places
      await move(page, 'golf_ori.bin', original, modified);
      await expect(rowOf(page, 'golf_stage1.bin')).toContainText(original);
      await upload(page, 2).click();
      await expectReports(page, 'modified golf_ori.bin,original golf_stage1.bin');
    },
    undecided: all(showsText(t('places.why.nothing')), async (page) => {
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'close');
    }),
  },
  'features/recoding/encode/dropped-files/places-dialog.tsx': {
    async comparing(page) {
      await expect(bar(page)).toHaveAccessibleName(t('places.comparing'));
      await pressEscape(page);
      await expectReports(page, 'close');
    },
    'not compared': hasFault(lineBroken, 'ui.tryAgain'),
    compared: showsText(t('places.none'), t('places.reason.empty')),
  },
  'features/recoding/encode/dropped-files/own-place-dialog.tsx': {
    async 'of another size'(page) {
      await expect(dialogOf(page)).toHaveAccessibleName(t('places.other.title', { part: 'Flash' }));
      await expectFocusTrapped(dialogOf(page));
      await showsText(t('places.replaces', { file: 'stage1.fls' }))(page);
      await expect(button(page, 'places.other.stay', { part: 'Micro' })).toHaveCount(0);
      await pressKey(button(page, 'places.other.go', { part: 'Flash' }), 'Enter');
      await expectReports(page, 'close', 'Flash stage1_flash_v3.fls');
    },
    async 'of the same size'(page) {
      await button(page, 'places.other.stay', { part: 'Micro' }).click();
      await expectReports(page, 'close', 'Micro stage1_flash_v3.fls');
    },
    async 'like no part'(page) {
      await expect(dialogOf(page)).toHaveAccessibleName(t('places.unlike.title'));
      await showsText(t('places.why.unlike.component', { share: '3%', part: 'Micro' }))(page);
      await pressEscape(page);
      await button(page, 'places.unlike.go').click();
      await expectReports(page, 'close', 'close', 'Micro stage1_flash_v3.fls');
    },
  },
  'features/recoding/encode/dropped-files/places-area.tsx': {
    async ready(page) {
      const step = page.getByRole('region', { name: 'Encode' });
      const choosing = page.waitForEvent('filechooser');
      await pressKey(button(page, 'recoding.places.choose'), 'Enter');
      await (await choosing).setFiles({
        name: 'a.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('a'),
      });
      await expect(bar(page)).toHaveAccessibleName(t('places.comparing'));
      await pressEscape(page);
      await expect(button(page, 'recoding.places.choose')).toBeFocused();
      await dropFiles(step, 'a.bin', 'b.bin');
      await expect(dialogOf(page)).toHaveAccessibleName(t('places.title'));
    },
  },
});
