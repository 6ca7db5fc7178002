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
const confirms = new RegExp(`^${t('checks.ask.confirm')}: `);
const outside = t('checks.outside-calibration.amber', { bytes: '12', address: '0x20000' });
const removesImage: Promises = async (page) => {
  await pressKey(named(page, 'tray.image.remove'), 'Enter');
  await expectReports(page, 'remove modified');
};

/** Shows the code of what failed, and the way to support. */
const helps =
  (code: string): Promises =>
  async (page) => {
    await expect(page.getByRole('button', { name: t('ui.copyCode', { code }) })).toBeVisible();
    await expect(page.getByRole('link', { name: t('ui.contactSupport') })).toHaveAttribute(
      'href',
      '#support',
    );
  };

/** Asks about the amber checks, and only those. */
const asks =
  (...words: readonly string[]): Promises =>
  async (page) => {
    await showsText(t('tray.state.asked'), ...words)(page);
    await expect(page.getByText(t('checks.word.green'), { exact: true })).toHaveCount(0);
    await pressKey(page.getByRole('button', { name: confirms }), 'Enter');
    await expectReports(page, 'confirm');
  };
/** Shows what is red and where to correct it; it cannot be confirmed. */
const isBlocked: Promises = async (page) => {
  await showsText(
    t('checks.word.red'),
    t('checks.checksums.red', { rules: 'BOOT-SIGNATURE' }),
    t('checks.checksums.next'),
  )(page);
  await expect(page.getByText(t('checks.word.amber'), { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: confirms })).toHaveCount(0);
  const link = page.getByText(t('tray.open'), { exact: true });
  await expect(link).toHaveAttribute('href', /^\/kess3\?operation=/);
};

const limits = t('checks.limited_other', { count: '3' });

const rows: Group = {
  'features/trays/rows/row-limits.tsx': {
    'three items': async (page) => {
      await pressKey(page.locator('summary').filter({ hasText: limits }), 'Enter');
      await showsText(t('checks.checksums.unchecked'), t('checks.reason.no-scheme'))(page);
    },
    nothing: async (page) => {
      await expect(page.locator('summary')).toHaveCount(0);
    },
    // checks of another draft say nothing about the encode
    'other files': async (page) => {
      await expect(page.locator('summary')).toHaveCount(0);
    },
  },
  'features/trays/rows/tray-row.tsx': {
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
    failed: all(
      badge('operation.notDecoded'),
      showsText(t('RECOD_ERROR_FILE_CORRUPTED')),
      helps('FILE_CORRUPTED'),
    ),
    decoded: all(badge('operation.decoded'), opens),
    ready: all(badge('tray.state.ready'), opens, removesImage),
    'a refused file': all(
      badge('tray.state.incomplete'),
      showsText(t('tray.refused.row')),
      removesImage,
      helps('KESS3_PATH_OR_FILE_NOT_FOUND'),
    ),
    'not uploaded': all(
      badge('tray.state.incomplete'),
      showsText(t('tray.notUploaded.row'), t('NETWORK_ERROR')),
      removesImage,
    ),
    'removed with a refused file': all(
      badge('tray.state.incomplete'),
      showsText(t('tray.refused.row'), t('recoding.part.flash')),
      async (page) => {
        await pressKey(named(page, 'tray.image.remove'), 'Enter');
        await expectReports(page, 'remove Flash');
      },
      helps('KESS3_PATH_OR_FILE_NOT_FOUND'),
    ),
    incomplete: all(badge('tray.state.incomplete'), showsText(t('tray.incomplete.row'))),
    'asks one': asks(outside, t('checks.outside-calibration.look')),
    'asks everything': asks(
      t('checks.identical.amber'),
      t('checks.much-changed.amber', { share: '57%' }),
      t('checks.already-tuned.amber', { bytes: '2,048' }),
    ),
    blocked: isBlocked,
    'waiting to be encoded': badge('tray.state.queued'),
    encoding: all(badge('operation.encoding'), progress),
    encoded: all(badge('operation.encoded'), opens, showsText(limits), async (page) => {
      await expect(named(page, 'tray.download.encodedNamed')).toBeVisible();
      await named(page, 'tray.sendNamed').click();
      await expect(page.locator('html')).toHaveAttribute('data-reports', /^send /);
    }),
    'encoded and sealed': async (page) => {
      const sealed = t('recoding.sealedUntil', { time: '', until: '' }).split(' ')[0] ?? '';
      await expect(page.getByText(new RegExp(`^${sealed}`))).toBeVisible();
    },
    // what was encoded lacks the last file
    'encoded, then refused': all(
      badge('tray.state.incomplete'),
      showsText(t('tray.refused.row')),
      async (page) => {
        await expect(named(page, 'tray.download.encodedNamed')).toBeVisible();
      },
      helps('KESS3_PATH_OR_FILE_NOT_FOUND'),
    ),
    'not encoded': all(
      badge('operation.notEncoded'),
      showsText(t('RECOD_ERROR_FILE_CORRUPTED')),
      helps('FILE_CORRUPTED'),
    ),
  },
};

const parts: Group = {
  'features/trays/tray-view.tsx': {
    async 'every state'(page) {
      const list = page.getByRole('list', { name: t('tray.list') });
      await expect(list.locator('> li')).toHaveCount(20);
      await showsText(t('tray.missing.title'))(page);
      const progress = t('tray.announcement.decode', { done: '16', files: '20', failed: '1' });
      const question = t('tray.asked.title', { count: '2' });
      // each button that copies an error code announces that too
      await expect(page.getByRole('status').filter({ hasText: progress })).toHaveText(
        t('ui.sentences', { first: progress, second: question }),
      );
      await pressKey(
        page.getByRole('button', { name: t('tray.encodeAll', { count: '1' }) }),
        'Enter',
      );
      await expectReports(page, 'encode');
      await showsText(t('tray.asked'))(page);
      await pressKey(button(page, 'tray.asked.confirmAll', { count: '2' }), 'Enter');
      await expectReports(page, 'encode', 'confirm asks-one', 'confirm asks-everything');
    },
    async 'one file asks'(page) {
      await showsText(t('tray.asked.title', { count: '1' }), outside)(page);
      // its row has the button
      await expect(button(page, 'tray.asked.confirmAll', { count: '1' })).toHaveCount(0);
      await pressKey(page.getByRole('button', { name: confirms }), 'Enter');
      await expectReports(page, 'confirm asks-one');
    },
    'waits for the quota': showsText(t('tray.paused.quota')),
    'waits for the service': showsText(t('tray.paused.service')),
    'waits for the network': showsText(t('tray.paused.network')),
    empty: showsText(t('tray.empty'), t('tray.empty.invitation')),
  },
  'features/trays/dropped/unplaced-files.tsx': {
    async 'every reason'(page) {
      await showsText(
        t('tray.unplaced.asked'),
        t('tray.unplaced.identical', { read: 'bench-1.k3r' }),
        t('tray.unplaced.none'),
        t('tray.unplaced.taken', { read: 'bench-1.k3r' }),
      )(page);
      await page.getByRole('button', { name: /^Read and component for stage1/ }).press('Enter');
      await page.getByRole('menuitemradio', { name: /Micro$/ }).press('Enter');
      await expectReports(page, 'place 1 Micro');
      await page
        .getByRole('button', { name: t('tray.unplaced.dismiss', { file: 'holiday.bin' }) })
        .press('Enter');
      // the closing menu has buttons of the same name
      await expect(button(page, 'recoding.part.dismiss')).toHaveCount(1);
      await button(page, 'recoding.part.dismiss').click();
      const all5 = ['dismiss 1', 'dismiss 2', 'dismiss 3', 'dismiss 4', 'dismiss 5'];
      await expectReports(page, 'place 1 Micro', 'dismiss 4', ...all5);
    },
  },
  'features/trays/recent-tray.tsx': {
    async one(page) {
      await expect(page.getByRole('link').first()).toHaveAttribute('href', /^\/trays\//);
      await expect(page.getByRole('link').last()).toHaveAttribute('href', '/trays');
    },
    async none(page) {
      await expect(page.getByRole('link')).toHaveCount(0);
    },
  },
  'features/trays/tray-list.tsx': {
    async some(page) {
      const [named, unnamed] = await page.getByRole('link').allTextContents();
      expect(named).toBe('Fleet of March');
      expect(unnamed).toMatch(/^Tray \d\d\/\d\d\/\d{4} \d\d:\d\d · Reads: \d+$/);
      await showsText(t('tray.list.first', { file: 'bench-1.k3r' }))(page);
    },
    none: showsText(t('tray.list.none'), t('tray.list.invitation')),
  },
  'features/trays/tray-name.tsx': {
    async named(page) {
      const field = page.getByRole('textbox', { name: t('tray.name') });
      await expect(field).toHaveValue('Fleet of March');
      await expect(button(page, 'tray.name.save')).toHaveCount(0);
      await field.fill('Fleet of April');
      await expect(button(page, 'tray.name.save')).toBeEnabled();
    },
  },
  'features/trays/rows/slave-buttons.tsx': {
    async 'two slaves'(page) {
      await page.getByRole('button', { name: 'FLX-0002', exact: true }).click();
      await expectReports(page, 'slave FLX-0002');
    },
  },
  'features/trays/leave-tray.tsx': {
    async 'two files'(page) {
      await showsText(t('tray.leave.title', { count: '2' }), t('tray.leave'))(page);
      await button(page, 'tray.leave.stay').click();
      await button(page, 'tray.leave.confirm').click();
      await expectReports(page, 'stay', 'leave');
    },
  },
  'pages/trays/trays-page.tsx': {
    async filled(page) {
      await expect(page).toHaveTitle(`${t('home.trays')} · Recodery`);
      await expect(page.getByRole('link', { name: 'Fleet of March' })).toBeVisible();
    },
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
  'pages/trays/tray-page.tsx': {
    async filled(page) {
      await expect(page).toHaveTitle('Fleet of March · Recodery');
      await showsText(t('tray.drop'), t('RECOD_ERROR_INVALID_FILE_TITLE'))(page);
      await expect(button(page, 'home.drop.choose')).toBeVisible();
    },
    'files sealed some time ago': showsText(
      t('tray.download.old_other', { count: '2' }),
      t('tray.download.expired_one', { count: '1' }),
    ),
    async loading(page) {
      await expect(page.getByRole('main').locator('.animate-skeleton').first()).toBeVisible();
    },
    'not found': showsText(t('NOT_FOUND')),
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
};

testGroup('trays', { ...rows, ...parts });
