/**
 * The inputs and outputs of every family's codec, and what can be read from a file's unencrypted header without one.
 */

import type { RecodErrorName, Workflow } from '@recodery/contract/families/registry';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Recognition } from '@recodery/contract/families/recognition';
import type { RuleReport } from '../checksum/checksum.ts';
import type { Header } from '../container/header.ts';
import type { Room, Sealed } from '../container/sealing.ts';
import type { ErrorNames } from './error-names.ts';
import type { SlaveInformation } from './information.ts';

/** The properties that define a workflow for the codec. */
export interface WorkflowRules {
  readonly workflow: Workflow;
  /** Whether a read may contain only the identification. */
  readonly mayImageBeMissing: boolean;
  /** The warning with which `skipChecksum` accepts a read with wrong checksums; null: no such read is accepted. */
  readonly wrongChecksumsWarning: RecodErrorName | null;
  /** Whether the encoded file keeps the information fields of the read. */
  readonly keepsInformation: boolean;
  readonly errorNames: ErrorNames;
  /** Whether its texts show the internal code where it says more than the error's name, and nothing else is known. */
  readonly showsCodes: boolean;
}

/** A sealed read, and the key that opens it. `pairKey` has 32 bytes. */
export interface DecodeInput extends Room {
  readonly file: Uint8Array;
  readonly pairKey: Uint8Array;
  readonly skipChecksum: boolean;
}

/** A rule's report and its component. */
export type ComponentReport = RuleReport & { readonly component: ComponentName };

/** One decrypted image of a read. */
export interface DecodedComponent {
  readonly name: ComponentName;
  /** A read-only view into one shared buffer. */
  readonly bytes: Uint8Array;
  /** Hexadecimal, verified: the caller need not hash the bytes again. */
  readonly sha256: string;
  /** The control unit that the image belongs to; null: not identified. */
  readonly recognition: Recognition | null;
}

/** All data of a read, verified. */
export interface Decoded {
  readonly header: Header;
  readonly protocol: { readonly id: number; readonly name: string };
  readonly mode: Mode;
  readonly components: readonly DecodedComponent[];
  readonly information: SlaveInformation;
  /** Same as in {@link Known}. */
  readonly isChecksumRight: boolean | null;
  readonly isRecognised: boolean | null;
  /** What to look for in the originals library; null if the image is present, or the slave did not report enough. */
  readonly virtualReading: {
    readonly protocolId: number;
    readonly hardware: string;
    readonly software: string;
  } | null;
  /** The read contained only the identification. */
  readonly isImageMissing: boolean;
  /** A rule cannot be computed from the modified image alone. */
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
  /** The checksum rules of the read's images, or of the missing one. */
  readonly checksumRules: number;
  readonly checksums: readonly ComponentReport[];
  /** The required rules that are wrong in the read; empty unless `skipChecksum` accepted it. */
  readonly wrongChecksums: readonly string[];
  /** Names of errors that did not stop the decode. */
  readonly warnings: readonly string[];
}

/** The inputs of an encoded file. A component that is neither modified nor removed is taken from the backup. */
export interface EncodeInput extends Room {
  /** The sealed read: provides the header and what is kept from the backup. */
  readonly file: Uint8Array;
  readonly pairKey: Uint8Array;
  readonly modified: readonly { readonly name: ComponentName; readonly bytes: Uint8Array }[];
  /** The uploaded original or the Virtual Reading hit. */
  readonly original: Uint8Array | null;
  /** The original was found in the library by the read's own numbers, so its ident is not compared with them again. */
  readonly isOriginalFromLibrary?: boolean;
  readonly removed: readonly ComponentName[];
  /** No modified image: the read's own replaces it and is corrected in the same way. */
  readonly reencode?: boolean;
  readonly willCorrectCVN: boolean;
  /** Nothing is corrected, including the CVN. */
  readonly willSkipChecksum: boolean;
  /** 32 bytes, fresh for each attempt. */
  readonly fileSalt: Uint8Array;
  /** Increases with each encoded file for this slave. */
  readonly number: number;
  readonly tool?: string;
  readonly time?: string;
}

/** A component as written to the encoded file; `size` in bytes, before sealing. */
export interface EncodedComponent {
  readonly name: ComponentName;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly source: 'modified' | 'backup';
}

/** The encoded file for one slave, and the corrections that were made. */
export interface Encoded {
  readonly sealed: Sealed;
  readonly components: readonly EncodedComponent[];
  readonly checksums: readonly ComponentReport[];
}

/** An uploaded modified file, and what it is compared with. */
export interface ModifiedToCheck {
  readonly protocolId: number;
  readonly mode: Mode;
  readonly component: ComponentName;
  /** The read's own component; null if the read did not contain it. */
  readonly decoded: Uint8Array | null;
  readonly modified: Uint8Array;
}

/** The numbers that identify an ECU's hardware and software; null: unknown. */
export interface Identification {
  readonly hardware: string | null;
  readonly software: string | null;
}

/** An uploaded original file, and what it is compared with. */
export interface OriginalToCheck {
  readonly protocolId: number;
  readonly mode: Mode;
  /** The read's own image; null if the read contained only the identification. */
  readonly decoded: Uint8Array | null;
  /** What the slave reported about the ECU, when the image is missing; null: nothing to compare the numbers with. */
  readonly identification: Identification | null;
  readonly original: Uint8Array;
}

/** The codec of one workflow. Every function throws CodecError for an invalid file. */
export interface FamilyCodec {
  readonly rules: WorkflowRules;
  decode(input: DecodeInput): Decoded;
  encode(input: EncodeInput): Encoded;
  /** Checks a modified file when it is uploaded: archive, still sealed, size, ident, maps file. */
  checkModified(input: ModifiedToCheck): void;
  /** Checks an original file when it is uploaded: archive, still sealed, size, ident. */
  checkOriginal(input: OriginalToCheck): void;
}
