/**
 * Files named on the command line: read with a clear error when they are missing, and written completely or not at all.
 */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
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
  const refuse = (error: NodeJS.ErrnoException): never => {
    throw new CommandRefused(`Could not write ${path} (${error.code}).`);
  };
  const handle = await open(draft, 'wx', mode).catch(refuse);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { force: true });
    refuse(error);
  });
}
