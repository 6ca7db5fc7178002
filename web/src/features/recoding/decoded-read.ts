/**
 * The result of a decode as the page uses it, independent of the family: the read, its files, and what encoding
 * requires.
 */
import type { Recognition } from '@recodery/contract/families/recognition';
import type { AutoSendAction } from '@recodery/contract/features/recoding/recoding';

/** A file with its display name; `size` in bytes, null if the server has not sent it. */
export interface FileLabel {
  readonly name: string;
  readonly size: number | null;
}

/** A downloadable file: its address is valid for an hour, so each click requests a fresh one. */
export interface FileLink extends FileLabel {
  readonly url: string;
}

/**
 * The parts of a read: a component's type as the family writes it, or the modified and original image of an OBD read.
 */
export type PartName = string;

/** A file that encoding requires or accepts. */
export interface Part {
  readonly name: PartName;
  /** Encoding requires this part. An optional part comes from the backup when the user uploads no file. */
  readonly isNeeded: boolean;
  readonly isRemovable: boolean;
  /** Removed by default, until the user changes it. */
  readonly startsRemoved: boolean;
  /** The decoded image that it is compared with, if there is one. */
  readonly decoded: FileLink | null;
}

/** A row of the information panel: `label` is the field's name in the contract. */
export interface InformationLine {
  readonly label: string;
  readonly value: string | null;
}

/** A decoded read. */
export interface DecodedRead {
  readonly operationGUID: string;
  readonly slotGUID: string;
  readonly readFile: FileLabel;
  /** Milliseconds from start to end of the operation. */
  readonly duration: number | null;
  readonly information: readonly InformationLine[];
  /** Null where the engine makes none. */
  readonly idFile: FileLink | null;
  /** `image`: one decoded file. `components`: one file each, and a zip of all of them. */
  readonly shape: 'image' | 'components';
  /** The decoded image, or the zip of all components; null when the read did not contain the image. */
  readonly decodedFile: FileLink | null;
  /** Whether the browser downloads `decodedFile` automatically after decoding. */
  readonly arrivesByItself: boolean;
  readonly parts: readonly Part[];
  readonly isCVNCorrectionPossible: boolean;
  readonly isReencodePossible: boolean;
  readonly wasOriginalFoundThroughVirtualReading: boolean;
  /** What its images were recognized as; `part`: null for the only image. */
  readonly recognized: readonly {
    readonly part: PartName | null;
    readonly recognition: Recognition;
  }[];
  readonly checksumRules: number;
  readonly warnings: readonly string[];
}

/** What an entry point allows, independent of the family. */
export interface Entry {
  readonly isAutoSendEnabled: boolean;
  readonly autoSendDefaultAction: AutoSendAction;
  readonly isPrivateByDefault: boolean;
  readonly canUseUtility: boolean;
  /** Whether the engine of the chosen master takes files that are not in the portal's own container. */
  readonly takesForeignFiles: boolean;
  /** Whether this engine is one of the demo's doubles of makers' services. */
  readonly isDouble: boolean;
  /** Whether the engine of any of the family's devices takes them. */
  readonly someDeviceTakesForeignFiles: boolean;
  readonly maySkipChecksum: boolean;
  readonly hasDebugFlag: boolean;
}
