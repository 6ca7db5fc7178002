/** Second factors in a real browser: a passkey of a virtual authenticator, and the codes of an app. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { appCode } from '../../../server/test/fixtures/sign-in/app-code.ts';
import { addAuthenticator, type VirtualAuthenticator } from '../../authenticator.ts';
import { withDatabase } from '../../database.ts';
import { answerSignIn, expect, expectAccessible, test } from '../../fixtures.ts';
import type { Product } from '../../product.ts';

const password = 'kestrel over the long lake';

/** Adds a user with a password of their own, so that no other journey is asked for a second factor. */
async function addUser(
  page: Page,
  product: Product,
  email: string,
  rights: { readonly operator?: boolean } = {},
): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-factors-')), 'directory.yaml');
  const users = [{ email, name: 'Hanna Roth', customerCodes: ['CC-1001'], ...rights }];
  // JSON is YAML as well
  await writeFile(file, JSON.stringify({ users }));
  await product.recodery('directory', 'apply', file);
  await page.goto((await product.recodery('user', 'invite', email)).trim());
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: 'Password set' })).toBeVisible();
}

/** Opens the account with the password alone, and accepts the terms. */
async function openAccount(page: Page, email: string): Promise<void> {
  await page.goto('/account');
  await answerSignIn(page, email, password);
  await expect(button(page, 'Add passkey')).toBeVisible();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Forgets the session here and at the provider, which would sign in again without a question. */
async function forget(page: Page): Promise<void> {
  await page.goto('/healthz');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
}

/** Goes to the account, and so to the sign-in page, which offers passkeys in the field for the email address. */
async function meetSignIn(page: Page): Promise<void> {
  await forget(page);
  const offered = page.waitForResponse(/\/passkey-options$/);
  await page.goto('/account');
  await expect(page.getByLabel('Email')).toBeVisible();
  expect((await offered).status()).toBe(200);
}

/**
 * Uses the button while the offer in the field is unanswered. The authenticator never answers a request that it got while
 * it did not answer, so the browser's request is held back until it does.
 */
async function useButton(page: Page, authenticator: VirtualAuthenticator): Promise<void> {
  const answers = Promise.withResolvers<void>();
  const hold = async (route: Route): Promise<void> => {
    await answers.promise;
    await route.continue();
  };
  await page.route(/\/passkey-options$/, hold, { times: 1 });
  await button(page, 'Sign in with a passkey').click();
  await authenticator.answer(true);
  answers.resolve();
}

/** Until `restore`, the account has no password, and its sign-in is too old for a protected action: a journey cannot wait for that. */
async function leaveOnlyPasskey(product: Product, email: string) {
  let hash: unknown;
  await withDatabase(product, async (client) => {
    const stored = await client.query('select password_hash from account where email = $1', [
      email,
    ]);
    hash = stored.rows[0]?.password_hash;
    await client.query('update account set password_hash = null where email = $1', [email]);
    await client.query(
      `update session set confirmed_on = now() - interval '11 minutes'
        where account_guid = (select guid from account where email = $1)`,
      [email],
    );
  });
  const restore = () =>
    withDatabase(product, (client) =>
      client.query('update account set password_hash = $2 where email = $1', [email, hash]),
    );
  return { restore };
}

/** Renews all keys, for which the operator, who has only a passkey, signs in again. */
async function expectToConfirm(page: Page, authenticator: VirtualAuthenticator): Promise<void> {
  await page.goto('/admin/keys');
  const renew = async (): Promise<void> => {
    await button(page, 'Renew all').click();
    await dialog(page, 'Renew all').getByRole('button', { name: 'Renew all', exact: true }).click();
  };
  await renew();
  const again = dialog(page, 'Sign in again');
  await expect(again).toContainText('You signed in a while ago.');
  await expectAccessible(page, 'sign in again');
  await authenticator.answer(false);
  const offered = page.waitForResponse(/\/passkey-options$/);
  await again.getByRole('link', { name: 'Sign in again' }).click();
  expect((await offered).status()).toBe(200);
  await useButton(page, authenticator);
  await expect(page).toHaveURL(/\/admin\/keys$/);
  await renew();
  await expect(page.getByText(/^Renewed the keys of \d+ kinds\./)).toBeVisible();
}

// promise 6.passkeys.journey, 6.passkeys.field
test('an operator adds a passkey, signs in with it in the email field and by its button, confirms a protected action with it, and is refused after removing it', async ({
  product,
  openBrowser,
}) => {
  const page = await openBrowser();
  const authenticator = await addAuthenticator(page);
  const email = 'passkey@factors.test';
  await addUser(page, product, email, { operator: true });
  await openAccount(page, email);
  await button(page, 'Add passkey').click();
  await dialog(page, 'Add passkey').getByLabel('Name').fill('Workshop laptop');
  await expectAccessible(page, 'add a passkey');
  await button(page, 'Create passkey').click();
  await expect(dialog(page, 'Recovery codes').getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, 'recovery codes');
  await button(page, 'I have stored them').click();
  await expect(page.getByText('Workshop laptop')).toBeVisible();
  const used = page.getByText('Last used:', { exact: false }).first();
  await expectAccessible(page, 'the account with a passkey');

  // the sign-in page offers it in the field, without an error while none is chosen
  await authenticator.answer(false);
  await meetSignIn(page);
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await authenticator.answer(true);
  await forget(page);
  await page.goto('/account');
  await expect(used).toBeVisible();

  // until the button is used
  await authenticator.answer(false);
  await meetSignIn(page);
  await expect(button(page, 'Sign in with a passkey')).toBeVisible();
  await expectAccessible(page, 'sign-in with a passkey');
  await useButton(page, authenticator);
  await expect(used).toBeVisible();

  const { restore } = await leaveOnlyPasskey(product, email);
  await expectToConfirm(page, authenticator);
  await restore();

  // the password alone asks for more
  await authenticator.answer(false);
  await meetSignIn(page);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(password);
  await button(page, 'Sign in').click();
  await expect(page.getByRole('heading', { name: 'Confirm it is you' })).toBeVisible();
  await expectAccessible(page, 'second factor');
  await authenticator.answer(true);
  await button(page, 'Sign in with a passkey').click();
  await button(page, 'Remove: Workshop laptop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Workshop laptop')).toHaveCount(0);

  await authenticator.answer(false);
  await meetSignIn(page);
  await useButton(page, authenticator);
  await expect(page.getByRole('alert')).toContainText('The passkey was not accepted');
});

// promise 6.factors.journey
test('a user adds an authenticator app, and signs in with its code without JavaScript', async ({
  product,
  openBrowser,
  openScriptless,
}) => {
  const page = await openBrowser();
  const email = 'app@factors.test';
  await addUser(page, product, email);
  await openAccount(page, email);
  await button(page, 'Add authenticator app').click();
  const adding = dialog(page, 'Add authenticator app');
  const key = (await adding.locator('code').innerText()).replace(/\s/g, '');
  const code = (step: number) => appCode(key, new Date(Date.now() + step * 30_000));
  await expectAccessible(page, 'add an authenticator app');
  await adding.getByLabel('Code from the app').fill(code(0));
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await button(page, 'I have stored them').click();
  await expect(page.getByText('Recovery codes left: 10')).toBeVisible();

  const plain = await openScriptless();
  // without JavaScript there is no first page: the link of the sign-in itself
  await plain.goto('/sso/start');
  await plain.getByLabel('Email').fill(email);
  await plain.locator('input[type=password]').fill(password);
  await button(plain, 'Sign in').click();
  // the next step's code, because the present one is used up
  await plain.getByLabel('Code', { exact: true }).fill(code(1));
  await button(plain, 'Sign in').click();
  await expect(plain).toHaveURL(/\/loggedin\?/);

  await button(page, 'Remove: Authenticator app').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Recovery codes left', { exact: false })).toHaveCount(0);
});
