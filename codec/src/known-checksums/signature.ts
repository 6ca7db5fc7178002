/** Verifies RSA signatures whose public key is in the image itself. Nothing here could make one. */

import { createHash } from 'node:crypto';
import { readNumber } from '../checksum/numbers.ts';
import { isInside } from '../checksum/ranges.ts';
import type { Range } from '../checksum/scheme.ts';
import type { OperandPattern, RsaMd5Part } from './language.ts';
import { findAll, operandAt } from './pattern.ts';

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The signed ranges; null if the table is not certain, or points outside of the image. */
function signedRanges({ table }: RsaMd5Part, image: Uint8Array, base: number): Range[] | null {
  const [at, ...others] = findAll(table, image, 1);
  if (at === undefined || others.length > 0) return null;
  const count = ((image[at + table.count] ?? 0) >>> 4) + 1;
  const low = (image[at + table.low] ?? 0) | ((image[at + table.low + 1] ?? 0) << 8);
  const addressAt = (index: number) => readNumber(image, table.segment + low + 4 * index, 'u32le');
  const ranges: Range[] = [];
  for (let index = 0; index < count; index += 1) {
    const [first, last] = [addressAt(index), addressAt(index + count)];
    if (first === null || last === null) return null;
    const range = { at: Number(first) - base, length: Number(last - first) + 1 };
    if (!isInside(range, image.length)) return null;
    ranges.push(range);
  }
  // every byte is signed once: a table that repeats itself would only take long
  const signed = ranges.reduce((sum, { length }) => sum + length, 0);
  return signed <= image.length ? ranges : null;
}

/**
 * Whether the signature matches the bytes of the image with the key in the image; nothing proves that the key is the
 * maker's. `absent`: it has no signature of this kind. `unclear`: it has one, but the key or what it covers is not certain.
 */
export function isSignatureValid(
  part: RsaMd5Part,
  image: Uint8Array,
  base: number,
): boolean | 'absent' | 'unclear' {
  const placesOf = (pattern: OperandPattern) =>
    findAll(pattern, image, 2).map((at) => operandAt(image, at, pattern) - base);
  const [signatureAt, modulusAt, ...others] = placesOf(part.numbers);
  if (signatureAt === undefined) return 'absent';
  const [exponentAt, ...exponents] = placesOf(part.exponent);
  const ranges = signedRanges(part, image, base);
  if (modulusAt === undefined || exponentAt === undefined || ranges === null) return 'unclear';
  const exponent = readNumber(image, exponentAt, 'u32be');
  const areInside = [signatureAt, modulusAt].every((at) =>
    isInside({ at, length: part.bytes }, image.length),
  );
  if (others.length + exponents.length > 0 || !areInside || exponent === null) return 'unclear';
  const numberAt = (at: number) => numberOf(image.subarray(at, at + part.bytes));
  const modulus = numberAt(modulusAt);
  if (modulus === 0n || exponent === 0n) return 'unclear';
  const digits = 2 * part.bytes;
  const opened = power(numberAt(signatureAt), exponent, modulus).toString(16).padStart(digits, '0');
  const hash = createHash('md5');
  for (const { at, length } of ranges) hash.update(image.subarray(at, at + length));
  // the whole block counts: 00 01 FF … FF 00, then the digest
  const end = `00${hash.digest('hex')}`;
  return opened === `0001${'f'.repeat(digits - 4 - end.length)}${end}`;
}
