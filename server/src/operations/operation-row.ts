/** Reads the rows of the table operation, which `operations` and `claim` own. */
import { type OperationType, operationTypes } from '@recodery/contract/families/registry';
import { progress, type WrongSize } from '@recodery/contract/features/operations';
import { type Selectable, sql } from 'kysely';
import { mintOrganisationId } from '../organisations/caller.ts';
import type { Database } from '../postgres/tables/schema.ts';
import type { JsonObject, OperationRow, Stage } from './operation-rules.ts';

const stages: readonly Stage[] = progress.shape.stage.options;

/** The operation type in a column. @throws when the contract does not know it */
export function readOperationType(text: string): OperationType {
  const known = operationTypes.find((type) => type === text);
  if (known === undefined) throw new Error(`the operation type ${text} is unknown`);
  return known;
}

function stageOf(text: string): Stage {
  const known = stages.find((stage) => stage === text);
  if (known === undefined) throw new Error(`the stage ${text} is unknown`);
  return known;
}

/** A JSON object from the driver, or null. */
function asObject(json: unknown): JsonObject | null {
  return typeof json === 'object' && json !== null ? (json as JsonObject) : null;
}

/** The columns that {@link readOperationRow} reads. */
export const operationColumns = [
  'operation.guid',
  'operation.organisation_guid',
  'operation.account_guid',
  'operation.client_guid',
  'operation.user_info',
  'operation.callback_url',
  'operation.base_address',
  'operation.family',
  'operation.workflow',
  'operation.type',
  'operation.slot_guid',
  'operation.user_flow',
  'operation.context_data',
  'operation.request',
  'operation.status',
  'operation.attempt',
  'operation.crashes',
  'operation.lost_workers',
  'operation.stage',
  'operation.fraction',
  'operation.result',
  'operation.error_name',
  'operation.error_detail',
  'operation.internal_code',
  'operation.error_sizes',
  'operation.connection_guid',
  'operation.remote',
  'operation.engine_context',
  'operation.is_background',
  'operation.created_on',
  'operation.started_on',
  'operation.completed_on',
] as const;
/** The same as a part of a statement, which takes no time to build. */
export const operationColumnsText = sql.raw(operationColumns.join(', '));
type ColumnOf<Name extends string> = Name extends `operation.${infer Column}` ? Column : never;
/** A row with these columns. */
export type SelectedOperation = Pick<
  Selectable<Database['operation']>,
  ColumnOf<(typeof operationColumns)[number]>
>;

/** Converts a row from the driver. Only `claim` may call it without an organisation in its `where`. */
export function readOperationRow(row: SelectedOperation): OperationRow {
  return {
    guid: row.guid,
    organisationId: mintOrganisationId(row.organisation_guid),
    accountGuid: row.account_guid,
    clientGuid: row.client_guid,
    userInfo: row.user_info,
    callbackUrl: row.callback_url,
    baseAddress: row.base_address,
    family: row.family,
    workflow: row.workflow,
    type: readOperationType(row.type),
    slotGuid: row.slot_guid,
    userFlow: row.user_flow === 'E' ? 'E' : 'D',
    contextData: row.context_data,
    request: asObject(row.request) ?? {},
    status: row.status,
    attempt: row.attempt,
    crashes: row.crashes,
    deaths: row.lost_workers.length,
    stage: stageOf(row.stage),
    fraction: row.fraction,
    result: asObject(row.result),
    errorName: row.error_name,
    errorDetail: row.error_detail,
    internalCode: row.internal_code,
    // Written only by `endWithFault`.
    errorSizes: row.error_sizes as WrongSize | null,
    connectionGuid: row.connection_guid,
    engineContext: row.engine_context ?? asObject(row.remote),
    isBackground: row.is_background,
    createdOn: row.created_on,
    startedOn: row.started_on,
    completedOn: row.completed_on,
  };
}
