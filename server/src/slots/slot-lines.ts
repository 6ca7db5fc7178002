/** What lists of operations show of their slots. */
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { vinHider } from '../texts/vin-rules.ts';
import type { Slot } from './slots.ts';

/** What a list shows of a slot. A VIN in `engine` is hidden. */
export interface SlotLine extends Pick<Slot, 'readFileName' | 'slaveSerialNumber' | 'protocolId'> {
  readonly engine: string | null;
}

/** What a list shows of its slots, including deleted ones: lists outlive the files that they name. */
export async function findSlotLines(
  db: Db,
  organisationId: OrganisationId,
  guids: readonly string[],
): Promise<ReadonlyMap<string, SlotLine>> {
  if (guids.length === 0) return new Map();
  const rows = await db
    .selectFrom('slot')
    .select(['guid', 'read_file_name as readFileName', 'slave_serial_number as slaveSerialNumber'])
    .select(['protocol_id as protocolId', 'vin'])
    .select(sql<string | null>`facts #>> '{information,engine}'`.as('engine'))
    .where('organisation_guid', '=', organisationId)
    .where('guid', 'in', [...new Set(guids)])
    .execute();
  return new Map(
    rows.map(({ guid, vin, engine, ...line }) => [
      guid,
      { ...line, engine: engine === null ? null : vinHider(vin)(engine) },
    ]),
  );
}
