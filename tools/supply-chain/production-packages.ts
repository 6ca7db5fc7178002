/** The packages that an installation of the product can get, as package-lock.json lists them for all systems. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../steps.ts';

/** An entry of package-lock.json. */
export interface LockedPackage {
  /** Where it is installed, relative to the project's folder. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As stated in its package.json; null: not stated. */
  readonly license: string | null;
  readonly integrity: string | null;
  /** The address of the archive; null: not stated. */
  readonly resolved: string | null;
  /** Part of the archive of another package. */
  readonly isBundled: boolean;
  /** Not needed to build, serve or use the product. */
  readonly isDevelopment: boolean;
}

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** All packages of the lock file, except our own. */
export function readLock(): readonly LockedPackage[] {
  const text = readFileSync(join(projectDir, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.split('node_modules/').at(-1) ?? '',
      version: entry.version ?? '',
      license: entry.license ?? null,
      integrity: entry.integrity ?? null,
      resolved: entry.resolved ?? null,
      isBundled: entry.inBundle === true,
      isDevelopment: entry.dev === true,
    }));
}

/** The packages of the product, each version once, by name. */
export function readProductPackages(): readonly LockedPackage[] {
  const byId = new Map(
    readLock()
      .filter(({ isDevelopment }) => !isDevelopment)
      .map((one) => [idOf(one), one]),
  );
  return [...byId.values()].toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** Name and version, as npm writes them. */
export function idOf({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${name}@${version}`;
}
