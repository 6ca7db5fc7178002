/** The fixtures of every journey: a running product, a page that fails on any browser error, sign-in, axe. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { session as sessionSchema } from '@recodery/contract/features/session';
import { sessionHeader } from '@recodery/contract/headers';
import { colorRules, findWithAxe } from './axe.ts';
import { isEachRun } from './each-run.ts';
import { forgetJourney, type KeptContext, keptContext } from './kept-context.ts';
import { type Product, startProduct } from './product.ts';
import { isFirefox } from './workflow.ts';

interface TestFixtures {
  readonly page: Page;
  /**
   * Opens a page in a separate browser context, which shares nothing with the first; closed and checked like `page`.
   */
  readonly openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a page in a browser with JavaScript disabled. */
  readonly openScriptless: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens another tab in the same context as `page`. It is closed and checked in the same way. */
  readonly openTab: () => Promise<Page>;
}

interface WorkerFixtures {
  readonly product: Product;
  readonly kept: KeptContext;
}

/** Chromium logs every refused call as an error; the journeys check those responses where they are expected. */
const browserNote = /^Failed to load resource:/;
/**
 * Firefox reports a module or a font (2152398850: aborted) that was still loading when the page was left, for
 * example on a redirect to the sign-in page; Chromium does not. For a module, Firefox does not report the cause: we look
 * up the request, so that a missing or broken module still counts.
 */
const leftFont = /^downloadable font: download failed .* status=2152398850 /;
const failedModule = /TypeError: error loading dynamically imported module: (\S+)$/;
/** Firefox's message for an aborted request. */
const brokenOff = 'NS_BINDING_ABORTED';

/**
 * Closes a page or a context, with a timeout: on a busy machine, Chromium sometimes never confirms it. Whatever is
 * still open closes with the browser.
 */
async function closeInTime(close: () => Promise<void>): Promise<void> {
  await Promise.race([close(), pause(60_000, undefined, { ref: false })]);
}

/** Makes Firefox log errors with their text: it reports to its driver only that an error was logged. */
export async function spellErrors(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const note = console.error;
    console.error = (...things: unknown[]) =>
      note(...things.map((thing) => (thing instanceof Error ? String(thing) : thing)));
  });
}

/** Collects the errors of a page: script errors, and violations of the page's own policy. */
async function listenForComplaints(page: Page): Promise<() => readonly string[]> {
  const noted: string[] = [];
  const sound = new Set<string>();
  // each listener costs time for each request
  if (isFirefox(page)) {
    page.on('response', (response) => {
      if (response.ok()) sound.add(response.url());
    });
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === brokenOff) sound.add(request.url());
    });
  }
  page.on('console', (message) => {
    if (message.type() === 'error') noted.push(message.text());
  });
  page.on('pageerror', (error) => noted.push(String(error)));
  await spellErrors(page);
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      );
    });
  });
  const isComplaint = (text: string): boolean =>
    !browserNote.test(text) &&
    !leftFont.test(text) &&
    !sound.has(failedModule.exec(text)?.[1] ?? 'no module');
  return () => noted.filter(isComplaint);
}

type Use = (context: BrowserContext) => Promise<void>;

async function contextOfJourney(
  { context }: { readonly context: BrowserContext },
  use: Use,
): Promise<void> {
  await use(context);
  // Playwright closes it
  const close = context.close.bind(context);
  context.close = (options) => closeInTime(() => close(options));
}

async function contextOfWorker(
  { kept, product }: WorkerFixtures,
  use: Use,
  testInfo: TestInfo,
): Promise<void> {
  const context = await keptContext(kept);
  await use(context);
  // the next journey gets a new one if this one failed, or if its pages do not close in time
  kept.context = null;
  const hasPassed = testInfo.status === testInfo.expectedStatus;
  await closeInTime(async () => {
    if (!hasPassed) return context.close();
    await forgetJourney(context, product.url);
    kept.context ??= context;
  });
}

function expectNone(complaints: () => readonly string[]): void {
  expect(complaints(), 'the browser complained').toEqual([]);
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  kept: [
    async ({ browser }, use) => {
      const kept: KeptContext = { browser, context: null };
      await use(kept);
      await closeInTime(async () => kept.context?.close());
    },
    { scope: 'worker' },
  ],
  // the release check gives each journey its own
  context: isEachRun ? contextOfWorker : contextOfJourney,
  page: async ({ page }, use, testInfo) => {
    const complaints = await listenForComplaints(page);
    await use(page);
    // A CI log is often all that remains of a failed run, so it has to contain what the page showed.
    if (testInfo.status !== testInfo.expectedStatus) {
      const shown = await page.locator('body').ariaSnapshot();
      console.log(`${testInfo.title}\n${page.url()}\n${shown}`);
    }
    expectNone(complaints);
  },
  openBrowser: async ({ browser }, use) => {
    const opened: { page: Page; complaints: () => readonly string[] }[] = [];
    await use(async (options) => {
      const page = await browser.newPage(options);
      opened.push({ page, complaints: await listenForComplaints(page) });
      return page;
    });
    for (const { page, complaints } of opened) {
      await closeInTime(() => page.close());
      expectNone(complaints);
    }
  },
  openScriptless: async (
    { playwright, browser, browserName, channel, launchOptions, baseURL },
    use,
  ) => {
    const address = baseURL === undefined ? {} : { baseURL };
    // over BiDi, Firefox ignores the setting of a page and uses only that of the whole browser
    const isOverBidi = browserName === 'firefox';
    const firefoxUserPrefs = { ...launchOptions.firefoxUserPrefs, 'javascript.enabled': false };
    const scriptless = isOverBidi
      ? await playwright.firefox.launch({
          ...launchOptions,
          ...(channel === undefined ? {} : { channel }),
          firefoxUserPrefs,
        })
      : browser;
    const opened: Page[] = [];
    await use(async (options) => {
      const wanted = isOverBidi ? {} : { javaScriptEnabled: false };
      const page = await scriptless.newPage({ ...address, ...options, ...wanted });
      opened.push(page);
      return page;
    });
    for (const page of opened) await closeInTime(() => page.close());
    if (isOverBidi) await scriptless.close();
  },
  openTab: async ({ page }, use) => {
    const all: (() => readonly string[])[] = [];
    await use(async () => {
      const tab = await page.context().newPage();
      all.push(await listenForComplaints(tab));
      return tab;
    });
    for (const complaints of all) expectNone(complaints);
  },
});

export { expect };

/**
 * Fills in the embedded provider's own page with the demo password, and accepts the terms of use if the account has not
 * yet. The browser is at the provider before, and at a private page afterward.
 */
export async function answerSignIn(
  page: Page,
  email = 'anna@demo.test',
  password = 'demo',
): Promise<void> {
  const terms = page.waitForResponse((response) =>
    response.url().endsWith('/api/auth/tou/has-accepted'),
  );
  const field = page.locator('form input:not([type=password]):not([type=hidden])');
  // A refused sign-in leaves the address in the field, and Firefox's driver would append to it.
  if ((await field.inputValue()) !== email) await field.fill(email);
  await page.locator('form input[type=password]').fill(password);
  await page.locator('form button').click();
  const hasAccepted: unknown = await (await terms).json();
  // those who cannot do anything yet are not asked
  if (hasAccepted === false && !/^(nora|otto)@/.test(email)) await acceptTerms(page);
}

async function acceptTerms(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (const statement of await dialog.getByRole('checkbox').all()) await statement.check();
  await dialog.getByRole('button').last().click();
  await expect(dialog).toBeHidden();
}

/** Signs in and waits for the home page. */
export async function signIn(
  page: Page,
  email = 'anna@demo.test',
  password = 'demo',
): Promise<void> {
  await openSignedIn(page, '/', email, password);
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.locator('h1')).toBeVisible();
}

/**
 * Signs in and opens an address. The browser's requests are sent without its pages, which takes half the time: the
 * journeys of the sign-in use the pages (`answerSignIn`). Accepts the terms of use if the account has not yet.
 */
export async function openSignedIn(
  page: Page,
  address: string,
  email = 'anna@demo.test',
  password = 'demo',
): Promise<void> {
  if (isFirefox(page)) {
    // its driver shares no cookies between pages and such requests
    await page.goto(address);
    await answerSignIn(page, email, password);
    return;
  }
  await startSession(page, email, password);
  await page.goto(address);
}

/** Signs in without opening the application, whose home page takes as long as most journeys' own page. */
export async function startSession(
  page: Page,
  email = 'anna@demo.test',
  password = 'demo',
): Promise<void> {
  if (isFirefox(page)) {
    await signIn(page, email, password);
    return;
  }
  const sessionId = await requestSession(page, email, password);
  // a page of the same origin that is not the application
  await page.goto('/healthz');
  await page.evaluate((id) => localStorage.setItem('LLC', id), sessionId);
}

/** Sends the requests of a sign-in with the page's cookies; returns the session id. */
async function requestSession(page: Page, email: string, password: string): Promise<string> {
  const { request } = page.context();
  const form = await request.get('/sso/start?returnTo=/');
  const signedIn = await request.post(form.url(), { form: { email, password } });
  const token = new URL(signedIn.url()).searchParams.get('__dbSSO_token__');
  expect(token, `the sign-in of ${email} ended at ${signedIn.url()}`).not.toBeNull();
  const session = await request.post(`/api/auth/validate-sso-token/${token}`);
  const { sessionID } = sessionSchema.parse(await session.json());
  const headers = { [sessionHeader]: sessionID };
  const hasAccepted: unknown = await (
    await request.get('/api/auth/tou/has-accepted', { headers })
  ).json();
  if (hasAccepted === false) await request.post('/api/auth/tou/register', { headers });
  return sessionID;
}

/**
 * Expects that axe finds nothing on the page in its current state, and no color problems in the dark theme. `npm test`
 * leaves the colors of the application to the gallery, which checks every component in both themes, unless the page is
 * dark.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // checked after the page has loaded: a slower browser engine may still be rendering it
  await expect(page.locator('h1').first()).toBeAttached();
  const isOfApplication = (await page.locator('#root').count()) > 0;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const isLeft = isEachRun && isOfApplication && !isDark;
  expect(await findWithAxe(page, null, isLeft ? colorRules : []), `axe on ${state}`).toEqual([]);
  if (isLeft || isDark) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findWithAxe(page, colorRules), `axe on ${state}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}
