/** The audit's part `lighthouse`: home and the device pages of a running product, signed in, on desktop and mobile. */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig, type Flags } from 'lighthouse';
import { signIn } from '../../e2e/fixtures.ts';
import { startProduct } from '../../e2e/product.ts';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { findChromium } from '../chromium.ts';
import { headOf, type PartResult, tableOf } from './audit-part.ts';

const paths = ['/', '/kess3', '/kessv2', '/ktag', '/kess3-utility'];
/** The median of this many runs counts. */
const runs = 3;

const screens = [
  { name: 'desktop', leastPerformance: 95, config: desktopConfig },
  { name: 'mobile', leastPerformance: 85, config: undefined },
] as const;
/** Points out of a hundred. */
const leastOther = 100;
/** As a share of the page's height and width together, as the browser calculates layout shift. */
const greatestShift = 0.01;

/** The measurements of one run. */
interface Run {
  /** Points out of a hundred. */
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly layoutShift: number;
  /** Milliseconds. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly blocking: number;
  /** Lighthouse's benchmark of the machine: 1000 and more is a common desktop. */
  readonly machine: number;
  /** The version of Lighthouse. */
  readonly version: string;
  /** Titles of the audits that cost points for accessibility and best practices. */
  readonly faults: readonly string[];
}

/** The medians of a page on a screen. */
interface Inspection extends Run {
  readonly path: string;
  readonly screen: string;
  readonly leastPerformance: number;
  /** The points of every run, in order. */
  readonly performances: readonly number[];
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

function faultsOf(result: Result): readonly string[] {
  const ids = ['accessibility', 'best-practices'].flatMap((name) =>
    (result.categories[name]?.auditRefs ?? []).filter(({ weight }) => weight > 0),
  );
  return ids.flatMap(({ id }) => {
    const audit = result.audits[id];
    return audit !== undefined && audit.score !== null && audit.score < 1 ? [audit.title] : [];
  });
}

/** Runs in which Chromium recorded no page load: Lighthouse itself recommends repeating them. */
const lostTraces = new Set(['NO_NAVSTART', 'NO_TRACING_STARTED']);

async function measure(
  url: string,
  flags: Flags,
  config: typeof desktopConfig | undefined,
  attempts = 3,
): Promise<Result> {
  const outcome = await lighthouse(url, flags, config);
  if (outcome === undefined) throw new Error('Lighthouse returned no result');
  const { lhr } = outcome;
  const isLost = lostTraces.has(lhr.runtimeError?.code ?? '');
  return isLost && attempts > 1 ? measure(url, flags, config, attempts - 1) : lhr;
}

async function runOnce(
  url: string,
  flags: Flags,
  config: typeof desktopConfig | undefined,
): Promise<Run> {
  const lhr = await measure(url, flags, config);
  if (lhr.runtimeError !== undefined) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  if (lhr.finalDisplayedUrl !== url) throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`);
  const points = (name: string): number => Math.round((lhr.categories[name]?.score ?? 0) * 100);
  const figure = (name: string): number => lhr.audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: points('performance'),
    accessibility: points('accessibility'),
    bestPractices: points('best-practices'),
    layoutShift: figure('cumulative-layout-shift'),
    firstPaint: figure('first-contentful-paint'),
    largestPaint: figure('largest-contentful-paint'),
    blocking: figure('total-blocking-time'),
    machine: lhr.environment.benchmarkIndex,
    version: lhr.lighthouseVersion,
    faults: faultsOf(lhr),
  };
}

/** The median run by performance, with the worst of the values that should never vary. */
function medianOf(all: readonly Run[]): Run {
  const middle = all.toSorted((one, other) => one.performance - other.performance)[
    Math.floor(all.length / 2)
  ];
  if (middle === undefined) throw new Error('no run was recorded');
  return {
    ...middle,
    accessibility: Math.min(...all.map(({ accessibility }) => accessibility)),
    bestPractices: Math.min(...all.map(({ bestPractices }) => bestPractices)),
    layoutShift: Math.max(...all.map(({ layoutShift }) => layoutShift)),
    faults: [...new Set(all.flatMap(({ faults }) => faults))],
  };
}

function passes(inspection: Inspection): boolean {
  return (
    inspection.performance >= inspection.leastPerformance &&
    inspection.accessibility >= leastOther &&
    inspection.bestPractices >= leastOther &&
    inspection.layoutShift <= greatestShift
  );
}

/** Measures every page in a signed-in browser that listens on `port`. */
async function measureAll(
  baseUrl: string,
  port: number,
  wanted: readonly string[],
): Promise<readonly Inspection[]> {
  const flags: Flags = {
    port,
    // the session is stored there
    disableStorageReset: true,
    // the event stream never ends, and Lighthouse would wait for it; milliseconds
    maxWaitForLoad: 8_000,
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    logLevel: 'error',
  };
  const inspections: Inspection[] = [];
  for (const { name: screen, leastPerformance, config } of screens) {
    for (const path of wanted) {
      const all: Run[] = [];
      for (let run = 0; run < runs; run += 1) {
        all.push(await runOnce(`${baseUrl}${path}`, flags, config));
      }
      const performances = all.map(({ performance }) => performance);
      inspections.push({ ...medianOf(all), path, screen, leastPerformance, performances });
      process.stdout.write(`${screen} ${path}: performance ${performances.join(', ')}\n`);
    }
  }
  return inspections;
}

function reportOf(
  inspections: readonly Inspection[],
  tools: readonly string[],
  seconds: number,
): string {
  const rows = inspections.map((inspection) => [
    inspection.path,
    inspection.screen,
    `${inspection.performance} (${inspection.performances.join(', ')})`,
    inspection.leastPerformance,
    inspection.accessibility,
    inspection.bestPractices,
    inspection.layoutShift.toFixed(3),
    Math.round(inspection.firstPaint),
    Math.round(inspection.largestPaint),
    Math.round(inspection.blocking),
    passes(inspection) ? 'passed' : '**below**',
  ]);
  const machines = inspections.map(({ machine }) => Math.round(machine));
  const faults = inspections.flatMap(({ path, screen, faults: found }) =>
    found.map((one) => `- ${screen} ${path}: ${one}`),
  );
  return `${headOf('Lighthouse', 'lighthouse', tools)}
Pages as \`npm start\` serves them, signed in, with an empty browser cache and Lighthouse's default settings for desktop and for
a slow phone (with simulated throttling). Performance is the median of ${runs} runs, with all values in parentheses; layout
shift, accessibility and best practices are the worst values; first paint, largest paint and blocking are in milliseconds
from the median run. Required: performance ${screens.map(({ name, leastPerformance }) => `${leastPerformance} on ${name}`).join(' and ')}, accessibility and best practices ${leastOther}, a layout shift of at most ${greatestShift}.

${tableOf(['page', 'screen', 'performance', 'minimum', 'accessibility', 'best practices', 'layout shift', 'first paint', 'largest paint', 'blocking', ''], rows)}
The machine had ${cpus().length} processors; Lighthouse's benchmark index was ${Math.min(...machines)} to ${Math.max(...machines)}. The runs took ${Math.round(seconds / 60)} minutes.

## Failed audits for accessibility and best practices

${faults.length === 0 ? 'None.' : faults.join('\n')}
`;
}

/** Starts a product and measures its pages, or those named by their paths. */
export async function auditLighthouse(names: readonly string[]): Promise<PartResult> {
  const wanted = paths.filter((path) => names.length === 0 || names.includes(path));
  const executablePath = await findChromium();
  if (executablePath === null) return { hasPassed: false, lines: [], report: null };
  const began = performance.now();
  const port = await freePort();
  const profile = await mkdtemp(join(tmpdir(), 'recodery-lighthouse-'));
  const product = await startProduct();
  // Lighthouse opens its own pages: they have the session only in the same profile
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    baseURL: product.url,
    locale: 'en-US',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    const page = await context.newPage();
    await signIn(page);
    await page.goto('about:blank');
    const inspections = await measureAll(product.url, port, wanted);
    const version = context.browser()?.version() ?? 'of the machine';
    const seconds = (performance.now() - began) / 1000;
    const isWhole = wanted.length === paths.length;
    const tools = [`Lighthouse ${inspections[0]?.version}`, `Chromium ${version}`];
    const below = inspections.filter((inspection) => !passes(inspection));
    return {
      hasPassed: inspections.length > 0 && below.length === 0,
      lines: below.map(
        ({
          path,
          screen,
          performance: points,
          accessibility,
          bestPractices,
          layoutShift,
          faults,
        }) =>
          `${screen} ${path}: performance ${points}, accessibility ${accessibility}, best practices ${bestPractices}, layout shift ${layoutShift.toFixed(3)} ${faults.join('; ')}`,
      ),
      report: isWhole ? reportOf(inspections, tools, seconds) : null,
    };
  } finally {
    await context.close();
    await product.stop();
    await rm(profile, { recursive: true, force: true });
  }
}
