/** The key file of a slave device, which operators download. */
import { Readable } from 'node:stream';
import type { Family } from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { Caller } from '../../organisations/caller.ts';
import { findSlaveBySerial } from '../../organisations/devices.ts';
import { exportSlaveKey } from '../../organisations/export-slave-key.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { RecordFile } from '../installation/backups.ts';
import { readRecord } from './change-records.ts';
import { stores } from './stores.ts';

interface KeyFileDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'getKey'>;
}

/** Exports the key of a slave for the caller. @throws {Refusal} NOT_FOUND, also if the key is revoked */
export function openKeyFile(
  deps: KeyFileDeps,
): (guid: string, caller: Caller) => Promise<RecordFile> {
  return async (guid, caller) => {
    if (caller.kind !== 'person') throw new Error('only operators, who are people, export keys');
    const { family, serial, revoked } = await readRecord(deps.db, stores.slaves, guid);
    const found = await findSlaveBySerial(deps.db, String(family) as Family, String(serial));
    const exported =
      found === null || revoked === true ? null : await exportSlaveKey(deps, found, caller.email);
    if (exported === null) throw new Refusal('NOT_FOUND');
    const { fileName, text } = exported;
    return {
      fileName,
      size: Buffer.byteLength(text),
      content: () => Readable.from([text], { objectMode: false }),
    };
  };
}
