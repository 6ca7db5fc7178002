/** Who may come in: rights, subscription and devices at a family's entry, and what of the caller's own still runs there. */
import { Refusal } from '@recodery/contract/errors';
import { type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { AutoSendAction } from '@recodery/contract/recoding';
import type { Kysely } from 'kysely';
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
import type { Database } from '../postgres/schema.ts';

type Db = Kysely<Database>;

/** What is entered: a family, for recoding or by the utility, with the master that the chooser picked. */
export interface EntryQuestion {
  readonly workflow: Workflow;
  readonly choice: MasterChoice;
}

/**
 * The master under which the caller works; refuses as the entry rules say. A choice that fits none of the
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
  if (master === null) throw new Error('the entry rules let somebody in without a master');
  return master;
}

/** What an organisation prefers when results are sent. */
export interface SendingPreferences {
  readonly autoSendDefaultAction: AutoSendAction;
  readonly isPrivateByDefault: boolean;
}

/** What a page is told at its entry. */
export interface EntryAnswer extends SendingPreferences {
  readonly isAutoSendEnabled: boolean;
  readonly canUseReCod: boolean;
  readonly canUseUtility: boolean;
  readonly canSkipChecksum: boolean;
  readonly hasDebugFlag: boolean;
  /** The caller's own oldest waiting or running operation of the family, begun by this way of working. */
  readonly active: OperationRow | null;
}

export interface EntryDependencies {
  readonly db: Db;
  readonly parallelOperations: number;
  getSendingPreferences(caller: Caller): Promise<SendingPreferences>;
}

/** Enters a family's page. Refuses also with API_ERROR_THROTTLING when the organisation's quota is full. */
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
    listOwnActive(deps.db, caller, family),
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
    // a backup that the utility unpacks is not the recoding page's to go on with
    active: own.find((operation) => operation.workflow === workflow) ?? null,
  };
}
