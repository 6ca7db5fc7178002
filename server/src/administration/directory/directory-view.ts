/** Reads the directory with the GUIDs of its records. */
import type { Family } from '@recodery/contract/families/registry';
import { readSlaveKeys } from '../../organisations/devices.ts';
import { readDirectoryState } from '../../organisations/directory/directory.ts';
import { deviceKey } from '../../organisations/directory/directory-state-rules.ts';
import { foldEmail } from '../../organisations/email-rules.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { DirectoryView } from '../records/resource-store.ts';

interface DeviceRow {
  readonly guid: string;
  readonly family: Family;
  readonly serial_number: string;
}

const byDevice = (rows: readonly DeviceRow[]): ReadonlyMap<string, string> =>
  new Map(rows.map((row) => [deviceKey(row.family, row.serial_number), row.guid]));

/** Reads the directory; in a transaction or snapshot, because it takes several queries. */
export async function readDirectoryView(db: Db): Promise<DirectoryView> {
  const state = await readDirectoryState(db);
  const organisations = await db
    .selectFrom('organisation')
    .select(['guid', 'customer_code'])
    .execute();
  const devicesIn = (table: 'master_device' | 'slave_device') =>
    db.selectFrom(table).select(['guid', 'family', 'serial_number']).execute();
  const [masters, slaves] = [await devicesIn('master_device'), await devicesIn('slave_device')];
  const keys = await readSlaveKeys(db);
  const users = await db.selectFrom('account').select(['guid', 'email', 'password_hash']).execute();
  return {
    state,
    guids: {
      organisations: new Map(organisations.map((row) => [row.customer_code, row.guid])),
      masters: byDevice(masters),
      slaves: byDevice(slaves),
      users: new Map(users.map((row) => [foldEmail(row.email), row.guid])),
    },
    slaveKeys: new Map(
      keys.map(({ guid, number, renewedOn }) => [
        guid,
        { number, renewedOn: renewedOn?.toISOString() ?? null },
      ]),
    ),
    withPassword: new Set(
      users.filter((row) => row.password_hash !== null).map((row) => foldEmail(row.email)),
    ),
  };
}
