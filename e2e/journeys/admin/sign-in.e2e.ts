/** The sign-in provider in a real browser: what is in use, its test, and the last failed sign-ins. */
import {
  registeredClient,
  type ReportedPerson,
  startProvider,
} from '../../../server/test/fixtures/services/external-provider.ts';
import { freePort } from '../../../server/test/fixtures/free-port.ts';
import { expect, expectAccessible, openSignedIn, test } from '../../fixtures.ts';
import { startProduct } from '../../product.ts';
import { acceptTerms, fillSetup } from '../../setup-steps.ts';

// promise d4.sign-in.failures
test('an operator sees which provider is in use, and why a sign-in failed', {
  tag: '@release',
}, async ({ page, openBrowser }) => {
  const stranger = await openBrowser();
  await stranger.goto('/kess3');
  await stranger.getByLabel('Email').fill('nora@demo.test');
  await stranger.locator('input[type=password]').fill('not the password');
  await stranger.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(stranger.getByRole('alert')).toBeVisible();

  await openSignedIn(page, '/admin/signIn', 'olga@demo.test');
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in provider' })).toBeVisible();
  await expect(page.getByText('Built-in', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Test', exact: true })).toHaveCount(0);
  const row = page.getByRole('row', { name: /Wrong password.*nora@demo\.test/ }).first();
  await expect(row).toBeVisible();
  await expectAccessible(page, 'the sign-in provider');
  await row.getByRole('link', { name: 'Wrong password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wrong password' })).toBeVisible();
  await expect(page.getByText('nora@demo.test')).toBeVisible();
  await expectAccessible(page, 'a failed sign-in');
});

// promise d4.sign-in.provider-test
test('with an external provider, the setup link leads through its sign-in, and the operator tests it', {
  tag: '@release',
}, async ({ openBrowser }) => {
  const person: ReportedPerson = { sub: 'ada', email: 'ada@workshop.test', isVerified: true };
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const product = await startProduct({
    RECODERY_DEMO: 'off',
    RECODERY_OIDC_ISSUER: issuer,
    RECODERY_OIDC_CLIENT_ID: registeredClient.clientId,
    RECODERY_OIDC_CLIENT_SECRET: registeredClient.clientSecret,
  });
  const provider = await startProvider(port, product.url, person);
  try {
    const page = await openBrowser();
    const printed = await product.recodery('setup-link');
    await page.goto(/http\S+\/setup\?token=\S+/.exec(printed)?.[0] ?? '');
    await expect(page.getByText(`You sign in at ${issuer}`, { exact: false })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveCount(0);
    await expectAccessible(page, 'setup with an external provider');
    await fillSetup(page);
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await acceptTerms(page);
    await expect(page.getByRole('button', { name: /^Account/ })).toContainText('Ada Rossi');

    // someone without an account
    person.sub = 'eve';
    person.email = 'eve@elsewhere.test';
    const stranger = await openBrowser();
    await stranger.goto(product.url);
    await expect(
      stranger.getByText('Your account is not registered', { exact: false }),
    ).toBeVisible();

    await page.goto(`${product.url}/admin/signIn`);
    await expect(page.getByText(issuer, { exact: true })).toBeVisible();
    await expect(page.getByText(`${product.url}/sso/callback`, { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /eve@elsewhere\.test/ })).toBeVisible();
    await expectAccessible(page, 'an external sign-in provider');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const found = page.getByRole('dialog', { name: 'Test result' });
    await expect(
      found.getByText('accepts the client ID and its secret', { exact: false }),
    ).toBeVisible();
    await expect(found.getByText('is registered.', { exact: false })).toBeVisible();
    await expectAccessible(page, 'the test of the provider');
    expect(await product.recodery('sign-in', 'test')).toContain('is registered.');
    expect(await product.recodery('sign-in', 'failures')).toContain('eve@elsewhere.test');
    const shown = await product.recodery('sign-in', 'show');
    expect(shown).toContain(issuer);
    expect(shown).not.toContain(registeredClient.clientSecret);
  } finally {
    provider.close();
    await product.stop();
  }
});
