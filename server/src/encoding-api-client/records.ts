/**
 * Reads the responses of the Encoding API: operations, results, slots and files. Names may be in any case. Refuses
 * malformed GUIDs, because they become parts of paths and are stored.
 */
import { createHash } from 'node:crypto';
import {
  type ComponentName,
  componentNames,
  type Mode,
  modes,
} from '@recodery/contract/families/family';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { isGuid } from '../config/guids.ts';
import { joinWords, memberOf, readErrorWords } from './error-words.ts';
import { RequestRefused, ServiceUnavailable, UnexpectedResponse } from './errors.ts';
import { componentOf } from './requests.ts';

/** An operation at the service. */
export interface RemoteOperation {
  readonly guid: string;
  readonly slotGuid: string | null;
  readonly status: 'running' | 'succeeded' | 'failed';
  /** Of an operation that has succeeded. */
  readonly result: unknown;
  /** Of one that has failed. Its shape is not known. */
  readonly error: unknown;
  /** Milliseconds until the next poll; null: not said. */
  readonly pollMs: number | null;
}

/** Rows of a component list that are read, including those of other names. */
const mostComponents = 4 * componentNames.length;

function textOf(json: unknown, name: string): string | null {
  const value = memberOf(json, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

const sameGuid = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A member that is a GUID; null if it is missing. @throws {UnexpectedResponse} when it is malformed */
export function readGuid(json: unknown, name: string): string | null {
  const guid = memberOf(json, name) ?? null;
  if (guid === null) return null;
  if (typeof guid !== 'string' || !isGuid(guid))
    throw new UnexpectedResponse(`the ${name} in the response is not a GUID`);
  return guid;
}

/**
 * An operation's record.
 * @throws {UnexpectedResponse} when it is not one, or belongs to an unexpected operation or slot; null: any
 */
export function readOperation(
  json: unknown,
  expected: { readonly guid: string | null; readonly slotGuid: string | null },
): RemoteOperation {
  const guid = readGuid(json, 'guid');
  const slotGuid = readGuid(json, 'slotGUID');
  if (guid === null) throw new UnexpectedResponse('the response is not the record of an operation');
  if (expected.guid !== null && !sameGuid(guid, expected.guid))
    throw new UnexpectedResponse('the response is the record of another operation');
  if (slotGuid !== null && expected.slotGuid !== null && !sameGuid(slotGuid, expected.slotGuid))
    throw new UnexpectedResponse('the response is about another slot');
  const seconds = memberOf(json, 'recommendedPollingInterval');
  return {
    guid,
    slotGuid,
    status: readStatus(json),
    result: memberOf(json, 'result'),
    error: memberOf(json, 'error'),
    pollMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null,
  };
}

function readStatus(json: unknown): RemoteOperation['status'] {
  if (memberOf(json, 'hasFailed') === true) return 'failed';
  if (memberOf(json, 'isCompleted') !== true) return 'running';
  return memberOf(json, 'isSuccessful') === true ? 'succeeded' : 'failed';
}

/** A decoded image at the service. */
export interface RemoteImage {
  readonly component: ComponentName;
  readonly url: string;
  /** Bytes; null: not said. */
  readonly size: number | null;
}

/** The result of a decode at the service. */
export interface RemoteDecode {
  readonly mode: Mode;
  readonly images: readonly RemoteImage[];
  readonly name: string | null;
  /** The slot, if the result names it. */
  readonly slotGuid: string | null;
  readonly isImageMissing: boolean;
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
  /** Whether a double of the demo opened the read, in place of the maker's service. */
  readonly isDouble: boolean;
}

/** The result of a decode. @throws {UnexpectedResponse} when it is not one, or belongs to another slot */
export function readDecodeResult(
  family: Family,
  json: unknown,
  knownSlotGuid: string | null,
): RemoteDecode {
  const components = readComponents(family, json);
  const mode = readMode(family, json, components.length > 0);
  const images = mode === 'obd' ? readImage(family, json) : components;
  if (mode === 'bootbench' && images.length === 0)
    throw new UnexpectedResponse('the result of the decode names no file');
  const named = [
    readGuid(json, encodingApiOf(family).slotField),
    ...images.map(({ url }) => slotIn(url)),
  ];
  const slots = [knownSlotGuid, ...named].filter((guid) => guid !== null);
  const [slotGuid = null] = slots;
  if (slotGuid !== null && !slots.every((guid) => sameGuid(guid, slotGuid)))
    throw new UnexpectedResponse('the result of the decode is about another slot');
  // if the service is a Recodery portal, it reports more than the field's clients read
  const said = (name: string): boolean =>
    memberOf(json, name) === true || memberOf(json, `obd${name}`) === true;
  return {
    mode,
    images,
    name: textOf(json, 'name'),
    slotGuid,
    isImageMissing: (mode === 'obd' && images.length === 0) || said('isOriginalFileNeeded'),
    isChecksumCorrectionNeeded: said('isChecksumCorrectionNeeded'),
    isCVNCorrectionPossible: mode === 'obd' && said('isCVNCorrectionPossible'),
    isDouble: definitionOf(family).sealing !== undefined && said('isDouble'),
  };
}

/** The slot in the address of one of its files; null if the address has a different form. */
function slotIn(url: string): string | null {
  const guid = /\/file-slots\/([^/]+)\/files\//i.exec(url)?.[1] ?? '';
  return isGuid(guid) ? guid : null;
}

function readMode(family: Family, json: unknown, hasComponents: boolean): Mode {
  const { decodeFields, encodes } = encodingApiOf(family);
  const possible = modes.filter((mode) => encodes[mode] !== undefined);
  const said = textOf(json, decodeFields.mode ?? '')?.toLowerCase();
  const named = possible.length === 1 ? possible[0] : possible.find((mode) => mode === said);
  if (named !== undefined) return named;
  throw new UnexpectedResponse(
    hasComponents
      ? 'the result of the decode has no mode'
      : 'the response is not the result of a decode',
  );
}

/** The one image of a read by OBD; none if the read contains only the identification of the ECU. */
function readImage(family: Family, json: unknown): readonly RemoteImage[] {
  const prefix = encodingApiOf(family).decodeFields.image;
  if (prefix === undefined) return [];
  const url = memberOf(json, `${prefix}FileURL`);
  if (url === null) return [];
  if (typeof url !== 'string' || url === '')
    throw new UnexpectedResponse('the result of the decode names no file');
  return [{ component: 'obd', url, size: sizeOf(json, `${prefix}FileSize`) }];
}

/** The components that the family has. Services may list others, which are left out. */
function readComponents(family: Family, json: unknown): readonly RemoteImage[] {
  const { components: field } = encodingApiOf(family).decodeFields;
  const listed = field === undefined ? null : memberOf(json, field);
  if (!Array.isArray(listed)) return [];
  if (listed.length > mostComponents)
    throw new UnexpectedResponse('the result of the decode lists too many components');
  const components = new Map<ComponentName, RemoteImage>();
  for (const one of listed) {
    const component = componentOf(family, textOf(one, 'type') ?? '');
    if (component === null) continue;
    const url = textOf(one, 'decodedFileURL');
    if (url === null)
      throw new UnexpectedResponse(
        `the result of the decode names no file of the component ${component}`,
      );
    if (components.has(component))
      throw new UnexpectedResponse(
        `the result of the decode lists the component ${component} twice`,
      );
    if ([...components.values()].some((other) => other.url === url))
      throw new UnexpectedResponse('the result of the decode names one file for two components');
    components.set(component, { component, url, size: sizeOf(one, 'size') });
  }
  return [...components.values()];
}

function sizeOf(json: unknown, name: string): number | null {
  const size = memberOf(json, name);
  return typeof size === 'number' ? size : null;
}

/** An encoded file at the service. */
export interface RemoteEncode {
  readonly url: string;
  readonly name: string | null;
  readonly size: number | null;
}

/**
 * The result of an encode in a slot.
 * @throws {UnexpectedResponse} when it is not one, or belongs to a different slot or file
 */
export function readEncodeResult(
  family: Family,
  json: unknown,
  slotGuid: string | null,
): RemoteEncode {
  const url = textOf(json, 'encodedFileURL');
  if (url === null) throw new UnexpectedResponse('the response is not the result of an encode');
  const slots = [readGuid(json, encodingApiOf(family).slotField), slotIn(url)];
  if (slots.some((slot) => slot !== null && slotGuid !== null && !sameGuid(slot, slotGuid)))
    throw new UnexpectedResponse('the result of the encode is about another slot');
  const file = readGuid(json, encodingApiOf(family).encodedFileField);
  const named = /\/files\/([^/]+)$/i.exec(url)?.[1] ?? '';
  if (file !== null && isGuid(named) && !sameGuid(file, named))
    throw new UnexpectedResponse('the result of the encode leads to another file');
  return { url, name: textOf(json, 'name'), size: sizeOf(json, 'size') };
}

/** The guid of an uploaded file. @throws {RequestRefused} when the response contains none: the file is refused */
export function readUploaded(json: unknown): string {
  const guid = readGuid(json, 'guid');
  if (guid === null) throw new RequestRefused(joinWords(readErrorWords(json)) || 'FILE_REFUSED');
  return guid;
}

/** A slot at the service. */
export interface RemoteSlot {
  readonly guid: string;
  readonly isClosed: boolean;
}

/**
 * A list of slots. Rows without a GUID are left out: their slots cannot be named.
 * @throws {UnexpectedResponse} when it is not one
 */
export function readSlots(json: unknown): readonly RemoteSlot[] {
  if (!Array.isArray(json)) throw new UnexpectedResponse('the response is not a list of slots');
  return json.flatMap((row: unknown) => {
    const guid = textOf(row, 'guid');
    if (guid === null || !isGuid(guid)) return [];
    return [{ guid, isClosed: memberOf(row, 'isClosed') === true }];
  });
}

/** A file of a slot. */
export interface ApiFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What a service states about a file; null: nothing. */
interface Stated {
  /** Bytes. */
  readonly size: number | null;
  /** Hexadecimal digits. */
  readonly sha256: string | null;
}

/**
 * A file with its bytes; null: there were none.
 * @throws {ServiceUnavailable} when the response is not a file, is empty, or has a different size or hash
 */
export function readFileAnswer(
  json: unknown,
  bytes: Buffer | null,
  { size, sha256 }: Stated,
): ApiFile {
  if (bytes === null) throw new UnexpectedResponse('the response is not a file');
  if (bytes.length === 0) throw new ServiceUnavailable('the file in the response is empty');
  if (size !== null && bytes.length !== size)
    throw new ServiceUnavailable('the file in the response does not have the size in the result');
  if (sha256 !== null && sha256.toLowerCase() !== hashOf(bytes))
    throw new ServiceUnavailable('the file in the response is damaged');
  return { name: textOf(json, 'name') ?? '', bytes };
}

/** The SHA-256 in lower-case hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
