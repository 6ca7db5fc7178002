/** The administration: the one list, the one form, and their pages. */
import { expect, type Page } from '@playwright/test';
import { addSlaves } from './add-slaves.ts';
import { overview } from './overview.ts';
import { sections } from './sections.ts';
import { type Group, testGroup } from '../states.ts';
import { listedSignIns, signIn, signInFindings, signInRecords } from './sign-in.ts';
import { backupRecords, listedBackups, upkeep } from './upkeep.ts';
import {
  all,
  asksToLose,
  button,
  expectReports,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') });

/** The columns of users on a wide window, and their summary on a phone. */
const listsUsers = async (page: Page): Promise<void> => {
  await expect(rows(page)).toHaveCount(3);
  const anna = rows(page).filter({ hasText: 'anna@demo.test' });
  await expect(anna).toContainText('CC-1001, CC-2002, CC-3003');
  const paolo = rows(page).filter({ hasText: 'paolo@demo.test' });
  await expect(paolo).toContainText(t('admin.flag.accountSuspended.on'));
  await expect(page.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending');
};

const lists: Group = {
  'features/admin/list/record-list.tsx': {
    filled: all(listsUsers, async (page) => {
      await showsText(t('admin.total', { number: '3' }))(page);
      const [first, second] = ['anna@demo.test', 'olga@demo.test'].map((name) =>
        page.getByRole('link', { name }),
      );
      if (first === undefined || second === undefined) throw new Error('two links');
      await pressKey(first, 'ArrowDown');
      await expect(second).toBeFocused();
      await second.press('Home');
      await expect(first).toBeFocused();
      await page.getByRole('button', { name: t('admin.field.email') }).click();
      await expectReports(page, ' -email');
      const select = page.getByRole('checkbox', { name: t('admin.selectAll') });
      await select.check();
      await showsText(t('admin.selected', { number: '3' }))(page);
      await button(page, 'admin.clearSelection').click();
      await expect(page.getByText(t('admin.selected', { number: '3' }))).toHaveCount(0);
    }),
    'with more': all(listsUsers, offers('notifications.more'), showsText('312')),
    empty: showsText('No one yet', 'Add someone.'),
    'nothing found': all(
      showsText(t('admin.none'), t('admin.noneAbout', { search: 'zzz' })),
      async (page) => {
        await button(page, 'admin.clearSearch').click();
        await expectReports(page, ' email');
      },
    ),
    'nothing with these filters': all(showsText(t('admin.none')), async (page) => {
      await expect(button(page, 'admin.clearSearch')).toHaveCount(0);
      // the first is next to the filters
      await button(page, 'admin.clearFilters').last().click();
      await expectReports(page, ' email');
    }),
    async loading(page) {
      await expect(page.locator('.animate-skeleton').first()).toBeVisible();
    },
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
  },
  'features/admin/list/record-table.tsx': {
    async 'sorted downward, one selected'(page) {
      const code = page.getByRole('columnheader', { name: 'Code' });
      await expect(code).toHaveAttribute('aria-sort', 'descending');
      await page.getByRole('button', { name: 'Code' }).click();
      const two = page.getByRole('checkbox', { name: t('admin.selectNamed', { name: 'two' }) });
      await expect(two).toBeChecked();
      await pressKey(two, 'Space');
      await expectReports(page, 'code', 'two false');
      await pressKey(page.getByRole('link', { name: 'three' }), 'ArrowUp');
      await expect(page.getByRole('link', { name: 'two' })).toBeFocused();
    },
  },
  'features/admin/list/selected-records.tsx': {
    async 'two users'(page) {
      await showsText(t('admin.selected', { number: '2' }))(page);
      await expect(button(page, 'admin.action.invite')).toHaveCount(0);
      await button(page, 'admin.action.suspend').click();
      const question = t('admin.users.suspendAbout');
      await asksToLose(page, 'admin.action.suspend', question, 'admin.action.suspend');
      await pressEscape(page);
      await button(page, 'admin.clearSelection').click();
      await expectReports(page, 'done');
    },
  },
  'features/admin/actions/act-on-records.tsx': {
    'a question before': all(offers('admin.action.invite'), async (page) => {
      await button(page, 'admin.action.remove').click();
      const question = t('admin.users.removeAbout');
      await asksToLose(page, 'admin.action.remove', question, 'admin.action.remove');
      await pressEscape(page);
      await expect(button(page, 'admin.action.remove')).toBeFocused();
    }),
  },
  'features/admin/list/value-cell.tsx': {
    kinds: showsText(
      t('admin.flag.operator.on'),
      t('admin.flag.accountSuspended.on'),
      t('admin.andMore', { shown: 'A, B, C', more: '2' }),
      '5 GiB',
      'KESSv2',
    ),
  },
};

const ofManager = (page: Page) =>
  page
    .getByRole('group', { name: t('admin.field.manager') })
    .getByRole('checkbox', { name: 'CC-1001' });

/** The only manager loses this role only after a question. */
const asksForManager = async (page: Page): Promise<void> => {
  // the gallery has no server: each request is refused and reported
  await page.evaluate(() => {
    globalThis.fetch = async (input) => {
      const { dataset } = document.documentElement;
      const { search } = new URL(input instanceof Request ? input.url : input, location.href);
      dataset.reports = [dataset.reports, search === '' ? 'unconfirmed' : search]
        .filter((report) => report !== undefined)
        .join(', ');
      const fields = { manager: 'LAST_MANAGER' };
      const problem = { errorCode: 'FIELDS_NOT_ACCEPTED', details: { fields } };
      return new Response(JSON.stringify(problem), { status: 400 });
    };
  });
  await ofManager(page).uncheck();
  await button(page, 'admin.save').click();
  await showsText(t('admin.noManagerAbout'))(page);
  await button(page, 'admin.noManager').click();
  await expectReports(page, 'unconfirmed', '?withoutManager=true');
};

const forms: Group = {
  'features/admin/form/record-field.tsx': {
    async kinds(page) {
      await page.getByLabel('Text', { exact: true }).fill('B');
      await page.getByLabel('Number', { exact: true }).fill('12x');
      await page.getByRole('switch', { name: 'Switch' }).click();
      await page.getByRole('checkbox', { name: 'KESS3' }).click();
      await page.getByLabel('List', { exact: true }).fill('G-10');
      await expectReports(page, '"B"', '12', 'false', '["kess3","recod"]', '["G-10"]');
      const refused = page.getByLabel('Refused', { exact: true });
      await expect(refused).toHaveAccessibleDescription('This already exists.');
      await showsText('5 GiB')(page);
    },
  },
  'features/admin/form/image-field.tsx': {
    async 'a logo'(page) {
      await button(page, 'admin.image.remove').click();
      await expectReports(page, 'null');
      const input = page.locator('input[type=file]');
      await input.setInputFiles({
        name: 'big.png',
        mimeType: 'image/png',
        buffer: Buffer.alloc(131_073),
      });
      await showsText('big.png')(page);
      await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a') });
      await expectReports(page, 'null', '"data:image/png;base64,YQ');
    },
    'none, refused': all(showsText('This is too long.'), offers('admin.image.choose')),
  },
  'features/admin/form/file-field.tsx': {
    async 'a present file'(page) {
      await showsText(t('admin.file.present'), 'ab'.repeat(32))(page);
      const input = page.locator('input[type=file]');
      await input.setInputFiles({
        name: 'big.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(1025),
      });
      await showsText('big.bin')(page);
      await input.setInputFiles({
        name: 'a.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('a'),
      });
      // the start of its SHA-256
      await expectReports(page, 'ca978112');
    },
    async 'none, refused'(page) {
      await showsText('This is too long.')(page);
      const name = t('ui.labelled', { label: t('admin.file.choose'), value: 'Image' });
      await expect(page.getByRole('button', { name, exact: true })).toBeEnabled();
    },
  },
  'features/admin/form/record-conflict.tsx': {
    async clash(page) {
      await expect(page.getByRole('heading')).toBeFocused();
      await showsText(t('admin.conflict.clash'), 'Anna C.')(page);
      await showsText(t('admin.conflict.yours', { value: 'Anna Conti' }))(page);
      await button(page, 'admin.conflict.theirs').click();
      await button(page, 'admin.conflict.mine').click();
      await expectReports(page, 'theirs', 'mine');
    },
    'other fields': all(showsText(t('admin.conflict.about')), offers('ui.close')),
  },
  'features/admin/form/record-editor.tsx': {
    async 'a new user'(page) {
      await page.getByRole('button', { name: 'Add user' }).click();
      const email = page.getByLabel(t('admin.field.email'), { exact: true });
      await expect(email).toBeFocused();
      await expect(email).toHaveAccessibleDescription(t('admin.fault.REQUIRED'));
      await email.fill('new@demo.test');
      await expect(email).not.toHaveAttribute('aria-invalid');
      // only organizations of the user can be managed
      await expect(page.getByText(t('admin.field.manager'))).toHaveCount(0);
      await page.getByLabel(t('admin.field.customerCodes')).fill('CC-1001');
      await expect(ofManager(page)).toBeVisible();
      await showsText(t('admin.unsaved'))(page);
    },
    'an existing user': all(
      refuses('admin.save'),
      async (page) => {
        const name = page.getByLabel(t('admin.users.name'), { exact: true });
        await name.fill('Anna');
        await offers('admin.save', 'ui.discard')(page);
        await button(page, 'ui.discard').click();
        await expect(name).toHaveValue('Anna Conti');
        await refuses('admin.save')(page);
      },
      asksForManager,
    ),
  },
  'features/admin/record-page.tsx': {
    'read only': all(showsText('built-in', 'KESSv2, K-TAG, KESS3'), async (page) => {
      await expect(page.getByRole('button')).toHaveCount(0);
    }),
    "a vendor's engine": all(showsText('acme', t('admin.engines.test')), async (page) => {
      await expect(page.getByLabel(t('admin.field.client'), { exact: true })).toHaveValue(
        '01900000-0000-7000-8000-00000000abcd',
      );
      const secret = page.getByLabel(t('admin.field.secret'), { exact: true });
      await expect(secret).toHaveValue('');
      await expect(secret).toHaveAttribute('type', 'password');
    }),
  },
  'features/admin/actions/findings-dialog.tsx': {
    ...signInFindings,
    'two engines': all(
      showsText(t('admin.finding.ok'), t('admin.finding.wrong'), 'a vendor with a long name'),
      async (page) => {
        await button(page, 'ui.close').last().click();
        await expectReports(page, 'closed');
      },
    ),
  },
};

const listed = (page: Page) => page.getByRole('main');

const pages: Group = {
  'pages/admin/admin-overview-page.tsx': {
    async filled(page) {
      const card = listed(page).getByRole('listitem').filter({ hasText: '101' });
      await expect(card.getByRole('link')).toHaveAttribute('href', '/admin/users');
    },
  },
  'pages/admin/admin-list-page.tsx': {
    ...listedBackups,
    async filled(page) {
      await expect(page).toHaveTitle(
        `${t('admin.organisations.title')} · ${t('menu.admin')} · Recodery`,
      );
      await expect(rows(page)).toHaveCount(4);
      const add = page.getByRole('link', { name: t('admin.organisations.add') });
      await expect(add).toHaveAttribute('href', '/admin/organisations/new');
    },
    empty: showsText(t('admin.organisations.empty'), t('admin.organisations.invitation')),
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), offers('ui.tryAgain')),
    ...listedSignIns,
    emails: all(offers('admin.emails.test'), async (page) => {
      const failed = rows(page).filter({ hasText: 'Recipient address rejected' });
      await expect(failed).toContainText(t('admin.option.status.failed'));
    }),
    storage: all(offers('admin.storage.scan', 'admin.storage.result'), async (page) => {
      await expect(rows(page).first()).toContainText('93.5 GiB');
    }),
    settings: async (page) => {
      await expect(rows(page)).toHaveCount(4);
      await expect(rows(page).first()).toContainText(t('admin.option.name.link.support'));
    },
    keys: all(offers('admin.keys.renewAll'), async (page) => {
      await expect(rows(page).first()).toContainText(t('admin.option.purpose.session'));
      const rotate = button(page, 'admin.keys.rotate');
      await rotate.click();
      await showsText(t('admin.keys.rotateAbout'))(page);
      await pressEscape(page);
      await expect(rotate).toBeFocused();
    }),
    'terms of use': async (page) => {
      await expect(rows(page)).toHaveCount(3);
      await expect(rows(page).first()).toContainText(t('admin.option.state.draft'));
    },
    'audit trail': all(offers('admin.audit.verify'), async (page) => {
      await expect(rows(page)).toHaveCount(3);
      await expect(rows(page).first()).toContainText('adminUsers.update');
    }),
  },
  'pages/admin/admin-record-page.tsx': {
    ...backupRecords,
    ...signInRecords,
    'failed email': all(showsText(t('admin.field.error')), offers('admin.emails.retry')),
    setting: showsText(t('admin.option.name.link.support'), t('admin.settings.valueHint')),
    'terms in force': all(showsText('## 1. Scope', 'Italiano'), offers('admin.terms.copy')),
    'entry of the audit trail': showsText('"operator"', '203.0.113.7'),
    filled: all(refuses('admin.save'), async (page) => {
      await expect(listed(page).getByRole('heading', { level: 1 })).toHaveText('CC-1001');
      const related = page.getByRole('navigation', { name: t('admin.related') });
      const users = related.getByRole('link', { name: t('admin.users.title') });
      await expect(users).toHaveAttribute('href', '/admin/users?search=CC-1001');
    }),
    async loading(page) {
      await expect(listed(page).locator('.animate-skeleton').first()).toBeVisible();
    },
    'removed meanwhile': showsText(t('NOT_FOUND_TITLE')),
    'new slave': offers('admin.slaves.add'),
    'planned maintenance': all(showsText(t('admin.option.state.planned')), refuses('admin.save')),
    'new message': offers('admin.messages.add'),
  },
  'pages/admin/admin-pages.tsx': {
    // leads to the overview
    'another version': showsText(t('admin.about')),
  },
};

const whole: Group = {
  'features/admin/list/list-filters.tsx': {
    async 'none in use'(page) {
      const filters = button(page, 'admin.filters');
      await expect(filters).toHaveAttribute('aria-expanded', 'false');
      await filters.click();
      const from = page.getByLabel(t('admin.field.from'), { exact: true });
      await from.fill('2030-01-02T00:00');
      const utc = await page.evaluate(() => new Date('2030-01-02T00:00').toISOString());
      await expectReports(page, JSON.stringify({ from: utc }));
    },
    'two in use': all(showsText(t('admin.filtersInUse', { number: '2' })), async (page) => {
      const who = page.getByLabel(t('admin.field.who'), { exact: true });
      await expect(who).toHaveValue('anna@demo.test');
      await who.fill('');
      await expectReports(page, '{"action":"adminUsers"}');
      await button(page, 'admin.clearFilters').click();
      await expectReports(page, '{"action":"adminUsers"}', '{}');
    }),
  },
  'features/admin/form/markdown-field.tsx': {
    async filled(page) {
      await page.evaluate(() => {
        globalThis.fetch = async () => Response.json({ page: '<h1>Rendered</h1>' });
      });
      const preview = page.getByRole('button', { name: t('admin.messages.preview') });
      await preview.click();
      await expect(page.frameLocator('iframe').getByText('Rendered')).toBeVisible();
      await pressEscape(page);
      await expect(preview).toBeFocused();
    },
    async empty(page) {
      await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByRole('button')).toHaveCount(0);
    },
  },
  'features/admin/list/whole-resource.tsx': {
    async 'a task and downloads'(page) {
      await offers('admin.audit.verify')(page);
      for (const format of ['CSV', 'JSON'])
        await expect(button(page, 'admin.export', { format })).toBeEnabled();
      await page.evaluate(() => {
        const finding = { state: 'ok', text: 'Entries 1 to 9 are complete and unchanged.' };
        globalThis.fetch = async () => Response.json({ finding });
      });
      await button(page, 'admin.audit.verify').click();
      await showsText('Entries 1 to 9 are complete and unchanged.', t('admin.finding.ok'))(page);
      await page.getByRole('dialog').getByText(t('ui.close'), { exact: true }).click();
      await expect(button(page, 'admin.audit.verify')).toBeFocused();
    },
  },
};

const kept = { ...upkeep, ...signIn, ...addSlaves, ...sections };
testGroup('admin', { ...kept, ...lists, ...forms, ...overview, ...whole, ...pages });
