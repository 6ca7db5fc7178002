/** Routes for operations: one by its guid, and the list of recent ones. */
import {
  getOperation,
  listOperations,
  type OperationSummary,
} from '@recodery/contract/features/operations';
import { Refusal } from '@recodery/contract/refusal';
import type { Kysely } from 'kysely';
import type { Router } from '../http/serve.ts';
import type { Caller, Doer, OrganisationId } from '../organisations/caller.ts';
import type { Clock } from '../config/clock.ts';
import type { Database } from '../postgres/tables/schema.ts';
import {
  describeOperation,
  type JsonObject,
  type LineSlot,
  type OperationRow,
  summarizeOperation,
} from './operation-rules.ts';
import { findOperation, listLastOperations } from './operations.ts';

export interface OperationRouteDependencies {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** The family's wire shape of a succeeded operation's result, with URLs created for this response and its reader. */
  shapeResult(operation: OperationRow, bearer: Doer): Promise<JsonObject>;
  /** The slots of that organisation, by guid. */
  findSlotLines(
    organisationId: OrganisationId,
    slotGuids: readonly string[],
  ): Promise<ReadonlyMap<string, LineSlot>>;
  /** The display names of the users who started operations of that organisation, by the operation's guid. */
  findStarterNames(
    organisationId: OrganisationId,
    operationGuids: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  nameProtocol(id: number): string | null;
  /** The email address that the operation's file is to be sent to, or null. */
  findRecipient(operation: OperationRow): string | null;
}

/** The current record of an operation, for a response or an event; its URLs are for `bearer`, by default its starter. */
export async function presentOperation(
  deps: Pick<OperationRouteDependencies, 'clock' | 'shapeResult'>,
  row: OperationRow,
  bearer: Doer = row,
): Promise<ReturnType<typeof describeOperation>> {
  const result = row.status === 'succeeded' ? await deps.shapeResult(row, bearer) : null;
  return describeOperation(row, deps.clock.now(), result);
}

/** An operation as a caller sees it: client applications do not see what another caller has attached. */
export function readAs({ kind, clientGuid }: Caller, row: OperationRow): OperationRow {
  const isHidden = kind === 'client' && row.clientGuid !== clientGuid;
  return isHidden ? { ...row, contextData: null } : row;
}

/** Registers the operation routes. */
export function serveOperations(router: Router, deps: OperationRouteDependencies): void {
  router.serve(getOperation, async ({ caller, params }) => {
    const row = await findOperation(deps.db, caller.organisationId, params.guid);
    if (row === null) throw new Refusal('NOT_FOUND');
    return presentOperation(deps, readAs(caller, row), caller);
  });

  router.serve(listOperations, async ({ caller, query }) => {
    const { count, before } = query;
    const rows = await listLastOperations(deps.db, caller.organisationId, count, before);
    return describeLines(deps, caller.organisationId, rows);
  });
}

const unknownSlot: LineSlot = {
  readFileName: '',
  slaveSerialNumber: null,
  protocolId: null,
  engine: null,
};

async function describeLines(
  deps: OperationRouteDependencies,
  organisationId: OrganisationId,
  rows: readonly OperationRow[],
): Promise<OperationSummary[]> {
  const [slots, people] = await Promise.all([
    deps.findSlotLines(
      organisationId,
      rows.map(({ slotGuid }) => slotGuid),
    ),
    deps.findStarterNames(
      organisationId,
      rows.map(({ guid }) => guid),
    ),
  ]);
  return rows.map((row) => {
    const slot = slots.get(row.slotGuid) ?? unknownSlot;
    const { protocolId } = slot;
    return summarizeOperation(row, slot, {
      protocolName: protocolId === null ? null : deps.nameProtocol(protocolId),
      userDisplayName: people.get(row.guid) ?? null,
      recipientEmail: deps.findRecipient(row),
    });
  });
}
