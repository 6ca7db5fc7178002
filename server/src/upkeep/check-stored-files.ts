/** What `recodery doctor` checks of the stored files: that each is there and has its size, or, on request, its hash. */
import type { Db } from '../postgres/tables/schema.ts';
import { findKept, listDamagedFiles } from '../slots/files/damaged-files.ts';
import { hasStoredFiles } from '../slots/files/stored-files.ts';
import type { Config } from '../config/config.ts';
import { openStorage } from '../storage/open-storage.ts';
import { findDamage, type VerifiedStorage } from '../storage/verified-storage.ts';
import { compareStorage } from './compare-storage.ts';
import { describeBytes } from './describe-bytes.ts';
import { listFilesAfter } from './verify-files.ts';

/** Damaged files that a finding names. */
const mostNamed = 3;
const remedy = 'Check the disk. Restore these files from a backup, or notify their owners.';

function nameSome(keys: readonly string[]): string {
  const more = keys.length > mostNamed ? ', …' : '';
  return `${keys.length} (${keys.slice(0, mostNamed).join(', ')}${more})`;
}

/** Compares the storage with the database; `isDeep` also reads every file. */
export async function checkStoredFiles(
  db: Db,
  config: Config,
  isDeep: boolean,
): Promise<readonly ['ok' | 'warning' | 'wrong', string]> {
  const { storage } = await openStorage(config, () => hasStoredFiles(db));
  const { objects, missing, changed, strays } = await compareStorage(db, storage);
  if (missing.length > 0)
    return [
      'wrong',
      `Files listed in the database but missing from storage: ${nameSome(missing)}. Restore a backup, or notify their owners.`,
    ];
  if (changed.length > 0)
    return ['wrong', `Files whose size has changed: ${nameSome(changed)}. ${remedy}`];
  const read = isDeep ? await readAll(db, storage) : await readKnown(db, storage);
  if (read.damaged.length > 0)
    return ['wrong', `Files whose bytes have changed: ${nameSome(read.damaged)}. ${remedy}`];
  const depth = isDeep
    ? `Their ${describeBytes(read.bytes)} match the recorded hashes.`
    : 'Their sizes match; "recodery doctor --deep" also checks their hashes.';
  if (strays > 0)
    return [
      'warning',
      `Files in storage: ${objects}; orphaned: ${strays}. A worker deletes orphans of uploads and operations after one day. ${depth}`,
    ];
  return ['ok', `Files in storage: ${objects}. None are missing or orphaned. ${depth}`];
}

interface Read {
  readonly damaged: readonly string[];
  readonly bytes: number;
}

type Verify = Pick<VerifiedStorage, 'verify'>;

/** Reads all files. Those that are deleted in the meantime are not damaged. */
async function readAll(db: Db, storage: Verify): Promise<Read> {
  const damaged: string[] = [];
  let bytes = 0;
  for (let lastKey: string | undefined = ''; lastKey !== undefined; ) {
    const files = await listFilesAfter(db, lastKey);
    for (const file of files) {
      bytes += file.size;
      if ((await findDamage(storage, file)) !== null) damaged.push(file.storageKey);
    }
    lastKey = files.at(-1)?.storageKey;
  }
  return { damaged: await findKept(db, damaged), bytes };
}

/** Reads the files that a portal or worker has found damaged. */
async function readKnown(db: Db, storage: Verify): Promise<Read> {
  const damaged: string[] = [];
  for (const file of await listDamagedFiles(db, 1000))
    if ((await findDamage(storage, file)) !== null) damaged.push(file.storageKey);
  return { damaged, bytes: 0 };
}
