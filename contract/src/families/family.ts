/**
 * Types for families and their workflows: the definition that each family's file provides, and the terms they share.
 */
import type * as z from 'zod/mini';
import type { RefusalCode } from '../errors.ts';
import type { InformationFields } from './information.ts';
import { memories } from './memories.ts';

/** The modes, in the order of their numbers in a file. */
export const modes = ['obd', 'bootbench'] as const;
/** How a slave accessed the ECU: through the diagnostic socket, or on the bench. */
export type Mode = (typeof modes)[number];

/** Component names as the device simulator and the codec use them. `obd` is the single image of an OBD read. */
export const containerComponents = [
  'flash',
  'micro',
  'eeprom',
  'tuningfile',
  'mapfile',
  'obd',
] as const;
/** A component that a file in the portal's own container can have. */
export type ContainerComponent = (typeof containerComponents)[number];

/** All names: also those of families whose files only their maker's service opens. */
export const componentNames = [...containerComponents, ...memories] as const;
/** What a component is, independent of the family. */
export type ComponentName = (typeof componentNames)[number];

/** The file extension of each decoded component, including the dot. */
export const componentExtensions: Readonly<Record<ComponentName, string>> = {
  flash: '.fls',
  micro: '.mpc',
  eeprom: '.epr',
  tuningfile: '.tun',
  mapfile: '.map',
  obd: '.bin',
  ...(Object.fromEntries(memories.map((name) => [name, `.${name}.bin`])) as Record<
    (typeof memories)[number],
    string
  >),
};

/** The kinds of sealed file. A kind's number in the header of a container is its index here, starting at 1. */
export const fileKinds = [
  'read-file',
  'read-backup',
  'encoded-file',
  'encoded-backup',
  'utility-backup',
] as const;
export type FileKind = (typeof fileKinds)[number];

/** Recognizes a file of its family by its first 64 bytes, or all of them when it has fewer; null: it is not one. */
export type Recognizer = (start: Uint8Array) => FileKind | null;

/** What a family declares whose files are in the portal's own container. */
export interface ContainerDeclaration {
  /** The family's number in the header. */
  readonly number: number;
  /** The error names of its failed operations, besides those of all families; each has a text `RECOD_ERROR_{name}`. */
  readonly errorNames: readonly string[];
  /** Those of them that report internal errors: the server or the engine failed, not the file. */
  readonly internalErrorNames: readonly string[];
  /** The serial number of its slave in the demo. Other serial numbers of the demo begin with the same three letters. */
  readonly demoSlave: string;
}

/** What differs between families, except routes and bytes. */
export interface FamilyDefinition {
  /** The display name. */
  readonly name: string;
  /** Absent: a vendor's service decodes and encodes all of its files. */
  readonly container?: ContainerDeclaration;
  /** Recognizes the files of vendors' slaves; absent: nothing is known about them. */
  readonly recognize?: Recognizer;
  /** Whether client applications can use it; its calls are then declared as `encodingApi`. */
  readonly hasEncodingApi: boolean;
  readonly operationTypes: { readonly decode: string; readonly encode: string };
  /** The extension that its slaves give read files, including the dot, where their content does not show what they are. */
  readonly readFileExtension?: string;
  /** The extension of the encoded file, including the dot. */
  readonly encodedFileExtension: string;
  /**
   * The maker's service seals its files: results of encodes say when. `hoursValid`: how long the slave accepts such a file;
   * null: for ever.
   */
  readonly sealing?: { readonly hoursValid: number | null };
  /**
   * The maker's service needs the serial number of the slave that wrote a read, which the file does not show: one of those
   * that the directory lists for the master. Absent: it does not.
   */
  readonly asksForSlave?: true;
  /** The modes of its slaves, and which components a read of each can have. */
  readonly modes: Readonly<Partial<Record<Mode, readonly ComponentName[]>>>;
  /** The component types in paths and results; in lowercase they are {@link ComponentName}s. */
  readonly componentTypes: readonly string[];
  /** The field of a group code that lists the serial numbers of its master devices. */
  readonly mastersField: string;
  /** The refusal when the organisation has no master device with a slave. */
  readonly noDevices: Extract<RefusalCode, `USER_NOT_AUTHORIZED${string}`>;
  /** The preference that contains the name format of encoded files; null: always the default format. */
  readonly nameFormatField: string | null;
  /** The path of a call that sets only this name format; absent: there is none. New families need none. */
  readonly nameFormatPath?: string;
  /** The fields of the information in its results, and what each contains. */
  readonly information: InformationFields;
  /** The result of a decode, as programs and pages receive it. */
  readonly decodeResult: z.ZodMiniType;
}

/** How texts name a workflow's two operations: the one that opens a file, and the one that makes the file to write. */
export type Verbs = 'decode-encode' | 'unpack-compact';

/** A workflow of a family: its page, the file kind it opens and the file kind it produces. */
export interface WorkflowDefinition {
  readonly family: string;
  /** The right that the caller needs in addition to the family's subscription; null: none. */
  readonly right: 'recod' | 'utility' | null;
  readonly verbs: Verbs;
  /** The kind of container that slaves write for it. */
  readonly readKind: FileKind;
  /** The kind of container that slaves accept in return. */
  readonly encodedKind: FileKind;
}
