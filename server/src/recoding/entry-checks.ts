/** Entry checks of a family: rights, subscription and devices, and the caller's own operation that is still running. */
import { Refusal } from '@recodery/contract/refusal';
import { type Workflow, workflowOf } from '@recodery/contract/families/registry';
import { type EngineSummary, servesRight } from '@recodery/contract/features/engines';
import { listOwnActive, refuseWhenFull } from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { entryRefusal } from '../organisations/access-rules.ts';
import type { Caller } from '../organisations/caller.ts';
import { countDevices, type MasterChoice, type ServedMaster } from '../organisations/devices.ts';
import { type EntryState, readEntryState } from '../organisations/directory/entry-state.ts';
import type { SendingPreferences } from '../preferences/preferences.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { MastersOfFamily } from './engine-selection/choose-master.ts';

/** What the caller enters: a family, for recoding or with the utility, with the master they chose. */
export interface EntryRequest {
  readonly workflow: Workflow;
  readonly choice: MasterChoice;
}

/** What an entry check has read, for the checks that follow. */
export interface CheckedEntry extends MastersOfFamily, Omit<EntryState, 'masters'> {}

/**
 * The masters under which the caller works, those that they have chosen first; refuses according to the entry rules. A
 * choice that matches none of the organisation's masters is refused as if there were none. For the utility, masters
 * whose engine does not offer it do not count.
 */
export async function requireEntry(
  db: Db,
  caller: Caller,
  { workflow, choice }: EntryRequest,
): Promise<CheckedEntry> {
  const { family, right } = workflowOf(workflow);
  const { organisationId } = caller;
  const { masters: all, ...state } = await readEntryState(db, organisationId, family);
  const [first, ...others] = all.filter(
    (master) => isChosen(master, choice) && servesRight(master.engine.offers, right),
  );
  const counted = countDevices(first === undefined ? [] : all);
  const refusal = entryRefusal({ caller, workflow, ...counted });
  if (refusal !== null) throw new Refusal(refusal);
  if (first === undefined) throw new Error('the access rules let in a user without a master');
  return { all, chosen: [first, ...others], ...state };
}

/** Whether a choice matches a master; without a choice, every master matches. */
function isChosen(master: ServedMaster, choice: MasterChoice): boolean {
  const { groupCode, masterDeviceSerialNumber: serial } = choice;
  return (
    (!groupCode || master.groupCode === groupCode) && (!serial || master.serialNumber === serial)
  );
}

/** The response of an entry point. */
export interface EntryAnswer extends SendingPreferences {
  readonly isAutoSendEnabled: boolean;
  readonly canUseReCod: boolean;
  readonly canUseUtility: boolean;
  readonly canSkipChecksum: boolean;
  readonly hasDebugFlag: boolean;
  /** Of the master that the caller has chosen. */
  readonly engine: EngineSummary;
  /** The family's masters whose engine takes files that are not in the portal's own container. */
  readonly foreignFileMasters: readonly ServedMaster[];
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
  question: EntryRequest,
): Promise<EntryAnswer> {
  const { workflow } = question;
  const { family } = workflowOf(workflow);
  const { all, chosen, usage } = await requireEntry(deps.db, caller, question);
  const { engine } = chosen[0];
  await refuseWhenFull(deps.db, caller, { family }, deps.parallelOperations, usage);
  const [own, preferences] = await Promise.all([
    caller.kind === 'client' ? [] : listOwnActive(deps.db, caller, family),
    deps.getSendingPreferences(caller),
  ]);
  const { rights } = caller;
  return {
    ...preferences,
    isAutoSendEnabled: rights.autoSend,
    canUseReCod: rights.recod,
    canUseUtility: rights.utility && engine.offers.utility,
    canSkipChecksum: rights.skipChecksum && engine.offers.checksumSkip,
    hasDebugFlag: rights.debug,
    engine,
    foreignFileMasters: all.filter((master) => master.engine.offers.foreignFiles),
    // the recoding page does not resume a backup that the utility unpacks
    active: own.find((operation) => operation.workflow === workflow) ?? null,
  };
}
