/** What every journey has at hand: a running product, a page that fails on any complaint of the browser, sign-in, axe. */
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { findWithAxe } from './axe.ts';
import { type Product, startProduct } from './product.ts';

interface TestFixtures {
  readonly page: Page;
  /** Opens a page as in another browser, which knows nothing of the first one; closed and checked like `page`. */
  readonly openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens one more tab beside `page`; closed and checked like it. */
  readonly openTab: () => Promise<Page>;
}

interface WorkerFixtures {
  readonly product: Product;
}

/** Chromium notes every refused call by itself; the journeys check those answers where they are meant. */
const browserNote = /^Failed to load resource:/;
/**
 * Firefox notes a module or a font (2152398850: aborted) that was still on its way when its page was left, as at a
 * redirect to the sign-in; Chromium does not. Without a module that is really missing, a page has not what the journey
 * looks for.
 */
const leavingNote =
  /^(TypeError: error loading dynamically imported module:|downloadable font: download failed .* status=2152398850 )/;

function isComplaint(text: string): boolean {
  return !browserNote.test(text) && !leavingNote.test(text);
}

/** Gathers what the browser complains of on a page: script errors, and what the page's own policy forbids. */
async function listenForComplaints(page: Page): Promise<readonly string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && isComplaint(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    if (isComplaint(String(error))) complaints.push(String(error));
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      );
    });
  });
  return complaints;
}

function demandNone(complaints: readonly string[]): void {
  expect(complaints, 'the browser complained').toEqual([]);
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  page: async ({ page }, use) => {
    const complaints = await listenForComplaints(page);
    await use(page);
    demandNone(complaints);
  },
  openBrowser: async ({ browser }, use) => {
    const opened: { page: Page; complaints: readonly string[] }[] = [];
    await use(async (options) => {
      const page = await browser.newPage(options);
      opened.push({ page, complaints: await listenForComplaints(page) });
      return page;
    });
    for (const { page, complaints } of opened) {
      await page.close();
      demandNone(complaints);
    }
  },
  openTab: async ({ page }, use) => {
    const all: (readonly string[])[] = [];
    await use(async () => {
      const tab = await page.context().newPage();
      all.push(await listenForComplaints(tab));
      return tab;
    });
    for (const complaints of all) demandNone(complaints);
  },
});

export { expect };

/**
 * Answers the embedded provider's own page with the demo password, and the terms of use where the account has not yet
 * accepted them. The browser stands at the provider before, and at a private page afterwards.
 */
export async function answerSignIn(
  page: Page,
  email = 'anna@demo.test',
  password = 'demo',
): Promise<void> {
  const terms = page.waitForResponse((response) =>
    response.url().endsWith('/api/auth/tou/has-accepted'),
  );
  await page.locator('form input:not([type=password]):not([type=hidden])').fill(email);
  await page.locator('form input[type=password]').fill(password);
  await page.locator('form button').click();
  const hasAccepted: unknown = await (await terms).json();
  if (hasAccepted === false) await acceptTerms(page);
}

async function acceptTerms(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (const statement of await dialog.getByRole('checkbox').all()) await statement.check();
  await dialog.getByRole('button').last().click();
  await expect(dialog).toBeHidden();
}

/** Signs in with the demo password and waits for the home page. */
export async function signIn(page: Page, email?: string, password?: string): Promise<void> {
  await page.goto('/');
  await answerSignIn(page, email, password);
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.locator('h1')).toBeVisible();
}

/** Demands that axe finds nothing on the page as it stands. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  expect(await findWithAxe(page), `axe on ${state}`).toEqual([]);
}
