/** What the routes of all families share: dependencies, entry fields, and component names in requests and responses. */
import { type ComponentName, componentNames } from '@recodery/contract/families/family';
import type { Operation } from '@recodery/contract/features/operations';
import type { Caller } from '../../organisations/caller.ts';
import type { MasterChoice } from '../../organisations/devices.ts';
import type { KeepAnswer } from '../../http/idempotency.ts';
import type { Router } from '../../http/serve.ts';
import type { OperationRow } from '../../operations/operation-rules.ts';
import type { ComponentsDependencies } from '../../slots/send-components.ts';
import { type DecodeAsk, requestDecode, type Respond } from '../decode.ts';
import { type EncodeAsk, requestEncode } from '../encode.ts';
import { readChoice } from '../engine-selection/choose-master.ts';
import type { EntryAnswer, EntryDependencies } from '../entry-checks.ts';
import type { ImageDependencies } from '../image-uploads.ts';
import type { NotificationDetailsDependencies } from '../notification-details.ts';
import type { EncodeOptions } from '../preflight/preflight.ts';
import type { DecodeFacts, ModifiedComponent } from '../results/stored-result.ts';
import type { Addresses, ShapeDecode } from '../results/result-response.ts';

/** A family's routes: how it shows a decode, and the calls that it serves. */
export interface FamilyRoutes {
  readonly encodeOptions: EncodeOptions;
  readonly shapeDecode: ShapeDecode;
  serve(router: Router, deps: FamilyRouteDependencies): void;
}

export interface FamilyRouteDependencies
  extends EntryDependencies,
    ImageDependencies,
    ComponentsDependencies,
    NotificationDetailsDependencies {
  /** The current record of an operation, for a response. */
  presentOperation(operation: OperationRow): Promise<Operation>;
}

/** The fields that every family's entry returns; each family has its own name for the active operation. */
export function describeEntry(answer: EntryAnswer) {
  return {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    defaultAutoSendAction: answer.autoSendDefaultAction,
    isAutoSendNotificationPrivateByDefault: answer.isPrivateByDefault,
    canUseReCod: answer.canUseReCod,
    canUseUtility: answer.canUseUtility,
    engine: answer.engine,
    foreignFileMasters: answer.foreignFileMasters.map(({ groupCode, serialNumber }) => ({
      groupCode,
      masterDeviceSerialNumber: serialNumber,
    })),
  };
}

/** The record of the operation that is still running, or null. */
export async function describeActive(
  deps: Pick<FamilyRouteDependencies, 'presentOperation'>,
  { active }: EntryAnswer,
): Promise<Operation | null> {
  return active === null ? null : deps.presentOperation(active);
}

/** The fields that every family shows of a decode. */
export function describeDecode(facts: DecodeFacts, addresses: Addresses) {
  return {
    name: facts.name,
    readFileName: facts.readFileName,
    readFileSize: facts.readFileSize ?? null,
    idFileURL: facts.idFile && addresses.file(facts.idFile.fileGuid),
    idFileName: facts.idFile?.name ?? null,
    checksumRules: facts.checksumRules,
    warnings: [...facts.warnings],
  };
}

/** A call that starts an operation: who calls, and how its response is kept for a repeated request. */
interface StartAsked {
  readonly caller: Caller;
  readonly keep: KeepAnswer;
}

/** A decode as requested by a family's call; `choice` is the master named in its query. */
interface FamilyDecode
  extends Pick<DecodeAsk, 'workflow'>,
    Partial<Pick<DecodeAsk, 'skipChecksum' | 'debug'>> {
  readonly choice: MasterChoice;
}

/** Starts the decode of an upload, and returns the record of its operation. */
export function startDecode(
  deps: FamilyRouteDependencies,
  { caller, keep, upload }: StartAsked & { readonly upload: Parameters<typeof requestDecode>[3] },
  ask: FamilyDecode,
): Promise<Operation> {
  const whole = { skipChecksum: false, debug: false, ...ask, choice: readChoice(ask.choice) };
  return requestDecode(deps, caller, whole, upload, answerStarted(deps, keep));
}

/** The default corrections of an encode: none. */
const unchanged = {
  modified: [],
  originalFileGuid: null,
  removed: [],
  reencode: false,
  willCorrectCVN: false,
  willSkipChecksum: false,
} as const;

/** A call that starts an encode, with its query. */
interface EncodeAsked extends StartAsked {
  readonly query: { readonly isFromTray: boolean };
}

/** Starts an encode, and returns the record of its operation. */
export function startEncode(
  deps: FamilyRouteDependencies,
  { caller, keep, query }: EncodeAsked,
  ask: Omit<EncodeAsk, keyof typeof unchanged> & Partial<EncodeAsk>,
): Promise<Operation> {
  const { isFromTray } = query;
  return requestEncode(
    deps,
    caller,
    { ...unchanged, ...ask, isFromTray },
    answerStarted(deps, keep),
  );
}

/** A component by the family's name for it, and by ours. */
interface ComponentWord<T extends string> {
  readonly type: T;
  readonly component: ComponentName;
}

/** The response to a call that started an operation: its record, which is kept with it. */
function answerStarted(
  { presentOperation }: Pick<FamilyRouteDependencies, 'presentOperation'>,
  keep: KeepAnswer,
): Respond<Operation> {
  return async (trx, started) => {
    const answer = await presentOperation(started);
    await keep(trx, answer);
    return answer;
  };
}

/** The components that a read contained, in the family's names and order. */
export function describeComponents<T extends string>(
  facts: DecodeFacts,
  words: readonly ComponentWord<T>[],
  addresses: Addresses,
) {
  return words.flatMap(({ type, component }) =>
    facts.components
      .filter((decoded) => decoded.component === component)
      .map(({ fileGuid, name, size }) => ({
        type,
        decodedFileURL: addresses.file(fileGuid),
        decodedFileName: name,
        size,
      })),
  );
}

/** The modified images that a payload names; null: none for that component. */
export function chosenImages(
  guids: Partial<Record<ComponentName, string | null>>,
): ModifiedComponent[] {
  return componentNames.flatMap((component) => {
    const fileGuid = guids[component] ?? null;
    return fileGuid === null ? [] : [{ component, fileGuid }];
  });
}

/** The components that a payload requests to remove. */
export function chosenRemovals(flags: Partial<Record<ComponentName, boolean>>): ComponentName[] {
  return componentNames.filter((component) => flags[component] === true);
}
