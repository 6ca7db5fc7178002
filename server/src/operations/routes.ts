/** The door to the operations: one by its guid, and the last ones. */
import { getOperation, listOperations } from '@recodery/contract/operations';
import { Refusal } from '@recodery/contract/errors';
import type { Kysely } from 'kysely';
import type { Door } from '../http/serve.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/schema.ts';
import { describeOperation, type JsonObject, summariseOperation } from './operation-rules.ts';
import type { OperationRow } from './operation-rules.ts';
import { findOperation, listLastOperations } from './operations.ts';

/** What a line of the last operations takes from the slot. */
export interface SlotLine {
  readonly readFileName: string;
  readonly slaveSerialNumber: string | null;
}

export interface OperationRouteDependencies {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** The family's wire shape of a succeeded operation's result, with addresses made for this answer. */
  shapeResult(operation: OperationRow): Promise<JsonObject>;
  /** The slots of that organisation, by guid. */
  findSlotLines(
    organisationId: OrganisationId,
    slotGuids: readonly string[],
  ): Promise<ReadonlyMap<string, SlotLine>>;
}

/** The record of an operation for an answer or event of now. */
export async function presentOperation(
  deps: Pick<OperationRouteDependencies, 'clock' | 'shapeResult'>,
  row: OperationRow,
): Promise<ReturnType<typeof describeOperation>> {
  const result = row.status === 'succeeded' ? await deps.shapeResult(row) : null;
  return describeOperation(row, deps.clock.now(), result);
}

/** Serves the operations. */
export function serveOperations(door: Door, deps: OperationRouteDependencies): void {
  door.serve(getOperation, async ({ caller, params }) => {
    if (!caller.hasPortalAccess) throw new Refusal('USER_NO_RIGHTS');
    const row = await findOperation(deps.db, caller.organisationId, params.guid);
    if (row === null) throw new Refusal('NOT_FOUND');
    return presentOperation(deps, row);
  });

  door.serve(listOperations, async ({ caller, query }) => {
    if (!caller.hasPortalAccess) throw new Refusal('USER_NO_RIGHTS');
    const rows = await listLastOperations(deps.db, caller.organisationId, query.count);
    const slots = await deps.findSlotLines(
      caller.organisationId,
      rows.map(({ slotGuid }) => slotGuid),
    );
    return rows.map((row) =>
      summariseOperation(
        row,
        slots.get(row.slotGuid) ?? { readFileName: '', slaveSerialNumber: null },
      ),
    );
  });
}
