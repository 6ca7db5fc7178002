/** Trays: their rows, the files that were not added, and the page. */
import { expect, type Page } from '@playwright/test';
import { type Group, type Promises, testGroup } from './states.ts';
import { all, button, expectReports, offers, pressKey, showsText, t } from './steps.ts';

const badge =
  (key: string): Promises =>
  (page) =>
    showsText(t(key))(page);
const progress: Promises = async (page) => {
  await expect(page.getByRole('progressbar')).toHaveCount(1);
};
/** Buttons whose names begin with a text before the name of the file. */
const named = (page: Page, key: string) =>
  page.getByRole('button', { name: new RegExp(`^${t(key, { file: '' }).trim()}`) });
const opens: Promises = async (page) => {
  const link = page.getByRole('link', {
    name: new RegExp(`^${t('tray.openNamed', { file: '' }).trim()}`),
  });
  await expect(link).toHaveAttribute('href', /^\/kess3\?operation=/);
};
const removesImage: Promises = async (page) => {
  await pressKey(named(page, 'tray.image.remove'), 'Enter');
  await expectReports(page, 'remove modified');
};

const rows: Group = {
  'features/trays/tray-row.tsx': {
    missing: all(badge('tray.state.missing'), async (page) => {
      await pressKey(named(page, 'tray.removeNamed'), 'Enter');
      await expectReports(page, 'remove');
    }),
    queued: badge('tray.state.queued'),
    async uploading(page) {
      await badge('tray.state.uploading')(page);
      await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    },
    decoding: all(badge('operation.decoding'), progress),
    failed: all(badge('operation.notDecoded'), showsText(t('RECOD_ERROR_FILE_CORRUPTED'))),
    decoded: all(badge('operation.decoded'), opens),
    ready: all(badge('tray.state.ready'), opens, removesImage),
    'a refused file': all(badge('operation.decoded'), removesImage),
    incomplete: all(badge('tray.state.incomplete'), showsText(t('tray.incomplete.row'))),
    'waiting to be encoded': badge('tray.state.queued'),
    encoding: all(badge('operation.encoding'), progress),
    encoded: all(badge('operation.encoded'), opens, async (page) => {
      await expect(named(page, 'tray.download.encodedNamed')).toBeVisible();
    }),
    'not encoded': all(badge('operation.notEncoded'), showsText(t('RECOD_ERROR_FILE_CORRUPTED'))),
  },
};

const parts: Group = {
  'features/trays/tray-view.tsx': {
    async 'every state'(page) {
      const list = page.getByRole('list', { name: t('tray.list') });
      await expect(list.locator('> li')).toHaveCount(13);
      await showsText(t('tray.missing.title'))(page);
      const spoken = page.getByRole('status');
      await expect(spoken).toHaveText(
        t('tray.announcement', { done: '7', files: '13', failed: '2' }),
      );
      await pressKey(
        page.getByRole('button', { name: t('tray.encodeAll', { count: '1' }) }),
        'Enter',
      );
      await expectReports(page, 'encode');
    },
    'waits for the quota': showsText(t('tray.paused.quota')),
    'waits for the service': showsText(t('tray.paused.service')),
    'waits for the network': showsText(t('tray.paused.network')),
    empty: showsText(t('tray.empty'), t('tray.empty.invitation')),
  },
  'features/trays/unplaced-files.tsx': {
    async 'every reason'(page) {
      await showsText(
        t('tray.unplaced.asked'),
        t('tray.unplaced.identical', { read: 'bench-1.k3r' }),
        t('tray.unplaced.none'),
      )(page);
      await page.getByRole('button', { name: /^Read and component for stage1/ }).press('Enter');
      await page.getByRole('menuitemradio', { name: /Micro$/ }).press('Enter');
      await expectReports(page, 'place 1 Micro');
      await page
        .getByRole('button', { name: t('tray.unplaced.dismiss', { file: 'holiday.bin' }) })
        .press('Enter');
      await button(page, 'recoding.part.dismiss').click();
      const all4 = ['dismiss 1', 'dismiss 2', 'dismiss 3', 'dismiss 4'];
      await expectReports(page, 'place 1 Micro', 'dismiss 4', ...all4);
    },
  },
  'features/trays/recent-tray.tsx': {
    async one(page) {
      await expect(page.getByRole('link')).toHaveAttribute('href', /^\/trays\//);
    },
    async none(page) {
      await expect(page.getByRole('link')).toHaveCount(0);
    },
  },
  'pages/tray-page.tsx': {
    async filled(page) {
      await expect(page).toHaveTitle(`${t('home.tray')} · Recodery`);
      await showsText(t('tray.drop'), t('RECOD_ERROR_INVALID_FILE_TITLE'))(page);
      await expect(button(page, 'home.drop.choose')).toBeVisible();
    },
    async loading(page) {
      await expect(page.getByRole('main').locator('.animate-skeleton').first()).toBeVisible();
    },
    'not found': showsText(t('NOT_FOUND')),
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
};

testGroup('trays', { ...rows, ...parts });
