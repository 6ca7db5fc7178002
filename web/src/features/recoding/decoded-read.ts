/** What a finished decode says to the page, whatever the family: the read, its files, and what encoding will ask for. */
import type { AutoSendAction } from '@recodery/contract/recoding';

/** A file as the page names it; `size` in bytes, null where the server has not said it. */
export interface FileLabel {
  readonly name: string;
  readonly size: number | null;
}

/** A file to be had: its address is good for an hour, so a click asks for a fresh one. */
export interface FileLink extends FileLabel {
  readonly url: string;
}

/** The parts of a read: a component's type as the family writes it, or the modified and original image of an OBD read. */
export type PartName = string;

/** One file that encoding takes, or may take. */
export interface Part {
  readonly name: PartName;
  /** Encoding waits for it. A part that is not needed is taken from the backup when nobody uploads it. */
  readonly isNeeded: boolean;
  readonly isRemovable: boolean;
  /** Removed until the user says otherwise. */
  readonly startsRemoved: boolean;
  /** The decoded image that it stands against, if there is one. */
  readonly decoded: FileLink | null;
}

/** A line of the information panel: `label` is the field's name in the contract. */
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
  readonly idFile: FileLink;
  /** `image`: one decoded file. `components`: a file each, and all of them as a zip. */
  readonly shape: 'image' | 'components';
  /** The decoded image, or the zip of all components; null when the read did not contain the image. */
  readonly decodedFile: FileLink | null;
  /** Whether the browser goes to `decodedFile` by itself once decoded. */
  readonly arrivesByItself: boolean;
  readonly parts: readonly Part[];
  readonly isCVNCorrectionPossible: boolean;
  readonly isReencodePossible: boolean;
  readonly wasOriginalFoundThroughVirtualReading: boolean;
  readonly checksumRules: number;
  readonly warnings: readonly string[];
}

/** What an entry point allows, whatever the family. */
export interface Entry {
  readonly isAutoSendEnabled: boolean;
  readonly autoSendDefaultAction: AutoSendAction;
  readonly isPrivateByDefault: boolean;
  readonly canUseUtility: boolean;
  readonly maySkipChecksum: boolean;
  readonly hasDebugFlag: boolean;
}
