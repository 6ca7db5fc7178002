/** The encode step of a recoding page, for an image, an identification and components. */
import { expect } from '@playwright/test';
import { boxOf } from '../../workflow.ts';
import { testGroup } from '../states.ts';
import {
  all,
  bar,
  button,
  damaged,
  expectReports,
  hasFault,
  lineBroken,
  offers,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';
import {
  rowButton,
  removal,
  isRow,
  isRemovable,
  takesFile,
  hasStrip,
  isRestored,
  isUndone,
  anotherOf,
  asksBefore,
  chooseFromMenu,
  encodes,
  refusesEncode,
  isEncoding,
  startsOver,
  sentTo,
  isResult,
  linksToReceipt,
  hasCodeChanged,
  stepStates,
  reencodes,
} from './encode-steps.ts';

testGroup('encoding', {
  'features/recoding/encode/part-row.tsx': {
    ready: isRow('fromBackup', takesFile),
    uploading: isRow('fromBackup', async (page) => {
      await expect(bar(page)).toHaveAttribute('aria-valuenow', '42');
      await expect(bar(page)).toHaveAccessibleName('lettura_KV2-000007.kv2');
      await pressKey(rowButton(page, 'ui.cancel'), 'Enter');
      await expectReports(page, 'cancel');
    }),
    modified: isRow('modified', showsText('stage1_flash_v3.fls'), hasStrip, isRestored),
    'modified, a long name': isRow('modified', hasStrip, async (page) => {
      const whole = `${'stage1_flash_of_the_customer_'.repeat(5)}v3.fls`;
      await expect(page.getByText(whole)).toBeVisible();
      await isRestored(page);
    }),
    identical: isRow('unchanged', isRestored),
    resumed: isRow('modified', isRestored, async (page) => {
      await expect(page.getByRole('img')).toHaveCount(0);
    }),
    removed: isRow('removed', showsText(t('recoding.removedNotice')), async (page) => {
      await expect(removal(page)).toBeChecked();
      await isRemovable(page);
    }),
    // nothing is wrong with the encode; the file is still named
    'removed with a refused file': isRow('removed', async (page) => {
      const value = 'lettura_KV2-000007.kv2';
      await expect(page.getByRole('alert')).toHaveCount(0);
      await showsText(t('recoding.part.refused', { file: value }))(page);
      await button(page, 'ui.labelled', { label: t('recoding.part.dismiss'), value }).click();
      await expectReports(page, 'dismiss');
    }),
    refused: isRow('fromBackup', hasFault(damaged, 'ui.tryAgain'), async (page) => {
      // asks for another file immediately, and keeps a message about this one in the row
      await showsText(t('recoding.part.refused', { file: 'lettura_KV2-000007.kv2' }))(page);
      const opening = page.waitForEvent('filechooser');
      await rowButton(page, 'ui.tryAgain').click();
      await opening;
      await expect(rowButton(page, 'recoding.part.choose')).toBeFocused();
      await expectReports(page, 'note');
    }),
    'refused, its error closed': isRow('fromBackup', async (page) => {
      const value = 'lettura_KV2-000007.kv2';
      await expect(page.getByRole('alert')).toHaveCount(0);
      await showsText(t('recoding.part.refused', { file: value }))(page);
      await button(page, 'ui.labelled', { label: t('recoding.part.dismiss'), value }).click();
      await expectReports(page, 'dismiss');
    }),
    'not uploaded': isRow(
      'fromBackup',
      hasFault(lineBroken, 'ui.tryAgain', 'recoding.part.dismiss'),
      async (page) => {
        await rowButton(page, 'ui.tryAgain').click();
        await rowButton(page, 'recoding.part.dismiss').click();
        await expectReports(page, 'repeat', 'dismiss');
      },
    ),
    async 'compared with the original'(page) {
      const value = t('recoding.part.modified');
      const name = t('ui.labelled', { label: t('ui.showChanges'), value });
      await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
      // nothing is known about the changes before the map is opened
      await expect(page.getByRole('img')).toHaveCount(0);
    },
    'code changed': isRow('fromBackup', hasCodeChanged),
    'replaced by another file': isRow('modified', isUndone('replaced')),
    // the file that is there stays, and can be replaced
    'another file was refused': isRow(
      'modified',
      showsText('stage1_flash_v3.fls'),
      hasFault(damaged, 'ui.tryAgain'),
      async (page) => {
        const opening = page.waitForEvent('filechooser');
        await anotherOf(page).click();
        await (await opening).setFiles({ name: 'v4.fls', mimeType: '', buffer: Buffer.from('v4') });
        await expectReports(page, 'Flash v4.fls');
      },
    ),
  },
  'features/recoding/encode/other-files.tsx': {
    removed: isUndone('taken'),
    refused: hasFault(damaged, 'ui.tryAgain'),
  },
  'features/recoding/encode/draft-news-panel.tsx': {
    'a file': all(
      showsText(
        t('recoding.news.replaced', {
          by: 'Carla',
          part: t('recoding.part.modified'),
        }),
        '14:02',
      ),
      async (page) => {
        await pressKey(button(page, 'recoding.part.dismiss'), 'Enter');
        await expectReports(page, 'dismiss');
      },
    ),
    async everything(page) {
      await expect(page.getByRole('status').getByRole('listitem')).toHaveCount(8);
      await expect(page.getByRole('status')).toContainText(t('recoding.news.someone'));
    },
  },
  'features/recoding/encode/encode-step.tsx': {
    ...stepStates('components', {
      bare: encodes,
      laidOut: encodes,
      refused: asksBefore('recoding.refused.title', 'recoding.part.flash'),
      earlier: asksBefore('recoding.refused.titleEarlier', 'recoding.part.flash'),
    }),
    'components, a removed one was refused': all(
      showsText(t('recoding.refusedRemoved', { parts: t('recoding.part.flash') })),
      asksBefore('recoding.refused.title', 'recoding.part.flash'),
    ),
    ...stepStates('an image', {
      bare: all(showsText(t('recoding.state.needed')), refusesEncode, reencodes),
      laidOut: encodes,
      refused: refusesEncode,
      earlier: asksBefore('recoding.refused.titleEarlier', 'recoding.part.modified'),
    }),
    ...stepStates('identification only', {
      bare: refusesEncode,
      laidOut: refusesEncode,
      refused: refusesEncode,
      earlier: refusesEncode,
    }),
  },
  'features/recoding/decode/print-button.tsx': {
    async ready(page) {
      await page.evaluate(() => {
        window.print = () => document.documentElement.setAttribute('data-reports', 'print');
      });
      await pressKey(button(page, 'ui.print'), 'Enter');
      await expectReports(page, 'print');
      await page.setViewportSize({ width: 320, height: 800 });
      await expect(button(page, 'ui.print')).toBeVisible();
    },
  },
  'features/recoding/encode/receipt-link.tsx': {
    'with a receipt': linksToReceipt,
    'encoded before receipts existed': async (page) => {
      await expect(page.getByRole('link')).toHaveCount(0);
    },
  },
  'features/recoding/encode/encode-result.tsx': {
    'nothing prepared': showsText(t('recoding.state.needed')),
    prepared: showsText('stage1_flash_v3.fls'),
    encoding: showsText(t('recoding.encoding')),
    encoded: all(isResult, offers('ui.print'), linksToReceipt),
    sent: all(sentTo, async (page) => {
      const link = page.getByRole('link', { name: t('recoding.sentOutcome') });
      await expect(link).toHaveAttribute('href', '/notifications');
    }),
    'sent and sealed': all(
      showsText('AT-000042 · sealed', 'a late download is sealed again'),
      linksToReceipt,
    ),
    failed: hasFault(damaged, 'ui.tryAgain'),
    'failed, can be retried': hasFault(lineBroken, 'ui.tryAgain', 'recoding.backToFiles'),
    'failed, connection lost': hasFault(
      t('recoding.lost.title'),
      'recoding.followAgain',
      'ui.tryAgain',
    ),
    'failed, code changed': hasCodeChanged,
    'a file was refused': showsText(
      t('recoding.refusedNeeded', { parts: t('recoding.part.modified') }),
    ),
    'a file was not uploaded': showsText(
      t('recoding.notUploadedNeeded', { parts: t('recoding.part.modified') }),
    ),
    'another file was refused': showsText(
      t('recoding.refusedEarlier', { parts: t('recoding.part.modified') }),
    ),
  },
  'features/recoding/encode/job-sheet.tsx': {
    async 'print this frame'(page) {
      const result = page.getByText('20261121-095833.moc');
      await expect(result).toBeHidden();
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await expect(result).toBeVisible();
      await expect(page.getByRole('heading', { name: t('recoding.sheet.notes') })).toBeVisible();
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({ media: null });
      await expect(result).toBeHidden();
    },
  },
  'features/recoding/encode/encode-waiting.tsx': {
    'nothing decoded yet': showsText(t('recoding.waitingForFile')),
  },
  'features/recoding/encode/encode-actions.tsx': {
    'nothing prepared': all(refusesEncode, reencodes),
    prepared: all(offers('recoding.encodeAndSend'), async (page) => {
      await chooseFromMenu(page);
      await expectReports(page, 'encode parts');
    }),
    encoding: all(isEncoding, refuses('recoding.reencode', 'recoding.reencodeMore'), startsOver),
    encoded: all(offers('recoding.another', 'recoding.downloadEncoded'), async (page) => {
      await page.setViewportSize({ width: 390, height: 800 });
      const boxes = await Promise.all((await page.getByRole('button').all()).map(boxOf));
      const tops = boxes.map(({ y }) => y);
      expect(tops, 'on a phone, the tab order is from top to bottom').toEqual(
        tops.toSorted((one, other) => one - other),
      );
      expect(new Set(tops).size).toBe(tops.length);
    }),
    async sent(page) {
      await offers('recoding.another')(page);
      await expect(button(page, 'recoding.downloadEncoded')).toHaveCount(0);
    },
    failed: all(refusesEncode, refuses('recoding.reencode'), startsOver),
    'failed, can be retried': all(refusesEncode, refuses('recoding.reencode'), startsOver),
    'failed, connection lost': all(refusesEncode, refuses('recoding.reencode'), startsOver),
    'failed, code changed': all(refusesEncode, refuses('recoding.reencode'), startsOver),
    uploading: all(
      refusesEncode,
      refuses('recoding.reencode', 'recoding.reencodeMore'),
      startsOver,
    ),
    'a file was refused': all(refusesEncode, offers('recoding.reencode', 'recoding.reencodeMore')),
    'a file was not uploaded': all(
      refusesEncode,
      offers('recoding.reencode', 'recoding.reencodeMore'),
    ),
    'another file was refused': offers('recoding.encodeAndSend', 'recoding.encodeMore'),
  },
});
