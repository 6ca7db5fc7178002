/** The steps of a decode and an encode on a portal, for every family and mode that the contract knows. */
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { apiFamilies, definitionOf, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { memberOf } from '../encoding-api-client/error-words.ts';
import { RequestRefused, UnexpectedResponse } from '../encoding-api-client/errors.ts';
import {
  type ApiFile,
  readGuid,
  readOperation,
  readSlots,
  readUploaded,
  type RemoteOperation,
} from '../encoding-api-client/records.ts';
import {
  type AskedEncode,
  type AskedUpload,
  decodedPath,
  decodeRequest,
  encodeRequest,
  filePath,
  listRequest,
  operationRequest,
  type SentFile,
  slotRequest,
  uploadRequest,
} from '../encoding-api-client/requests.ts';
import type { RemoteClient } from './client.ts';

/** An operation, whose slot is known. */
export interface SlotOperation extends RemoteOperation {
  readonly slotGuid: string;
}

/** A file as it is sent. */
interface LocalFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function readRecord(json: unknown): SlotOperation {
  const operation = readOperation(json, { guid: null, slotGuid: null });
  const { slotGuid } = operation;
  if (slotGuid === null) throw new UnexpectedResponse('the response names no slot');
  return { ...operation, slotGuid };
}

function fileOf({ name, bytes }: LocalFile): SentFile {
  return {
    // a header does not allow every character that a file system does
    name: makeFileNameSafe(name),
    size: bytes.length,
    open: () => Promise.resolve(new Blob([new Uint8Array(bytes)])),
  };
}

/** Starts a decode; with the same key only once. */
export function startDecode(
  client: RemoteClient,
  family: Family,
  {
    userCode,
    key,
    slave,
    ...file
  }: {
    readonly userCode: string;
    readonly key: string;
    readonly slave?: string | undefined;
  } & LocalFile,
): Promise<SlotOperation> {
  const asked = { userCode, file: fileOf(file), idempotencyKey: key, slave };
  return client.call(() => decodeRequest(family, asked), readRecord);
}

/** Waits until an operation has finished, and returns its record. */
export async function awaitOperation(client: RemoteClient, guid: string): Promise<SlotOperation> {
  for (;;) {
    const record = await client.call(() => operationRequest(guid), readRecord);
    if (record.status !== 'running') return record;
    await client.pause(Math.min(30, Math.max(1, (record.pollMs ?? 0) / 1000)));
  }
}

/** An operation's error in one phrase: its name, and its detail if there is one. */
export function describeOperationError({ error }: SlotOperation): string {
  const { errorName, detail } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const name = typeof errorName === 'string' ? errorName : JSON.stringify(error);
  return typeof detail === 'string' ? `${name}: ${detail}` : name;
}

/** The result of a decode. */
export interface DecodedResult {
  readonly mode: Mode;
  /** Empty when the read contains only the identification. */
  readonly components: readonly ComponentName[];
  readonly isCVNCorrectionPossible: boolean;
}

/**
 * Reads the result of a decode, of any service: one image has its own address, components are in a list with their
 * types, which in lowercase are the names of components.
 */
export function readDecodeSummary(family: Family, result: unknown): DecodedResult {
  const fields = Object.entries(Object(result));
  const isCVNCorrectionPossible = memberOf(result, 'isCVNCorrectionPossible') === true;
  const list = fields.map(([, value]) => value).find(Array.isArray);
  const hasImage = fields.some(
    ([name, value]) => /decodedFileURL$/i.test(name) && typeof value === 'string',
  );
  if (hasImage || (list === undefined && 'obd' in definitionOf(family).modes))
    return { mode: 'obd', components: hasImage ? ['obd'] : [], isCVNCorrectionPossible };
  const types = (list ?? []).map((one) => String(memberOf(one, 'type')).toLowerCase());
  const components = componentNames.filter((name) => types.includes(name));
  return { mode: 'bootbench', components, isCVNCorrectionPossible };
}

/** Downloads a decoded component. */
export function downloadDecoded(
  client: RemoteClient,
  family: Family,
  slot: string,
  component: ComponentName,
): Promise<ApiFile> {
  return client.download(() => decodedPath(family, slot, component));
}

/** Downloads the file that an encode has made. */
export function downloadEncoded(
  client: RemoteClient,
  family: Family,
  { slotGuid, result }: SlotOperation,
): Promise<ApiFile> {
  return client.download(() => {
    const guid = readGuid(result, encodingApiOf(family).encodedFileField);
    if (guid === null) throw new UnexpectedResponse('the response is not the result of an encode');
    return filePath(family, slotGuid, guid);
  });
}

/** Uploads a modified or original file, and returns its GUID. */
export function uploadImage(
  client: RemoteClient,
  family: Family,
  { name, bytes, ...asked }: LocalFile & Omit<AskedUpload, 'file'>,
): Promise<string> {
  const file = fileOf({ name, bytes });
  return client.call(() => uploadRequest(family, { ...asked, file }), readUploaded);
}

/** Starts an encode of uploaded files. */
export function startRemoteEncode(
  client: RemoteClient,
  family: Family,
  asked: AskedEncode,
): Promise<SlotOperation> {
  return client.call(() => encodeRequest(family, asked), readRecord);
}

/**
 * Opens a slot, or closes it, so that it does not count toward the limit of open slots; its files can still be read. A
 * slot that is already in that state stays in it.
 */
export function turnSlot(
  client: RemoteClient,
  family: Family,
  slot: string,
  action: 'close' | 'reopen',
): Promise<void> {
  return client.call(
    () => slotRequest(family, slot, action),
    () => undefined,
  );
}

/** The family of a slot, and whether the slot is closed; null if no family that the client may use has this slot. */
export async function findRemoteSlot(
  client: RemoteClient,
  guid: string,
): Promise<{ readonly family: Family; readonly isClosed: boolean } | null> {
  for (const family of apiFamilies) {
    const rows = await client
      .call(() => listRequest(family), readSlots)
      .catch((error: unknown) => {
        if (error instanceof RequestRefused && [403, 404].includes(error.status ?? 0)) return [];
        throw error;
      });
    const row = rows.find((one) => one.guid.toLowerCase() === guid.toLowerCase());
    if (row !== undefined) return { family, isClosed: row.isClosed };
  }
  return null;
}
