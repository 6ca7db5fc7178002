/** What the launcher's parts share: where the project is, and the way to tell the person something. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const projectDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where Node keeps the compiled code of the program; emptied whenever packages are installed. */
export const compileCacheDir = join(projectDir, '.launcher/compile-cache');

/** The launcher's own folder: its lock and what it remembers. Made when first asked for. */
export function launcherDir() {
  const folder = join(projectDir, '.launcher');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Says something to the person at the terminal; stdout belongs to the program's answers.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`recodery: ${text}\n`);
}
