/**
 * The administration in a real browser: an operator sets up a workshop with a user and devices, two operators do not
 * overwrite each other, one edit needs only the keyboard, and no one else sees the lists.
 */
import type { RecordOf } from '@recodery/contract/admin/resource';
import type { resources } from '@recodery/contract/admin/resources';
import type { Page } from '@playwright/test';
import { call, create, read } from '../../calls.ts';
import { withDatabase } from '../../database.ts';
import { expect, expectAccessible, signIn, startSession, test } from '../../fixtures.ts';
import { expectSpoken, goTo, listen, openByMenu, press } from '../../keyboard.ts';
import { write } from '../../workflow.ts';

const operator = 'olga@demo.test';

type User = RecordOf<typeof resources.users>;
type Organisation = RecordOf<typeof resources.organisations>;

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const openSection = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Administration sections' })
    .getByRole('link', { name, exact: true })
    .click();
const titlesOf = (page: Page) => page.getByRole('rowheader').getByRole('link');

/** Chooses an option from a list that opens like a menu. */
async function select(page: Page, name: string, option: string): Promise<void> {
  // the frame has a button for the language as well
  const main = page.getByRole('main');
  await main.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('menuitemradio', { name: option, exact: true }).click();
}

/** Opens the form for a new record, fills in its texts, and creates it. */
async function add(
  page: Page,
  section: string,
  label: string,
  texts: Readonly<Record<string, string>>,
  more: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await openSection(page, section);
  await page.getByRole('link', { name: label, exact: true }).click();
  await expect(titled(page, label)).toBeVisible();
  await expectAccessible(page, label);
  for (const [name, text] of Object.entries(texts)) await write(field(page, name), text);
  await more();
  await button(page, label).click();
}

test('an operator searches and sorts organisations, and sets up a workshop with a user and devices', async ({
  page,
}) => {
  await signIn(page, operator);
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'Administration', exact: true })
    .click();
  await expect(titled(page, 'Administration')).toBeVisible();
  await expectAccessible(page, 'administration');

  await openSection(page, 'Organizations');
  await expect(titlesOf(page).first()).toHaveText('CC-1001');
  await expectAccessible(page, 'organisations');
  await button(page, 'Customer code').click();
  await expect(titlesOf(page).last()).toHaveText('CC-1001');
  await expect(page).toHaveURL(/sort=-customerCode/);
  await write(field(page, 'Search'), 'CC-1001');
  await expect(page.getByText('Found: 1', { exact: true })).toBeVisible();
  await expect(titlesOf(page)).toHaveText(['CC-1001']);
  await write(field(page, 'Search'), 'no such workshop');
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
  await expectAccessible(page, 'organisations, nothing found');
  await button(page, 'Clear search').click();
  await expect(titlesOf(page).last()).toHaveText('CC-1001');

  await openSection(page, 'Organizations');
  await page.getByRole('link', { name: 'Add organization', exact: true }).click();
  await button(page, 'Add organization').click();
  await expect(page.getByText('Nothing was saved. Correct the marked fields.')).toBeVisible();
  await expect(field(page, 'Customer code')).toBeFocused();
  await expectAccessible(page, 'a new organisation with missing values');
  await write(field(page, 'Customer code'), 'CC-1001');
  await write(field(page, 'Name'), 'Nordwerk');
  await button(page, 'Add organization').click();
  await expect(page.getByText('This already exists.')).toBeVisible();
  await write(field(page, 'Customer code'), 'CC-7007');
  await write(field(page, 'Group codes'), 'G-70');
  await page.getByRole('checkbox', { name: 'KESSv2', exact: true }).check();
  await button(page, 'Add organization').click();
  await expect(titled(page, 'CC-7007')).toBeVisible();

  await add(page, 'Users', 'Add user', {
    Email: 'nils@nordwerk.test',
    Name: 'Nils Berg',
    Organizations: 'CC-7007',
  });
  await expect(titled(page, 'nils@nordwerk.test')).toBeVisible();
  await add(
    page,
    'Masters',
    'Add master',
    { 'Serial number': 'KV2-M-7007', 'Customer code': 'CC-7007', 'Group code': 'G-70' },
    () => select(page, 'Family', 'KESSv2'),
  );
  await expect(titled(page, 'KV2-M-7007')).toBeVisible();
  await add(
    page,
    'Slaves',
    'Add slave',
    { 'Serial number': 'KV2-007007', Master: 'KV2-M-7007', Owner: 'CC-7007' },
    () => select(page, 'Family', 'KESSv2'),
  );
  await expect(titled(page, 'KV2-007007')).toBeVisible();
  await expectAccessible(page, 'a slave');

  await openSection(page, 'Organizations');
  await page.getByRole('link', { name: 'CC-7007', exact: true }).click();
  await page.getByRole('navigation', { name: 'Related lists' }).getByText('Users').click();
  await expect(titlesOf(page)).toHaveText(['nils@nordwerk.test']);
  await titlesOf(page).click();
  await write(field(page, 'Name'), 'Nils Bergström');
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a saved user');
  await page.reload();
  await expect(field(page, 'Name')).toHaveValue('Nils Bergström');

  const organisations = await read<{ items: Organisation[] }>(
    page,
    '/api/admin/organisations?search=CC-7007',
  );
  expect(organisations.items).toMatchObject([{ name: 'Nordwerk', users: 1, masters: 1 }]);
});

test('two operators who edit one user see what the other one changed, and overwrite nothing', {
  tag: '@release',
}, async ({ page, openBrowser }) => {
  await startSession(page, operator);
  const { guid } = await create<User>(page, 'users', {
    email: 'eva@two.test',
    name: 'Eva',
    customerCodes: ['CC-1001'],
    portalAccess: true,
  });
  const saved = () => read<User>(page, `/api/admin/users/${guid}`);
  const colleague = await openBrowser({ reducedMotion: 'reduce', locale: 'en-US' });
  await startSession(colleague, operator);
  for (const one of [page, colleague]) {
    await one.goto(`/admin/users/${guid}`);
    await expect(field(one, 'Name')).toHaveValue('Eva');
  }

  await select(page, 'Language', 'Deutsch');
  await button(page, 'Save').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await write(field(colleague, 'Name'), 'Eva Lind');
  await button(colleague, 'Save').click();
  const conflict = colleague.getByRole('region', { name: 'Someone else changed this record' });
  await expect(conflict.getByRole('heading')).toBeFocused();
  await expect(conflict).toContainText('Their changes are now in the form, and yours are kept.');
  await expect(conflict).toContainText('Deutsch');
  await expectAccessible(colleague, 'a user whom someone else changed');
  expect(await saved()).toMatchObject({ name: 'Eva', culture: 'de-DE' });
  await expect(field(colleague, 'Name')).toHaveValue('Eva Lind');
  await button(colleague, 'Save').click();
  await expect(colleague.getByText('Saved', { exact: true })).toBeVisible();
  expect(await saved()).toMatchObject({ name: 'Eva Lind', culture: 'de-DE' });

  await write(field(page, 'Name'), 'Eva Maria');
  await button(page, 'Save').click();
  const clash = page.getByRole('region', { name: 'Someone else changed this record' });
  await expect(clash).toContainText('You both changed the same fields. Nothing was overwritten.');
  await expect(clash).toContainText('Eva Lind');
  await expect(clash).toContainText('Your value: Eva Maria');
  await expect(button(page, 'Save')).toBeDisabled();
  await expectAccessible(page, 'a user whose name two operators changed');
  expect(await saved()).toMatchObject({ name: 'Eva Lind' });
  await button(page, 'Use their values').click();
  await expect(field(page, 'Name')).toHaveValue('Eva Lind');
  await expect(clash).toHaveCount(0);
  await expect(button(page, 'Save')).toBeDisabled();
});

test('a user is found, edited and saved with the keyboard alone', { tag: '@release' }, async ({
  page,
}) => {
  await listen(page);
  await signIn(page, operator);
  const { guid } = await create<User>(page, 'users', {
    email: 'keys@only.test',
    name: 'Keys',
    customerCodes: ['CC-1001'],
    portalAccess: true,
  });
  await openByMenu(page, 'Administration');
  const sections = page.getByRole('navigation', { name: 'Administration sections' });
  await press(page, sections.getByRole('link', { name: 'Users', exact: true }));
  await expect(titled(page, 'Users')).toBeFocused();
  await goTo(page, field(page, 'Search'));
  await page.keyboard.type('keys@only');
  await expectSpoken(page, /Found: 1/);
  await press(page, page.getByRole('link', { name: 'keys@only.test', exact: true }));
  await expect(titled(page, 'keys@only.test')).toBeFocused();
  await goTo(page, field(page, 'Name'));
  await page.keyboard.press('End');
  await page.keyboard.type(' Only');
  await expectSpoken(page, /Unsaved changes/);
  await page.keyboard.press('Enter');
  await expectSpoken(page, /Saved/);
  expect(await read<User>(page, `/api/admin/users/${guid}`)).toMatchObject({ name: 'Keys Only' });
});

for (const [what, email] of [
  ['a manager', 'anna@demo.test'],
  ['a user', 'paolo@demo.test'],
] as const) {
  test(`${what} who is not an operator sees a page that explains why instead of the lists`, {
    tag: '@release',
  }, async ({ page }) => {
    await signIn(page, email);
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await expect(menu.getByRole('link', { name: 'Operations log', exact: true })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Administration', exact: true })).toHaveCount(0);
    for (const path of ['/admin', '/admin/users', '/admin/users/new']) {
      await page.goto(path);
      await expect(titled(page, 'This page is for operators')).toBeVisible();
      await expect(page.getByRole('main').getByRole('table')).toHaveCount(0);
    }
    await expectAccessible(page, `administration for ${what}`);
    expect((await call(page, 'GET', '/api/admin/users')).status()).toBe(403);
  });
}

test('a link that could take over an account asks for the password again', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page, operator);
  await withDatabase(product, (client) =>
    client.query(
      `update session set confirmed_on = confirmed_on - interval '1 hour'
        where account_guid = (select guid from account where email = $1)`,
      [operator],
    ),
  );
  await page.goto('/admin/users?search=luca');
  await titlesOf(page).first().click();
  await button(page, 'Create sign-in link').click();
  const question = page.getByRole('dialog', { name: 'Confirm your password' });
  await expect(question).toBeVisible();
  await expectAccessible(page, 'the password again');
  await question.getByLabel('Current password').fill('demo');
  await question.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Link to copy' })).toBeVisible();
});
