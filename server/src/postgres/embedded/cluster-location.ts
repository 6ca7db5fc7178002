/** Decides where the embedded PostgreSQL's cluster is stored and which account runs it, and remembers it. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chown, constants, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { CannotStart } from '../../config/cannot-start.ts';
import { ensureFolder, writeFileOnce } from '../../config/folders.ts';
import {
  areUsable,
  copyBinaries,
  findBinaries,
  makeLibraryLinks,
  type PostgresBinaries,
  type SystemAccount,
} from './binaries.ts';

/** Where the cluster is stored and which account runs it. */
export interface PostgresHome {
  /** Folder with the cluster, its socket, password and log. */
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  /** null: the server runs under our own account. */
  readonly account: SystemAccount | null;
  /** Whether the cluster is stored outside of the data folder. */
  readonly isMoved: boolean;
}

/** The parent folder of clusters that cannot be in the data folder. */
const movedParent = '/var/lib/recodery';

/** The file in the data folder that records where its cluster is. */
function recordOf(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

/**
 * Finds or chooses the home of a data folder's cluster. The choice is permanent, even if the project moves.
 * @throws {CannotStart} when the data folder cannot be written, or the home is missing
 */
export async function openPostgresHome(dataDir: string): Promise<PostgresHome> {
  await ensureFolder(dataDir, 0o755).catch(() => refuseDataFolder(dataDir));
  await access(dataDir, constants.W_OK | constants.X_OK).catch(() => refuseDataFolder(dataDir));
  const account = await chooseAccount(dataDir);
  const own = await findBinaries();
  await makeLibraryLinks(own);
  const isOwnUsable = areUsable(own, account);
  const folder = (await readRecord(dataDir)) ?? (await chooseFolder(dataDir, account, isOwnUsable));
  const binaries = isOwnUsable
    ? own
    : await copyBinaries(own, account === null ? folder : movedParent);
  if (!isOwnUsable && !areUsable(binaries, account)) {
    throw new CannotStart(
      `The embedded PostgreSQL does not run on this machine (tried ${join(binaries.folder, 'bin/postgres')}). Set RECODERY_DATABASE_URL.`,
    );
  }
  return { folder, binaries, account, isMoved: !folder.startsWith(join(dataDir, '/')) };
}

function refuseDataFolder(dataDir: string): never {
  throw new CannotStart(
    `This account cannot write to the data folder ${dataDir}. Make it the owner of the folder, or set RECODERY_DATA_DIR to another folder.`,
  );
}

/** Deletes a data folder's home outside of it, if any; its server must not be running. */
export async function dropMovedHome(dataDir: string): Promise<void> {
  const home = await readMovedHome(dataDir);
  // The record is only a file and may contain any path: delete only folders below our own parent folder.
  if (home === null || dirname(home) !== movedParent) return;
  await rm(home, { recursive: true, force: true });
}

/** Records in an external home which data folder it belongs to. */
export async function nameOrigin(home: PostgresHome, dataDir: string): Promise<void> {
  if (home.isMoved) await writeFile(join(home.folder, 'origin'), `${dataDir}\n`);
}

/** A record; `home` is empty for a home inside the data folder. */
const recordShape = z.object({ home: z._default(z.string(), '') });

/** The external home in a data folder's record; null when there is none. */
async function readMovedHome(dataDir: string): Promise<string | null> {
  const record = recordOf(dataDir);
  if (!existsSync(record)) return null;
  const { home } = recordShape.parse(JSON.parse(await readFile(record, 'utf8')));
  return home === '' ? null : home;
}

async function readRecord(dataDir: string): Promise<string | null> {
  const record = recordOf(dataDir);
  if (!existsSync(record)) return null;
  const home = await readMovedHome(dataDir);
  // The home inside the data folder is recorded without its path, so that the folder can be moved as a whole.
  const folder = home ?? join(dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new CannotStart(
      `The database of ${dataDir} should be in ${folder}, which is missing. Restore the folder, or delete ${record} to start with an empty database.`,
    );
  }
  return folder;
}

async function chooseFolder(
  dataDir: string,
  account: SystemAccount | null,
  isProjectReachable: boolean,
): Promise<string> {
  const inside = join(dataDir, 'postgres');
  const staysInside =
    account === null || existsSync(inside) || (isProjectReachable && canReach(dataDir, account));
  const folder = staysInside ? inside : join(movedParent, randomBytes(6).toString('hex'));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (!staysInside) {
    await writeFile(join(folder, 'origin'), `${dataDir}\n`);
  }
  const record = JSON.stringify({ home: staysInside ? '' : folder });
  await writeFileOnce(recordOf(dataDir), `${record}\n`, 0o644);
  return folder;
}

function canReach(folder: string, account: SystemAccount): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}

/** Our own account; as root, the account that already owns the cluster, or an unprivileged one. */
async function chooseAccount(dataDir: string): Promise<SystemAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const folder = await readRecord(dataDir);
  const owner = folder === null ? null : await stat(clusterOf(folder)).catch(() => null);
  return owner === null || owner.uid === 0
    ? findUnprivilegedAccount()
    : { uid: owner.uid, gid: owner.gid };
}

/** The folder of the cluster itself within its home. */
export function clusterOf(folder: string): string {
  return join(folder, 'cluster');
}

/** PostgreSQL refuses to run as root, and needs an account that the system knows by name. */
async function findUnprivilegedAccount(): Promise<SystemAccount> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  for (const name of ['nobody', 'daemon']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined && Number(uid) > 0) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new CannotStart(
    'PostgreSQL does not run as root, and this machine has no account "nobody". Start as an ordinary user, or set RECODERY_DATABASE_URL.',
  );
}

/** Creates a folder that only the server's account can enter. */
export async function makePrivateFolder(
  path: string,
  account: SystemAccount | null,
): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account !== null) {
    await chown(path, account.uid, account.gid);
  }
}
