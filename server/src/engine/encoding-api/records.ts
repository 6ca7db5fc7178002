/** Reads the answers of the Encoding API: operations, results, slots and files. Members may be in any case. */
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { EngineRefused } from '../engine.ts';
import { EngineAway, memberOf, wordOfError } from './client.ts';
import { componentOf } from './families.ts';

/** An operation there. */
export interface RemoteOperation {
  readonly guid: string;
  readonly slotGuid: string | null;
  /** Null while it runs. */
  readonly result: unknown;
  readonly isCompleted: boolean;
  /** Milliseconds until the next poll; null: not said. */
  readonly pollMs: number | null;
}

function textOf(json: unknown, name: string): string | null {
  const value = memberOf(json, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

const sameGuid = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * An operation's record. @throws {EngineRefused} when it failed
 * @throws {EngineAway} when it is no record, or another operation's or slot's than the expected
 */
export function readOperation(
  json: unknown,
  expected: { readonly guid: string | null; readonly slotGuid: string | null },
): RemoteOperation {
  const guid = textOf(json, 'guid');
  const slotGuid = textOf(json, 'slotGUID');
  if (guid === null) throw new EngineAway('the answer is not the record of an operation');
  if (expected.guid !== null && !sameGuid(guid, expected.guid))
    throw new EngineAway('the answer is the record of another operation');
  if (slotGuid !== null && expected.slotGuid !== null && !sameGuid(slotGuid, expected.slotGuid))
    throw new EngineAway('the answer is about another slot');
  const isCompleted = memberOf(json, 'isCompleted') === true;
  const isSuccessful = memberOf(json, 'isSuccessful') === true;
  if (memberOf(json, 'hasFailed') === true || (isCompleted && !isSuccessful))
    throw new EngineRefused(wordOfError(memberOf(json, 'error')) || 'OPERATION_FAILED');
  const seconds = memberOf(json, 'recommendedPollingInterval');
  const pollMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null;
  return { guid, slotGuid, result: memberOf(json, 'result') ?? null, isCompleted, pollMs };
}

/** A decoded image there. */
export interface RemoteImage {
  readonly component: ComponentName;
  readonly url: string;
  /** Bytes; null: not said. */
  readonly size: number | null;
}

/** What a decode there has found. */
export interface RemoteDecode {
  readonly mode: Mode;
  readonly images: readonly RemoteImage[];
  readonly name: string | null;
  /** The slot, where the result names it. */
  readonly slotGuid: string | null;
  readonly isImageMissing: boolean;
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
}

/** The result of a decode. @throws {EngineAway} when it is none */
export function readDecodeResult(family: Family, json: unknown): RemoteDecode {
  const { image, components } = readImages(family, json);
  const mode = readMode(family, json, components.length > 0);
  const images = mode === 'obd' ? image : components;
  const isImageMissing = mode === 'obd' && images.length === 0;
  if (mode === 'bootbench' && images.length === 0)
    throw new EngineAway('the result of the decode names no file');
  // a service that is a Recodery says more than the field's clients read
  const said = (name: string): boolean =>
    memberOf(json, name) === true || memberOf(json, `obd${name}`) === true;
  return {
    mode,
    images,
    name: textOf(json, 'name'),
    slotGuid: textOf(json, `${family}FileSlotGUID`) ?? slotIn(images[0]?.url ?? ''),
    isImageMissing: isImageMissing || said('isOriginalFileNeeded'),
    isChecksumCorrectionNeeded: said('isChecksumCorrectionNeeded'),
    isCVNCorrectionPossible: mode === 'obd' && said('isCVNCorrectionPossible'),
  };
}

/** The slot in the address of one of its files. */
function slotIn(url: string): string | null {
  return /\/file-slots\/([0-9a-f-]{36})\//i.exec(url)?.[1] ?? null;
}

function readMode(family: Family, json: unknown, hasComponents: boolean): Mode {
  if (family === 'kessv2') return 'obd';
  if (family === 'ktag') return 'bootbench';
  const mode = textOf(json, 'kess3Mode')?.toLowerCase();
  if (mode === 'obd' || mode === 'bootbench') return mode;
  throw new EngineAway(
    hasComponents
      ? 'the result of the decode has no mode'
      : 'the answer is not the result of a decode',
  );
}

function readImages(family: Family, json: unknown) {
  const url = textOf(json, family === 'kess3' ? 'obdDecodedFileURL' : 'decodedFileURL');
  const size = sizeOf(json, family === 'kess3' ? 'obdDecodedFileSize' : 'decodedFileSize');
  const image: RemoteImage[] = url === null ? [] : [{ component: 'obd', url, size }];
  const listed = memberOf(json, family === 'kess3' ? 'bootBenchComponents' : 'components');
  const components = (Array.isArray(listed) ? listed : []).flatMap((one): RemoteImage[] => {
    const component = componentOf(family, textOf(one, 'type') ?? '');
    const address = textOf(one, 'decodedFileURL');
    if (component === null || address === null) return [];
    return [{ component, url: address, size: sizeOf(one, 'size') }];
  });
  return { image, components };
}

function sizeOf(json: unknown, name: string): number | null {
  const size = memberOf(json, name);
  return typeof size === 'number' ? size : null;
}

/** An encoded file there. */
export interface RemoteEncode {
  readonly url: string;
  readonly name: string | null;
  readonly size: number | null;
}

/** The result of an encode in a slot. @throws {EngineAway} when it is none, or another slot's or file's */
export function readEncodeResult(family: Family, slotGuid: string, json: unknown): RemoteEncode {
  const url = textOf(json, 'encodedFileURL');
  if (url === null) throw new EngineAway('the answer is not the result of an encode');
  const slot = textOf(json, `${family}FileSlotGUID`);
  if (slot !== null && !sameGuid(slot, slotGuid))
    throw new EngineAway('the result of the encode is about another slot');
  const file = textOf(json, `${family}FileGUID`);
  const named = /\/files\/([0-9a-f-]{36})$/i.exec(url)?.[1];
  if (file !== null && named !== undefined && !sameGuid(file, named))
    throw new EngineAway('the result of the encode leads to another file');
  return { url, name: textOf(json, 'name'), size: sizeOf(json, 'size') };
}

/** The guid of an uploaded file. @throws {EngineRefused} when the answer has none: the file is refused */
export function readUploaded(json: unknown): string {
  const guid = textOf(json, 'guid');
  if (guid === null) throw new EngineRefused(wordOfError(json) || 'FILE_REFUSED');
  return guid;
}

/** A slot there. */
export interface RemoteSlot {
  readonly guid: string;
  readonly isClosed: boolean;
}

/** A list of slots. @throws {EngineAway} when it is none */
export function readSlots(json: unknown): readonly RemoteSlot[] {
  if (!Array.isArray(json)) throw new EngineAway('the answer is not a list of slots');
  return json.flatMap((row: unknown) => {
    const guid = textOf(row, 'guid');
    return guid === null ? [] : [{ guid, isClosed: memberOf(row, 'isClosed') === true }];
  });
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a file. @throws {EngineAway} when the answer is no file, an empty one, or one of another size */
export function readFileAnswer(json: unknown, size: number | null): Buffer {
  const data = memberOf(json, 'data');
  if (typeof data !== 'string' || data.length % 4 !== 0 || !base64.test(data))
    throw new EngineAway('the answer is not a file');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw new EngineAway('the file in the answer is empty');
  if (size !== null && bytes.length !== size)
    throw new EngineAway('the file in the answer has another size than the result says');
  return bytes;
}
