/** Helpers that several family files share: declarations, entry points, parts, and the files of a request. */
import {
  definitionOf,
  findWorkflow,
  typesOf,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { Engine } from '@recodery/contract/features/engines';
import type { Operation } from '@recodery/contract/features/operations';
import type { Entry, FileLink, Part } from '../decoded-read.ts';
import type { EncodeRequest, FamilyPage, OwnPage } from './family-page.ts';

/** The page of a workflow: the contract's declarations and the page's own. */
export function familyPage(id: Workflow, own: OwnPage): FamilyPage {
  const { family, readKind } = workflowOf(id);
  const { decode, encode } = typesOf(family);
  const utility = findWorkflow(family, { isUtility: true });
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

/** The page of a workflow without its own options. */
export const plainPage = {
  words: {
    lead: 'recoding.lead',
    drop: 'recoding.drop',
    downloadDecoded: 'recoding.downloadDecoded',
    encode: 'recoding.encode',
    encodeAndSend: 'recoding.encodeAndSend',
  },
  hasComponentsPopup: false,
  offersDecodeSkip: () => false,
  offersEncodeSkip: () => false,
} satisfies Partial<OwnPage>;

interface EntryAnswer
  extends Pick<Entry, 'isAutoSendEnabled' | 'autoSendDefaultAction' | 'canUseUtility'> {
  readonly isAutoSendNotificationPrivateByDefault: boolean;
  readonly engine: Pick<Engine, 'offers'>;
  readonly foreignFileMasters: readonly unknown[];
}

/** What an entry point allows; `skips` are the two options that only KESS3 has. */
export function entryOf(
  answer: EntryAnswer,
  skips = { maySkipChecksum: false, hasDebugFlag: false },
): Entry {
  return {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    isPrivateByDefault: answer.isAutoSendNotificationPrivateByDefault,
    canUseUtility: answer.canUseUtility,
    takesForeignFiles: answer.engine.offers.foreignFiles,
    someDeviceTakesForeignFiles: answer.foreignFileMasters.length > 0,
    ...skips,
  };
}

interface DecodeResult {
  readonly readFileName: string;
  readonly readFileSize: number | null;
  readonly information: Readonly<Record<string, string | null>>;
  readonly idFileName: string | null;
  readonly idFileURL: string | null;
  readonly checksumRules: number;
  readonly warnings: readonly string[];
}

/** The common result of all families' decodes; the information fields are in the order of the contract. */
export function anyRead({ guid, startedOn, completedOn }: Operation, result: DecodeResult) {
  return {
    operationGUID: guid,
    readFile: { name: result.readFileName, size: result.readFileSize },
    duration: completedOn === null ? null : Date.parse(completedOn) - Date.parse(startedOn),
    information: Object.entries(result.information).map(([label, value]) => ({ label, value })),
    idFile: fileLink(result.idFileURL, result.idFileName ?? ''),
    checksumRules: result.checksumRules,
    warnings: result.warnings,
  };
}

/** A file of a decode result, or null if it has none. */
export function fileLink(
  url: string | null,
  name: string,
  size: number | null = null,
): FileLink | null {
  return url ? { name, size, url } : null;
}

/** A read with one image: its parts are the modified image, and the original where it is needed. */
export function imageRead(decodedFile: FileLink | null, isOriginalNeeded: boolean) {
  const part = { isNeeded: true, isRemovable: false, startsRemoved: false };
  const modified = { name: 'modified', ...part, decoded: decodedFile };
  const original = { name: 'original', ...part, decoded: null };
  return {
    shape: 'image',
    decodedFile,
    arrivesByItself: true,
    parts: isOriginalNeeded ? [modified, original] : [modified],
    isReencodePossible: !isOriginalNeeded && decodedFile !== null,
  } as const;
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

/** What every encode call contains in addition to its files. */
export function alongside({ contextData, notificationInfo }: EncodeRequest) {
  return { contextData, notificationInfo };
}

/** The query of every encode call. */
export function encodeQuery({ isFromTray }: EncodeRequest) {
  return isFromTray ? { isFromTray: 'true' as const } : {};
}
