/** Compares a calculated checksum with the stored or required value, and returns what to write if they differ. */

import { toHex } from '../container/bytes.ts';
import type { Calculation } from './calculate.ts';
import { solveCrc } from './crc.ts';
import { bytesOf, maskOf, numberBytes, parseHex, readNumber, showHex } from './numbers.ts';
import { isInside, overlap } from './ranges.ts';
import type {
  ChecksumRule,
  Condition,
  Range,
  StoredBytes,
  StoredNumber,
  TargetResult,
} from './scheme.ts';
import { solveSum, solveXor } from './sum.ts';

/** Bytes to write at an offset. */
export interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * The result of a rule: right · wrong · disabled by a condition in the image · uncheckable because the original is
 * missing · impossible in this image (ranges outside it, an invalid table, over the limits). `stored` and `calculated`
 * are hexadecimal: the actual and the expected value.
 */
export interface RuleReport {
  readonly rule: string;
  readonly state: 'ok' | 'mismatch' | 'disabled' | 'uncheckable' | 'invalid';
  readonly stored?: string;
  readonly calculated?: string;
}

/** The result of a rule, and how to correct it. */
export interface RuleResult extends Omit<RuleReport, 'rule'> {
  /** The write that corrects a mismatch; null or absent if no write can (a signature, an unreachable target). */
  readonly remedy?: () => readonly Write[] | null;
}

/** An image with the result of a rule. */
export interface Calculated {
  readonly image: Uint8Array;
  readonly calculation: Calculation;
}

const invalid: RuleResult = { state: 'invalid' };
const uncheckable: RuleResult = { state: 'uncheckable' };

/** Whether the image contains the number that disables the rule. */
export function isDisabled(rule: ChecksumRule, image: Uint8Array): boolean {
  const condition: Condition | undefined = rule.disabledWhen;
  return (
    condition !== undefined &&
    readNumber(image, condition.at, condition.type) === parseHex(condition.equals)
  );
}

/** The places that a correction of the rule writes to and that do not depend on the image. */
export function writePlaces(rule: ChecksumRule, copied: number): readonly Range[] {
  const { result } = rule;
  switch (result.kind) {
    case 'store': {
      const length = bytesOf(result.type);
      const places = [{ at: result.at, length }];
      return result.complementAt === undefined
        ? places
        : [...places, { at: result.complementAt, length }];
    }
    case 'store-bytes':
      return [{ at: result.at, length: copied }];
    case 'target':
      return [result.free];
  }
}

/** Evaluates a rule. `original` is the rule calculated over the original image, if there is one. */
export function evaluateRule(
  rule: ChecksumRule,
  now: Calculated,
  original: Calculated | null,
): RuleResult {
  const { result } = rule;
  switch (result.kind) {
    case 'store':
      return judgeStored(result, now, original);
    case 'store-bytes':
      return judgeBytes(result, now);
    case 'target':
      return judgeTarget(rule, result, now, original);
  }
}

function judgeStored(
  result: StoredNumber,
  { image, calculation: { value } }: Calculated,
  original: Calculated | null,
): RuleResult {
  const { at, type, complementAt } = result;
  const size = bytesOf(type);
  const stored = readNumber(image, at, type);
  const complement = complementAt === undefined ? undefined : readNumber(image, complementAt, type);
  if (stored === null || complement === null || typeof value !== 'bigint') {
    return invalid;
  }
  const expected = transformed(result, value, original);
  if (expected === null) {
    return uncheckable;
  }
  const mask = maskOf(8 * size);
  const show = (main: bigint, other: bigint): string =>
    showHex(main, size) + (complement === undefined ? '' : `/${showHex(other, size)}`);
  const shown = {
    stored: show(stored, complement ?? 0n),
    calculated: show(expected, expected ^ mask),
  };
  if (stored === expected && (complement === undefined || complement === (expected ^ mask))) {
    return { state: 'ok', ...shown };
  }
  const writes = [{ at, bytes: numberBytes(expected, type) }];
  if (complementAt !== undefined) {
    writes.push({ at: complementAt, bytes: numberBytes(expected ^ mask, type) });
  }
  return { state: 'mismatch', ...shown, remedy: () => writes };
}

/** The stored form of a value; null if it depends on the original and there is none. */
function transformed(
  { at, type, transform = 'id' }: StoredNumber,
  value: bigint,
  original: Calculated | null,
): bigint | null {
  const mask = maskOf(8 * bytesOf(type));
  if (transform === 'id') {
    return value & mask;
  }
  if (transform === 'not') {
    return ~value & mask;
  }
  if (transform === 'neg') {
    return -value & mask;
  }
  if ('minus' in transform) {
    return (parseHex(transform.minus) - value) & mask;
  }
  const before = original && readNumber(original.image, at, type);
  const valueBefore = original?.calculation.value;
  return typeof before === 'bigint' && typeof valueBefore === 'bigint'
    ? (value + before - valueBefore) & mask
    : null;
}

function judgeBytes(
  { at, transform = 'id' }: StoredBytes,
  { image, calculation: { value } }: Calculated,
): RuleResult {
  if (typeof value === 'boolean') {
    return value ? { state: 'ok' } : { state: 'mismatch' };
  }
  if (typeof value === 'bigint' || !isInside({ at, length: value.length }, image.length)) {
    return invalid;
  }
  const expected = transform === 'not' ? value.map((byte) => ~byte) : value;
  const stored = image.subarray(at, at + expected.length);
  // A copy may be half as long as an image: a report shows only as much as a digest would need.
  const shown = {
    stored: toHex(stored.subarray(0, 64)),
    calculated: toHex(expected.subarray(0, 64)),
  };
  return Buffer.compare(stored, expected) === 0
    ? { state: 'ok', ...shown }
    : { state: 'mismatch', ...shown, remedy: () => [{ at, bytes: expected }] };
}

function judgeTarget(
  rule: ChecksumRule,
  result: TargetResult,
  { image, calculation }: Calculated,
  original: Calculated | null,
): RuleResult {
  const { value } = calculation;
  if (typeof value !== 'bigint' || !isInside(result.free, image.length)) {
    return invalid;
  }
  const wanted =
    typeof result.value === 'string' ? parseHex(result.value) : original?.calculation.value;
  if (typeof wanted !== 'bigint') {
    return uncheckable;
  }
  const size = resultBytes(rule);
  const shown = { stored: showHex(value, size), calculated: showHex(wanted, size) };
  if (value === wanted) {
    return { state: 'ok', ...shown };
  }
  return {
    state: 'mismatch',
    ...shown,
    remedy: () => {
      const bytes = adjusted(rule, result.free, image, calculation.ranges, value, wanted);
      return bytes && [{ at: result.free.at, bytes }];
    },
  };
}

function resultBytes({ algorithm }: ChecksumRule): number {
  if (algorithm.kind === 'sum' || algorithm.kind === 'crc') {
    return algorithm.width / 8;
  }
  return algorithm.kind === 'xor' ? algorithm.unit : 0;
}

/** The free bytes that bring the range to its target; null if they cannot, or are not covered exactly once. */
function adjusted(
  { algorithm }: ChecksumRule,
  free: Range,
  image: Uint8Array,
  ranges: readonly Range[],
  value: bigint,
  wanted: bigint,
): Uint8Array | null {
  const index = ranges.findIndex((range) => overlap(range, free));
  const range = ranges[index];
  if (
    !range ||
    ranges.some((other, place) => place !== index && overlap(other, free)) ||
    free.at < range.at ||
    free.at + free.length > range.at + range.length
  ) {
    return null;
  }
  const current = image.subarray(free.at, free.at + free.length);
  if (algorithm.kind === 'crc') {
    const behind = ranges.slice(index + 1).reduce((total, { length }) => total + length, 0);
    const after = range.at + range.length - free.at - free.length + behind;
    const flips = solveCrc(algorithm, Number(value ^ wanted), free.length, after);
    return flips && flips.map((flip, at) => flip ^ (current[at] ?? 0));
  }
  if (algorithm.kind !== 'sum' && algorithm.kind !== 'xor') {
    return null;
  }
  if ((free.at - range.at) % algorithm.unit !== 0 || free.length % algorithm.unit !== 0) {
    return null;
  }
  return algorithm.kind === 'sum'
    ? solveSum(algorithm, value, wanted, current)
    : solveXor(algorithm, value, wanted, current);
}
