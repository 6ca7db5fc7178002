/**
 * Sign-in and sign-out: returning to the requested page, a wrong password, missing rights, and what users can see of
 * others.
 */
import { answerSignIn, expect, expectAccessible, test } from '../../fixtures.ts';

test('the fragment of an address survives the sign-in', { tag: '@release' }, async ({ page }) => {
  await page.goto('/jobs?kept=true#newest');
  await page.waitForURL(/\/idp\//);
  await answerSignIn(page);
  await page.waitForURL((url) => `${url.pathname}${url.hash}` === '/jobs#newest');
});

// promise 2.routes.login, 2.routes.loggedin-token, 2.routes.loggedin-goes-back, 2.routes.private
// promise d4.sign-in.token-address
// promise 2.home.greets, 1.work.switch-code, 2.routes.home, 2.home.customer-code, d10.page.csp
// promise 2.layout.user-menu-logout, 4.session.logout
test('a private page redirects to the sign-in and opens after a wrong password and the right one; the home page greets and changes the customer code; after signing out, the pages ask again', async ({
  page,
}) => {
  await page.goto('/kessv2');
  await page.waitForURL(/\/idp\//);
  await expectAccessible(page, 'sign-in');
  await page.locator('form input:not([type=password]):not([type=hidden])').fill('anna@demo.test');
  await page.locator('form input[type=password]').fill('wrong');
  await page.locator('form button').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'sign-in, wrong password');
  await answerSignIn(page);
  await page.waitForURL((url) => url.pathname === '/kessv2');
  await expect(page.getByRole('heading', { level: 1, name: 'KESSv2' })).toBeVisible();
  expect(page.url()).not.toContain('__dbSSO_token__');
  await page.getByRole('link', { name: 'Recodery, home' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');

  await expectAccessible(page, 'home, light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'home, dark');
  await page.getByRole('button', { name: 'Change customer code' }).click();
  await page.getByRole('menuitemradio', { name: /CC-2002/ }).click();
  await expect(page.getByRole('main')).toContainText('CC-2002');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.getByRole('button', { name: 'Change customer code' }).click();
  await page.getByRole('menuitemradio', { name: /CC-1001/ }).click();
  await expect(page.getByRole('main')).toContainText('CC-1001');

  await page.emulateMedia({ colorScheme: null });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const password = page.locator('form input[type=password]');
  // Signing out redirects to the sign-in automatically; going to another page earlier would be overtaken by it.
  await password.waitFor();
  await page.goto('/kessv2');
  await page.waitForURL(/\/idp\//);
  await expect(password).toBeVisible();
});
