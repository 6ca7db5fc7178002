/** A folder in which packages are installed before they replace those in use: a failed download changes nothing. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { compileCacheDir, launcherDir, projectDir } from './project.mjs';

/** The files that npm reads, of the project and of each workspace. */
const filesOfNpm = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Creates the folder with the files that `npm ci` reads.
 * @returns {string} its path
 */
export function openStaging() {
  closeStaging();
  for (const folder of ['.', ...workspaces()]) {
    mkdirSync(join(stagingDir(), folder), { recursive: true });
    for (const name of filesOfNpm) {
      const file = join(projectDir, folder, name);
      if (existsSync(file)) cpSync(file, join(stagingDir(), folder, name));
    }
  }
  return stagingDir();
}

/**
 * Replaces the packages in use with the installed ones. If that fails, the old ones are restored. The project's own
 * folder is emptied first and filled last: while it is missing, the replacement is incomplete.
 */
export function useStaging() {
  if (process.platform === 'win32') linkWorkspaces();
  /** @type {(() => void)[]} */
  const undo = [];
  /** @type {(from: string, to: string) => void} */
  const move = (from, to) => {
    if (!existsSync(from)) return;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    undo.unshift(() => renameSync(to, from));
  };
  try {
    const folders = ['.', ...workspaces()];
    for (const folder of folders)
      move(packagesIn(projectDir, folder), packagesIn(replacedDir(), folder));
    for (const folder of folders.toReversed())
      move(packagesIn(stagingDir(), folder), packagesIn(projectDir, folder));
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
}

/** Restores the packages that were in use when a start was killed while it replaced them. */
export function restoreReplaced() {
  if (existsSync(packagesIn(projectDir, '.')) || !existsSync(packagesIn(replacedDir(), '.')))
    return;
  // The project's own folder last: until it is restored, the next start can repeat this.
  for (const folder of [...workspaces(), '.']) {
    const replaced = packagesIn(replacedDir(), folder);
    if (!existsSync(replaced)) continue;
    rmSync(packagesIn(projectDir, folder), { recursive: true, force: true });
    renameSync(replaced, packagesIn(projectDir, folder));
  }
}

/**
 * Removes the folder, the replaced packages, and the compile cache. Files that are still in use are removed by the next
 * installation.
 */
export function closeStaging() {
  for (const folder of [stagingDir(), replacedDir(), compileCacheDir]) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // in use, on Windows
    }
  }
}

function stagingDir() {
  return join(launcherDir(), 'staging');
}

function replacedDir() {
  return join(launcherDir(), 'replaced');
}

/**
 * @param {string} root
 * @param {string} folder
 */
function packagesIn(root, folder) {
  return join(root, folder, 'node_modules');
}

/** @returns {Record<string, { link?: boolean, resolved?: string }>} */
function packagesOfLock() {
  return JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8')).packages ?? {};
}

/** The folders of the workspaces, from the project's folder. */
function workspaces() {
  return Object.keys(packagesOfLock()).filter(
    (path) => path !== '' && !path.includes('node_modules/'),
  );
}

/** On Windows, links to folders are absolute: those to the workspaces still point into the staging folder. */
function linkWorkspaces() {
  for (const [path, { link, resolved }] of Object.entries(packagesOfLock())) {
    if (link !== true || resolved === undefined) continue;
    rmSync(join(stagingDir(), path), { recursive: true, force: true });
    symlinkSync(join(projectDir, resolved), join(stagingDir(), path), 'junction');
  }
}
