/** What a diagnosis reports: the kind of misfit, the facts that a page shows, and the repair. */

import type { ComponentName } from '@recodery/contract/families/family';
import type { Span } from '../compare.ts';
import type { DiagnosisKind } from './kinds.ts';
import type { TextProblem } from './text/damaged-line.ts';
import type { Transformation } from './transformations.ts';

/** A part of the file, and where it belongs in the image. */
export interface Piece {
  /** Offset in the file. */
  readonly from: number;
  /** Offset in the image. */
  readonly to: number;
  readonly length: number;
}

/** A part of the file that does not belong to the image. `fill`: the value of all its bytes; null if they differ. */
export interface Extra extends Readonly<Span> {
  readonly fill: number | null;
  /** Its first bytes, hexadecimal, at most 32 of them. */
  readonly start: string;
}

/** Identifications by the names of their fields. */
export type Identified = Readonly<Record<string, string>>;

/** The facts of a finding. Lists have at most {@link mostListed} items. */
export interface Details {
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes of the image that is expected; null if there is more than one possible size. */
  readonly imageSize: number | null;
  /** The format of a text or the type of an archive. */
  readonly format?: string;
  /** The damaged line of a text. */
  readonly fault?: {
    readonly line: number;
    readonly problem: TextProblem;
    readonly otherLine: number | null;
  };
  /** Bytes that a text stores. */
  readonly stored?: number;
  /** How the bytes were exchanged or changed. */
  readonly transformation?: Transformation;
  /** Where the parts of the file belong. */
  readonly pieces?: readonly Piece[];
  /** Parts of the image that the file lacks, or that are erased in it. */
  readonly missing?: readonly Readonly<Span>[];
  /** Of a text: erased parts that it left out. */
  readonly filled?: readonly Readonly<Span>[];
  /** Parts of the file that do not belong to the image; for a text, `offset` is an address. */
  readonly outside?: readonly Extra[];
  /** The value of every byte. */
  readonly fill?: number;
  /** How often the image is in the file, and which copies (from 0) differ from the read. */
  readonly copies?: { readonly count: number; readonly changed: readonly number[] };
  /** Bytes that were lost (positive) or inserted in the middle of the file. */
  readonly lost?: number;
  /** Bytes by which everything is shifted, toward the end of the file. */
  readonly shift?: number;
  /** Which bytes the file contains. */
  readonly lane?: 'even' | 'odd';
  /** The component that the file belongs to. */
  readonly component?: ComponentName;
  /** What is wrong with the content of a text or archive, or with the file as another component. */
  readonly content?: DiagnosisKind;
  /** Whether the original bytes can be recovered from an encoding. */
  readonly isReversible?: boolean;
  /** The share of the read's informative bytes that are equal in the file, 0..1. */
  readonly agreement?: number;
  /** What the file and the read are, if the protocol knows. */
  readonly identification?: { readonly file: Identified | null; readonly read: Identified | null };
}

/** The maximum number of items in a list of {@link Details}. */
export const mostListed = 64;

/** An image that can be used instead of the file. It has passed the checks of an upload. */
export interface Repair {
  /** The component that it belongs to; null: the one that the file was meant for. */
  readonly component: ComponentName | null;
  /** Every byte is from the file, and what was left out is a duplicate, one value, or equal to the read. */
  readonly isLossless: boolean;
  readonly bytes: Uint8Array;
}

/** The result of a diagnosis. */
export interface Finding {
  readonly kind: DiagnosisKind;
  readonly details: Details;
  readonly repair: Repair | null;
}

/** A component of the read. */
export interface ReadComponent {
  readonly name: ComponentName;
  readonly image: Uint8Array;
}

/** What is diagnosed. */
export interface Ask {
  readonly upload: Uint8Array;
  /** The read's own image; null if the read does not contain it, or it is no memory image. */
  readonly image: Uint8Array | null;
  /** The other components of the read. */
  readonly others: readonly ReadComponent[];
  /** Whether an upload with these bytes would be accepted: its size and identification. */
  readonly accepts: (candidate: Uint8Array) => boolean;
  /** The identification of an image; null if it has none. */
  readonly identify: (image: Uint8Array) => Identified | null;
}
