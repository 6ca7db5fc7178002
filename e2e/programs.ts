/** Finds the programs on this machine that the tests drive. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The paths of these names on the search path, in the order of the names. */
export function onPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter((path) => existsSync(path));
}

/**
 * Debian's packages of Chromium, which are also the names of its programs. The first has no user interface: the same
 * engine takes three quarters of the processor time.
 */
export const debianPackages = ['chromium-headless-shell', 'chromium'] as const;

/**
 * Where systems install the browser that WebKitGTK provides for tests; Debian under a folder for the processor
 * architecture.
 */
const libraries = ['/usr/libexec', '/usr/lib', '/usr/lib64'];

/** WebKitGTK's MiniBrowser, which is not on the search path; null if it is missing. */
export function findMiniBrowser(): string | null {
  const { RECODERY_TEST_WEBKIT: named } = process.env;
  if (named !== undefined) return existsSync(named) ? named : null;
  const folders = libraries.filter((folder) => existsSync(folder));
  const below = folders.flatMap((folder) => [
    folder,
    ...readdirSync(folder)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(folder, name)),
  ]);
  const candidates = below.map((folder) => join(folder, 'webkit2gtk-4.1/MiniBrowser'));
  return candidates.find((path) => existsSync(path)) ?? null;
}
