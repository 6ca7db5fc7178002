/** What a family of control units provides to be recognized, and the helpers that all of them share. */

import type { RecognizedField, RecognizedFieldName } from '@recodery/contract/families/recognition';
import type { ImageText, TextMatch } from './image-text.ts';

/** An image, prepared for the families. */
export interface Scanned {
  readonly image: Uint8Array;
  readonly view: DataView;
  readonly text: ImageText;
}

/** What a family found in an image. */
export interface EcuMatch {
  /** The family as people call it, with its variant if that is known. */
  readonly name: string;
  /** Fields that are missing, or have several values, are null. */
  readonly fields: readonly (RecognizedField | null)[];
  /** Whether something besides numbers proves the family, such as valid checksums. */
  readonly isProven?: boolean;
}

/** A family of control units. */
export interface EcuFamily {
  /** Its name for programs. */
  readonly id: string;
  /** Whether its rules were measured on real images. If not, they are from publications alone. */
  readonly isValidated: boolean;
  /** Searches an image; null if nothing shows that it is of this family. */
  find(scanned: Scanned): EcuMatch | null;
}

/** A number of Bosch for the hardware: petrol or diesel. */
export const boschHardware = { petrol: '0261\\d{6}', diesel: '0281\\d{6}' } as const;
/** A number of Bosch for the software, with the prefixes of single makes and of older ones. */
export const boschSoftware = '(?:1037|1039|1277|1267|2227|2537)\\d{6}';

export const kibibytes = (count: number): number => count * 1024;

/** The printable characters at an offset; null if a byte is none, or outside the image. */
export function textAt({ image }: Scanned, offset: number, length: number): string | null {
  if (offset < 0 || offset + length > image.length) return null;
  const bytes = image.subarray(offset, offset + length);
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f) ? String.fromCharCode(...bytes) : null;
}

/** A field at a fixed place, if the whole text there has the grammar. */
export function fieldAt(
  scanned: Scanned,
  name: RecognizedFieldName,
  place: { readonly offset: number; readonly length: number },
  grammar: RegExp,
): RecognizedField | null {
  const text = textAt(scanned, place.offset, place.length);
  if (text === null || !grammar.test(text)) return null;
  return { name, value: text.trim(), offset: place.offset, text };
}

/** The first of the matches if all of them have the same groups; null if there is none, or if they contradict. */
export function onlyMatch(matches: readonly TextMatch[]): TextMatch | null {
  const [first, ...others] = matches;
  if (first === undefined) return null;
  const same = ({ text, groups }: TextMatch) => (groups.length === 0 ? [text] : groups).join('\n');
  return others.every((other) => same(other) === same(first)) ? first : null;
}

/** A field with the value of a group of a match, from 0; without groups, of the whole match. */
export function fieldOf(
  name: RecognizedFieldName,
  match: TextMatch | null,
  group = 0,
): RecognizedField | null {
  if (match === null) return null;
  const { text, groups } = match;
  const found = groups.length === 0 ? text : groups[group];
  const value = found?.trim() ?? '';
  if (value === '') return null;
  // groups follow each other: an earlier one may contain the same characters
  const before = groups.slice(0, group).reduce((at, one) => text.indexOf(one, at) + one.length, 0);
  const at = groups.length === 0 ? 0 : text.indexOf(found ?? '', before);
  return { name, value, offset: match.offset + at, text: found ?? text };
}

/** Tables of a calibration look like numbers: a real one has at least 4 different characters, and no 4 equal in a row. */
export function isPlausibleNumber(text: string): boolean {
  return new Set(text).size >= 4 && !/(.)\1{3}/.test(text);
}

/** Whether these bytes are at an offset. */
export function hasBytesAt({ image }: Scanned, offset: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => image[offset + at] === byte);
}
