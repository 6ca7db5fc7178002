/** Applies a rule's algorithm to the bytes that the rule covers. */

import { createHash, createPublicKey, createVerify, type Hash, verify } from 'node:crypto';
import { concatBytes } from '../container/bytes.ts';
import { crcOf } from './crc.ts';
import { isInside, passesOverImageAtMost, resolveRanges, totalLength } from './ranges.ts';
import type { ChecksumRule, Range, SignatureAlgorithm } from './scheme.ts';
import { sumOf, xorOf } from './sum.ts';

/** The covered ranges and the algorithm's result: a number, bytes, or whether a signature is valid. */
export interface Calculation {
  readonly ranges: readonly Range[];
  readonly value: bigint | Uint8Array | boolean;
}

/** Counts the bytes processed in one pass, so that tables in an image cannot keep an engine busy. */
export interface Meter {
  left: number;
}

/** A meter for one pass over an image of this size. */
export function newMeter(imageSize: number): Meter {
  return { left: imageSize * passesOverImageAtMost };
}

/** Calculates a rule over an image, or null if its ranges are invalid or the work limit is reached. */
export function calculate(rule: ChecksumRule, image: Uint8Array, meter: Meter): Calculation | null {
  const ranges = resolveRanges(rule.ranges, image);
  if (ranges === null) {
    return null;
  }
  const length = totalLength(ranges);
  if (length > meter.left || !isFit(rule, ranges, image.length)) {
    return null;
  }
  meter.left -= length;
  const parts = ranges.map(({ at, length }) => image.subarray(at, at + length));
  return { ranges, value: valueOf(rule, parts, image) };
}

/** Whether the algorithm can process these ranges: whole units, and no more bytes than its result can store. */
function isFit(rule: ChecksumRule, ranges: readonly Range[], imageSize: number): boolean {
  const { algorithm, result } = rule;
  switch (algorithm.kind) {
    case 'sum':
    case 'xor':
      return ranges.every(({ length }) => length % algorithm.unit === 0);
    case 'copy':
      return (
        result.kind === 'store-bytes' &&
        isInside({ at: result.at, length: totalLength(ranges) }, imageSize)
      );
    case 'signature':
      return (
        result.kind === 'store-bytes' &&
        isInside({ at: result.at, length: algorithm.length }, imageSize) &&
        totalLength(ranges) <= imageSize
      );
    case 'crc':
    case 'digest':
      return true;
  }
}

function valueOf(
  rule: ChecksumRule,
  parts: readonly Uint8Array[],
  image: Uint8Array,
): Calculation['value'] {
  const { algorithm, result } = rule;
  switch (algorithm.kind) {
    case 'sum':
      return sumOf(algorithm, parts);
    case 'xor':
      return xorOf(algorithm, parts);
    case 'crc':
      return BigInt(crcOf(algorithm, parts));
    case 'copy':
      return concatBytes(parts);
    case 'digest':
      return parts
        .reduce(
          (hash: Hash, part) => hash.update(part),
          createHash(algorithm.name.replace('-', '')),
        )
        .digest();
    case 'signature': {
      const at = result.kind === 'store-bytes' ? result.at : 0;
      return isSigned(algorithm, parts, image.subarray(at, at + algorithm.length));
    }
  }
}

function isSigned(
  algorithm: SignatureAlgorithm,
  parts: readonly Uint8Array[],
  signature: Uint8Array,
): boolean {
  const key = createPublicKey({
    key: Buffer.from(algorithm.publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  if (algorithm.name === 'ed25519') {
    // Ed25519 hashes the message twice, so it cannot be fed in parts.
    return verify(null, concatBytes(parts), key, signature);
  }
  const verifier = createVerify('sha256');
  for (const part of parts) {
    verifier.update(part);
  }
  return verifier.verify(key, signature);
}
