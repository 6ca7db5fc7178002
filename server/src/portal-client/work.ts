/** The steps of a decode and an encode through the Encoding API, for every family and mode that the contract knows. */
import { createHash } from 'node:crypto';
import { pathOf } from '@recodery/contract/api';
import type { UploadPlace } from '@recodery/contract/family-routes/encoding-api-declaration';
import {
  encodingApiCalls,
  fileData,
  getOperationRecord,
} from '@recodery/contract/encoding-api/routes';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { type Family, families } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { idempotencyHeader } from '@recodery/contract/headers';
import { contentSha256Header } from '@recodery/contract/features/slots';
import * as z from 'zod/mini';
import type { RemoteClient } from './client.ts';
import { CallRefused } from './remote-faults.ts';

/** A GUID issued by any server. It becomes part of URLs, so only these characters are allowed. */
const remoteGuid = z.string().check(z.regex(/^[\da-z-]{1,64}$/i));

/** The fields of an operation record that matter here, for any server of the Encoding API. */
const operation = z.object({
  guid: remoteGuid,
  slotGUID: remoteGuid,
  isCompleted: z.boolean(),
  isSuccessful: z.boolean(),
  recommendedPollingInterval: z.optional(z.nullable(z.number())),
  result: z.nullable(z.record(z.string(), z.unknown())),
  error: z.unknown(),
});
export type RemoteOperation = z.infer<typeof operation>;

/** A file as it was downloaded. */
export interface RemoteFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The SHA-256 in hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const readOperation = async (response: Response): Promise<RemoteOperation> =>
  operation.parse(await response.json());
const ignore = async (response: Response): Promise<void> => {
  await response.text();
};
const asJson = { 'content-type': 'application/json' };

/** Starts a decode; with the same key only once. */
export function startDecode(
  client: RemoteClient,
  family: Family,
  ask: { readonly userCode: string; readonly key: string } & RemoteFile,
): Promise<RemoteOperation> {
  return client.call(
    {
      verb: 'POST',
      path: pathOf(encodingApiCalls[family].decode, { userCode: ask.userCode }),
      headers: { [idempotencyHeader]: ask.key },
      body: formOf('readFile', ask),
    },
    readOperation,
  );
}

function formOf(field: string, { name, bytes }: RemoteFile): FormData {
  const form = new FormData();
  // a header does not allow every character that a file system does
  form.append(field, new Blob([new Uint8Array(bytes)]), makeFileNameSafe(name));
  return form;
}

/** Waits until an operation has finished, and returns its record. */
export async function awaitOperation(client: RemoteClient, guid: string): Promise<RemoteOperation> {
  const path = pathOf(getOperationRecord, { guid });
  for (;;) {
    const record = await client.call({ verb: 'GET', path }, readOperation);
    if (record.isCompleted) return record;
    await client.pause(Math.min(30, Math.max(1, record.recommendedPollingInterval ?? 1)));
  }
}

/** An operation's error in one phrase: its name, and its detail if there is one. */
export function describeError({ error }: RemoteOperation): string {
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

const listedComponents = z.array(z.object({ type: z.string() }));

/**
 * Reads the result of a decode of any family: one image has its own address, components are in a list with their
 * types, which in lowercase are the names of components.
 */
export function readDecodeResult(
  result: Readonly<Record<string, unknown>>,
  modes: readonly Mode[],
): DecodedResult {
  const isCVNCorrectionPossible = result['isCVNCorrectionPossible'] === true;
  const list = Object.values(result).find(Array.isArray);
  const hasImage = Object.entries(result).some(
    ([name, value]) => /decodedFileURL$/i.test(name) && typeof value === 'string',
  );
  if (hasImage || (list === undefined && modes.includes('obd')))
    return { mode: 'obd', components: hasImage ? ['obd'] : [], isCVNCorrectionPossible };
  const types = listedComponents.parse(list ?? []).map(({ type }) => type.toLowerCase());
  const components = componentNames.filter((name) => types.includes(name));
  return { mode: 'bootbench', components, isCVNCorrectionPossible };
}

/** Downloads a decoded component. */
export function downloadDecoded(
  client: RemoteClient,
  family: Family,
  slot: string,
  component: ComponentName,
): Promise<RemoteFile> {
  const { fileTypes } = encodingApiOf(family);
  const type = findName(
    fileTypes,
    (place) => place.role === 'decoded' && place.component === component,
  );
  const path = pathOf(encodingApiCalls[family].findFile, { slot });
  const query = new URLSearchParams({ fileType: type, download: 'true' }).toString();
  return client.call({ verb: 'GET', path: `${path}/?${query}` }, readFileData);
}

/** Downloads the file that an encode has made. */
export function downloadEncoded(
  client: RemoteClient,
  family: Family,
  { slotGUID: slot, result }: RemoteOperation,
): Promise<RemoteFile> {
  const fileGUID = remoteGuid.parse(result?.[encodingApiOf(family).encodedFileField]);
  const path = pathOf(encodingApiCalls[family].getFile, { slot, fileGUID });
  return client.call({ verb: 'GET', path }, readFileData);
}

async function readFileData(response: Response): Promise<RemoteFile> {
  const { name, data } = fileData.parse(await response.json());
  const bytes = Buffer.from(data, 'base64');
  const sha256 = response.headers.get(contentSha256Header);
  if (sha256 !== null && sha256 !== hashOf(bytes)) throw new Error('a file arrived damaged');
  return { name, bytes };
}

function findName<T>(types: Readonly<Record<string, T>>, isIt: (place: T) => boolean): string {
  const found = Object.entries(types).find(([, place]) => isIt(place));
  if (found === undefined) throw new CallRefused(0, 'OPERATION_NOT_POSSIBLE');
  return found[0];
}

const isAt = (place: UploadPlace) => (other: UploadPlace) =>
  other.role === place.role && other.component === place.component;

/** Uploads a modified or original file, and returns its GUID. The slot must be open. */
export function uploadImage(
  client: RemoteClient,
  family: Family,
  ask: { readonly slot: string; readonly userCode: string } & UploadPlace & RemoteFile,
): Promise<string> {
  const fileType = findName(encodingApiOf(family).uploadTypes, isAt(ask));
  const { slot, userCode } = ask;
  const path = pathOf(encodingApiCalls[family].upload, { slot, userCode, fileType });
  return client.call({ verb: 'PUT', path, body: formOf('file', ask) }, async (response) => {
    const { guid } = z.object({ guid: remoteGuid }).parse(await response.json());
    return guid;
  });
}

/** A file that was uploaded for an encode. */
export interface Uploaded extends UploadPlace {
  readonly guid: string;
}

/** Starts an encode of uploaded files; with the same key only once. The slot must be open. */
export function startEncode(
  client: RemoteClient,
  family: Family,
  ask: {
    readonly slot: string;
    readonly mode: Mode;
    readonly userCode: string;
    readonly key: string;
    readonly uploads: readonly Uploaded[];
    readonly willCorrectCVN: boolean;
  },
): Promise<RemoteOperation> {
  const { slotField, encodes } = encodingApiOf(family);
  const declared = encodes[ask.mode];
  const call = encodingApiCalls[family].encodes.find(({ mode }) => mode === ask.mode);
  if (declared === undefined || call === undefined)
    throw new CallRefused(0, 'OPERATION_NOT_POSSIBLE');
  const files = ask.uploads.map((file) => [findName(declared.fileFields, isAt(file)), file.guid]);
  const body = {
    userCustomerCode: ask.userCode,
    [slotField]: ask.slot,
    ...Object.fromEntries(files),
    ...(declared.canCorrectCVN ? { willCorrectCVN: ask.willCorrectCVN } : {}),
  };
  return client.call(
    {
      verb: 'POST',
      path: pathOf(call.route),
      headers: { ...asJson, [idempotencyHeader]: ask.key },
      body: JSON.stringify(body),
    },
    readOperation,
  );
}

/** Opens a slot. Opening an open slot changes nothing. */
export function openSlot(client: RemoteClient, family: Family, slot: string): Promise<void> {
  const path = pathOf(encodingApiCalls[family].reopenSlot, { slot });
  return client.call({ verb: 'POST', path, headers: asJson, body: '[]' }, ignore);
}

/** Closes a slot, so that it does not count toward the limit of open slots. Its files can still be read. */
export function closeSlot(client: RemoteClient, family: Family, slot: string): Promise<void> {
  const path = pathOf(encodingApiCalls[family].closeSlot, { slot });
  return client.call({ verb: 'POST', path, headers: asJson, body: '[]' }, ignore);
}

const slotRows = z.array(z.object({ guid: remoteGuid, isClosed: z.boolean() }));

/** The family of a slot, and whether the slot is closed; null if no family that the client may use has this slot. */
export async function findSlot(
  client: RemoteClient,
  guid: string,
): Promise<{ readonly family: Family; readonly isClosed: boolean } | null> {
  for (const family of families) {
    const path = pathOf(encodingApiCalls[family].listSlots);
    const rows = await client
      .call({ verb: 'GET', path }, async (response) => slotRows.parse(await response.json()))
      .catch((error: unknown) => {
        if (error instanceof CallRefused && [403, 404].includes(error.status)) return [];
        throw error;
      });
    const row = rows.find((one) => one.guid.toLowerCase() === guid.toLowerCase());
    if (row !== undefined) return { family, isClosed: row.isClosed };
  }
  return null;
}
