/** Input and output of decode and encode, as stored in the operation's row and in the slot. */
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Recognition } from '@recodery/contract/families/recognition';
import type { NotificationInfo } from '@recodery/contract/features/recoding/recoding';
import type { Identification } from '@recodery/codec/recoding/family-codec';
import type { Correction } from '@recodery/contract/results';
import type { Known } from '@recodery/codec/recoding/information';
import type { JsonObject } from '../../operations/operation-rules.ts';

/** What a result contains if a double of the demo made its files, in place of a maker's service; absent: none did. */
export interface DoubleMark {
  readonly isDouble?: true;
}

/** The mark of the results of a slot. */
export function markOf({ isDouble }: { readonly isDouble?: boolean }): DoubleMark {
  return isDouble === true ? { isDouble } : {};
}

/** The input of a decode. */
export interface DecodeRequest {
  readonly kind: 'decode';
  readonly readFileGuid: string;
  readonly skipChecksum: boolean;
  readonly debug: boolean;
  /** Of an imported job: its success is no news. */
  readonly isOfImport?: boolean;
}

/** A modified image that an encode uses. */
export interface ModifiedComponent {
  readonly component: ComponentName;
  readonly fileGuid: string;
}

/** The input of an encode. */
export interface EncodeRequest {
  readonly kind: 'encode';
  /** Of the read: the names of some faults depend on it. */
  readonly mode: Mode;
  readonly modified: readonly ModifiedComponent[];
  readonly originalFileGuid: string | null;
  readonly removed: readonly ComponentName[];
  /** No modified image: the decoded one is encoded again. */
  readonly reencode: boolean;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  /** Of real control units; absent: no. */
  readonly willCorrectChecksums?: boolean;
  readonly notificationInfo: NotificationInfo | null;
  /** The file is sealed again, from its stored images; absent: it is the first delivery. */
  readonly sealsAgain?: SealsAgain;
}

/** Which file is sealed again, for whom. */
export interface SealsAgain {
  /** The file that the encode made. */
  readonly fileGuid: string;
  /** The images that were given to the maker's service. */
  readonly plain: readonly ModifiedComponent[];
  /** Those of the encode. */
  readonly corrections: readonly Correction[];
  /** Where its request came from. */
  readonly way: 'own' | 'received' | 'link';
  /** The organisation that the file is shared with; otherwise null. */
  readonly organisationGuid: string | null;
  /** The notification whose email contains the link; otherwise null. */
  readonly notificationGuid: string | null;
}

/** A file that a decode produced. `size` in bytes. */
export interface DecodedFile {
  readonly component: ComponentName;
  readonly fileGuid: string;
  readonly name: string;
  readonly size: number;
  /** Null: not identified. Rows written by earlier versions lack it. */
  readonly recognition?: Recognition | null;
}

/** The results of a decode; stored in its result and, for encoding, in the slot. */
export interface DecodeFacts extends Known, DoubleMark {
  readonly kind: 'decode';
  /** The automatic name, without extension. */
  readonly name: string;
  readonly readFileName: string;
  /** Bytes. Rows written by earlier versions lack it. */
  readonly readFileSize?: number;
  /** 16 bytes, hexadecimal. */
  readonly readId: string | null;
  /** The read is of one image, not of components. */
  readonly isOneImage: boolean;
  readonly components: readonly DecodedFile[];
  readonly idFile: { readonly fileGuid: string; readonly name: string } | null;
  readonly isOriginalFileNeeded: boolean;
  readonly wasOriginalFileFound: boolean;
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
  /** The ECU identification from the slave, to compare with an original when the read contains no image. */
  readonly identification: Identification | null;
  /** How many checksum rules the images have. */
  readonly checksumRules: number;
  /** The checksum rules that are wrong in the read. Rows written by earlier versions lack it. */
  readonly wrongChecksums?: readonly string[];
  readonly warnings: readonly string[];
}

/** Whether the checksums of a read were right; null if that is not known. `facts`: of a slot, before its decode too. */
export function readChecksumsOf(facts: JsonObject | null): 'right' | 'wrong' | null {
  const isRight = facts?.['isChecksumRight'];
  return typeof isRight === 'boolean' ? (isRight ? 'right' : 'wrong') : null;
}

/** What the images of a read were recognized as. `facts`: of a slot, before its decode too. */
export function listRecognized(
  facts: JsonObject | null,
): { readonly component: ComponentName; readonly recognition: Recognition }[] {
  const components = facts === null ? [] : readDecodeFacts(facts).components;
  return components.flatMap(({ component, recognition }) =>
    recognition ? [{ component, recognition }] : [],
  );
}

/** The result of an encode. */
export interface EncodeFacts extends DoubleMark {
  readonly kind: 'encode';
  /** With extension. */
  readonly name: string;
  readonly fileGuid: string;
  readonly size: number;
  readonly sha256: string;
  /** Rows written by earlier versions lack it. */
  readonly receiptCode?: string;
  readonly correctedChecksums: number;
  /** Of real control units; absent: none. */
  readonly corrections?: readonly Correction[];
  readonly warnings: readonly string[];
  /** Shortly before the maker's service sealed it, ISO 8601; absent for families without such a service. */
  readonly sealedOn?: string;
}

/** Converts a request or outcome to the JSON stored in the row. */
export function toJson(
  value: DecodeRequest | EncodeRequest | DecodeFacts | EncodeFacts,
): JsonObject {
  return { ...value };
}

function ofKind<T extends { readonly kind: string }>(json: JsonObject | null, kind: T['kind']): T {
  if (json?.['kind'] !== kind) throw new Error(`the row does not contain a ${kind} result`);
  // Written only by `toJson` in the same program.
  return json as unknown as T;
}

/** The input of a decode, from its row. Throws when the row contains something else, which is an internal error. */
export const readDecodeRequest = (json: JsonObject): DecodeRequest =>
  ofKind<DecodeRequest>(json, 'decode');
/** The input of an encode, from its row. Throws as {@link readDecodeRequest}. */
export const readEncodeRequest = (json: JsonObject): EncodeRequest =>
  ofKind<EncodeRequest>(json, 'encode');
/** The result of a decode, from its row. Throws when it has not succeeded. */
export const readDecodeFacts = (json: JsonObject | null): DecodeFacts =>
  ofKind<DecodeFacts>(json, 'decode');
/** The result of an encode, from its row. Throws when it has not succeeded. */
export const readEncodeFacts = (json: JsonObject | null): EncodeFacts =>
  ofKind<EncodeFacts>(json, 'encode');
