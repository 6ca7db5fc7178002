/** The requests of the Encoding API, from what each family declares for it in the contract. */
import { pathOf } from '@recodery/contract/api';
import type { UploadPlace } from '@recodery/contract/families/encoding-api-family';
import { encodingApiCallsOf, getOperationRecord } from '@recodery/contract/encoding-api/routes';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { RequestRefused } from './errors.ts';

/** A file that a request sends as a form. */
export interface SentFile {
  readonly name: string;
  /** Bytes: the response may take longer for more of them. */
  readonly size: number;
  /** Called for each attempt. */
  open(): Promise<Blob>;
}

/** A request of the Encoding API. */
export interface ApiRequest {
  readonly verb: 'GET' | 'POST' | 'PUT';
  /** Below the base address, or the whole address of a result. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form. */
  readonly file?: SentFile & { readonly field: string };
  readonly idempotencyKey?: string;
  /** Bytes of the response; by default 1 MiB. */
  readonly longestAnswer?: number;
  /** Only the status of the response matters: its body is not read. */
  readonly isStatusEnough?: boolean;
}

/** A file to download. */
export interface WantedFile {
  /** Below the base address, or the whole address of a result. */
  readonly path: string;
  /** Bytes that it has; null: not known. */
  readonly size: number | null;
  /** Bytes that it may have. */
  readonly mostBytes: number;
}

/** What an uploaded file is: a modified component, or the original image. */
export type UploadTarget = ComponentName | 'original';

/** A place of the contract, in the terms of these requests. */
export const uploadTargetOf = ({ role, component }: UploadPlace): UploadTarget =>
  role === 'original' ? role : component;

/** The name under which a family lists something. @throws {RequestRefused} when it has no such name */
function nameOf<T>(names: Readonly<Record<string, T>>, isIt: (named: T) => boolean): string {
  const found = Object.entries(names).find(([, named]) => isIt(named));
  if (found === undefined) throw new RequestRefused('OPERATION_NOT_POSSIBLE');
  return found[0];
}

/** The family's name for the upload at a place: an upload's `fileType`, or an encode's field. */
function uploadName(names: Readonly<Record<string, UploadPlace>>, place: UploadTarget): string {
  return nameOf(names, (named) => uploadTargetOf(named) === place);
}

/** The path of a family's slots. */
export function slotsPath(family: Family): string {
  return pathOf(encodingApiCallsOf(family).listSlots);
}

/** Lists a family's slots. A vendor lists the closed ones too, so the list grows for years. */
export function listRequest(family: Family): ApiRequest {
  return { verb: 'GET', path: slotsPath(family), longestAnswer: 16 * 1024 * 1024 };
}

/** An action on one slot. Services respond with or without a body, of any type. */
export function slotRequest(
  family: Family,
  slotGuid: string,
  action: 'close' | 'reopen',
): ApiRequest {
  const { closeSlot, reopenSlot } = encodingApiCallsOf(family);
  const path = pathOf(action === 'close' ? closeSlot : reopenSlot, { slot: slotGuid });
  return { verb: 'POST', path, body: [], isStatusEnough: true };
}

/** Starts a decode; with the same key only once. `userCode` is a label of the caller's own. */
export function decodeRequest(
  family: Family,
  asked: {
    readonly userCode: string;
    readonly file: SentFile;
    readonly idempotencyKey: string;
    /** The serial number of the slave that wrote the file, for makers' services that need it; absent: not stated. */
    readonly slave?: string | undefined;
  },
): ApiRequest {
  const { userCode, file, idempotencyKey, slave } = asked;
  const query = slave === undefined ? '' : `?slaveSerialNumber=${encodeURIComponent(slave)}`;
  const path = pathOf(encodingApiCallsOf(family).decode, { userCode }) + query;
  return { verb: 'POST', path, file: { ...file, field: 'readFile' }, idempotencyKey };
}

/** An upload of a modified or original file. The slot must be open. */
export interface AskedUpload {
  readonly place: UploadTarget;
  readonly userCode: string;
  readonly slotGuid: string;
  readonly file: SentFile;
}

export function uploadRequest(family: Family, asked: AskedUpload): ApiRequest {
  const { place, userCode, slotGuid, file } = asked;
  const fileType = uploadName(encodingApiOf(family).uploadTypes, place);
  const path = pathOf(encodingApiCallsOf(family).upload, { userCode, slot: slotGuid, fileType });
  return { verb: 'PUT', path, file: { ...file, field: 'file' } };
}

/** An encode of uploaded files; with the same key only once. The slot must be open. */
export interface AskedEncode {
  readonly mode: Mode;
  readonly userCode: string;
  readonly slotGuid: string;
  readonly fileGuids: Readonly<Partial<Record<UploadTarget, string>>>;
  /** Absent: not said. It has no effect in a mode without CVN. */
  readonly willCorrectCVN?: boolean;
  /** Of real control units; portals of earlier versions do not know it. */
  readonly willCorrectChecksums?: boolean;
  readonly idempotencyKey: string;
}

export function encodeRequest(family: Family, asked: AskedEncode): ApiRequest {
  const { mode, userCode, slotGuid, fileGuids, willCorrectCVN, idempotencyKey } = asked;
  const { willCorrectChecksums = false } = asked;
  const { slotField, encodes } = encodingApiOf(family);
  const declared = encodes[mode];
  if (declared === undefined) throw new RequestRefused('OPERATION_NOT_POSSIBLE');
  const files = Object.entries(fileGuids).map(([place, guid]) => [
    uploadName(declared.fileFields, place as UploadTarget),
    guid,
  ]);
  const body = {
    userCustomerCode: userCode,
    [slotField]: slotGuid,
    ...Object.fromEntries(files),
    ...(declared.canCorrectCVN ? { willCorrectCVN } : {}),
    ...(willCorrectChecksums ? { willCorrectChecksums } : {}),
  };
  return { verb: 'POST', path: `/api/${family}/${declared.path}`, body, idempotencyKey };
}

/** Asks for the record of an operation. */
export function operationRequest(guid: string): ApiRequest {
  return { verb: 'GET', path: pathOf(getOperationRecord, { guid }) };
}

/** The path of a slot's decoded component. */
export function decodedPath(family: Family, slotGuid: string, component: ComponentName): string {
  const { fileTypes } = encodingApiOf(family);
  const fileType = nameOf(
    fileTypes,
    (place) => place.role === 'decoded' && place.component === component,
  );
  const path = pathOf(encodingApiCallsOf(family).findFile, { slot: slotGuid });
  return `${path}/?${new URLSearchParams({ fileType, download: 'true' }).toString()}`;
}

/** The path of one file of a slot. */
export function filePath(family: Family, slotGuid: string, fileGUID: string): string {
  return pathOf(encodingApiCallsOf(family).getFile, { slot: slotGuid, fileGUID });
}

/** The component for a service's type name, in any case; null if the family has no component of that name. */
export function componentOf(family: Family, type: string): ComponentName | null {
  const isIt = definitionOf(family).componentTypes.some(
    (own) => own.toLowerCase() === type.toLowerCase(),
  );
  return isIt ? (componentNames.find((name) => name === type.toLowerCase()) ?? null) : null;
}
