/** Exports a slave's key: the pair key that opens and seals all its files. Every export is recorded. */
import { makeFileNameSafe } from '@recodery/contract/file-names';
import type { Secrets } from '../secrets/secrets.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { type findSlaveBySerial, getPairKey } from './devices.ts';
import { recordKeyExport } from './slave-key-exports.ts';
import { writeSlaveKey } from './slave-key.ts';

/** A slave with its master. */
type Found = NonNullable<Awaited<ReturnType<typeof findSlaveBySerial>>>;

/** A key file and its name. */
export interface ExportedKey {
  readonly fileName: string;
  readonly text: string;
}

/**
 * Writes the key file of a slave for `exportedBy`; null if the key is revoked. The export is recorded before the file
 * exists: a record without an export is acceptable, an export without a record is not. `beforeRecord` throws if the
 * file cannot be written.
 */
export async function exportSlaveKey(
  deps: { readonly db: Db; readonly secrets: Pick<Secrets, 'getKey'> },
  { slave, master }: Found,
  exportedBy: string,
  beforeRecord: () => Promise<void> = async () => undefined,
): Promise<ExportedKey | null> {
  const { family, serialNumber: slaveSerial } = slave;
  const { currentKeyId: keyId, serialNumber: masterSerial } = master;
  const pairKey = await getPairKey(deps, master, slave, keyId);
  if (pairKey === null) return null;
  await beforeRecord();
  await recordKeyExport(deps.db, slave.guid, keyId, exportedBy);
  return {
    fileName: makeFileNameSafe(`${family}_${slaveSerial}_key.json`),
    text: writeSlaveKey({ family, pairKey, keyId, masterSerial, slaveSerial }),
  };
}
