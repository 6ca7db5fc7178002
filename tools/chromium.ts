/** Finds a Chromium for the tests: the machine's own, else apt's if it can be installed, else one from a package. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { debianPackages, onPath } from '../e2e/programs.ts';

const names = [...debianPackages, 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium that starts, or null with a message on stderr on how to get one. */
export async function findChromium(): Promise<string | null> {
  const found = findInstalled() ?? (installByApt() ? findInstalled() : null) ?? (await unpack());
  if (found === null) {
    process.stderr.write(
      'Chromium not found. Install it (Debian: apt-get install chromium), or set RECODERY_TEST_CHROMIUM to its path.\n',
    );
  }
  return found;
}

function findInstalled(): string | null {
  const { RECODERY_TEST_CHROMIUM: named } = process.env;
  const candidates = [...(named === undefined ? [] : [named]), ...onPath(names), ...places];
  return candidates.find((candidate) => existsSync(candidate) && starts(candidate)) ?? null;
}

/** Whether it runs: on some systems the command exists, but only prints how to install it. */
function starts(path: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version', '--no-sandbox'], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  return status === 0 && /Chrom/.test(stdout);
}

function installByApt(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stderr.write('Installing Chromium with apt-get …\n');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: readonly string[]): boolean =>
    spawnSync('apt-get', ['-qq', ...words], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0;
  const install = (name: string) => apt('install', '-y', '--no-install-recommends', name);
  return apt('update') && debianPackages.some(install);
}

async function unpack(): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  process.stderr.write('Unpacking Chromium from its npm package …\n');
  const { default: chromium } = await import('@sparticuz/chromium');
  const path = await chromium.executablePath();
  return starts(path) ? path : null;
}
