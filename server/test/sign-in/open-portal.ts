/** A portal with sign-in and sessions only, over real HTTP, with its own accounts. */
import { createPasswordQueue } from '../../src/sign-in/provider/passwords/password-queue.ts';
import { routes } from '@recodery/contract/routes';
import type { Session } from '@recodery/contract/features/session';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { openLog } from '../../src/config/log.ts';
import { createApp } from '../../src/http/app.ts';
import { createCountStore } from '../../src/http/requests/request-counts.ts';
import { createRouter } from '../../src/http/serve.ts';
import type { Places } from '../../src/config/semaphore.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import type { DirectoryFile } from '../../src/organisations/directory/directory-file.ts';
import type { OidcSettings } from '../../src/sign-in/oidc.ts';
import { openSignIn } from '../../src/sign-in/open-sign-in.ts';
import type { AttemptPace } from '../../src/sign-in/provider/record-attempts.ts';
import { serveSignIn } from '../../src/sign-in/routes.ts';
import { createAuthenticate, createSession } from '../../src/sign-in/sessions.ts';
import { describeSession } from '../../src/sign-in/describe-session.ts';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { hashPassword } from '../../src/sign-in/provider/passwords/passwords.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import type { Browser, Seen } from './browser.ts';

export interface OpenPortal {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly url: string;
  readonly log: string[];
}

/** Starts a portal on a platform; several can share one platform and one public address. */
export async function openPortal(
  platform: TestPlatform,
  port: number,
  options: {
    readonly isDemo?: boolean;
    readonly oidc?: OidcSettings;
    readonly publicUrl?: string;
    readonly passwordPlaces?: Places;
    readonly attemptPace?: AttemptPace;
    readonly termsVersion?: string;
  } = {},
): Promise<OpenPortal> {
  const publicUrl = options.publicUrl ?? `http://localhost:${port}`;
  const log: string[] = [];
  const logger = openLog(false, { write: (line: string) => log.push(line) });
  logger.level = 'debug';
  const app = await createApp({
    log: logger,
    trustedProxies: [],
    publicUrl,
    webDir: platform.config.dataDir,
    countStore: createCountStore(platform.db, platform.log),
    isReady: async () => true,
  });
  const signIn = await openSignIn(app, {
    mailPassword: null,
    sendNews: async () => undefined,
    ...platform,
    config: {
      publicUrl,
      host: '127.0.0.1',
      oidc: options.oidc ?? null,
      isDemo: options.isDemo ?? true,
      needsOperatorFactor: false,
    },
    hashing: createPasswordQueue(options.passwordPlaces),
    ...(options.attemptPace === undefined ? {} : { attemptPace: options.attemptPace }),
  });
  const router = createRouter(app, {
    authenticate: createAuthenticate(platform),
    handleIdempotent: (_request, handle) => handle(async () => undefined),
    audit: { record: async () => undefined, announce: async () => async () => undefined },
    uploads: {
      expect: () => {
        throw new Error('nothing is uploaded here');
      },
    },
    routes: new Map([...routes].filter(([name]) => name.startsWith('session.'))),
  });
  const termsVersion = options.termsVersion ?? 'first';
  const readTerms = async () => ({ version: termsVersion, counting: [termsVersion] });
  serveSignIn(router, { ...platform, publicUrl, readTerms, signOutUrl: signIn.signOutUrl });
  router.finish();
  await app.listen({ host: '127.0.0.1', port });
  return { app, port, url: publicUrl, log };
}

export const password = 'correct horse';

const directory: DirectoryFile = {
  organisations: [
    {
      customerCode: 'CC-1',
      name: 'First',
      rights: ['kessv2', 'recod'],
      logo: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
      groupCodes: [
        { code: 'G-2', masters: [{ family: 'kess3', serial: 'M-3' }] },
        {
          code: 'G-1',
          masters: [
            { family: 'kessv2', serial: 'M-2' },
            { family: 'kessv2', serial: 'M-1', slaves: [{ serial: 'S-1', owner: 'CC-2' }] },
          ],
        },
      ],
    },
    { customerCode: 'CC-2', name: 'Second' },
    { customerCode: 'CC-3', name: 'Third' },
  ],
  users: [
    { email: 'Anna@shop.test', name: 'Anna', customerCodes: ['CC-1', 'CC-2'] },
    { email: 'mia@shop.test', name: 'Mia', culture: 'it-IT', customerCodes: ['CC-3'] },
    { email: 'demo@shop.test', name: 'Demo', customerCodes: ['CC-3'] },
    { email: 'lone@shop.test', name: 'Lone' },
    { email: 'nika@shop.test', name: 'Nika', customerCodes: ['CC-3'] },
    { email: 'olga@shop.test', name: 'Olga' },
    { email: 'guest@shop.test', name: 'Guest', customerCodes: ['CC-3'] },
  ],
};

/** A platform with accounts; all except guest have the same password, and demo's counts as well-known. */
export async function createPlatformWithAccounts(): Promise<TestPlatform> {
  const platform = await createTestPlatform();
  await applyDirectory(platform, directory);
  const password_hash = await hashPassword(password);
  await platform.db
    .updateTable('account')
    .where('email', '!=', 'guest@shop.test')
    .set({ password_hash })
    .execute();
  await platform.db
    .updateTable('account')
    .where('email', '=', 'demo@shop.test')
    .set({ is_demo: true })
    .execute();
  return platform;
}

/** A platform with accounts, and its portal, for all tests of the file. Both stop after them. */
export async function startPortalWithAccounts() {
  const platform = await createPlatformWithAccounts();
  afterAll(() => platform.stop());
  const portal = await openPortal(platform, await freePort());
  afterAll(() => portal.app.close());
  return { platform, portal };
}

/** Goes from `/sso/start` to the provider's form; returns the form's address. */
export async function goToForm(browser: Browser, returnTo = '/'): Promise<string> {
  const start = await browser.get(`/sso/start?returnTo=${encodeURIComponent(returnTo)}`);
  const { address } = await browser.follow(start);
  return address;
}

/** Signs in up to the page `/loggedin`; returns its query. */
export async function signInAtProvider(
  browser: Browser,
  email: string,
  returnTo = '/',
): Promise<URLSearchParams> {
  const form = await goToForm(browser, returnTo);
  const { address } = await browser.follow(
    await browser.submit(form, { email, password }),
    '/loggedin',
  );
  return new URL(address, 'http://localhost').searchParams;
}

export const validate = (browser: Browser, token: string | null): Promise<Seen> =>
  browser.post(`/api/auth/validate-sso-token/${token}`);

/** A session as after a sign-in, without the sign-in. */
export async function beginSession(platform: TestPlatform, email: string): Promise<Session> {
  const account = await findAccountByEmail(platform.db, email);
  if (account === null) throw new Error(`no account ${email}`);
  const guid = await createSession(platform.db, { accountGuid: account.guid, idToken: null });
  if (guid === null) throw new Error(`${email} has no organisation`);
  return describeSession(platform, guid);
}
