/** What a text format provides: how to recognize it, and how to read the bytes that it stores. */

import type { DiagnosisKind } from '../kinds.ts';
import type { Records } from './records.ts';

/** The beginning of a text. */
export interface TextStart {
  /** The first lines that are not blank, without blanks around them, each cut at 1,024 characters. */
  readonly lines: readonly string[];
  /** The first 4 KiB. */
  readonly text: string;
}

/** A format that stores bytes as text. */
export interface TextFormat {
  readonly kind: DiagnosisKind;
  readonly name: string;
  /** Whether its addresses say where the bytes belong. Without them, the bytes form one block. */
  readonly hasAddresses: boolean;
  readonly matches: (start: TextStart) => boolean;
  /** Adds the bytes of the text to `records`. Throws `DamagedLine`. */
  readonly read: (text: Uint8Array, records: Records) => void;
}
