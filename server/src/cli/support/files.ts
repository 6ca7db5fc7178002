/**
 * Files named on the command line: read with a clear error when they are missing, and written completely or not at all.
 * Nothing is overwritten unless the user has asked for it.
 */
import { randomBytes } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { writeFileOnce } from '../../config/folders.ts';
import { CommandRefused } from './command.ts';

/** The bytes of a file. @throws {CommandRefused} when it cannot be read */
export async function readGivenFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Could not read ${path} (${error.code}).`);
  });
}

/** What a command does with a file that exists. */
export interface NewFileRules {
  /** The option with which the user lets it be replaced; null: there is none. */
  readonly forceOption: '--force' | null;
  /** Whether the user has passed it. */
  readonly isForced: boolean;
}

/** For files that are never replaced. */
export const neverReplaced: NewFileRules = { forceOption: null, isForced: false };

/** For files that `--force` replaces. */
export function replacedBy(force: boolean | undefined): NewFileRules {
  return { forceOption: '--force', isForced: force === true };
}

/**
 * Refuses a file that exists, before any work is done for it. Folders, devices and links are not even replaced with
 * `--force`.
 * @throws {CommandRefused}
 */
export async function refuseExisting(path: string, rules: NewFileRules): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !(rules.isForced && found.isFile())) refuse(path, rules, found.isFile());
}

function refuse(path: string, { forceOption }: NewFileRules, isFile = true): never {
  if (!isFile) throw new CommandRefused(`${path} exists and is not a file. Choose another name.`);
  throw new CommandRefused(
    forceOption === null
      ? `${path} already exists. Delete or move it, or choose another name.`
      : `${path} already exists. Choose another name, or use ${forceOption} to replace it.`,
  );
}

/**
 * Writes a file with this mode: a new one, or in place of one that the user lets be replaced.
 * @throws {CommandRefused} when it exists, or cannot be written
 */
export async function writeGivenFile(
  path: string,
  data: Uint8Array | string,
  rules: NewFileRules,
  mode = 0o644,
): Promise<void> {
  await refuseExisting(path, rules);
  if (rules.isForced) return replaceGivenFile(path, data, mode);
  const isWritten = await writeFileOnce(path, data, mode).catch((error: unknown) =>
    refuseUnwritable(path, error),
  );
  if (!isWritten) refuse(path, rules);
}

/** Writes a file of the command itself, which replaces its earlier version. @throws {CommandRefused} */
export async function replaceGivenFile(
  path: string,
  data: Uint8Array | string,
  mode = 0o644,
): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, data, { flag: 'wx', mode, flush: true })
    .then(() => rename(draft, path))
    .catch(async (error: unknown) => {
      await rm(draft, { force: true });
      refuseUnwritable(path, error);
    });
}

function refuseUnwritable(path: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  throw new CommandRefused(`Could not write ${path} (${code}).`);
}
