/** What a recoding page shows and calls for its family: the one shape that every family file fills. */
import type { RecodErrorName } from '@recodery/contract/errors';
import type { ContainerKind } from '@recodery/contract/families/family';
import type { Family, OperationType, Workflow } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/operations';
import type { UploadedFile } from '@recodery/contract/recoding';
import type { UploadOptions } from '../../../api/upload.ts';
import type { TextKey } from '../../../i18n/texts.ts';
import type { DecodedRead, Entry, PartName } from '../decoded-read.ts';
import type { Inputs, SettledPart } from '../inputs.ts';

/** The chooser's pick, as entry points and uploads take it. */
export interface DeviceQuery {
  readonly groupCode?: string;
  readonly masterDeviceSerialNumber?: string;
}

/** What an entry point answers: what is allowed, and what of the caller's is still running. */
export interface Entered {
  /** Null when the server only said that operations are pending. */
  readonly entry: Entry | null;
  readonly active: Operation | null;
}

/** How a read is to be decoded; only the utility offers it. */
export interface DecodeSwitches {
  readonly skipsChecksum: boolean;
  readonly hasDebugFlag: boolean;
}

/** Whom to tell of an encoded file; `email` null: nobody, the page waits for it. */
export interface Recipient {
  readonly email: string | null;
  readonly message: string | null;
  readonly isPrivate: boolean;
}

/** What is encoded: the parts, or the decoded image as it is. */
export type EncodeSource = 'parts' | 'decoded';

export interface EncodeRequest {
  readonly read: DecodedRead;
  readonly source: EncodeSource;
  readonly inputs: Inputs<SettledPart>;
  readonly contextData: string;
  readonly notificationInfo: Recipient | null;
}

/** A line of the information panel: the contract's field, its label, and how its value is drawn. */
export interface InformationField {
  readonly name: string;
  readonly label: TextKey;
  /**
   * `code`: a number, in the mono type. `slave`: the slave's serial number. `check`: good if it is OK. `date`: a date as
   * the ECU writes it.
   */
  readonly as?: 'code' | 'slave' | 'check' | 'date';
}

/** What the contract declares about the page's way of working. */
export interface DeclaredPage {
  readonly id: Workflow;
  readonly family: Family;
  readonly decodes: OperationType;
  readonly encodes: OperationType;
  /** The page next to this one that unpacks and compacts backups, for users who may enter it; null where there is none. */
  readonly utility: Workflow | null;
  /** Extension of the file that the slave takes. */
  readonly encodedExtension: string;
  /** What it opens; everything else is turned away before it is uploaded. */
  readonly opens: ContainerKind;
}

/** What a family file adds. Titles and menu entries are the texts `page.{id}` and `menu.{id}`. */
export interface OwnPage {
  /** The texts that the page prefers to those of all recoding pages, by what their keys begin with; null: none. */
  readonly ownWords: string | null;
  readonly words: {
    readonly lead: TextKey;
    readonly drop: TextKey;
    readonly downloadDecoded: TextKey;
    readonly encode: TextKey;
    readonly encodeAndSend: TextKey;
  };
  /** The error names for what it does not open, as the server gives them. */
  readonly refuses: {
    readonly families: Readonly<Partial<Record<Family, RecodErrorName>>>;
    readonly kind: RecodErrorName;
    readonly archive: RecodErrorName;
  };
  readonly information: readonly InformationField[];
  /** Whether components are downloaded from a popup; else each has a button of its own. */
  readonly hasComponentsPopup: boolean;
  readonly enter: (device: DeviceQuery, signal: AbortSignal) => Promise<Entered>;
  readonly uploadRead: (
    file: File,
    device: DeviceQuery,
    switches: DecodeSwitches,
    options: UploadOptions,
  ) => Promise<Operation>;
  /** What a decode of this family has brought; throws for any other operation. */
  readonly readOf: (operation: Operation) => DecodedRead;
  readonly uploadPart: (
    read: DecodedRead,
    part: PartName,
    file: File,
    options: UploadOptions,
  ) => Promise<UploadedFile>;
  readonly encode: (request: EncodeRequest) => Promise<Operation>;
  readonly recipientOf: (
    read: DecodedRead,
    signal: AbortSignal,
  ) => Promise<{ readonly name: string | null; readonly email: string | null }>;
  /** Whether a read may be decoded although its checksums are wrong. */
  readonly offersDecodeSkip: (entry: Entry) => boolean;
  /** Whether this read may be encoded without correcting its checksums. */
  readonly offersEncodeSkip: (entry: Entry, read: DecodedRead) => boolean;
}

export type FamilyPage = DeclaredPage & OwnPage;
