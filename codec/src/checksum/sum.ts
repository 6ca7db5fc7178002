/**
 * Sums and exclusive ors of 8, 16 and 32-bit units in either byte order, and the free units that produce a given value.
 */

import { concatBytes } from '../container/bytes.ts';
import { maskOf, numberBytes, parseHex, readNumber } from './numbers.ts';
import type { NumberType, SumAlgorithm, XorAlgorithm } from './scheme.ts';

/*
 * Every sum can be derived from the sums of bytes by their position in a group of four: with l0..l3 the totals of the
 * four lanes, bytes add up to l0+l1+l2+l3, little-endian words of 16 bits to (l0+l2) + 256·(l1+l3), and so on. So one
 * loop, which adds two lanes of a 32-bit word at once, covers all units and byte orders; exclusive or works the same way.
 */
type Lanes = [number, number, number, number];

/** Words after which the 16-bit lane totals must be flushed: 256 · 255 is the most that fits in 16 bits. */
const wordsInBlock = 256;

/** Sums the words' bytes by their position in the word. */
function addWords(words: Int32Array): Lanes {
  const lanes: Lanes = [0, 0, 0, 0];
  for (let from = 0; from < words.length; from += wordsInBlock) {
    const end = Math.min(from + wordsInBlock, words.length);
    let even = 0;
    let odd = 0;
    for (let at = from; at < end; at += 1) {
      const word = words[at] as number;
      even = (even + (word & 0xff00ff)) | 0;
      odd = (odd + ((word >>> 8) & 0xff00ff)) | 0;
    }
    lanes[0] += even & 0xffff;
    lanes[1] += odd & 0xffff;
    lanes[2] += even >>> 16;
    lanes[3] += odd >>> 16;
  }
  return lanes;
}

function xorWords(words: Int32Array): Lanes {
  let all = 0;
  for (let at = 0; at < words.length; at += 1) {
    all ^= words[at] as number;
  }
  return [all & 0xff, (all >>> 8) & 0xff, (all >>> 16) & 0xff, all >>> 24];
}

type Join = (a: number, b: number) => number;

/** The lane totals of a part, where lane 0 is its first byte, at any alignment in memory. */
function lanesOf(bytes: Uint8Array, overWords: (words: Int32Array) => Lanes, join: Join): Lanes {
  // Aligned words are processed as words; the few bytes before and after them one by one.
  const toWord = -bytes.byteOffset & 3;
  const count = Math.max(bytes.length - toWord, 0) >>> 2;
  const head = count === 0 ? bytes.length : toWord;
  const lanes: Lanes = [0, 0, 0, 0];
  const put = (at: number, value: number): void => {
    const lane = (at & 3) as 0 | 1 | 2 | 3;
    lanes[lane] = join(lanes[lane], value);
  };
  for (let at = 0; at < head; at += 1) {
    put(at, bytes[at] as number);
  }
  if (count > 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, count);
    overWords(words).forEach((total, lane) => {
      put(head + lane, total);
    });
  }
  for (let at = head + count * 4; at < bytes.length; at += 1) {
    put(at, bytes[at] as number);
  }
  return lanes;
}

/** Each lane's position in its unit, as the power of two of its weight. */
function laneShift(lane: number, unit: 1 | 2 | 4, order: 'le' | 'be'): number {
  const place = lane % unit;
  return 8 * (order === 'le' ? place : unit - 1 - place);
}

const add: Join = (a, b) => a + b;
const xor: Join = (a, b) => a ^ b;

/** The sum of the parts' units, modulo 2^width. Each part must contain whole units. */
export function sumOf(algorithm: SumAlgorithm, parts: readonly Uint8Array[]): bigint {
  let sum = parseHex(algorithm.start ?? '0');
  for (const part of parts) {
    lanesOf(part, addWords, add).forEach((total, lane) => {
      sum += BigInt(total) << BigInt(laneShift(lane, algorithm.unit, algorithm.order));
    });
  }
  return sum & maskOf(algorithm.width);
}

/** The exclusive or of the parts' units. Each part must contain whole units. */
export function xorOf(algorithm: XorAlgorithm, parts: readonly Uint8Array[]): bigint {
  let value = parseHex(algorithm.start ?? '0');
  for (const part of parts) {
    lanesOf(part, xorWords, xor).forEach((total, lane) => {
      value ^= BigInt(total) << BigInt(laneShift(lane, algorithm.unit, algorithm.order));
    });
  }
  return value & maskOf(8 * algorithm.unit);
}

/** The type of a unit as a number in an image. */
function typeOf({ unit, order }: SumAlgorithm | XorAlgorithm): NumberType {
  if (unit === 1) {
    return 'u8';
  }
  return unit === 2 ? `u16${order}` : `u32${order}`;
}

function readUnits(algorithm: SumAlgorithm | XorAlgorithm, bytes: Uint8Array): bigint[] {
  const type = typeOf(algorithm);
  const length = bytes.length / algorithm.unit;
  return Array.from({ length }, (_, at) => readNumber(bytes, at * algorithm.unit, type) ?? 0n);
}

function writeUnits(algorithm: SumAlgorithm | XorAlgorithm, units: readonly bigint[]): Uint8Array {
  const type = typeOf(algorithm);
  return concatBytes(units.map((value) => numberBytes(value, type)));
}

/**
 * The free bytes with which the sum is `target`; `current` is the sum with the present free bytes. Null if the free
 * units cannot store the difference. The first units take as much as they can.
 */
export function solveSum(
  algorithm: SumAlgorithm,
  current: bigint,
  target: bigint,
  free: Uint8Array,
): Uint8Array | null {
  const { unit, width } = algorithm;
  const most = maskOf(8 * unit);
  const units = readUnits(algorithm, free);
  const taken = units.reduce((total, value) => total + value, 0n);
  let lacking = (target - current + taken) & maskOf(width);
  const solved = units.map(() => {
    const part = lacking < most ? lacking : most;
    lacking -= part;
    return part;
  });
  return lacking === 0n ? writeUnits(algorithm, solved) : null;
}

/** The free bytes with which the exclusive or is `target`: the first unit takes the difference. */
export function solveXor(
  algorithm: XorAlgorithm,
  current: bigint,
  target: bigint,
  free: Uint8Array,
): Uint8Array {
  const [first = 0n, ...others] = readUnits(algorithm, free);
  return writeUnits(algorithm, [first ^ current ^ target, ...others]);
}
