/**
 * Cyclic redundancy checks of 8, 16 and 32 bits by table, and the linear algebra over GF(2) that forces one to a given
 * value.
 */

import { crc32 as zlibCrc32 } from 'node:zlib';
import type { CrcAlgorithm } from './scheme.ts';

/*
 * One register layout serves every CRC: the next byte of the stream is combined with the low byte. A reflected CRC works
 * this way already; the register of one that is not reflected is left-aligned in 32 bits with its bytes swapped. Then
 *     next = (register >>> 8) ^ table[(register ^ byte) & 0xff]
 * is valid for both, and words can be loaded little-endian and processed sixteen bytes per step ("slicing": Kounavis and Berry,
 * "A systematic approach to building high performance software-based CRC generators", 2005).
 */

const slices = 16;

/** Mirrors the low `width` bits. */
function reflect(value: number, width: number): number {
  let result = 0;
  for (let bit = 0; bit < width; bit += 1) {
    result = (result << 1) | ((value >>> bit) & 1);
  }
  return result >>> 0;
}

function swapBytes(value: number): number {
  return (
    ((value << 24) |
      ((value & 0xff00) << 8) |
      ((value >>> 8) & 0xff00) |
      ((value >>> 24) & 0xff)) >>>
    0
  );
}

/** Converts a value, most significant bit first, to the register, and back. */
function toRegister(algorithm: CrcAlgorithm, value: number): number {
  return algorithm.reflectIn
    ? reflect(value, algorithm.width)
    : swapBytes((value << (32 - algorithm.width)) >>> 0);
}
function fromRegister(algorithm: CrcAlgorithm, register: number): number {
  const { width, reflectIn, reflectOut } = algorithm;
  const value = reflectIn ? register >>> 0 : swapBytes(register) >>> (32 - width);
  return reflectIn === reflectOut ? value : reflect(value, width);
}

function makeTables(algorithm: CrcAlgorithm): Int32Array {
  const { width, reflectIn } = algorithm;
  const polynomial = Number.parseInt(algorithm.polynomial, 16);
  const tables = new Int32Array(256 * slices);
  for (let byte = 0; byte < 256; byte += 1) {
    let register = reflectIn ? byte : (byte << 24) >>> 0;
    for (let bit = 0; bit < 8; bit += 1) {
      if (reflectIn) {
        register = (register >>> 1) ^ (register & 1 ? reflect(polynomial, width) : 0);
      } else {
        register = (register << 1) ^ (register & 0x80000000 ? polynomial << (32 - width) : 0);
      }
    }
    tables[byte] = reflectIn ? register : swapBytes(register >>> 0);
  }
  for (let index = 256; index < tables.length; index += 1) {
    const before = tables[index - 256] as number;
    tables[index] = (before >>> 8) ^ (tables[before & 0xff] as number);
  }
  return tables;
}

const knownTables = new Map<string, Int32Array>();

/** The cached tables of an algorithm: they depend only on width, polynomial and direction. */
function tablesOf(algorithm: CrcAlgorithm): Int32Array {
  const key = `${algorithm.width} ${algorithm.polynomial} ${algorithm.reflectIn}`;
  const known = knownTables.get(key);
  if (known) {
    return known;
  }
  const tables = makeTables(algorithm);
  knownTables.set(key, tables);
  return tables;
}

function feedBytes(t: Int32Array, register: number, bytes: Uint8Array): number {
  let r = register;
  for (let at = 0; at < bytes.length; at += 1) {
    r = (r >>> 8) ^ (t[(r ^ (bytes[at] as number)) & 0xff] as number);
  }
  return r;
}

/** Sixteen bytes per step over whole words; `words` contains a multiple of four. */
function feedWords(t: Int32Array, register: number, words: Int32Array): number {
  let r = register;
  for (let at = 0; at < words.length; at += 4) {
    const a = (words[at] as number) ^ r;
    const b = words[at + 1] as number;
    const c = words[at + 2] as number;
    const d = words[at + 3] as number;
    r =
      (t[3840 + (a & 0xff)] as number) ^
      (t[3584 + ((a >>> 8) & 0xff)] as number) ^
      (t[3328 + ((a >>> 16) & 0xff)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 0xff)] as number) ^
      (t[2560 + ((b >>> 8) & 0xff)] as number) ^
      (t[2304 + ((b >>> 16) & 0xff)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 0xff)] as number) ^
      (t[1536 + ((c >>> 8) & 0xff)] as number) ^
      (t[1280 + ((c >>> 16) & 0xff)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 0xff)] as number) ^
      (t[512 + ((d >>> 8) & 0xff)] as number) ^
      (t[256 + ((d >>> 16) & 0xff)] as number) ^
      (t[d >>> 24] as number);
  }
  return r;
}

function feed(algorithm: CrcAlgorithm, register: number, bytes: Uint8Array): number {
  if (isZlibs(algorithm)) {
    return ~zlibCrc32(bytes, ~register >>> 0);
  }
  const tables = tablesOf(algorithm);
  const head = -bytes.byteOffset & 3;
  const steps = Math.max(bytes.length - head, 0) >>> 4;
  if (steps === 0) {
    return feedBytes(tables, register, bytes);
  }
  const tail = head + steps * 16;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, steps * 4);
  const afterHead = feedBytes(tables, register, bytes.subarray(0, head));
  return feedBytes(tables, feedWords(tables, afterHead, words), bytes.subarray(tail));
}

/** zlib's CRC runs in native code; CRCs with the same polynomial and a different start or final xor can use it too. */
function isZlibs(algorithm: CrcAlgorithm): boolean {
  return (
    algorithm.width === 32 &&
    algorithm.reflectIn &&
    Number.parseInt(algorithm.polynomial, 16) === 0x04c11db7
  );
}

/** The CRC of the parts as one stream. */
export function crcOf(algorithm: CrcAlgorithm, parts: readonly Uint8Array[]): number {
  let register = toRegister(algorithm, Number.parseInt(algorithm.init, 16));
  for (const part of parts) {
    register = feed(algorithm, register, part);
  }
  return (fromRegister(algorithm, register) ^ Number.parseInt(algorithm.xorOut, 16)) >>> 0;
}

/** A linear map of registers: the image of each bit. */
type LinearMap = Int32Array;

function applyMap(map: LinearMap, register: number): number {
  let result = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    if ((register >>> bit) & 1) {
      result ^= map[bit] as number;
    }
  }
  return result;
}

/** The effect of `count` zero bytes on a register, by squaring: 24 steps for 16 MiB. */
function zeroBytes(tables: Int32Array, count: number): (register: number) => number {
  const maps: LinearMap[] = [];
  let power: LinearMap = Int32Array.from({ length: 32 }, (_, bit) => {
    const register = 1 << bit;
    return (register >>> 8) ^ (tables[register & 0xff] as number);
  });
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      maps.push(power);
    }
    const map = power;
    power = map.map((column) => applyMap(map, column));
  }
  return (register) => maps.reduce((current, map) => applyMap(map, current), register);
}

/**
 * Which bits of `length` free bytes to flip so that the CRC changes by `change` (xor of the current and the required
 * value); `after` bytes of the stream follow them. Returns the flips as bytes, or null if no choice of bits achieves
 * it. A CRC is linear: each free bit flips a fixed set of the result's bits, so this is a system of at most 32
 * equations.
 */
export function solveCrc(
  algorithm: CrcAlgorithm,
  change: number,
  length: number,
  after: number,
): Uint8Array | null {
  const tables = tablesOf(algorithm);
  const toEnd = zeroBytes(tables, after);
  // Indexed by its highest bit: a change that some flips produce, and those flips, one bit each.
  const basis = new Map<number, { change: number; flips: bigint }>();
  for (let byte = length - 1; byte >= 0; byte -= 1) {
    const steps = zeroBytes(tables, length - 1 - byte);
    for (let bit = 0; bit < 8; bit += 1) {
      const register = toEnd(steps(tables[1 << bit] as number));
      const effect = {
        change: fromRegister(algorithm, register),
        flips: 1n << BigInt(byte * 8 + bit),
      };
      const rest = reduce(basis, effect);
      if (rest.change !== 0) {
        basis.set(31 - Math.clz32(rest.change), rest);
      }
    }
  }
  const solution = reduce(basis, { change, flips: 0n });
  if (solution.change !== 0) {
    return null;
  }
  return Uint8Array.from({ length }, (_, byte) =>
    Number((solution.flips >> BigInt(byte * 8)) & 0xffn),
  );
}

function reduce(
  basis: ReadonlyMap<number, { change: number; flips: bigint }>,
  effect: { change: number; flips: bigint },
): { change: number; flips: bigint } {
  let { change, flips } = effect;
  for (let bit = 31; bit >= 0; bit -= 1) {
    const known = (change >>> bit) & 1 ? basis.get(bit) : undefined;
    if (known) {
      change = (change ^ known.change) >>> 0;
      flips ^= known.flips;
    }
  }
  return { change: change >>> 0, flips };
}
