/** What a recoding page shows and calls for its family: its parts from the contract, and those of its own. */
import type {
  Family,
  OperationType,
  RecodErrorName,
  Workflow,
} from '@recodery/contract/families/registry';
import type { InformationWord } from '@recodery/contract/families/information';
import type { FileKind } from '@recodery/contract/families/family';
import type { Operation } from '@recodery/contract/features/operations';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import type { UploadOptions } from '../../../api/files/upload.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { DecodedRead, Entry, PartName } from '../decoded-read.ts';
import type { Inputs, SettledPart } from '../inputs.ts';

/** The device selected in the chooser, as entry points and uploads expect it. */
export interface DeviceQuery {
  readonly groupCode?: string;
  readonly masterDeviceSerialNumber?: string;
}

/** The response of an entry point: what is allowed, and which of the caller's operations is still running. */
export interface Entered {
  /** Null while the quota is full. */
  readonly entry: Entry | null;
  readonly active: Operation | null;
}

/** The options for decoding a read; only the utility offers the first two. */
export interface DecodeSwitches {
  readonly skipsChecksum: boolean;
  readonly hasDebugFlag: boolean;
  /** The serial number of the slave that the user selected; absent: none. */
  readonly slave?: string;
}

/** The recipient of an encoded file; `email` null: none, the page waits for the file. */
export interface Recipient {
  readonly email: string | null;
  readonly message: string | null;
  readonly isPrivate: boolean;
}

/** What is encoded: the parts, or the unchanged decoded image. */
export type EncodeSource = 'parts' | 'decoded';

export interface RequestedEncode {
  readonly read: DecodedRead;
  readonly source: EncodeSource;
  readonly inputs: Inputs<SettledPart>;
  readonly contextData: string;
  readonly notificationInfo: Recipient | null;
  /** Whether a tray starts it; absent: false. */
  readonly isFromTray?: boolean;
}

/** A row of the information panel: the contract's field, its label, and how its value is displayed. */
export interface InformationField {
  readonly name: string;
  /** Families share one text for one field. A language may have another one for a family: `{label}_{family}`. */
  readonly label: TextKey;
  /**
   * `code`: a number, in the mono type. `slave`: the slave's serial number. `check`: good if it is OK. `date`: a date
   * in the ECU's format.
   */
  readonly as?: 'code' | 'slave' | 'check' | 'date';
}

/** What the contract declares about the page's workflow. */
export interface DeclaredPage {
  readonly id: Workflow;
  readonly family: Family;
  readonly decodes: OperationType;
  readonly encodes: OperationType;
  /** The related page that unpacks and compacts backups, for users who may open it; null if there is none. */
  readonly utility: Workflow | null;
  /** The extension of the file that the slave accepts. */
  readonly encodedExtension: string;
  /** The result of a decode of this family; throws for any other operation. */
  readonly readOf: (operation: Operation) => DecodedRead;
  /** The kind of file that it opens; other files are refused before the upload. */
  readonly opens: FileKind;
}

/** What a page shows of a read. */
export interface ShownFacts {
  readonly information: readonly InformationField[];
  /**
   * The information fields that identify a read in a list: what was read, its engine, its software, its slave. For
   * each, the first known field.
   */
  readonly identifiedBy: readonly (readonly string[])[];
}

/** The requests of a page, in the family's names. */
export interface PageRequests {
  readonly enter: (device: DeviceQuery, signal: AbortSignal) => Promise<Entered>;
  readonly uploadRead: (
    file: File,
    device: DeviceQuery,
    switches: DecodeSwitches,
    options: UploadOptions,
  ) => Promise<Operation>;
  readonly uploadPart: (
    read: DecodedRead,
    part: PartName,
    file: File,
    options: UploadOptions,
  ) => Promise<UploadedFile>;
  readonly encode: (request: RequestedEncode) => Promise<Operation>;
}

/** The properties that a family file adds. Titles and menu entries are those of `workflow-names`. */
export interface OwnPage {
  readonly words: {
    readonly lead: TextKey;
    readonly drop: TextKey;
    readonly downloadDecoded: TextKey;
    readonly encode: TextKey;
    readonly encodeAndSend: TextKey;
  };
  /** The error names for files that it does not open, as the server returns them. */
  readonly refuses: {
    readonly families: Readonly<Partial<Record<Family, RecodErrorName>>>;
    readonly kind: RecodErrorName;
    readonly archive: RecodErrorName;
  };
  /** The fields of the information panel in their order; absent: in the order of the contract. */
  readonly panel?: readonly string[];
  /** The facts that say in a list what was read; the first known one is shown. */
  readonly named: readonly InformationWord[];
  /** Whether components are downloaded from a popup; else each has its own button, and the zip of all arrives. */
  readonly hasComponentsPopup: boolean;
  /** The components that an encode removes until the user changes it. */
  readonly startsRemoved: readonly string[];
  /** Whether a read may be decoded when its checksums are wrong. */
  readonly offersDecodeSkip: (entry: Entry) => boolean;
  /** Whether this read may be encoded without correcting its checksums. */
  readonly offersEncodeSkip: (entry: Entry, read: DecodedRead) => boolean;
}

export type FamilyPage = DeclaredPage & ShownFacts & PageRequests & OwnPage;

/** In what a page differs from the others. */
export type PageLook = Partial<Omit<OwnPage, 'words'>> & {
  readonly words?: Partial<OwnPage['words']>;
};
