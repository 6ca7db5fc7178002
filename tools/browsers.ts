/**
 * `npm run browsers`: the journeys in Chromium and Firefox, and one journey per page in WebKit. Writes
 * docs/reports/browsers.md, and fails if a journey fails or an engine is missing. `npm run browsers -- firefox` runs
 * one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableOf } from './audit/part.ts';
import { findChromium } from './chromium.ts';
import { findMiniBrowser, onPath } from './programs.ts';
import { type Count, readPlaywrightReport } from './reports.ts';
import { projectDir, runStep } from './steps.ts';

interface Engine {
  readonly name: string;
  /** The description of a program, and its path; null if it is missing. */
  programs(): Promise<readonly (readonly [name: string, path: string | null])[]>;
  /** How to install them on Debian. */
  readonly packages: string;
  /** The variable from which the journeys read the path of the first program. */
  readonly variable: string;
  readonly config: string;
  /** The name of the runner's own report. */
  readonly outcome: string;
}

/** A row of the report. */
interface Row extends Count {
  readonly version: string;
  readonly minutes: string;
}

const first = (names: readonly string[]): string | null => onPath(names)[0] ?? null;

const engines: readonly Engine[] = [
  {
    name: 'Chromium',
    programs: async () => [['chromium', await findChromium()]],
    packages: 'chromium',
    variable: 'RECODERY_TEST_CHROMIUM',
    config: 'e2e/playwright.config.ts',
    outcome: 'e2e.json',
  },
  {
    name: 'Firefox',
    programs: async () => {
      const { RECODERY_TEST_FIREFOX: named } = process.env;
      return [['firefox-esr', named ?? first(['firefox-esr', 'firefox'])]];
    },
    packages: 'firefox-esr',
    variable: 'RECODERY_TEST_FIREFOX',
    config: 'e2e/firefox.config.ts',
    outcome: 'firefox.json',
  },
  {
    name: 'WebKit',
    programs: async () => [
      ['MiniBrowser of WebKitGTK', findMiniBrowser()],
      ['WebKitWebDriver', first(['WebKitWebDriver'])],
      ['Xvfb', first(['Xvfb'])],
    ],
    packages: 'webkit2gtk-driver xvfb',
    variable: 'RECODERY_TEST_WEBKIT',
    config: 'e2e/webkit.config.ts',
    outcome: 'webkit.json',
  },
];

const outcomes = join(projectDir, 'test-results');
const report = join(projectDir, 'docs/reports/browsers.md');

/** Runs one engine after the other, or those named by the arguments; returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const names = engines.map(({ name }) => name.toLowerCase());
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0) {
    process.stderr.write(
      `Unknown engine ${unknown.join(', ')}. The engines are ${names.join(', ')}.\n`,
    );
    return 2;
  }
  const chosen = engines.filter(
    ({ name }) => words.length === 0 || words.includes(name.toLowerCase()),
  );
  await mkdir(outcomes, { recursive: true });
  const rows = new Map<string, Row>();
  const lines: string[] = [];
  for (const engine of chosen) {
    const programs = await engine.programs();
    const missing = programs.filter(([, path]) => path === null || !existsSync(path));
    const path = programs[0]?.[1] ?? null;
    if (missing.length > 0 || path === null) {
      lines.push(
        ...wordsForMissing(
          engine,
          missing.map(([name]) => name),
        ),
      );
      continue;
    }
    const row = await runEngine(engine, path);
    rows.set(engine.name, row);
    lines.push(lineOf(engine, row));
  }
  await writeReport(rows);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  const isGreen = [...rows.values()].every(({ failed }) => failed === 0);
  return isGreen && rows.size === chosen.length ? 0 : 1;
}

function wordsForMissing({ name, packages }: Engine, missing: readonly string[]): string[] {
  return [
    `✗ ${name} is not here: no ${missing.join(', no ')}. On Debian:`,
    `    apt-get update && apt-get install -y --no-install-recommends ${packages}`,
  ];
}

function lineOf({ name }: Engine, { passed, failed, skipped, minutes }: Row): string {
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed${left} (${minutes} min)`;
}

async function runEngine(engine: Engine, path: string): Promise<Row> {
  const outcome = join(outcomes, engine.outcome);
  // an old report must not count for a run that produced none
  await rm(outcome, { force: true });
  const began = performance.now();
  const { hasPassed } = await runStep(
    {
      name: `journeys in ${engine.name}`,
      script: 'node_modules/@playwright/test/cli.js',
      words: ['test', '--config', engine.config],
      environment: { [engine.variable]: path },
    },
    true,
  );
  const count = readPlaywrightReport(outcome);
  return {
    ...count,
    failed: hasPassed || count.failed > 0 ? count.failed : 1,
    version: versionOf(path) ?? toldBy(engine),
    minutes: ((performance.now() - began) / 60_000).toFixed(0),
  };
}

/** A browser's version output, on one line; null if it would need a screen to print it. */
function versionOf(path: string): string | null {
  const words = ['--version', '--no-sandbox'];
  const { stdout, status } = spawnSync(path, words, { encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? (stdout.trim().split('\n')[0] ?? null) : null;
}

/** The version that the journeys have recorded. */
function toldBy({ name }: Engine): string {
  const note = join(outcomes, `${name.toLowerCase()}.version`);
  return existsSync(note) ? `${name} ${readFileSync(note, 'utf8')}` : 'unknown';
}

/** Each engine's row is from its own last run: engines that did not run now keep their row. */
async function writeReport(rows: ReadonlyMap<string, Row>): Promise<void> {
  const before = existsSync(report) ? readFileSync(report, 'utf8').split('\n') : [];
  const day = new Date().toISOString().slice(0, 10);
  const cells = engines.map(({ name }) => {
    const row = rows.get(name);
    if (row !== undefined) {
      const { version, passed, failed, skipped, minutes } = row;
      return [name, version, day, passed, failed, skipped, minutes];
    }
    const kept = before.find((line) => line.startsWith(`| ${name} |`));
    return kept?.slice(2, -2).split(' | ') ?? [name, '', 'not run', '', '', '', ''];
  });
  const head = ['engine', 'version', 'run on', 'passed', 'failed', 'skipped', 'minutes'];
  await writeFile(report, textOf(tableOf(head, cells)));
}

function textOf(table: string): string {
  return `# Browsers

Written by \`npm run browsers\`. Each line is of the engine's last run.

${table}
Chromium stands for Chrome, Edge and Opera, WebKit for Safari. In Chromium and Firefox the journeys are the same,
\`e2e/journeys/\`; all of them watch for script errors and for what the page's own policy forbids, and axe looks at their
states. What a page says without JavaScript is among them.

## What is not covered in Firefox, and why

The driver speaks to Firefox as it is installed, over WebDriver BiDi, which cannot ask for a dark page or for paper: axe sees
only the light pages there, and the sheet for the job's folder is only read. It does not tell of files that a page itself has
made, the operations log: there the journeys look at what the page hands over. Pictures of failures and traces are off.

## What is not covered in WebKit, and why

WebKit runs as WebKitGTK's MiniBrowser, driven over WebDriver: the WebKit of the journeys' own tool is not to be had from a
package registry. \`e2e/webkit/\` goes to each page by its link, works there to the end, and compares what comes of it byte by
byte. Not seen there:

- what only needs an engine once and has been seen in two: wrong files, lost sessions, several tabs, a stream that is down,
  the nine languages, axe;
- phone widths: the window cannot be made narrower than its own bars;
- a page without JavaScript: the driver itself speaks to the page by script;
- what a page complains of while it loads: the driver listens from then on, also while the user goes from page to page;
- what is Safari's own and not WebKit's: macOS and iOS with their file choosers, downloads, full keyboard access and
  VoiceOver.
`;
}
