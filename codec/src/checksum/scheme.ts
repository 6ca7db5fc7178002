/**
 * The rule language in which a protocol defines its checksums: rules with ranges, an algorithm and a place for the
 * result.
 */

/** A range of an image: offset and length in bytes. */
export interface Range {
  readonly at: number;
  readonly length: number;
}

/** The type of a number in an image. */
export type NumberType = 'u8' | 'u16le' | 'u16be' | 'u32le' | 'u32be' | 'u64le' | 'u64be';

/**
 * Ranges that the image itself lists. The image is untrusted, so its values are checked against the component's size
 * and the limits of the language before any byte is processed.
 */
export interface RangeTable {
  /** Offset of the first entry. */
  readonly at: number;
  /** The number of entries, or where the image stores it. */
  readonly count: number | { readonly at: number; readonly type: NumberType };
  /** The type of an entry's two numbers. */
  readonly type: NumberType;
  /** The second number: a length, the last address, or the address after the last. */
  readonly second: 'length' | 'last' | 'after';
  /** The ECU's address of the image's first byte, subtracted from each address; default: 0. */
  readonly base?: number;
}

/** The ranges of a rule, read as one stream of bytes in the given order. */
export type RangeSource = readonly Range[] | { readonly table: RangeTable };

/** Sum of units, modulo 2^width. */
export interface SumAlgorithm {
  readonly kind: 'sum';
  /** Bytes per unit. */
  readonly unit: 1 | 2 | 4;
  readonly order: 'le' | 'be';
  readonly width: 16 | 32 | 64;
  /** Start value, hexadecimal; default: 0. */
  readonly start?: string;
}

/** Exclusive or of units; the result is as wide as a unit. */
export interface XorAlgorithm {
  readonly kind: 'xor';
  readonly unit: 1 | 2 | 4;
  readonly order: 'le' | 'be';
  /** Start value, hexadecimal; default: 0. */
  readonly start?: string;
}

/** A cyclic redundancy check with the usual five parameters; numbers are hexadecimal. */
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

/** A signature over the range. It can be verified but not created. */
export interface SignatureAlgorithm {
  readonly kind: 'signature';
  readonly name: 'ed25519' | 'rsa-sha256';
  /** The public key: base64 of its DER SubjectPublicKeyInfo. */
  readonly publicKey: string;
  /** Bytes of the signature at the place of the rule's result. */
  readonly length: number;
}

/** How a value is calculated from the bytes of a rule. */
export type ChecksumAlgorithm =
  | SumAlgorithm
  | XorAlgorithm
  | CrcAlgorithm
  | CopyAlgorithm
  | DigestAlgorithm
  | SignatureAlgorithm;

/**
 * What is written for a calculated value v: v itself, its complement, its negative, a constant minus v, or v plus a
 * constant that the ECU adds and that only the original image reveals. All modulo the stored type.
 */
export type Transform =
  | 'id'
  | 'not'
  | 'neg'
  | { readonly minus: string }
  | { readonly learnedFrom: 'original' };

/** The result is stored at its own offset. */
export interface StoredNumber {
  readonly kind: 'store';
  readonly at: number;
  readonly type: NumberType;
  /** Default: `id`. */
  readonly transform?: Transform;
  /** Offset of a second field of the same type that contains the complement of the first. */
  readonly complementAt?: number;
}

/** The result, as bytes (copy, digest, signature), is stored at its own offset. */
export interface StoredBytes {
  readonly kind: 'store-bytes';
  readonly at: number;
  /** `not`: every bit inverted (not for signatures). Default: `id`. */
  readonly transform?: 'id' | 'not';
}

/** The range must have a given value; free bytes inside it are adjusted to reach it. */
export interface TargetResult {
  readonly kind: 'target';
  /** Hexadecimal, or the value of the original image. */
  readonly value: string | { readonly asIn: 'original' };
  readonly free: { readonly at: number; readonly length: 2 | 4 | 8 };
}

/** The rule is disabled if the image contains this number. */
export interface Condition {
  readonly at: number;
  readonly type: NumberType;
  /** Hexadecimal. */
  readonly equals: string;
}

/** One rule: this algorithm over these bytes must give this result. */
export interface ChecksumRule {
  /** Unique in its scheme; appears in reports and error details. */
  readonly name: string;
  readonly ranges: RangeSource;
  readonly algorithm: ChecksumAlgorithm;
  readonly result: StoredNumber | StoredBytes | TargetResult;
  readonly disabledWhen?: Condition;
  /** True if the value cannot be computed from the modified image alone. */
  readonly needsOriginal?: true;
  /** False: reported, but neither a wrong nor an impossible result causes the image to be refused. Default: true. */
  readonly required?: false;
}

/** The checksums of one component: at most 256 rules. */
export type ChecksumScheme = readonly ChecksumRule[];

/** A CVN by `REF-CVN`: CRC-32/ISO-HDLC over the calibration, with four compensation bytes inside it. */
export interface CvnLayout {
  readonly calibration: Range;
  /** Offset of the four compensation bytes. */
  readonly compensationAt: number;
}
