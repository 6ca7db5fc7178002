/** Installs the packages if they are missing or do not match package-lock.json. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { whileAlone } from './lock.mjs';
import { findNode } from './node.mjs';
import { launcherDir, projectDir, say } from './project.mjs';
import { closeStaging, openStaging, restoreReplaced, useStaging } from './staging.mjs';

/** npm's record of its last installation. */
const noteOfNpm = join(projectDir, 'node_modules/.package-lock.json');

/**
 * Makes sure that the packages are installed: `product` for serving, `full` including the development tools. Needs no
 * network if they are. Returns false if the installation fails; the previous installation is then unchanged.
 * @param {'product' | 'full'} set
 * @returns {Promise<boolean>}
 */
export async function ensureInstalled(set) {
  if (isInstalled(set)) return true;
  return whileAlone(async () => {
    restoreReplaced();
    // Another process may have installed them while we waited.
    if (isInstalled(set)) return true;
    say('installing packages; this happens once and can take a minute …');
    const began = Date.now();
    const wanted = set === 'product' && !hasTools() ? '--omit=dev' : '--include=dev';
    if (!(await (canBeMoved() ? installAside(wanted) : installInPlace(wanted)))) return false;
    say(`installed the packages (${Math.round((Date.now() - began) / 1000)} s).`);
    return true;
  });
}

/**
 * Runs `npm ci` in a separate folder, and replaces the packages in use only when it has succeeded: `npm ci` deletes
 * packages first, so a network failure midway would leave an installation that no longer starts.
 * @param {string} wanted
 */
async function installAside(wanted) {
  const hadPackages = existsSync(noteOfNpm);
  const kept = hadPackages ? ' The packages that were installed before are unchanged.' : '';
  try {
    if (!(await runNpm(['ci', wanted], openStaging()))) {
      say(`could not install the packages. Check that the package registry can be reached.${kept}`);
      return false;
    }
    useStaging();
    return true;
  } catch (error) {
    if (isOnOtherDisk(error)) return await installInPlace(wanted);
    const reason = error instanceof Error ? error.message : String(error);
    say(`could not put the packages in place (${reason}). Stop all programs that use them.${kept}`);
    return false;
  } finally {
    closeStaging();
  }
}

/**
 * Replaces only what has changed. The versions and checksums of the lock file apply here too, and --no-save leaves it
 * unchanged.
 * @param {string} wanted
 */
async function installInPlace(wanted) {
  // npm's record may not match the installed packages: without it, npm checks them.
  rmSync(noteOfNpm, { force: true });
  if (await runNpm(['install', '--no-save', wanted], projectDir)) return true;
  say('could not install the packages. Check that the package registry can be reached.');
  return false;
}

/** Whether the packages can be moved: not on Windows while the running Node is one of them. */
function canBeMoved() {
  return process.platform !== 'win32' || isLasting(process.execPath);
}

/**
 * Whether a folder could not be moved because it is a mounted volume, or on a different one.
 * @param {unknown} error
 */
function isOnOtherDisk(error) {
  if (process.platform === 'win32' || !(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'EXDEV' || error.code === 'EBUSY';
}

/**
 * Compares package-lock.json with npm's record of the installation, by version and checksum, and with the packages on
 * disk. This also works if npm was run by hand or interrupted.
 * @param {'product' | 'full'} set
 */
function isInstalled(set) {
  if (!existsSync(noteOfNpm)) return false;
  const wanted = readPackages(join(projectDir, 'package-lock.json'));
  const present = readPackages(noteOfNpm);
  const isComplete = Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    if (set === 'product' && (entry.dev === true || entry.devOptional === true)) return true;
    const found = present[path];
    // An optional package is for a different system, or npm skipped it.
    if (found === undefined) return entry.optional === true;
    const isSame = found.version === entry.version && found.integrity === entry.integrity;
    return isSame && existsSync(join(projectDir, path, 'package.json'));
  });
  return isComplete && (process.platform !== 'linux' || findNode() !== null);
}

/** Whether the development tools are installed: a developer who starts the product must not lose them. */
function hasTools() {
  return (
    existsSync(noteOfNpm) && Object.values(readPackages(noteOfNpm)).some(({ dev }) => dev === true)
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean }>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}

/**
 * @param {readonly string[]} words
 * @param {string} folder
 * @returns {Promise<boolean>}
 */
function runNpm(words, folder) {
  const [program, ...first] = findNpm();
  // Install scripts are not needed (the server creates the links that one of them would), and are not trusted.
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
  return new Promise((resolve) => {
    const child = spawn(program, [...first, ...words, ...quiet], {
      cwd: folder,
      // npm's output is not output of the program, so it goes to stderr.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...cacheWithoutHome(), PATH: systemPath() },
      shell: process.platform === 'win32',
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Where npm keeps its cache if there is no home folder to write to: system accounts often have none. */
function cacheWithoutHome() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(launcherDir(), 'npm-cache') };
  }
}

/** The npm that started us, else the one next to our Node, else the one on the search path. */
function findNpm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('npm-cli.js') && existsSync(script) && isLasting(node)) {
    return [node, script];
  }
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  return isLasting(process.execPath) && existsSync(beside) ? [process.execPath, beside] : ['npm'];
}

/**
 * Whether a Node binary is outside of node_modules, which npm replaces.
 * @param {string | undefined} path
 * @returns {path is string}
 */
function isLasting(path) {
  return path !== undefined && existsSync(path) && !path.startsWith(join(projectDir, '/'));
}

/** The search path without the folders of node_modules, which npm is about to replace. */
function systemPath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
}
