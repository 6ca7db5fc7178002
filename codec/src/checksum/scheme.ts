/** The words in which a protocol says how its checksums are built: rules with ranges, an algorithm and a place for the result. */

/** A stretch of an image: offset and length in bytes. */
export interface Range {
  readonly at: number;
  readonly length: number;
}

/** How a number stands in an image. */
export type NumberType = 'u8' | 'u16le' | 'u16be' | 'u32le' | 'u32be' | 'u64le' | 'u64be';

/**
 * Ranges that the image itself lists. The image may come from a stranger, so whatever stands there is checked against
 * the component's size and the bounds of the language before a byte is looked at.
 */
export interface RangeTable {
  /** Offset of the first entry. */
  readonly at: number;
  /** Number of entries, or where the image says it. */
  readonly count: number | { readonly at: number; readonly type: NumberType };
  /** How each of an entry's two numbers is written. */
  readonly type: NumberType;
  /** The second number: a length, the last address, or the address after the last. */
  readonly second: 'length' | 'last' | 'after';
  /** The ECU's address of the image's first byte, subtracted from each address; absent: 0. */
  readonly base?: number;
}

/** The ranges of a rule, taken as one stream of bytes in the order given. */
export type RangeSource = readonly Range[] | { readonly table: RangeTable };

/** Adds units up, modulo 2^width. */
export interface SumAlgorithm {
  readonly kind: 'sum';
  /** Bytes of a unit. */
  readonly unit: 1 | 2 | 4;
  readonly order: 'le' | 'be';
  readonly width: 16 | 32 | 64;
  /** Start value, hexadecimal; absent: 0. */
  readonly start?: string;
}

/** Exclusive or of units; the result is as wide as a unit. */
export interface XorAlgorithm {
  readonly kind: 'xor';
  readonly unit: 1 | 2 | 4;
  readonly order: 'le' | 'be';
  /** Start value, hexadecimal; absent: 0. */
  readonly start?: string;
}

/** A cyclic redundancy check in the usual five parameters; numbers are hexadecimal. */
export interface CrcAlgorithm {
  readonly kind: 'crc';
  readonly width: 8 | 16 | 32;
  readonly polynomial: string;
  readonly init: string;
  readonly reflectIn: boolean;
  readonly reflectOut: boolean;
  readonly xorOut: string;
}

/** The bytes themselves: the result is a second copy of the range. */
export interface CopyAlgorithm {
  readonly kind: 'copy';
}

/** A cryptographic digest, stored as bytes. */
export interface DigestAlgorithm {
  readonly kind: 'digest';
  readonly name: 'sha-1' | 'sha-256' | 'sha-384' | 'sha-512';
}

/** A signature over the range. It can be verified, never made. */
export interface SignatureAlgorithm {
  readonly kind: 'signature';
  readonly name: 'ed25519' | 'rsa-sha256';
  /** The public key: base64 of its DER SubjectPublicKeyInfo. */
  readonly publicKey: string;
  /** Bytes of the signature where the rule's result stands. */
  readonly length: number;
}

/** How the bytes of a rule become its value. */
export type ChecksumAlgorithm =
  | SumAlgorithm
  | XorAlgorithm
  | CrcAlgorithm
  | CopyAlgorithm
  | DigestAlgorithm
  | SignatureAlgorithm;

/**
 * What is written for a calculated value v: v itself, its complement, its negative, a constant minus v, or, where the
 * ECU adds a constant that nobody but the original image knows, v plus that constant. All modulo the stored type.
 */
export type Transform =
  | 'id'
  | 'not'
  | 'neg'
  | { readonly minus: string }
  | { readonly learnedFrom: 'original' };

/** The result stands at an offset of its own. */
export interface StoredNumber {
  readonly kind: 'store';
  readonly at: number;
  readonly type: NumberType;
  /** Absent: `id`. */
  readonly transform?: Transform;
  /** Offset of a second field of the same type that holds the complement of the first. */
  readonly complementAt?: number;
}

/** The result, as bytes (copy, digest, signature), stands at an offset of its own. */
export interface StoredBytes {
  readonly kind: 'store-bytes';
  readonly at: number;
  /** `not`: every bit inverted (not for signatures). Absent: `id`. */
  readonly transform?: 'id' | 'not';
}

/** The range must have a value; free bytes inside it are adjusted until it has. */
export interface TargetResult {
  readonly kind: 'target';
  /** Hexadecimal, or the value that the original image has. */
  readonly value: string | { readonly asIn: 'original' };
  readonly free: { readonly at: number; readonly length: 2 | 4 | 8 };
}

/** The rule sleeps where the image holds this number. */
export interface Condition {
  readonly at: number;
  readonly type: NumberType;
  /** Hexadecimal. */
  readonly equals: string;
}

/** One rule: these bytes, taken by this algorithm, must give this result. */
export interface ChecksumRule {
  /** Unique in its scheme; stands in reports and error details. */
  readonly name: string;
  readonly ranges: RangeSource;
  readonly algorithm: ChecksumAlgorithm;
  readonly result: StoredNumber | StoredBytes | TargetResult;
  readonly disabledWhen?: Condition;
  /** True where the value cannot be computed from the modified image alone. */
  readonly needsOriginal?: true;
  /** False: reported, but neither a wrong nor an impossible result refuses the image. Absent: true. */
  readonly required?: false;
}

/** The checksums of one component; at most 256 rules. */
export interface ChecksumScheme {
  readonly rules: readonly ChecksumRule[];
}
