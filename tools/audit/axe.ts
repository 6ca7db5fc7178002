/**
 * The audit's part `axe`: plays through every page in all nine languages, or in the named ones, and checks each state
 * with axe, in light and dark, and on narrow screens. Chinese text has its real width only if a Chinese font is installed
 * (Debian: fonts-wqy-microhei).
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { axeVersion } from '../../e2e/axe.ts';
import { signIn } from '../../e2e/fixtures.ts';
import { type Product, startProduct } from '../../e2e/product.ts';
import { type MailServer, startMailServer } from '../../server/test/email/mail-server.ts';
import { type Language, languages } from '../../web/src/i18n/languages.ts';
import { findChromium } from '../chromium.ts';
import { textsOf } from '../../e2e/page-texts.ts';
import { historyScenes } from './history-scenes.ts';
import { linkedScenes } from './linked-scenes.ts';
import { otherScenes } from './other-scenes.ts';
import { inspect, type Inspection } from './inspect.ts';
import type { PartResult } from './audit-part.ts';
import { recodingScenes } from './recoding-scenes.ts';
import { wideScreen } from './screens.ts';
import type { Stage } from './scene.ts';
import { signedOutScenes } from './signed-out-scenes.ts';
import { workbenchScenes } from './workbench-scenes.ts';

/** Languages checked in parallel. */
const lanes = 3;
/** Milliseconds to wait for a control. */
const patience = 60_000;
const scenes = [
  ...signedOutScenes,
  ...recodingScenes,
  ...workbenchScenes,
  ...historyScenes,
  ...otherScenes,
  ...linkedScenes,
];

interface House {
  readonly browser: Browser;
  readonly product: Product;
  readonly mailServer: MailServer;
}

/** The stored browser state of a language's user after signing in. */
type Kept = Awaited<ReturnType<typeof signedIn>>;

/** Each language has its own user: a page resumes the user's running work, even if another language started it. */
const userOf = (language: Language): string => `anna.${language}@demo.test`.toLowerCase();

async function addUsers(product: Product, wanted: readonly Language[]): Promise<void> {
  const file = join(product.dataFolder, 'users.yaml');
  const users = wanted.map(
    (one) =>
      `  - email: ${userOf(one)}\n    name: Anna Conti\n    customerCodes: [CC-1001, CC-2002]\n    manager: true\n    operator: true\n`,
  );
  await writeFile(file, `users:\n${users.join('')}`);
  await product.recodery('directory', 'apply', file);
}

async function signedIn({ browser, product }: House, language: Language) {
  const email = userOf(language);
  const password = `in ${language} as everywhere`;
  const page = await browser.newPage({ baseURL: product.url, locale: 'en-US' });
  await page.goto((await product.recodery('user', 'invite', email)).trim());
  const field = page.locator('input[type=password]');
  await field.fill(password);
  await page.locator('form button').click();
  await field.waitFor({ state: 'hidden' });
  await signIn(page, email, password);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

/** Reports findings immediately: a whole audit takes long. */
function report({ state, language, findings }: Inspection): void {
  for (const found of findings) process.stdout.write(`  ${language}, ${state}: ${found}\n`);
}

/** A screenshot of the page when a scene stopped; it cannot be reproduced later. */
async function keepPicture({ page }: Stage, name: string): Promise<void> {
  const path = join(import.meta.dirname, '../../test-results/audit', `${name}.png`);
  await page.screenshot({ path, fullPage: true }).catch(() => undefined);
}

/** Plays all scenes in one language, each in its own browsers. A scene that stops midway is a finding. */
async function auditLanguage(house: House, language: Language): Promise<readonly Inspection[]> {
  const began = performance.now();
  const inspections: Inspection[] = [];
  const shown = new Set<string>();
  // each scene passes its session to the next, because the session ID rotates every 15 minutes
  let kept = await signedIn(house, language);
  for (const play of scenes) {
    const { stage, close } = await openStage(house, language, kept, inspections, shown);
    const fault = await play(stage).then(
      () => null,
      (thrown: unknown) => String(thrown).slice(0, 600),
    );
    if (fault !== null) {
      await keepPicture(stage, `${language} ${play.name}`);
      const state = `${play.name}, after ${inspections.at(-1)?.state ?? 'nothing'}`;
      const nothing = { axeRuns: 0, otherChecks: 0 };
      const inspection = { state, language, ...nothing, findings: [fault] };
      inspections.push(inspection);
      report(inspection);
    }
    kept = await close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`${language}: ${inspections.length} states (${seconds} s)\n`);
  return inspections;
}

async function openStage(
  house: House,
  language: Language,
  kept: Kept,
  inspections: Inspection[],
  shown: Set<string>,
) {
  const { browser, product, mailServer } = house;
  const options = {
    baseURL: product.url,
    locale: language,
    timezoneId: 'Europe/Rome',
    viewport: wideScreen,
    reducedMotion: 'reduce',
  } as const;
  const ours = await browser.newContext({ ...options, storageState: kept });
  const theirs = await browser.newContext(options);
  for (const context of [ours, theirs]) {
    context.setDefaultTimeout(patience);
    await context.addInitScript((chosen) => localStorage.setItem('LNG', chosen), language);
  }
  const stage: Stage = {
    page: await ours.newPage(),
    signedOutPage: await theirs.newPage(),
    product,
    mailServer,
    language,
    t: textsOf(language),
    shown,
    look: async (page, state) => {
      shown.add(new URL(page.url()).pathname);
      const inspection = await inspect(page, state, language);
      inspections.push(inspection);
      report(inspection);
    },
  };
  const close = async (): Promise<Kept> => {
    const left = await ours.storageState();
    await ours.close();
    await theirs.close();
    return left;
  };
  return { stage, close };
}

/** Checks the languages, several in parallel. */
async function auditLanguages(
  house: House,
  wanted: readonly Language[],
): Promise<readonly Inspection[]> {
  const waiting = [...wanted];
  const inspections: Inspection[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      inspections.push(...(await auditLanguage(house, next)));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return inspections;
}

function sumOf(
  inspections: readonly Inspection[],
  count: (inspection: Inspection) => number,
): number {
  return inspections.reduce((sum, inspection) => sum + count(inspection), 0);
}

async function inspectAll(
  browser: Browser,
  wanted: readonly Language[],
): Promise<readonly Inspection[]> {
  const mailServer = await startMailServer();
  const product = await startProduct({
    RECODERY_SMTP_URL: mailServer.url,
    RECODERY_MAIL_FROM: 'portal@demo.test',
    // All languages run in parallel as one organisation; the limit is high enough that none waits for another.
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
  try {
    await addUsers(product, wanted);
    return await auditLanguages({ browser, product, mailServer }, wanted);
  } finally {
    await product.stop();
    await mailServer.stop();
  }
}

/** Checks all languages, or the named ones. */
export async function auditStates(names: readonly string[]): Promise<PartResult> {
  const executablePath = await findChromium();
  if (executablePath === null) return { hasPassed: false, lines: [], report: null };
  const wanted = languages.filter((one) => names.length === 0 || names.includes(one));
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const inspections = await inspectAll(browser, wanted);
    const findings = sumOf(inspections, (inspection) => inspection.findings.length);
    const states = new Set(inspections.map(({ state }) => state)).size;
    const axeRuns = sumOf(inspections, (inspection) => inspection.axeRuns);
    const otherChecks = sumOf(inspections, (inspection) => inspection.otherChecks);
    return {
      hasPassed: wanted.length > 0 && findings === 0,
      lines: [
        `${states} states of pages in ${wanted.length} languages: ${findings} findings`,
        `${axeRuns} runs of axe-core ${axeVersion}, ${otherChecks} other checks, in Chromium ${browser.version()}`,
      ],
      report: null,
    };
  } finally {
    await browser.close();
  }
}
