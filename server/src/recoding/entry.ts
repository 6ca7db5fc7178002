/** Entry checks of a family: rights, subscription and devices, and the caller's own operation that is still running. */
import { Refusal } from '@recodery/contract/errors';
import { type Workflow, workflowOf } from '@recodery/contract/families/registry';
import { listOwnActive, refuseWhenFull } from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { entryRefusal } from '../organisations/access-rules.ts';
import type { Caller } from '../organisations/caller.ts';
import {
  chooseMaster,
  countDevices,
  type Master,
  type MasterChoice,
} from '../organisations/devices.ts';
import type { SendingPreferences } from '../preferences/preferences.ts';
import type { Db } from '../postgres/schema.ts';

/** What the caller enters: a family, for recoding or with the utility, with the master they chose. */
export interface EntryQuestion {
  readonly workflow: Workflow;
  readonly choice: MasterChoice;
}

/**
 * The master under which the caller works; refuses according to the entry rules. A choice that matches none of the
 * organisation's masters is refused as if there were none.
 */
export async function demandEntry(
  db: Db,
  caller: Caller,
  { workflow, choice }: EntryQuestion,
): Promise<Master> {
  const { family } = workflowOf(workflow);
  const { organisationId } = caller;
  const [devices, master] = await Promise.all([
    countDevices(db, organisationId),
    chooseMaster(db, organisationId, family, choice),
  ]);
  const counted = master === null ? { masterCount: 0, slaveCount: 0 } : devices[family];
  const refusal = entryRefusal({ caller, workflow, ...counted });
  if (refusal !== null) throw new Refusal(refusal);
  if (master === null) throw new Error('the access rules let in a user without a master');
  return master;
}

/** What a page receives on entry. */
export interface EntryAnswer extends SendingPreferences {
  readonly isAutoSendEnabled: boolean;
  readonly canUseReCod: boolean;
  readonly canUseUtility: boolean;
  readonly canSkipChecksum: boolean;
  readonly hasDebugFlag: boolean;
  /** The user's own oldest waiting or running operation of the family, started in this workflow; a program has none. */
  readonly active: OperationRow | null;
}

export interface EntryDependencies {
  readonly db: Db;
  readonly parallelOperations: number;
  getSendingPreferences(caller: Caller): Promise<SendingPreferences>;
}

/** Enters a family's page. Also refuses with API_ERROR_THROTTLING when the organisation's quota is full. */
export async function enter(
  deps: EntryDependencies,
  caller: Caller,
  question: EntryQuestion,
): Promise<EntryAnswer> {
  const { workflow } = question;
  const { family } = workflowOf(workflow);
  await demandEntry(deps.db, caller, question);
  await refuseWhenFull(deps.db, caller, family, deps.parallelOperations);
  const [own, preferences] = await Promise.all([
    caller.kind === 'client' ? [] : listOwnActive(deps.db, caller, family),
    deps.getSendingPreferences(caller),
  ]);
  const { rights } = caller;
  return {
    ...preferences,
    isAutoSendEnabled: rights.autoSend,
    canUseReCod: rights.recod,
    canUseUtility: rights.utility,
    canSkipChecksum: rights.skipChecksum,
    hasDebugFlag: rights.debug,
    // the recoding page does not resume a backup that the utility unpacks
    active: own.find((operation) => operation.workflow === workflow) ?? null,
  };
}
