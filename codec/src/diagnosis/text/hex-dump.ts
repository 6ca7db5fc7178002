/** Hex dumps as `xxd` and `hexdump -C` write them: an address, groups of bytes, and the same bytes as text. */

import { byteAt, digitAt, forEachLine, numberAt } from './lines.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

const blank = 0x20;
const tab = 0x09;
const colon = 0x3a;
const bar = 0x7c;
const point = 0x2e;
const star = 0x2a;
const mostInLine = 256;

const isBlank = (byte: number | undefined): boolean => byte === blank || byte === tab;

/** A line of a dump, taken apart: its bytes are in `bytes`. */
interface DumpLine {
  readonly address: number;
  readonly count: number;
}

/** The bytes of a line: their number, where their groups end, and the first character behind them. */
interface Groups {
  readonly count: number;
  readonly gap: number;
  readonly textAt: number;
  /** Whether the text is between bars, as `hexdump -C` writes it. */
  readonly isBarDump: boolean;
}

/** The end of the groups: two blanks before a text, or the `|` around one. */
function readGroups(
  text: Uint8Array,
  [from, to]: readonly [number, number],
  line: number,
  bytes: Uint8Array,
  isBarDump: boolean,
): Groups {
  let count = 0;
  let place = from;
  let gap = from;
  while (place < to && text[place] !== bar) {
    const start = place;
    while (place < to && digitAt(text, place) !== -1) place += 1;
    const length = place - start;
    const isGroup = length === 2 || length === 4 || length === 8;
    // A last group can be shorter than the others, but it is still whole bytes.
    if (!(isGroup || length === 6) || count + length / 2 > mostInLine) {
      throw new DamagedLine('digits', line);
    }
    for (let at = start; at < place; at += 2) {
      bytes[count] = byteAt(text, at, line);
      count += 1;
    }
    gap = place;
    while (place < to && isBlank(text[place])) place += 1;
    if (place === gap && place < to) throw new DamagedLine('digits', line);
    // in the middle of a line of `hexdump -C` are two blanks as well
    if (place - gap > 1 && !isBarDump) break;
  }
  return { count, gap, textAt: place, isBarDump };
}

/** Whether each printable character from `start` is the byte at its place: groups of another byte order are not. */
function isShown(text: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    // blanks at the end of a line are not part of it
    const shown = start + index < end ? text[start + index] : blank;
    const isByte = shown === bytes[index];
    if (!isByte && (start + index >= end || (shown !== point && shown !== blank))) return false;
  }
  return true;
}

/** Checks the text of a line. It can begin with blanks, and a short last line has more of them before its text. */
function checkText(
  text: Uint8Array,
  { gap, textAt, count, isBarDump }: Groups,
  to: number,
  line: number,
  bytes: Uint8Array,
): void {
  const isBetweenBars = isBarDump && text[textAt] === bar && to - textAt > 1;
  const end = isBetweenBars ? to - 1 : to;
  const first = isBetweenBars ? textAt + 1 : gap + 2;
  // a text of blanks alone is trimmed away with the end of its line
  const last = isBetweenBars ? first : Math.max(first, textAt);
  for (let start = Math.max(first, end - count); start <= last; start += 1) {
    if (isShown(text, start, end, bytes.subarray(0, count))) return;
  }
  if (count > 0) throw new DamagedLine('text-column', line);
}

function readLine(
  text: Uint8Array,
  [from, to]: readonly [number, number],
  line: number,
  bytes: Uint8Array,
): DumpLine {
  let place = from;
  while (place < to && digitAt(text, place) !== -1) place += 1;
  const address = numberAt(text, from, place, line);
  const isBarDump = text[place] !== colon && text[to - 1] === bar;
  if (text[place] === colon) place += 1;
  while (place < to && isBlank(text[place])) place += 1;
  const groups = readGroups(text, [place, to], line, bytes, isBarDump);
  checkText(text, groups, to, line, bytes);
  return { address, count: groups.count };
}

function read(text: Uint8Array, records: Records): void {
  const bytes = new Uint8Array(mostInLine);
  let next: number | null = null;
  let count = 0;
  let isRepeated = false;
  const add = (address: number, line: number, size: number): void => {
    if (address + size > 2 ** 32) throw new DamagedLine('address', line);
    records.begin(address, line);
    for (let index = 0; index < size; index += 1) records.push(bytes[index] ?? 0);
  };
  forEachLine(text, (from, to, line) => {
    if (to - from === 1 && text[from] === star) {
      if (next === null || count === 0) throw new DamagedLine('address', line);
      isRepeated = true;
      return;
    }
    const before = bytes.slice(0, count);
    const found = readLine(text, [from, to], line, bytes);
    const own = bytes.slice(0, found.count);
    bytes.set(before);
    for (; isRepeated && next !== null && next < found.address; next += count) {
      add(next, line, Math.min(count, found.address - next));
    }
    if (next !== null && found.address !== next) throw new DamagedLine('address', line);
    isRepeated = false;
    bytes.set(own);
    count = found.count;
    add(found.address, line, count);
    next = found.address + count;
  });
}

export const hexDump: TextFormat = {
  kind: 'hex-dump',
  name: 'hex-dump',
  hasAddresses: true,
  matches: ({ lines: [first = ''] }) =>
    /^[\da-f]{4,16}(?:: | {2})\s*(?:[\da-f]{2}|[\da-f]{4}|[\da-f]{8})(?:\s|$)/i.test(first),
  read,
};
