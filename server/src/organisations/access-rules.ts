/** Decides who can enter which family's pages and use which switches; pure, on plain values. */
import type { RefusalCode } from '@recodery/contract/errors';
import { isOfferedByVendors } from '@recodery/contract/features/engines';
import type { Entries, EntryRefusal } from '@recodery/contract/features/session';
import {
  byWorkflow,
  definitionOf,
  type Family,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { Caller, Rights } from './caller.ts';

/** The devices of an organisation in one family. */
export interface DeviceCounts {
  readonly masterCount: number;
  /** Slaves that are linked to one of those masters and not revoked. */
  readonly slaveCount: number;
  /** A vendor's engine serves one of the masters: it needs no slaves. */
  readonly isEngineConnected: boolean;
}

/** The input of the entry decision. The counts are of the caller's organisation, in that family. */
export interface EntryQuestion extends DeviceCounts {
  readonly caller: Pick<Caller, 'hasPortalAccess' | 'rights'>;
  readonly workflow: Workflow;
}

/**
 * Why the caller cannot enter, or null if they can. The order is fixed: the user's right first, then the organisation's
 * subscription, then its devices.
 */
export function entryRefusal(question: EntryQuestion): EntryRefusal | null {
  const { caller, workflow, masterCount, slaveCount, isEngineConnected } = question;
  const { family, right } = workflowOf(workflow);
  if (!caller.hasPortalAccess || (right !== null && !caller.rights[right])) return 'USER_NO_RIGHTS';
  if (!caller.rights.families[family]) return 'FeatureNotAvailable';
  const isConnected = isEngineConnected && isOfferedByVendors(family, right);
  if (masterCount > 0 && (slaveCount > 0 || isConnected)) return null;
  return definitionOf(family).noDevices;
}

/** For each family page, why the caller cannot enter it; `devices` are those of the caller's organisation. */
export function entriesOf(
  caller: EntryQuestion['caller'],
  devices: Readonly<Record<Family, DeviceCounts>>,
): Entries {
  return byWorkflow((workflow) =>
    entryRefusal({ caller, workflow, ...devices[workflowOf(workflow).family] }),
  );
}

/** The switches of a decode or encode that need a separate right. */
export interface FlagsWanted {
  readonly skipChecksum?: boolean;
  readonly debug?: boolean;
  /** True when the result is sent to the slave's organisation. */
  readonly autoSend?: boolean;
}

/** `USER_NO_RIGHTS` when a switch is used without its right, else null. */
export function flagsRefusal(rights: Rights, wanted: FlagsWanted): RefusalCode | null {
  const isMissing =
    (wanted.skipChecksum === true && !rights.skipChecksum) ||
    (wanted.debug === true && !rights.debug) ||
    (wanted.autoSend === true && !rights.autoSend);
  return isMissing ? 'USER_NO_RIGHTS' : null;
}
