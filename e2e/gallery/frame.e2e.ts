/** The frame of every page: header, menu, footer, banners, and the screens shown before or instead of a page. */
import { expect, type Page } from '@playwright/test';
import { type Promises, testGroup } from './states.ts';
import {
  all,
  button,
  dialogOf,
  expectOpens,
  expectReports,
  menuOf,
  offers,
  pressEscape,
  pressKey,
  showsText,
  t,
} from './steps.ts';

const phone = { width: 390, height: 844 };
const longName =
  'Officina Meccanica di Precisione Fratelli Bartolomeo e Figli, sede secondaria di Castelnuovo';

/** Every control of the header works from the keyboard, and so does the menu button on a phone. */
const isHeader =
  (codes: number, bell: string): Promises =>
  async (page) => {
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: t('layout.home') })).toHaveAttribute('href', '/');
    await expect(header.getByRole('link', { name: t('menu.settings') })).toBeVisible();
    await expect(header.getByRole('button', { name: bell, exact: true })).toBeVisible();
    const code = header.getByRole('button', { name: new RegExp(`^${t('layout.customerCode')}`) });
    await expect(code).toHaveCount(codes > 1 ? 1 : 0);
    if (codes > 1) {
      await pressKey(code, 'Enter');
      await expect(menuOf(page).getByRole('menuitemradio')).toHaveCount(codes);
      await pressEscape(page, menuOf(page));
      await expect(code).toBeFocused();
    }
    const language = t('layout.language', { language: 'English' });
    await expectOpens(header.getByRole('button', { name: language }), menuOf(page), 'ArrowDown');
    await page.setViewportSize(phone);
    await button(page, 'layout.openMenu').click();
    await expectReports(page, 'menu');
  };

const links = (page: Page, name: string) =>
  page.getByRole('navigation', { name: t('layout.mainMenu') }).getByRole('link', { name });

/** The account menu opens from the keyboard and changes the theme immediately. */
const isUserMenu =
  (name: string): Promises =>
  async (page) => {
    const account = page.getByRole('button', { name: `${t('layout.account')} ${name}` });
    await expectOpens(account, menuOf(page), 'Space');
    const html = page.locator('html');
    await account.click();
    await menuOf(page)
      .getByRole('menuitemradio', { name: t('layout.theme.dark') })
      .click();
    await expect(html).toHaveAttribute('data-theme', 'dark');
    await account.click();
    const system = menuOf(page).getByRole('menuitemradio', { name: t('layout.theme.system') });
    await expect(system).not.toBeChecked();
    await system.click();
    await expect(html).not.toHaveAttribute('data-theme', 'dark');
    await account.click();
    await expect(menuOf(page).getByRole('menuitem', { name: t('layout.logout') })).toBeEnabled();
  };

const hasNoDialog: Promises = async (page) => {
  await expect(dialogOf(page)).toHaveCount(0);
};

const isBell =
  (name: string): Promises =>
  async (page) => {
    await expectOpens(page.getByRole('button', { name, exact: true }), dialogOf(page));
  };

const manyNew = (count: number) => t('notifications.bell_other', { count: String(count) });

/** The skip link leads to the content, and on a phone the menu opens above the page. */
const isFrame: Promises = async (page) => {
  const skip = page.getByRole('link', { name: t('layout.skip') });
  // the Tab key goes on from where the state before had the focus, although its elements are gone
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1);
  await page.setViewportSize(phone);
  const opener = button(page, 'layout.openMenu');
  await pressKey(opener, 'Enter');
  await expect(links(page, t('menu.userGuide'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(links(page, t('menu.userGuide'))).toBeHidden();
  await expect(opener).toBeFocused();
};

testGroup('frame', {
  'app/header.tsx': {
    'several customer codes': isHeader(3, manyNew(3)),
    'one customer code': isHeader(1, manyNew(3)),
    'long names': isHeader(3, manyNew(99)),
  },
  'app/side-menu.tsx': {
    async open(page) {
      for (const [name, href] of [
        ['KESS3', '/kess3'],
        ['KESSv2', '/kessv2'],
        ['K-TAG', '/ktag'],
        [t('menu.operationsLog'), '/operations-log'],
      ] as const)
        await expect(links(page, name).first()).toHaveAttribute('href', href);
      await expect(links(page, t('menu.mySlaves'))).toHaveAccessibleName(
        new RegExp(t('ui.opensNewWindow')),
      );
    },
    async 'nothing may be entered'(page) {
      await expect(links(page, 'KESSv2')).toHaveCount(0);
      await expect(links(page, t('menu.mySlaves'))).toHaveAttribute('href', '#dealer');
    },
  },
  'app/user-menu.tsx': {
    'initials, logo, long names': isUserMenu('Anna Conti'),
    async "with the organisation's logo"(page) {
      const logo = page.locator('button img');
      await expect(logo).toHaveJSProperty('complete', true);
      expect(await logo.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
      await isUserMenu('Anna Conti')(page);
    },
    'long names': isUserMenu('Maximiliane-Anastasia Freifrau von Hohenlohe-Waldenburg'),
  },
  'features/session/customer-code-menu.tsx': {
    async 'three codes'(page) {
      const change = page.getByRole('button', { name: 'Change customer code' });
      await pressKey(change, 'Enter');
      await expect(menuOf(page).getByRole('menuitemradio')).toHaveCount(3);
      await expect(menuOf(page).getByRole('menuitemradio', { name: 'CC-1001' })).toBeChecked();
      await expect(menuOf(page)).toContainText(longName);
      await pressEscape(page, menuOf(page));
      await expect(change).toBeFocused();
    },
  },
  'app/footer.tsx': {
    async 'with company lines'(page) {
      const footer = page.getByRole('contentinfo');
      await expect(footer).toContainText('Recodery Demo Ltd');
      const keys = ['privacy', 'cookies', 'terms', 'legal'];
      await expect(footer.getByRole('link')).toHaveCount(keys.length);
      for (const key of keys) {
        const link = footer.getByRole('link', { name: t(`layout.${key}`) });
        await expect(link).toHaveAttribute('href', `#${key}`);
      }
    },
  },
  'features/service-status/engine-banner.tsx': {
    'the engine is down': showsText(t('MAESTRO_SERVICE_UNAVAILABLE_TITLE')),
  },
  'features/service-status/connection-banner.tsx': {
    offline: showsText(t('connection.offline'), t('connection.about')),
    'the portal does not respond': showsText(t('connection.unreachable'), t('connection.about')),
  },
  'features/messages/message-banners.tsx': {
    async 'two messages'(page) {
      const [first, second] = [page.getByText('Back at 19:00.'), page.getByText(/^On Monday/)];
      await expect(second).toContainText('From 17:30 to 19:00 CET.');
      await pressKey(button(page, 'ui.close').first(), 'Enter');
      await expect(first).toHaveCount(0);
      await expect(second).toBeVisible();
    },
  },
  'features/notifications/bell.tsx': {
    '0 new': isBell(t('menu.notifications')),
    '3 new': isBell(manyNew(3)),
    '140 new': isBell(manyNew(99)),
    '7 new behind the latest': isBell(manyNew(7)),
  },
  'features/notifications/notification-marks.tsx': {
    async all(page) {
      for (const key of ['successful', 'failed', 'received', 'sent', 'new'])
        await expect(page.locator('.g-row')).toContainText(t(`notifications.${key}`));
    },
  },
  'app/layout.tsx': {
    'with notices': all(showsText(t('MAESTRO_SERVICE_UNAVAILABLE_TITLE'), 'A message.'), isFrame),
    'long names': isFrame,
  },
  'app/no-access.tsx': {
    'no rights': all(
      showsText(t('USER_NO_RIGHTS_TITLE')),
      offers('RefreshPage', 'layout.logout'),
      async (page) => {
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('USER_NO_RIGHTS_TITLE'));
        await expect(links(page, 'KESSv2')).toHaveCount(0);
      },
    ),
  },
  'features/session/terms-gate.tsx': {
    async 'not accepted'(page) {
      await expect(dialogOf(page)).toHaveAccessibleName(t('terms.title'));
      await pressEscape(page);
      await expect(dialogOf(page)).toBeVisible();
      await expect(button(page, 'terms.confirm')).toBeDisabled();
    },
    // whom to ask comes first
    'no access': hasNoDialog,
    'nothing to open yet': hasNoDialog,
  },
  'app/page-loader.tsx': {
    async 'after a while'(page) {
      await expect(page.getByRole('main').getByRole('status')).toHaveText(t('ui.loading'));
    },
  },
  'app/route-error.tsx': {
    'a page that crashed': all(
      showsText(t('routeError.title')),
      offers('ui.tryAgain'),
      async (page) => {
        await expect(page.getByRole('alert')).toContainText(t('ui.errorHeading'));
      },
    ),
  },
});
