/** Helpers that several family files share: declarations, entry points, parts, and the files of a request. */
import {
  definitionOf,
  findWorkflow,
  typesOf,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/operations';
import type { AutoSendAction, notificationDetails } from '@recodery/contract/recoding';
import type * as z from 'zod/mini';
import type { Entry, InformationLine, Part } from '../decoded-read.ts';
import type { EncodeRequest, FamilyPage, OwnPage, Recipient } from './family-page.ts';

/** The page of a workflow: the contract's declarations and the page's own. */
export function familyPage(id: Workflow, own: OwnPage): FamilyPage {
  const { family, readKind } = workflowOf(id);
  const { decode, encode } = typesOf(family);
  const utility = findWorkflow(family, 'utility');
  return {
    ...own,
    id,
    family,
    decodes: decode,
    encodes: encode,
    utility: utility === id ? null : utility,
    encodedExtension: definitionOf(family).encodedFileExtension,
    opens: readKind,
  };
}

/** Thrown when an operation is not a successful decode of the expected family. */
export function notDecoded({ guid, asyncOperationType }: Operation): Error {
  return new Error(`${asyncOperationType} ${guid} has no decode result of this family`);
}

interface EntryAnswer {
  readonly isAutoSendEnabled: boolean;
  readonly autoSendDefaultAction: AutoSendAction;
  readonly isAutoSendNotificationPrivateByDefault: boolean;
  readonly canUseUtility: boolean;
}

/** What an entry point allows; `skips` are the two options that only KESS3 has. */
export function entryOf(
  answer: EntryAnswer,
  skips: { readonly maySkipChecksum: boolean; readonly hasDebugFlag: boolean } = {
    maySkipChecksum: false,
    hasDebugFlag: false,
  },
): Entry {
  return {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    isPrivateByDefault: answer.isAutoSendNotificationPrivateByDefault,
    canUseUtility: answer.canUseUtility,
    ...skips,
  };
}

/** The duration of an operation in milliseconds, or null while it is running. */
export function durationOf({ startedOn, completedOn }: Operation): number | null {
  return completedOn === null ? null : Date.parse(completedOn) - Date.parse(startedOn);
}

/** The information fields in the order of the contract. */
export function linesOf(information: Readonly<Record<string, string | null>>): InformationLine[] {
  return Object.entries(information).map(([label, value]) => ({ label, value }));
}

/** The parts of a read with one image: the modified one, and the original where it is needed. */
export function imageParts(decoded: Part['decoded'], isOriginalNeeded: boolean): Part[] {
  const part = { isNeeded: true, isRemovable: false, startsRemoved: false };
  const modified = { name: 'modified', ...part, decoded };
  return isOriginalNeeded ? [modified, { name: 'original', ...part, decoded: null }] : [modified];
}

/** The parts of a component read; none of them is required. */
export function componentParts(
  components: readonly {
    readonly type: string;
    readonly decodedFileURL: string;
    readonly decodedFileName: string;
    readonly size: number;
  }[],
  removal: { readonly isRemovable: boolean; readonly startsRemoved: readonly string[] },
): Part[] {
  return components.map(({ type, decodedFileURL, decodedFileName, size }) => ({
    name: type,
    isNeeded: false,
    isRemovable: removal.isRemovable,
    startsRemoved: removal.startsRemoved.includes(type),
    decoded: { name: decodedFileName, size, url: decodedFileURL },
  }));
}

/** The uploaded file of a part, or null: then the request does not include it. */
export function fileGUIDOf({ inputs }: EncodeRequest, part: string): string | null {
  const state = inputs.parts[part];
  return state?.at === 'complete' ? state.fileGUID : null;
}

/** Whether the user has removed a part. */
export function isRemoved({ inputs }: EncodeRequest, part: string): boolean {
  return inputs.parts[part]?.at === 'removed';
}

/** The recipient that the send popup suggests. */
export function recipientFrom(details: z.infer<typeof notificationDetails>): {
  name: string | null;
  email: string | null;
} {
  return {
    name: details.slaveOrganizationName,
    email: details.slaveOrganizationEmailAddress,
  };
}

/** What every encode call contains in addition to its files. */
export function alongside({ contextData, notificationInfo }: EncodeRequest): {
  contextData: string;
  notificationInfo: Recipient | null;
} {
  return { contextData, notificationInfo };
}
