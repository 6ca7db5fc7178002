/** The lines and digits of a text, read from its bytes: a text of 64 MiB as strings would take too much memory. */

import { DamagedLine } from './damaged-line.ts';

/** A line without the blanks around it: its first byte, the byte after its last one, its number from 1. */
export type VisitLine = (from: number, to: number, line: number) => void;

const blank = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Ends a text in CP/M and DOS. */
const endOfText = 0x1a;

/** Visits the lines that are not blank. LF, CR LF and CR end a line. */
export function forEachLine(text: Uint8Array, visit: VisitLine): void {
  let length = text.length;
  while (length > 0 && text[length - 1] === endOfText) length -= 1;
  let line = 0;
  for (let at = 0; at < length; ) {
    let end = at;
    while (end < length && text[end] !== lineFeed && text[end] !== carriageReturn) end += 1;
    line += 1;
    let from = at;
    let to = end;
    while (from < to && (text[from] === blank || text[from] === tab)) from += 1;
    while (to > from && (text[to - 1] === blank || text[to - 1] === tab)) to -= 1;
    if (from < to) visit(from, to, line);
    at = text[end] === carriageReturn && text[end + 1] === lineFeed ? end + 2 : end + 1;
  }
}

const notADigit = 0xff;
const digits = new Uint8Array(256).fill(notADigit);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The value of a hexadecimal digit, or -1. */
export function digitAt(text: Uint8Array, at: number): number {
  const value = digits[text[at] ?? 0] ?? notADigit;
  return value === notADigit ? -1 : value;
}

/** The byte that two hexadecimal digits represent; throws {@link DamagedLine} if they are none. */
export function byteAt(text: Uint8Array, at: number, line: number): number {
  const high = digits[text[at] ?? 0] ?? notADigit;
  const low = digits[text[at + 1] ?? 0] ?? notADigit;
  if ((high | low) === notADigit) throw new DamagedLine('digits', line);
  return (high << 4) | low;
}

/** Whether only hexadecimal digits are in a part of a text. */
export function isHex(text: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (digitAt(text, at) === -1) return false;
  }
  return from < to;
}

/** The number that up to eight hexadecimal digits represent; throws {@link DamagedLine} for anything else. */
export function numberAt(text: Uint8Array, from: number, to: number, line: number): number {
  if (to - from > 8 || !isHex(text, from, to)) throw new DamagedLine('address', line);
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 16 + digitAt(text, at);
  return value;
}
