/** Allows only one launcher at a time to install and build; others wait, and continue when it has finished or died. */
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launcherDir, say } from './project.mjs';

/** Milliseconds between two heartbeats, and after which a lock without one is considered abandoned. */
const beat = 1000;
const deadAfter = 15_000;

/**
 * Runs the work while no other launcher of this project does any. A process id would not prove that the owner is alive
 * (ids are reused, in containers immediately), so the owner touches its lock file.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileAlone(work) {
  const file = join(launcherDir(), 'lock');
  const token = `${process.pid} ${randomBytes(8).toString('hex')}`;
  let hasSaid = false;
  while (!take(file, token)) {
    if (!hasSaid) say('another process is installing or building; waiting for it …');
    hasSaid = true;
    breakIfDead(file);
    await wait(200);
  }
  const timer = setInterval(() => touch(file), beat);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (readOrEmpty(file) === token) rmSync(file, { force: true });
  }
}

/**
 * @param {string} file
 * @param {string} token
 */
function take(file, token) {
  try {
    writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
    throw error;
  }
}

/** @param {string} file */
function breakIfDead(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || Date.now() - stats.mtimeMs < deadAfter) return;
  const token = readOrEmpty(file);
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    // Another process was faster.
    if (isError(error, 'ENOENT')) return;
    throw error;
  }
  if (readOrEmpty(aside) !== token) {
    // Not the dead owner's lock: another process took it between our check and the rename.
    linkSync(aside, file);
  }
  rmSync(aside, { force: true });
}

/** @param {string} file */
function touch(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch (error) {
    if (!isError(error, 'ENOENT')) throw error;
  }
}

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isError(error, 'ENOENT')) return '';
    throw error;
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isError(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
