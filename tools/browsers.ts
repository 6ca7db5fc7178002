/**
 * `npm run browsers`: the journeys in Chromium and Firefox, and one journey per page in WebKit. Writes
 * docs/reports/browsers.md, and fails if a journey fails or an engine is missing. `npm run browsers -- firefox` runs
 * one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableOf } from './audit/audit-part.ts';
import { findChromium } from './chromium.ts';
import { findMiniBrowser, onPath } from '../e2e/programs.ts';
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
    version: versionOf(path) ?? reportedBy(engine),
    minutes: ((performance.now() - began) / 60_000).toFixed(0),
  };
}

/** A browser's version output, on one line; null if it would need a screen to print it. */
function versionOf(path: string): string | null {
  const words = ['--version', '--no-sandbox'];
  const { stdout, status } = spawnSync(path, words, { encoding: 'utf8', timeout: 120_000 });
  return status === 0 ? (stdout.trim().split('\n')[0] ?? null) : null;
}

/** The version that the journeys have recorded. */
function reportedBy({ name }: Engine): string {
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

Written by \`npm run browsers\`. Each line shows the engine's last run.

${table}
Chromium represents Chrome, Edge and Opera; WebKit represents Safari. Chromium and Firefox run the same tests, \`e2e/journeys/\`.
All of them fail on script errors and on violations of the content security policy, and run axe. They include the pages
without JavaScript.

## What is not covered in Firefox, and why

The tests control the installed Firefox over WebDriver BiDi, which cannot emulate a dark color scheme or print: axe checks only
light pages, and the job sheet is not printed. It does not report downloads of files that the page itself creates (the
operations log), so the tests check the data that the page passes to the browser. Screenshots of failures and traces are off.

## What is not covered in WebKit, and why

WebKit runs as WebKitGTK's MiniBrowser over WebDriver, because Playwright's WebKit is not available from a package registry.
\`e2e/webkit/\` opens each page with its link, completes its workflow, and compares the result byte by byte. It does not cover:

- behavior that does not depend on the engine and is tested in the other two: wrong files, lost sessions, several tabs, an
  unavailable stream, the nine languages, axe;
- phone widths: the window cannot be narrower than its toolbars;
- pages without JavaScript: the driver itself uses scripts;
- errors while a page loads: the driver listens only from then on, including later navigation within the page;
- features of Safari rather than WebKit: macOS and iOS with their file choosers, downloads, full keyboard access and VoiceOver.
`;
}
