/** Numbers in an image: reading and writing them, and the transforms between a value and its stored form. */

import type { NumberType } from './scheme.ts';

/** Bytes that a number of this type takes. */
export function bytesOf(type: NumberType): number {
  return Number(type.slice(1, type.startsWith('u8') ? 2 : 3)) / 8;
}

/** A bit mask with this many ones. */
export function maskOf(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n;
}

/** The number at an offset, or null if it is not inside the image. */
export function readNumber(image: Uint8Array, at: number, type: NumberType): bigint | null {
  const size = bytesOf(type);
  if (at < 0 || at + size > image.length) {
    return null;
  }
  let value = 0n;
  for (let index = 0; index < size; index += 1) {
    const place = type.endsWith('be') ? at + index : at + size - 1 - index;
    value = (value << 8n) | BigInt(image[place] ?? 0);
  }
  return value;
}

/** The bytes of a number, truncated to its type. */
export function numberBytes(value: bigint, type: NumberType): Uint8Array {
  const size = bytesOf(type);
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) {
    const place = type.endsWith('be') ? size - 1 - index : index;
    bytes[place] = Number((value >> BigInt(8 * index)) & 0xffn);
  }
  return bytes;
}

/** Parses a hexadecimal number of a protocol file. */
export function parseHex(digits: string): bigint {
  return BigInt(`0x${digits}`);
}

/** A value as reports show it: hexadecimal, padded to its number of bytes. */
export function showHex(value: bigint, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}
