/**
 * Files named on the command line: read with a clear error when they are missing, and written completely or not at all.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CommandRefused } from './command.ts';

/** The bytes of a file. @throws {CommandRefused} when it cannot be read */
export async function readGivenFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Could not read ${path} (${error.code}).`);
  });
}

/** Writes a file, replacing an existing one. @throws {CommandRefused} when it cannot be written */
export async function writeGivenFile(
  path: string,
  data: Uint8Array | string,
  mode = 0o644,
): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, data, { flag: 'wx', mode, flush: true })
    .then(() => rename(draft, path))
    .catch(async (error: NodeJS.ErrnoException) => {
      await rm(draft, { force: true });
      throw new CommandRefused(`Could not write ${path} (${error.code}).`);
    });
}
