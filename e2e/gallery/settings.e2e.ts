/** The settings for programs: client applications, webhooks, engines. */
import { expect, type Page } from '@playwright/test';
import { definitionOf } from '@recodery/contract/families/registry';
import { connectionKinds } from '@recodery/contract/features/engines';
import { type Group, type Promises, testGroup } from './states.ts';
import {
  all,
  asksToLose,
  button,
  dialogOf,
  expectFocusTrapped,
  expectReports,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from './steps.ts';

/** The kinds of engine of a maker's own service. */
const makers = connectionKinds.filter((kind) => kind !== 'encoding-api');

/** A dialog that is closed by Escape and by its cancel button, and confirmed by another. */
const asks =
  (confirm: string): Promises =>
  async (page) => {
    await expectFocusTrapped(dialogOf(page));
    await pressKey(button(page, 'ui.cancel'), 'Enter');
    await page.keyboard.press('Escape');
    await expectReports(page, 'close', 'close');
    await expect(page.getByRole('button', { name: confirm, exact: true })).toBeEnabled();
  };

/** A dialog whose request is in progress: neither Cancel nor Escape closes it, because its result would be lost. */
const waits: Promises = async (page) => {
  await expectFocusTrapped(dialogOf(page));
  await refuses('ui.cancel')(page);
  await expect(button(page, 'ui.close')).toHaveCount(0);
  await pressEscape(page);
  await expectReports(page);
};

/** Secrets with a button each that copies; only the last button closes the dialog. */
const showsSecrets =
  (...labels: readonly string[]): Promises =>
  async (page) => {
    await expect(page.getByText(t('settings.secretOnce'))).toBeFocused();
    await expectFocusTrapped(dialogOf(page));
    for (const name of labels) {
      const value = page.getByRole('group', { name, exact: true }).locator('code');
      await page.getByRole('button', { name: t('settings.copyNamed', { name }) }).click();
      await expect(page.getByRole('group', { name, exact: true })).toContainText(t('ui.copied'));
      await page.evaluate(
        (text) => {
          if (text === '') throw new Error('the secret is empty');
        },
        await value.innerText(),
      );
    }
    await page.keyboard.press('Escape');
    await expectReports(page);
    await button(page, 'settings.secretSaved').click();
    await expectReports(page, 'close');
  };

const field = (page: Page, key: string) => page.getByLabel(t(key), { exact: true });

const pageStates = (name: string, filled: Promises) => ({
  filled: all(filled, async (page) => {
    await expect(page).toHaveTitle(`${t(`${name}.title`)} · ${t('menu.settings')} · Recodery`);
    const current = page.locator('[aria-current="page"]').filter({ hasText: t(`${name}.title`) });
    await expect(current).toHaveAttribute('href', `/settings/${name}`);
  }),
  loading: async (page: Page) => {
    await expect(page.getByRole('main').locator('.animate-skeleton').first()).toBeVisible();
  },
  'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  forbidden: showsText(t('USER_NO_RIGHTS_TITLE')),
});

const parts: Group = {
  'ui/fields/secret-field.tsx': {
    async 'with a hint'(page) {
      await showsText('Verifies messages.')(page);
      await page.getByRole('button', { name: t('settings.copyNamed', { name: 'Secret' }) }).click();
      await showsText(t('ui.copied'))(page);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^whsec_/);
    },
  },
  'ui/dialogs/add-dialog.tsx': {
    form: all(showsText('The fields.'), asks('Add it'), async (page) => {
      await page.getByRole('button', { name: 'Add it' }).click();
      await expectReports(page, 'close', 'close', 'submit');
    }),
    'in progress': waits,
    'not added': showsText(t('settings.notAdded'), t('NETWORK_ERROR')),
    added: showsSecrets('GUID', 'Secret'),
  },
  'ui/dialogs/loss-dialog.tsx': {
    before: all(showsText('It is gone for good.'), asks('Lose')),
    'in progress': waits,
    failed: all(showsText(t('NETWORK_ERROR_TITLE')), asks('Lose')),
  },
  'ui/dialogs/loss.tsx': {
    'loaded on demand': asks('Lose'),
  },
  'features/clients/client-list.tsx': {
    async filled(page) {
      const names = page.getByRole('heading', { level: 2 });
      await expect(names).toHaveText([/^Workshop server/, /^A program/, /^Old import/, /^Trial/]);
      await showsText(t('clients.active'), t('clients.expired'), t('clients.anyNetwork'))(page);
      await showsText('2001:db8:85a3:8d3:1319:8a2e:370:7348/128', t('clients.never'))(page);
      await showsText('To Workshop server', 'To Old import')(page);
      const revoke = page.getByRole('button', { name: /^Revoke: / });
      await expect(revoke).toHaveCount(3);
      await pressKey(revoke.first(), 'Enter');
      const question = t('clients.revokeAbout', { name: 'Workshop server' });
      await asksToLose(page, 'clients.revokeTitle', question, 'clients.revoke');
      await pressEscape(page);
      await expect(revoke.first()).toBeFocused();
    },
    async 'of a user who is no manager'(page) {
      await showsText(t('clients.active'), 'To Workshop server')(page);
      await expect(page.getByRole('button', { name: /^Revoke: / })).toHaveCount(0);
    },
    empty: showsText(t('clients.empty'), t('clients.invitation')),
  },
  'features/clients/remote-program.tsx': {
    async offered(page) {
      const link = page.getByRole('link', {
        name: t('clients.remoteDownload', { version: '0.9.0' }),
      });
      await expect(link).toHaveAttribute('href', '/downloads/recodery-remote.mjs');
      await expect(link).toHaveAttribute('download', 'recodery-remote.mjs');
      await showsText('5e884898da280471'.repeat(4))(page);
    },
  },
  'features/clients/add-client-dialog.tsx': {
    async empty(page) {
      await expectFocusTrapped(dialogOf(page));
      await button(page, 'clients.add').click();
      await showsText(t('clients.nameFault'))(page);
      await field(page, 'clients.name').fill('Workshop server');
      await expect(page.getByText(t('clients.nameFault'))).toHaveCount(0);
      await field(page, 'clients.lastDay').fill('2020-01-01');
      await showsText(t('clients.lastDayFault'))(page);
      await field(page, 'clients.networks').fill('10.0.0.1\n'.repeat(51));
      await showsText(t('clients.networksFault', { most: '50' }))(page);
      await field(page, 'clients.lastDay').fill('');
      await field(page, 'clients.networks').fill('10.0.0.1');
      await page.getByRole('button', { name: t('clients.add') }).click();
      await expect(page.getByRole('button', { name: t('clients.add') })).toContainText(
        t('ui.working'),
      );
    },
  },
  'features/webhooks/webhook-list.tsx': {
    async filled(page) {
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2);
      const [first] = await page.getByRole('button', { expanded: true }).all();
      if (first === undefined) throw new Error('no webhook shows its deliveries');
      const tests = page.getByRole('button', {
        name: new RegExp(`^${t('webhooks.test')}: https:`),
      });
      await tests.first().click();
      await expect(tests.first()).toContainText(t('ui.working'));
      await pressKey(first, 'Enter');
      await expect(page.getByRole('button', { expanded: false })).toHaveCount(1);
      await page.getByRole('button', { name: /^Remove: https:\/\/workshop/ }).click();
      const url = 'https://workshop.example/recodery/webhooks';
      const question = t('webhooks.removeAbout', { url });
      await asksToLose(page, 'webhooks.removeTitle', question, 'webhooks.remove');
    },
    async 'of a user who is no manager'(page) {
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(1);
      await expect(page.getByRole('button', { name: /https:\/\/workshop/ })).toHaveCount(1);
    },
    async many(page) {
      await expect(page.getByRole('button', { expanded: false })).toHaveCount(4);
    },
    empty: showsText(t('webhooks.empty'), t('webhooks.invitation')),
  },
  'features/webhooks/delivery-list.tsx': {
    async filled(page) {
      await expect(page.getByRole('listitem')).toHaveCount(5);
      await showsText('Delivered · 204', 'Failed · 500', t('webhooks.error.TIMEOUT'))(page);
      await showsText('15,000 ms', t('webhooks.type.file.received'), 'file.received')(page);
      await button(page, 'notifications.more').click();
      await expect(page.getByRole('listitem')).toHaveCount(7);
      const again = page.getByRole('button', { name: /^Send again: / });
      await again.first().click();
      await expect(again.first()).toContainText(t('ui.working'));
    },
    async 'only shown'(page) {
      await expect(page.getByRole('listitem')).toHaveCount(5);
      await expect(page.getByRole('button', { name: /^Send again: / })).toHaveCount(0);
    },
    empty: showsText('None.'),
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
  'features/webhooks/deliveries.tsx': {
    async closed(page) {
      const shows = page.getByRole('button', { name: 'Deliveries: Workshop' });
      await expect(page.getByRole('listitem')).toHaveCount(0);
      await pressKey(shows, 'Enter');
      await expect(shows).toHaveAttribute('aria-expanded', 'true');
      await expect(page.getByRole('listitem')).toHaveCount(5);
      await pressKey(shows, 'Space');
      await expect(shows).toHaveAttribute('aria-expanded', 'false');
      await expect(page.getByRole('listitem')).toHaveCount(0);
    },
  },
  'features/webhooks/add-webhook-dialog.tsx': {
    async empty(page) {
      await expectFocusTrapped(dialogOf(page));
      await field(page, 'webhooks.url').fill('ftp://example.org');
      await button(page, 'webhooks.add').click();
      await showsText(t('webhooks.notAllowed'))(page);
      await field(page, 'webhooks.url').fill('https://example.org/hooks');
      await expect(page.getByText(t('webhooks.notAllowed'))).toHaveCount(0);
      await page.getByRole('button', { name: t('webhooks.add') }).click();
      await expect(page.getByRole('button', { name: t('webhooks.add') })).toContainText(
        t('ui.working'),
      );
    },
  },
  'features/engines/engine-list.tsx': {
    'each kind': showsText(
      t('engines.kind.built-in'),
      t('engines.kind.encoding-api'),
      ...makers.map((family) => t('engines.kind.maker', { name: definitionOf(family).name })),
      'Not available: backup utility, checks of uploaded images, removing components, and skipping checksum correction',
    ),
    empty: showsText(t('engines.empty'), t('engines.invitation')),
  },
  'pages/settings/settings-sections.tsx': {
    async 'with an action'(page) {
      const sections = page.getByRole('navigation', { name: t('settings.sections') });
      await expect(sections.getByRole('link')).toHaveText([
        t('settings.general'),
        t('clients.title'),
        t('webhooks.title'),
        t('engines.title'),
        t('storage.title'),
        t('settings.people'),
      ]);
      await expect(page.getByRole('button', { name: 'Act' })).toBeVisible();
    },
  },
};

testGroup('settings', {
  ...parts,
  'pages/settings/settings-clients-page.tsx': pageStates('clients', async (page) => {
    const callbacks = page.getByRole('button', {
      name: t('clients.callbacksOf', { name: 'Workshop server' }),
    });
    await pressKey(callbacks, 'Enter');
    await expect(page.getByRole('button', { name: /^Send again: / }).first()).toBeVisible();
    await pressKey(callbacks, 'Enter');
    await pressKey(button(page, 'clients.add'), 'Enter');
    await expect(dialogOf(page)).toBeVisible();
  }),
  'pages/settings/settings-webhooks-page.tsx': pageStates('webhooks', async (page) => {
    await pressKey(button(page, 'webhooks.add'), 'Enter');
    await expect(dialogOf(page)).toBeVisible();
  }),
  'pages/settings/settings-engines-page.tsx': pageStates(
    'engines',
    showsText('M-0000', 'our encoding-api'),
  ),
});
