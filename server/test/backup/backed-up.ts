/** A small installation and its backup, and what the tests of backups do with them. */
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackupDependencies, writeBackup } from '../../src/backup/backup.ts';
import { entryNames, type Manifest } from '../../src/backup/backup-format.ts';
import type { RestoreOptions } from '../../src/backup/restore.ts';
import { createTar, openArchive, readTar } from '../../src/backup/tar.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { openPlatform, type Platform } from '../../src/platform.ts';
import { putOriginal } from '../../src/recoding/originals/originals.ts';
import { insertStoredFiles } from '../../src/slots/files/stored-files.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createTestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace } from '../operations/workspace.ts';

/** An entry of a backup. */
interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

export async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Writes the entries of a backup to `path`, with the names and bytes that `change` returns. */
async function copyEntries(
  whole: string,
  path: string,
  change: (entry: Entry) => readonly (readonly [string, Buffer])[],
): Promise<string> {
  const [from, to] = [await openArchive(whole), await open(path, 'wx')];
  const tar = createTar(to, new Date());
  for await (const { name, content } of readTar(from, whole)) {
    const bytes: Uint8Array[] = [];
    for await (const piece of content()) bytes.push(piece);
    for (const changed of change({ name, bytes: Buffer.concat(bytes) })) {
      await tar.addBytes(...changed);
    }
  }
  await tar.end();
  await Promise.all([from.close(), to.close()]);
  return path;
}

/** Creates the installation, with one stored file, one original and one key, and its backup `whole`. */
export async function createBackedUp() {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-backups-'));
  await chmod(folder, 0o755);
  const platform = await createTestPlatform();
  const storage = await openFileStorage(join(folder, 'store'));
  const workspace = await createWorkspace(platform.db);
  await platform.secrets.createKey('master:one', Buffer.from('a key of a master device, 32 B.!'));
  const secret = readFileSync(join(platform.config.dataDir, 'secret'), 'utf8').trim();

  /** Stores a file of the workspace's slot; returns its GUID. */
  async function keep(storageKey: string, text: string): Promise<string> {
    const guid = newGuid();
    await insertStoredFiles(platform.db, [
      {
        ...(await storage.put(storageKey, pieces(text))),
        ...{ guid, storageKey, slotGuid: workspace.slotGuid, role: 'decoded', component: null },
        ...{ name: `${guid}.bin`, retentionDays: 30, organisationId: workspace.organisationId },
      },
    ]);
    return guid;
  }

  /** Stores an image in the library of originals. */
  async function keepOriginal(hardware: string, storageKey: string): Promise<void> {
    await putOriginal(platform.db, {
      ...{ protocolId: 1002, hardware, software: 'S', name: 'o.bin', storageKey },
      ...(await storage.put(storageKey, pieces('an original'))),
    });
  }

  const dependencies = (other: Partial<BackupDependencies> = {}): BackupDependencies => ({
    db: platform.db,
    storage,
    clock: platform.clock,
    version: '0.1.0',
    readSecret: async () => secret,
    ...other,
  });

  const whole = join(folder, 'whole.tar');
  /** Writes the entries of the backup again, with the names and bytes that `change` returns. */
  const rewriteTo = (name: string, change: Parameters<typeof copyEntries>[2]) =>
    copyEntries(whole, join(folder, name), change);
  /** The same, with one entry or none for each. */
  const rewrite = (name: string, change: (entry: Entry) => Entry | undefined) =>
    rewriteTo(name, (entry) => {
      const changed = change(entry);
      return changed === undefined ? [] : [[changed.name, changed.bytes]];
    });

  const fileGuid = await keep('kept/1', 'what a workshop must not lose');
  await keepOriginal('H', 'originals/1');
  await writeBackup(dependencies(), whole);
  let count = 0;
  return {
    ...{ folder, platform, storage, workspace, whole, secret, fileGuid },
    ...{ keep, keepOriginal, dependencies, rewriteTo, rewrite },
    withManifest: (name: string, change: (manifest: Manifest) => unknown) =>
      rewrite(name, (entry) =>
        entry.name === entryNames.manifest
          ? {
              ...entry,
              bytes: Buffer.from(JSON.stringify(change(JSON.parse(String(entry.bytes))))),
            }
          : entry,
      ),
    /** A data folder that does not exist yet, and the options to restore into it. */
    target(settings: Readonly<Record<string, string>> = {}) {
      count += 1;
      const dataDir = join(folder, `data-${count}`);
      const config = readConfig({ RECODERY_DATA_DIR: dataDir, ...settings });
      const options: RestoreOptions = { config, log: silentLog, mayReplace: false };
      return { dataDir, config, options };
    },
    async remove(): Promise<void> {
      await platform.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a data folder as a portal would. */
export async function look<T>(
  config: Config,
  work: (opened: Platform & { readonly store: Storage }) => Promise<T>,
): Promise<T> {
  const open = await openPlatform(config, silentLog, { as: 'command' });
  try {
    const store = await openFileStorage(join(config.dataDir, 'files'));
    return await work({ ...open.platform, store });
  } finally {
    await open.close();
  }
}
