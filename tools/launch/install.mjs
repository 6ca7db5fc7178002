/** Installs the packages when they are missing or not those of package-lock.json. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { whileAlone } from './lock.mjs';
import { findNode } from './node.mjs';
import { projectDir, say } from './project.mjs';
import { closeStaging, openStaging, restoreReplaced, useStaging } from './staging.mjs';

/** What npm writes down of its last installation. */
const noteOfNpm = join(projectDir, 'node_modules/.package-lock.json');

/**
 * Sees to it that the packages are there: `product` what serving needs, `full` the tools of development too. Needs no
 * network when they are. False when they could not be installed: then what was installed before is still in place.
 * @param {'product' | 'full'} set
 * @returns {Promise<boolean>}
 */
export async function ensureInstalled(set) {
  if (isInstalled(set)) return true;
  return whileAlone(async () => {
    restoreReplaced();
    // Another start may have done it while we waited.
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
 * Installs with `npm ci` beside what is in use, and replaces that only when all is there: `npm ci` deletes the packages
 * first, and a network that fails half way would leave an installation that no longer starts.
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
 * Replaces only what has changed. The versions and checksums of the lock are binding here too, and --no-save leaves the
 * lock as it is.
 * @param {string} wanted
 */
async function installInPlace(wanted) {
  // What npm noted may not be what is there: without its note it looks.
  rmSync(noteOfNpm, { force: true });
  if (await runNpm(['install', '--no-save', wanted], projectDir)) return true;
  say('could not install the packages. Check that the package registry can be reached.');
  return false;
}

/** Whether the packages can be moved away: on Windows not while the Node that runs us is one of them. */
function canBeMoved() {
  return process.platform !== 'win32' || isLasting(process.execPath);
}

/**
 * Whether a folder could not be moved because it is a mounted volume, or on another one.
 * @param {unknown} error
 */
function isOnOtherDisk(error) {
  if (process.platform === 'win32' || !(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'EXDEV' || error.code === 'EBUSY';
}

/**
 * Compares what package-lock.json wants with what npm wrote down when it installed, by version and checksum, and with
 * what is there: right also when somebody has run npm by hand, or broken it off.
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
    // An optional package is for another system, or npm did without it.
    if (found === undefined) return entry.optional === true;
    const isSame = found.version === entry.version && found.integrity === entry.integrity;
    return isSame && existsSync(join(projectDir, path, 'package.json'));
  });
  return isComplete && (process.platform !== 'linux' || findNode() !== null);
}

/** Whether the tools of development are there: a developer who starts the product must not lose them. */
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
  // Scripts of packages are not needed (the server makes the links that one of them would), and are not trusted.
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
      // What npm prints is no answer of the program: it goes to stderr.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, PATH: systemPath() },
      shell: process.platform === 'win32',
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** The npm that started us, else the one beside our Node, else the one on the path. */
function findNpm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('npm-cli.js') && existsSync(script) && isLasting(node)) {
    return [node, script];
  }
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  return isLasting(process.execPath) && existsSync(beside) ? [process.execPath, beside] : ['npm'];
}

/**
 * Whether a Node stays while npm replaces node_modules.
 * @param {string | undefined} path
 * @returns {path is string}
 */
function isLasting(path) {
  return path !== undefined && existsSync(path) && !path.startsWith(join(projectDir, '/'));
}

/** The path without the folders of node_modules, which npm is about to replace. */
function systemPath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
}
