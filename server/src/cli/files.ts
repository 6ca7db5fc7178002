/** Files as the command line names them: read with a clear word when they are not there, written whole or not at all. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { CommandRefused } from './command.ts';

/** The bytes of a file. @throws {CommandRefused} when it cannot be read. */
export async function readGivenFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${path} cannot be read (${error.code}).`);
  });
}

/** Writes a file, in the place of one that is there. @throws {CommandRefused} when it cannot be written. */
export async function writeGivenFile(
  path: string,
  data: Uint8Array | string,
  mode = 0o644,
): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const refuse = (error: NodeJS.ErrnoException): never => {
    throw new CommandRefused(`${path} cannot be written (${error.code}).`);
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
