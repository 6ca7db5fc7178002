/**
 * The language in which a scheme of real control units is declared: where an image has its checksums is found in the
 * image itself, by patterns of bytes and by the addresses that it stores. A part becomes rules of the rule language.
 */

import type { ChecksumAlgorithm, NumberType, Range } from '../checksum/scheme.ts';

/** Bytes to look for. */
export interface Pattern {
  /**
   * Hexadecimal digits, blanks ignored; a dot matches any digit, and `~` two digits that are the complement of
   * the byte four places before. All alternatives have one length.
   */
  readonly bytes: readonly string[];
  /** An offset at which one of these is found does not count. */
  readonly except?: readonly string[];
  /** The first offset, and the distance between offsets. */
  readonly from: number;
  readonly step: 1 | 2 | 4;
}

/**
 * An offset in an image: fixed, from its end, from where the pattern of the part was found, or the address that the
 * image stores at another one, minus the base of the scheme.
 */
export type OffsetSpec =
  | number
  | { readonly fromEnd: number }
  | { readonly fromMatch: number }
  | { readonly pointer: OffsetSpec };

/** Bytes from one place: to another one, which is included, or as many as given. */
export type PlacedRange =
  | { readonly from: OffsetSpec; readonly last: OffsetSpec }
  | { readonly from: OffsetSpec; readonly length: number };

/** The first and the last word of every page of an image, except in a range. */
export interface PageEdges {
  readonly page: number;
  readonly word: number;
  readonly except: Range;
}

/** A number that is stored with its complement behind it, or alone. */
export interface StoredSum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: NumberType;
  /** The distance of the complement from the number. */
  readonly complement?: number;
}

/** One sum, whose ranges and place are known, or are stored in the image. */
export interface SumPart extends StoredSum {
  readonly kind: 'sum';
  readonly name: string;
  readonly find?: Pattern;
  /** An image in which one of these is not inside does not have the part. */
  readonly requires?: readonly OffsetSpec[];
  readonly ranges: readonly PlacedRange[] | PageEdges;
  readonly at: OffsetSpec;
}

/** Each entry of a table is a range and its sum. */
export interface EntriesPart {
  readonly kind: 'entries';
  readonly name: string;
  readonly table: Pattern | OffsetSpec;
  /** Bytes of an entry, and how many there are at most. */
  readonly stride: number;
  readonly most: number;
  /** The type of the two addresses, which are the first and the last one, at the start of an entry. */
  readonly type: NumberType;
  /** The place of the sum in an entry. */
  readonly sum: StoredSum & { readonly at: number; readonly minus?: string };
  /** The first address that ends the table; absent: it has `most` entries. */
  readonly end?: bigint;
  /** The entries that are switched off: both addresses are 0, and the sum is this. */
  readonly off?: string;
  /** The bytes are only taken for a table if every entry is in the image; absent: the other entries are skipped. */
  readonly isStrict?: true;
}

/** Ranges whose first and last addresses are operands of instructions. */
export interface CodeRanges {
  readonly starts: OperandPattern;
  readonly ends: OperandPattern;
  /** For images of a size that contain none of these instructions. */
  readonly otherwise: { readonly size: number; readonly ranges: readonly Range[] };
}

/** An instruction with an address: two 16-bit words, the low one and the high one. */
export interface OperandPattern extends Pattern {
  readonly low: number;
  readonly high: number;
}

/** A sum over all ranges. */
export interface CodeSumPart extends StoredSum {
  readonly kind: 'code-sum';
  readonly name: string;
  readonly ranges: CodeRanges;
  readonly at: OperandPattern;
}

/**
 * A value for each range. With a seed the calculation runs on: over the seed, the first range, the second one and so on,
 * and there are values after the first, the second and the last one.
 */
export interface CodeStreamPart extends StoredSum {
  readonly kind: 'code-stream';
  readonly name: string;
  readonly ranges: CodeRanges;
  readonly values: OperandPattern;
  readonly valueCount: number;
  /** `length`: the place of the number of seed bytes, in the high half of a byte. */
  readonly seed: OperandPattern & { readonly length: number };
}

/** An RSA signature over the MD5 of ranges. The key is in the image, too. It is verified, never made. */
export interface RsaMd5Part {
  readonly kind: 'rsa-md5';
  readonly name: string;
  readonly bytes: number;
  /** Found twice: the signature, then the modulus; the exponent is a big-endian number. */
  readonly numbers: OperandPattern;
  readonly exponent: OperandPattern;
  /**
   * The instruction that names the table of first addresses, then of last ones: `count`: the place of their number minus
   * one, in the high half of a byte; `segment`: where the low word of the address belongs.
   */
  readonly table: Pattern & {
    readonly low: number;
    readonly segment: number;
    readonly count: number;
  };
}

/**
 * Blocks that describe themselves: each has a header, the structures of its checksums behind it, and a mark at its end.
 * A structure names its range, start value, target and algorithm. The header also has the address of the end mark, which
 * gives the address of every byte.
 */
export interface BlocksPart {
  readonly kind: 'blocks';
  readonly name: string;
  /** The start value and the target, as they are in every structure, in front of which its range is. */
  readonly marks: Pattern & { readonly at: number };
  readonly structures: { readonly from: number; readonly stride: number; readonly most: number };
  /** Where a structure has the addresses of its first and last byte, and its algorithm, one byte. */
  readonly structure: { readonly first: number; readonly last: number; readonly algorithm: number };
  /** Where a header has the length of the block, the address of its last number, and the number of structures. */
  readonly header: {
    readonly length: number;
    readonly lastAddress: number;
    readonly count: number;
  };
  readonly endMark: bigint;
  /** The bits of an address that name a byte: the same memory has several addresses. */
  readonly addressMask: number;
  /** By the number of the algorithm; others are not checked. */
  readonly algorithms: Readonly<
    Record<number, { readonly algorithm: ChecksumAlgorithm; readonly target: string }>
  >;
}

export type SchemePart =
  | BlocksPart
  | SumPart
  | EntriesPart
  | CodeSumPart
  | CodeStreamPart
  | RsaMd5Part;

/** An image that contains a smaller one: the rest repeats it, or is erased. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

/** A scheme of real control units. */
export interface KnownScheme {
  /** As it is called in reports, in every language. */
  readonly name: string;
  /** Sizes of an image in bytes: one of a list, or any between two limits. */
  readonly sizes: readonly number[] | { readonly min: number; readonly max: number };
  readonly fold?: Fold;
  /** The address of the first byte. */
  readonly base: number;
  /** Numbers are stored in this order. */
  readonly order: 'le' | 'be';
  /** An image has this scheme if one of these parts was found in it. */
  readonly provedBy: readonly string[];
  /** False: it was never tried on a real image, and is only verified. */
  readonly isProved: boolean;
  /** In the order in which they are corrected. */
  readonly parts: readonly SchemePart[];
}
