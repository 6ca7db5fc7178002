/** What every family's codec takes and gives, and what can be asked of a file's open header before one is needed. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Workflow } from '@recodery/contract/families/registry';
import type { RuleReport } from '../checksum/checksum.ts';
import type { Kind } from '../container/container.ts';
import type { Header } from '../container/header.ts';
import type { ErrorNames } from './error-names.ts';
import type { Label, SlaveInformation } from './information.ts';
import type { Allocate } from '../workspace.ts';

export { derivePairKey } from '../container/cipher.ts';
export { checkKind, readHeader } from '../container/header.ts';
export type { Header };

/** What makes a way of working what it is to the codec. */
export interface WorkflowRules {
  readonly workflow: Workflow;
  /** Whether a read may contain the identification alone. */
  readonly mayImageBeMissing: boolean;
  /** Whether `skipChecksum` lets a read with wrong checksums pass, with a warning. */
  readonly mayChecksumsBeWrong: boolean;
  /** Whether the encoded file keeps the information fields of the read. */
  readonly keepsInformation: boolean;
  readonly errorNames: ErrorNames;
  /** The keys of `information` in results, in their order. */
  readonly labels: readonly Label[];
}

/** Memory to work in. */
interface WorkingMemory {
  /** For what is deciphered and sealed; absent: fresh memory. See `makeWorkspace`. */
  readonly allocate?: Allocate;
  /** Deciphers in place: `file` is overwritten with its payload, which saves one copy of it. Absent: it is left alone. */
  readonly mayOverwriteFile?: boolean;
}

/** A sealed read, and what opens it. `pairKey` has 32 bytes. */
export interface DecodeInput extends WorkingMemory {
  readonly file: Uint8Array;
  readonly pairKey: Uint8Array;
  readonly skipChecksum: boolean;
}

/** A rule's report and whose it is. */
export type ComponentReport = RuleReport & { readonly component: ComponentName };

/** One image of a read, in the clear. */
export interface DecodedComponent {
  readonly name: ComponentName;
  /** A view into one buffer for all, not to be written to. */
  readonly bytes: Uint8Array;
  /** Hexadecimal, verified: nobody need hash the bytes again. */
  readonly sha256: string;
}

/** Everything that a read tells, verified. */
export interface Decoded {
  readonly header: Header;
  readonly protocol: { readonly id: number; readonly name: string };
  readonly mode: Mode;
  readonly components: readonly DecodedComponent[];
  readonly information: SlaveInformation;
  /** As in {@link Known}. */
  readonly isChecksumRight: boolean | null;
  readonly isRecognised: boolean | null;
  /** What to look for in the originals library; null where the image is there, or the slave did not say enough. */
  readonly virtualReading: {
    readonly protocolId: number;
    readonly hardware: string;
    readonly software: string;
  } | null;
  /** The read held the identification alone. */
  readonly isImageMissing: boolean;
  /** A rule cannot be computed from the modified image alone. */
  readonly isChecksumCorrectionNeeded: boolean;
  readonly isCVNCorrectionPossible: boolean;
  /** The checksum rules of the read's images, or of the one that is missing. */
  readonly checksumRules: number;
  readonly checksums: readonly ComponentReport[];
  /** Names of errors that did not stop the decode. */
  readonly warnings: readonly string[];
}

/** What an encoded file is made of. A component that is neither modified nor removed is taken from the backup. */
export interface EncodeInput extends WorkingMemory {
  /** The sealed read: gives the header and what stays from the backup. */
  readonly file: Uint8Array;
  readonly pairKey: Uint8Array;
  readonly modified: readonly { readonly name: ComponentName; readonly bytes: Uint8Array }[];
  /** The uploaded original or the Virtual Reading hit. */
  readonly original: Uint8Array | null;
  /** The original came out of the library by the read's own numbers, so its ident is not held against them again. */
  readonly isOriginalFromLibrary?: boolean;
  readonly removed: readonly ComponentName[];
  /** No modified image: the read's own takes its place, corrected like one. */
  readonly reencode?: boolean;
  readonly willCorrectCVN: boolean;
  /** Nothing is corrected, the CVN neither. */
  readonly willSkipChecksum: boolean;
  /** 32 bytes, fresh for each attempt. */
  readonly fileSalt: Uint8Array;
  /** Rises with each encoded file for this slave. */
  readonly number: number;
  readonly tool?: string;
  readonly time?: string;
}

/** A component as it went into the encoded file; `size` in bytes, before sealing. */
export interface EncodedComponent {
  readonly name: ComponentName;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly source: 'modified' | 'backup';
}

/** The encoded file for one slave, and what was corrected on the way. */
export interface Encoded {
  readonly file: Uint8Array;
  readonly components: readonly EncodedComponent[];
  readonly checksums: readonly ComponentReport[];
}

/** A modified file, just uploaded, and what it is held against. */
export interface ModifiedToCheck {
  readonly protocolId: number;
  readonly mode: Mode;
  readonly component: ComponentName;
  /** The read's own component; null where the read did not hold it. */
  readonly decoded: Uint8Array | null;
  readonly modified: Uint8Array;
}

/** An original file, just uploaded, and what it is held against. */
export interface OriginalToCheck {
  readonly protocolId: number;
  readonly mode: Mode;
  /** The read's own image; null where the read held the identification alone. */
  readonly decoded: Uint8Array | null;
  /** What the slave said of the ECU, where the image is missing; null: nothing to hold the numbers against. */
  readonly identification: {
    readonly hardware: string | null;
    readonly software: string | null;
  } | null;
  readonly original: Uint8Array;
}

/** The bytes of one way of working. Every function throws CodecError for a file at fault. */
export interface FamilyCodec {
  readonly rules: WorkflowRules;
  decode(input: DecodeInput): Decoded;
  encode(input: EncodeInput): Encoded;
  /** Checks a modified file when it is uploaded: archive, still sealed, size, ident, map file. */
  checkModified(input: ModifiedToCheck): void;
  /** Checks an original file when it is uploaded: archive, still sealed, size, ident. */
  checkOriginal(input: OriginalToCheck): void;
}
