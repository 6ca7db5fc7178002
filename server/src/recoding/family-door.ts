/** What the doors of all families have in common: their dependencies, the entry's fields, and how a started operation answers. */
import type { Operation } from '@recodery/contract/operations';
import type { Door } from '../http/serve.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import type { EntryAnswer, EntryDependencies } from './entry.ts';
import type { ImageDependencies } from './image-uploads.ts';
import type { NotificationDetailsDependencies } from './notification-details.ts';
import type { ShapeDecode } from './present.ts';

/** A family's door: how it shows a decode, and the calls that it serves. */
export interface FamilyDoor {
  readonly shapeDecode: ShapeDecode;
  serve(door: Door, deps: FamilyDoorDependencies): void;
}

export interface FamilyDoorDependencies
  extends EntryDependencies,
    ImageDependencies,
    NotificationDetailsDependencies {
  /** The record of an operation for an answer of now. */
  presentOperation(operation: OperationRow): Promise<Operation>;
}

/** The fields that every family's entry answers; the active operation bears a name of the family's own. */
export function describeEntry(answer: EntryAnswer) {
  return {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    defaultAutoSendAction: answer.autoSendDefaultAction,
    isAutoSendNotificationPrivateByDefault: answer.isPrivateByDefault,
    canUseReCod: answer.canUseReCod,
    canUseUtility: answer.canUseUtility,
  };
}

/** The record of what still runs, or null. */
export async function describeActive(
  deps: Pick<FamilyDoorDependencies, 'presentOperation'>,
  { active }: EntryAnswer,
): Promise<Operation | null> {
  return active === null ? null : deps.presentOperation(active);
}
