/** The folder of the embedded PostgreSQL's socket: private, and with a path short enough for the system. */
import { existsSync } from 'node:fs';
import { chown, lstat, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, type PostgresHome } from './cluster-location.ts';

/** The limit of sun_path is 107 bytes on Linux and 103 on macOS, including the socket's name. */
const longestFolder = 103 - '/.s.PGSQL.5432'.length;

/**
 * The folder `socket` in the cluster's home; if its path is too long, a private one in /tmp, the same at each start.
 */
export async function openSocketFolder(home: PostgresHome): Promise<string> {
  const inside = join(home.folder, 'socket');
  if (Buffer.byteLength(inside) <= longestFolder) {
    await makePrivateFolder(inside, home.account);
    return inside;
  }
  const record = join(home.folder, 'socket-folder');
  const known = existsSync(record) ? (await readFile(record, 'utf8')).trim() : '';
  if (known !== '' && (await isPrivate(known, home))) return known;
  // mkdtemp creates it with mode 0700 under a name that cannot exist yet.
  const folder = await mkdtemp('/tmp/recodery-');
  if (home.account !== null) await chown(folder, home.account.uid, home.account.gid);
  await writeFile(record, `${folder}\n`);
  return folder;
}

async function isPrivate(folder: string, home: PostgresHome): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  const uid = home.account?.uid ?? process.getuid?.();
  return found !== null && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
}
