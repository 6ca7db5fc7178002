/** Shared parts of the launcher: the project's folder, and messages to the user. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const projectDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of Node's compile cache; emptied whenever packages are installed. */
export const compileCacheDir = join(projectDir, '.launcher/compile-cache');

/** The packages that the program imports, bundled, and the file of each name. */
export const packagesDir = join(projectDir, 'server/dist/packages');
export const packagesIndex = join(packagesDir, 'index.json');

/**
 * The package of a module.
 * @param {string} name
 */
export function packageOf(name) {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Whether this is a container image, which has everything that the server needs: nothing is installed or built. */
export const isImage = existsSync(join(projectDir, '.launcher/image'));

/** The launcher's own folder, for its lock and its state. Created on first use. */
export function launcherDir() {
  const folder = join(projectDir, '.launcher');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Prints a message for the user to stderr; stdout is reserved for the program's output.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`recodery: ${text}\n`);
}
