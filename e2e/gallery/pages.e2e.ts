/** Whole pages in the frame. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from './states.ts';
import {
  all,
  button,
  dropFiles,
  expectReports,
  menuOf,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from './steps.ts';

/** A page has one title, and the tab has the same name. */
const isTitled =
  (title: string | RegExp): Promises =>
  async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main')).toHaveCount(1);
  };

const isWaiting: Promises = async (page) => {
  await expect(page.getByRole('main').locator('.animate-skeleton').first()).toBeVisible();
};

const hasLineBroken: Promises = all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain'));
const deviceChooser = (page: Page) =>
  page.getByRole('button', { name: new RegExp(`^${t('devices.choose')}`) });
const dropArea = (page: Page) => page.getByRole('group').first();

const isHome =
  (name: string): Promises =>
  async (page) => {
    await isTitled(new RegExp(`, ${name}$`))(page);
    const change = button(page, 'home.changeCode');
    await pressKey(change, 'Enter');
    await expect(page.getByRole('menuitemradio')).toHaveCount(3);
    await pressEscape(page, menuOf(page));
    await expect(change).toBeFocused();
  };

const cards = (page: Page) => page.getByRole('navigation', { name: t('home.workWith') });

const listItems = (page: Page) => page.getByRole('main').getByRole('listitem');

testGroup('pages', {
  'pages/home/home-page.tsx': {
    // the cards of all families are small, those of a few explain themselves
    filled: all(isHome('Anna Conti'), showsText(t('home.drop'), t('home.last')), async (page) => {
      await expect(cards(page).getByText(t('home.ktag.about'))).toHaveCount(0);
      await expect(cards(page).getByText('K-TAG')).toBeVisible();
    }),
    'two families': async (page) => {
      await expect(cards(page).getByRole('link')).toHaveCount(3);
      await expect(cards(page).getByText(t('home.ktag.about'))).toBeVisible();
    },
    'long names': isHome('Maximiliane-Anastasia Freifrau von Hohenlohe-Waldenburg'),
    async 'only receives'(page) {
      await isHome('Anna Conti')(page);
      await showsText(t('home.received'))(page);
      await expect(page.getByText(t('home.drop'))).toHaveCount(0);
    },
  },
  'pages/home/home-blocked.tsx': {
    'no slave': showsText(t('home.noSlave.title')),
  },
  'pages/home/home-drop.tsx': {
    async ready(page) {
      await expect(dropArea(page)).toHaveAccessibleName(t('home.drop'));
      await dropFiles(dropArea(page), 'letter.txt');
      await expect(page.getByRole('alert')).toBeVisible();
      await button(page, 'home.drop.another').click();
      // several files open a tray
      await dropFiles(dropArea(page), 'letter.txt', 'second.kv2');
      await expect(dropArea(page)).toHaveAttribute('aria-disabled', 'true');
    },
    async closed(page) {
      await expect(dropArea(page)).toHaveAttribute('aria-disabled', 'true');
      await refuses('home.drop.choose')(page);
      await dropFiles(dropArea(page), 'letter.txt');
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  },
  'pages/home/home-family.tsx': {
    async 'two families'(page) {
      await showsText(t('home.family.about', { file: 'bench_read_0416.bin' }))(page);
      await page.getByRole('button', { name: 'K-TAG' }).click();
      await button(page, 'ui.cancel').click();
      await expectReports(page, 'ktag', 'cancel');
    },
  },
  'pages/recoding-page.tsx': {
    async empty(page) {
      await isTitled(t('page.family', { name: 'KESS3' }))(page);
      await expect(page.getByRole('list', { name: t('ui.progressStrip') })).toBeVisible();
      await showsText(t('recoding.drop'), t('recoding.waitingForFile'))(page);
      const device = deviceChooser(page);
      await pressKey(device, 'Enter');
      await expect(page.getByRole('menuitemradio')).toHaveCount(3);
      await pressEscape(page, menuOf(page));
      await expect(device).toBeFocused();
    },
    loading: all(isTitled(t('page.family', { name: 'KESS3' })), async (page) => {
      await expect(page.getByText(t('recoding.drop'))).toHaveCount(0);
    }),
    forbidden: all(isTitled(t('USER_NOT_AUTHORIZED_KESS3_TITLE')), offers('RefreshPage')),
    'network error': all(isTitled(t('page.family', { name: 'KESS3' })), hasLineBroken),
    'open, the quota is full': all(
      isTitled(t('page.family', { name: 'KESS3' })),
      showsText(t('recoding.quotaFull'), t('recoding.drop'), t('recoding.waitingForFile')),
    ),
  },
  'features/recoding/page/page-head.tsx': {
    async 'several groups, with the way to the utility'(page) {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        t('page.family', { name: 'KESS3' }),
      );
      await expect(deviceChooser(page)).toBeEnabled();
      const utility = page.getByRole('link', { name: t('menu.utility', { name: 'KESS3' }) });
      await expect(utility).toHaveAttribute('href', '/kess3-utility');
    },
    async busy(page) {
      await expect(deviceChooser(page)).toBeDisabled();
      await expect(deviceChooser(page)).toHaveAccessibleDescription(t('devices.busy'));
      await showsText(t('devices.busy'))(page);
      await expect(page.getByRole('link')).toHaveCount(0);
    },
  },
  'features/recoding/page/page-loading.tsx': {
    loading: all(
      showsText(t('recoding.decodeStep'), t('recoding.waitingForFile')),
      async (page) => {
        await expect(page.getByText(t('recoding.drop'))).toHaveCount(0);
      },
    ),
  },
  'features/recoding/page/entry-refused.tsx': {
    forbidden: all(showsText(t('USER_NOT_AUTHORIZED_KESS3_TITLE')), async (page) => {
      await expect(deviceChooser(page)).toBeEnabled();
      await button(page, 'RefreshPage').click();
      await expectReports(page, 'refresh');
    }),
    'network error': all(hasLineBroken, async (page) => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        t('page.family', { name: 'KESS3' }),
      );
      await button(page, 'ui.tryAgain').click();
      await expectReports(page, 'refresh');
    }),
  },
  'features/recoding/page/recoding-steps.tsx': {
    empty: all(showsText(t('recoding.drop'), t('recoding.waitingForFile')), (page) =>
      expectReports(page),
    ),
    async 'on another page'(page) {
      await showsText(t('recoding.otherPage'), t('recoding.drop'))(page);
      const words = t('recoding.openOtherPage', { page: 'K-TAG' });
      await expect(page.getByRole('link', { name: words })).toHaveAttribute('href', /^\/ktag\?/);
    },
  },
  'pages/notifications-page.tsx': {
    async filled(page) {
      await isTitled(t('menu.notifications'))(page);
      await expect(listItems(page)).toHaveCount(12);
      await offers('notifications.markAll')(page);
    },
    empty: all(
      isTitled(t('menu.notifications')),
      showsText(t('notifications.empty')),
      async (page) => {
        await expect(button(page, 'notifications.markAll')).toHaveCount(0);
      },
    ),
    loading: all(isTitled(t('menu.notifications')), isWaiting),
  },
  'pages/settings/settings-page.tsx': {
    filled: all(isTitled(t('menu.settings')), refuses('settings.save'), async (page) => {
      await page.getByRole('textbox').first().fill('mine_%r');
      await offers('settings.save')(page);
    }),
    async 'only K-TAG'(page) {
      await isTitled(t('menu.settings'))(page);
      const formats = [
        t('settings.encodedFileNameFormat', { name: 'K-TAG' }),
        t('settings.decodedFileNameFormat'),
      ];
      for (const name of formats) await expect(page.getByRole('textbox', { name })).toBeVisible();
      await expect(page.getByRole('textbox')).toHaveCount(formats.length);
      await expect(page.getByRole('heading', { name: t('settings.sending') })).toBeVisible();
    },
    'only receives': all(
      isTitled(t('menu.settings')),
      showsText(t('settings.none'), t('settings.noneAbout')),
      async (page) => {
        const main = page.getByRole('main');
        await expect(main.getByRole('textbox')).toHaveCount(0);
        await expect(main.getByRole('switch')).toHaveCount(0);
        await expect(main.getByRole('button')).toHaveCount(0);
        await expect(main.getByRole('navigation').getByRole('link')).toHaveCount(6);
      },
    ),
    loading: all(isTitled(t('menu.settings')), isWaiting),
    'network error': all(isTitled(t('menu.settings')), hasLineBroken),
  },
  'pages/operations-log-page.tsx': {
    async ready(page) {
      await isTitled(t('menu.operationsLog'))(page);
      for (const family of ['KESS3', 'KESSv2', 'K-TAG'])
        await expect(button(page, 'log.download', { family })).toBeEnabled();
    },
  },
  'pages/not-found-page.tsx': {
    async 'an address'(page) {
      await isTitled(t('notFound.title'))(page);
      await expect(page.getByRole('main')).toContainText('/nowhere/at/all/nowhere');
      const home = page.getByRole('main').getByRole('link', { name: t('notFound.home') });
      await expect(home).toHaveAttribute('href', '/');
    },
  },
  'ui/loading/loaded.tsx': {
    failed: all(hasLineBroken, async (page) => {
      await button(page, 'ui.tryAgain').click();
      await expectReports(page, 'again');
    }),
  },
  'pages/loaded-page.tsx': {
    forbidden: all(showsText(t('USER_NO_RIGHTS_TITLE')), offers('RefreshPage')),
    async 'asking again'(page) {
      const again = page.getByRole('button', { name: t('ui.tryAgain') });
      await expect(again).toContainText(t('ui.working'));
      await again.click({ force: true });
      await expectReports(page);
    },
  },
});
