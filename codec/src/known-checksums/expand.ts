/** Finds the parts of a scheme in an image, and turns them into rules. */

import { bytesOf, parseHex, readNumber } from '../checksum/numbers.ts';
import { isInside } from '../checksum/ranges.ts';
import type { ChecksumRule, NumberType, Range } from '../checksum/scheme.ts';
import type {
  CodeRanges,
  CodeStreamPart,
  CodeSumPart,
  EntriesPart,
  SchemePart,
  KnownScheme,
  OperandPattern,
  PageEdges,
  Pattern,
  OffsetSpec,
  PlacedRange,
  StoredSum,
  SumPart,
} from './language.ts';
import { findBlocks } from './blocks.ts';
import type { FoundPart } from './found-part.ts';
import { findAll, operandAt } from './pattern.ts';
import { isSignatureValid } from './signature.ts';

const absent: FoundPart = { state: 'absent' };
const unclear: FoundPart = { state: 'unclear' };

/** An image, the same part of the read that it was made from, and how its scheme stores addresses. */
interface View {
  readonly image: Uint8Array;
  readonly read: Uint8Array;
  readonly base: number;
  readonly pointer: NumberType;
}

/** Finds a part. `read`: the image before the user's changes; it decides where a table ends. */
export function findPart(
  part: SchemePart,
  scheme: KnownScheme,
  { image, read }: Pick<View, 'image' | 'read'>,
): FoundPart {
  const view: View = {
    image,
    read,
    base: scheme.base,
    pointer: scheme.order === 'le' ? 'u32le' : 'u32be',
  };
  switch (part.kind) {
    case 'sum':
      return findSum(part, view);
    case 'entries':
      return findEntries(part, view);
    case 'blocks':
      return findBlocks(part, image);
    case 'code-sum':
      return findCodeSum(part, view);
    case 'code-stream':
      return findCodeStream(part, view);
    case 'rsa-md5': {
      const isValid = isSignatureValid(part, image, scheme.base);
      return typeof isValid === 'boolean' ? { state: 'signature', isValid } : { state: isValid };
    }
  }
}

/** Where the pattern of a part is; null if nowhere, `unclear` if at several places. */
function findOnly(pattern: Pattern, image: Uint8Array): number | null | 'unclear' {
  const [first = null, second] = findAll(pattern, image, 1);
  return second === undefined ? first : 'unclear';
}

function resolve(place: OffsetSpec, view: View, match: number): number | null {
  if (typeof place === 'number') return place;
  if ('fromEnd' in place) return view.image.length - place.fromEnd;
  if ('fromMatch' in place) return match + place.fromMatch;
  const from = resolve(place.pointer, view, match);
  const address = from === null ? null : readNumber(view.image, from, view.pointer);
  return address === null ? null : Number(address) - view.base;
}

/** Bytes of a unit of the algorithm. */
function unitOf({ algorithm }: StoredSum): number {
  return algorithm.kind === 'sum' || algorithm.kind === 'xor' ? algorithm.unit : 1;
}

/** The range between two addresses; the unit that contains the last one belongs to it. Null if it is not in the image. */
function rangeBetween(from: number, last: number, unit: number, size: number): Range | null {
  const length = Math.ceil((last + 1 - from) / unit) * unit;
  const range = { at: from, length };
  return length > 0 && isInside(range, size) ? range : null;
}

function resolveRange(range: PlacedRange, view: View, match: number, unit: number): Range | null {
  const from = resolve(range.from, view, match);
  if (from === null) return null;
  const last = 'last' in range ? resolve(range.last, view, match) : from + range.length - 1;
  return last === null ? null : rangeBetween(from, last, unit, view.image.length);
}

function edgesOf({ page, word, except }: PageEdges, size: number): Range[] {
  const edges: Range[] = [];
  for (let at = 0; at + page <= size; at += page) {
    if (at >= except.at && at < except.at + except.length) continue;
    edges.push({ at, length: word }, { at: at + page - word, length: word });
  }
  return edges;
}

/** The rule of a sum; null if it would be stored outside of the image. */
function ruleOf(
  name: string,
  { algorithm, type, complement }: StoredSum,
  ranges: readonly Range[],
  at: number,
  size: number,
): ChecksumRule | null {
  const length = bytesOf(type);
  if (!isInside({ at, length }, size)) return null;
  if (complement !== undefined && !isInside({ at: at + complement, length }, size)) return null;
  const result = { kind: 'store', at, type } as const;
  const pair = complement === undefined ? result : { ...result, complementAt: at + complement };
  return { name, ranges, algorithm, result: pair };
}

const allFound = <T>(list: readonly (T | null)[]): list is readonly T[] => !list.includes(null);

const asRules = (rules: readonly (ChecksumRule | null)[]): FoundPart =>
  rules.length > 0 && allFound(rules) ? { state: 'rules', rules, fixed: [] } : unclear;

function findSum(part: SumPart, view: View): FoundPart {
  const { image } = view;
  const match = part.find === undefined ? 0 : findOnly(part.find, image);
  if (match === null) return absent;
  if (match === 'unclear') return unclear;
  const required = (part.requires ?? []).map((place) => resolve(place, view, match) ?? -1);
  if (required.some((at) => !isInside({ at, length: 4 }, image.length))) return absent;
  const at = resolve(part.at, view, match);
  const unit = unitOf(part);
  const ranges =
    'page' in part.ranges
      ? edgesOf(part.ranges, image.length)
      : part.ranges.map((range) => resolveRange(range, view, match, unit));
  if (at === null || !allFound(ranges)) return unclear;
  return asRules([ruleOf(part.name, part, ranges, at, image.length)]);
}

/** An entry of a table. */
interface Entry {
  readonly at: number;
  readonly first: bigint;
  readonly last: bigint;
}

/** Whether the read has a number with its complement in an entry: other bytes behind a table have none. */
function isPair({ sum }: EntriesPart, { read }: View, entry: number): boolean {
  if (sum.complement === undefined) return true;
  const stored = readNumber(read, entry + sum.at, sum.type);
  const complement = readNumber(read, entry + sum.at + sum.complement, sum.type);
  const all = (1n << BigInt(8 * bytesOf(sum.type))) - 1n;
  return stored !== null && complement !== null && (stored ^ complement) === all;
}

/** The entries of a table; null if it is not inside the image, or if its end is not certain. */
function readEntries(part: EntriesPart, view: View, table: number): Entry[] | null {
  const { image } = view;
  const entries: Entry[] = [];
  const size = bytesOf(part.type);
  for (let index = 0; index < part.most; index += 1) {
    const at = table + index * part.stride;
    const first = readNumber(image, at, part.type);
    if (first !== null && first === part.end) break;
    const last = readNumber(image, at + size, part.type);
    if (first === null || last === null || at + part.stride > image.length) return null;
    // a table without an end mark, or a damaged one: what is behind may be anything
    if (!isPair(part, view, at)) return null;
    entries.push({ at, first, last });
  }
  return entries;
}

function findEntries(part: EntriesPart, view: View): FoundPart {
  const { image } = view;
  const { table } = part;
  const found =
    typeof table === 'object' && 'bytes' in table
      ? findOnly(table, image)
      : resolve(table, view, 0);
  if (found === null) return absent;
  const entries = found === 'unclear' ? null : readEntries(part, view, found);
  if (entries === null) return part.isStrict ? absent : unclear;
  const rules = entries.map((entry, index) => entryRule(part, entry, index, view));
  if (part.isStrict) return rules.includes(null) ? absent : asRules(rules);
  const inside = rules.filter((rule) => rule !== null);
  const fixed = entries.flatMap((entry, index) =>
    rules[index] === null ? complementRule(part, entry, index) : [],
  );
  return inside.length === 0 ? unclear : { state: 'rules', rules: inside, fixed };
}

/** The rule of an entry; null if it is about bytes that are not in the image. */
function entryRule(
  part: EntriesPart,
  entry: Entry,
  index: number,
  view: View,
): ChecksumRule | null {
  const { sum, off } = part;
  const size = view.image.length;
  const first = Number(entry.first) - view.base;
  const last = Number(entry.last) - view.base;
  const at = entry.at + sum.at;
  const isOff =
    off !== undefined &&
    entry.first === 0n &&
    entry.last === 0n &&
    readNumber(view.image, at, sum.type) === parseHex(off);
  const unit = unitOf(sum);
  const isWhole = part.isStrict === undefined || (first % unit === 0 && last % unit === unit - 1);
  const range = isOff ? { at: 0, length: unit } : rangeBetween(first, last, unit, size);
  const rule = range && ruleOf(`${part.name} ${index + 1}`, sum, [range], at, size);
  if (rule === null || !(isOff || isWhole) || rule.result.kind !== 'store') return null;
  const result =
    sum.minus === undefined ? rule.result : { ...rule.result, transform: { minus: sum.minus } };
  const condition = { disabledWhen: { at, type: sum.type, equals: off ?? '0' } };
  return { ...rule, result, ...(isOff ? condition : {}) };
}

/** What is known of an entry about other memory: the complement belongs to its number. */
function complementRule({ name, sum }: EntriesPart, { at }: Entry, index: number): ChecksumRule[] {
  if (sum.complement === undefined) return [];
  const stored = at + sum.at;
  return [
    {
      name: `${name} ${index + 1}`,
      ranges: [{ at: stored, length: bytesOf(sum.type) }],
      algorithm: { kind: 'copy' },
      result: { kind: 'store-bytes', at: stored + sum.complement, transform: 'not' },
    },
  ];
}

/** More than this number of places is no scheme that we know. */
const mostOperands = 8;

/** The addresses in instructions, as offsets. */
function operandsOf(pattern: OperandPattern, { image, base }: View): number[] {
  return findAll(pattern, image, mostOperands).map((at) => operandAt(image, at, pattern) - base);
}

/** The ranges that a program names; null if they are not certain. */
function codeRanges({ starts, ends, otherwise }: CodeRanges, view: View): readonly Range[] | null {
  const size = view.image.length;
  const first = operandsOf(starts, view);
  const last = operandsOf(ends, view);
  if (first.length === 0 && last.length === 0) {
    return size === otherwise.size ? otherwise.ranges : null;
  }
  const ranges = first.map((from, index) => rangeBetween(from, last[index] ?? -1, 1, size));
  return first.length === last.length && ranges.length <= mostOperands && allFound(ranges)
    ? ranges
    : null;
}

function findCodeSum(part: CodeSumPart, view: View): FoundPart {
  const places = operandsOf(part.at, view);
  const [at] = places;
  if (at === undefined) return absent;
  const ranges = codeRanges(part.ranges, view);
  if (places.length > 1 || ranges === null) return unclear;
  return asRules([ruleOf(part.name, part, ranges, at, view.image.length)]);
}

function findCodeStream(part: CodeStreamPart, view: View): FoundPart {
  const values = operandsOf(part.values, view);
  if (values.length === 0) return absent;
  const ranges = codeRanges(part.ranges, view);
  const streams = ranges === null ? null : streamsOf(part, ranges, view);
  if (streams === null || values.length !== part.valueCount || streams.length !== values.length) {
    return unclear;
  }
  const size = view.image.length;
  return asRules(
    streams.map((stream, index) =>
      ruleOf(`${part.name} ${index + 1}`, part, stream, values[index] ?? -1, size),
    ),
  );
}

/** What each value covers; null if that is not certain. */
function streamsOf(
  { seed, valueCount }: CodeStreamPart,
  ranges: readonly Range[],
  view: View,
): (readonly Range[])[] | null {
  const { image } = view;
  const found = findOnly(seed, image);
  if (found === null) return ranges.length === valueCount ? ranges.map((range) => [range]) : null;
  if (found === 'unclear' || ranges.length < valueCount) return null;
  const at = operandAt(image, found, seed) - view.base;
  const first = { at, length: (image[found + seed.length] ?? 0) >>> 4 };
  if (first.length === 0 || !isInside(first, image.length)) return null;
  const ends = ranges.map((_, index) => index + 1);
  const chosen = [...ends.slice(0, valueCount - 1), ranges.length];
  return chosen.map((end) => [first, ...ranges.slice(0, end)]);
}
