/** `npm run browsers`: the journeys in engines that `npm test` leaves out, with a sum for each. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Count, readPlaywrightReport } from './reports.ts';
import { projectDir, runStep } from './steps.ts';

interface Engine {
  readonly name: string;
  /** Paths of which each must be there. */
  readonly programs: readonly string[];
  /** How Debian gets them. */
  readonly packages: string;
  readonly config: string;
  readonly report: string;
}

const engines: readonly Engine[] = [
  {
    name: 'Firefox',
    programs: [process.env.RECODERY_TEST_FIREFOX ?? '/usr/bin/firefox-esr'],
    packages: 'firefox-esr',
    config: 'e2e/firefox.config.ts',
    report: 'firefox.json',
  },
];

/** Runs one engine's journeys after the other; gives the exit code, which is 1 also where an engine is missing. */
export async function run(): Promise<number> {
  const reports = join(projectDir, 'test-results');
  await mkdir(reports, { recursive: true });
  const lines: string[] = [];
  let failures = 0;
  for (const engine of engines) {
    const missing = engine.programs.filter((path) => !existsSync(path));
    if (missing.length > 0) {
      failures += 1;
      lines.push(
        `✗ ${engine.name} is not here: no ${missing.join(', no ')}. On Debian:`,
        `    apt-get update && apt-get install -y --no-install-recommends ${engine.packages}`,
      );
      continue;
    }
    const { passed, failed, skipped } = await runJourneys(engine, join(reports, engine.report));
    failures += failed;
    const left = skipped > 0 ? `, ${skipped} skipped` : '';
    lines.push(
      `${failed === 0 ? '✓' : '✗'} ${engine.name}: ${passed} passed, ${failed} failed${left}`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return failures === 0 ? 0 : 1;
}

async function runJourneys(engine: Engine, report: string): Promise<Count> {
  // an old report must not stand for a run that came to none
  await rm(report, { force: true });
  const { hasPassed } = await runStep(
    {
      name: `journeys in ${engine.name}`,
      script: 'node_modules/@playwright/test/cli.js',
      words: ['test', '--config', engine.config],
    },
    true,
  );
  const count = readPlaywrightReport(report);
  return hasPassed || count.failed > 0 ? count : { ...count, failed: 1 };
}
