/** Recognizes the control unit that an image belongs to, from its bytes alone; its file name does not count. */

import type { Recognition, RecognizedField } from '@recodery/contract/families/recognition';
import { viewOf } from '../container/bytes.ts';
import type { EcuFamily, EcuMatch } from './ecu-family.ts';
import { readImageText } from './image-text.ts';
import { ecuFamilies } from './registry.ts';

/** Larger files are no image of one control unit. Bytes. */
const largest = 16 * 1024 * 1024;
/** Values are at most this long, as the contract declares. */
const longestValue = 100;

/**
 * Numbers whose bytes are exchanged in pairs: the beginnings of 5WK9, 5WP4, 5WS4, and whole ones like 0261207440, 0281010001,
 * 0261S12345 and 211312345678J001: of those, all characters are needed, because four digits occur by chance.
 */
const swappedNumber =
  /W59K|W5P4|W5S4|W54P|W54S|201[68]\d[\dS]\d{4}|1231\d{8}[0-9A-Z][JP][0-9A-Z]{2}/g;

/** Null if the family is not certain enough: it needs one number of its hardware, software or calibration. */
function judge(
  { id, isValidated }: EcuFamily,
  { name, fields, isProven = false }: EcuMatch,
): Omit<Recognition, 'isSwapped'> | null {
  const found = fields.filter((field): field is RecognizedField => field !== null);
  const has = (one: RecognizedField['name']) => found.some((field) => field.name === one);
  if (!has('hardware') && !has('software') && !has('calibration')) return null;
  const isCertain = has('software') && (has('hardware') || isProven);
  const cut = (text: string) => text.slice(0, longestValue);
  return {
    family: id,
    name: cut(name),
    certainty: isCertain ? 'certain' : 'probable',
    isValidated,
    fields: found.map((field) => ({ ...field, value: cut(field.value), text: cut(field.text) })),
  };
}

/** What the only family that claims the image found; and whether its texts may have exchanged bytes. */
function search(image: Uint8Array) {
  const text = readImageText(image);
  if (text === null) return { found: null, maySwap: false };
  const scanned = { image, view: viewOf(image), text };
  const claims = ecuFamilies.flatMap((family) => {
    const found = family.find(scanned);
    const judged = found && judge(family, found);
    return judged === null ? [] : [judged];
  });
  const [found = null, ...others] = claims;
  if (others.length > 0) return { found: null, maySwap: false };
  return { found, maySwap: found === null && text.find(swappedNumber).length > 0 };
}

function exchangePairs(image: Uint8Array): Uint8Array {
  const exchanged = Buffer.from(image);
  if (exchanged.length % 2 === 0) exchanged.swap16();
  return exchanged;
}

/**
 * Recognizes the control unit of an image; null: not identified. Pure; its time is linear in the size, also for hostile
 * files.
 */
export function recognizeImage(image: Uint8Array): Recognition | null {
  if (image.length > largest) return null;
  const { found, maySwap } = search(image);
  if (found !== null) return { ...found, isSwapped: false };
  const swapped = maySwap ? search(exchangePairs(image)).found : null;
  return swapped && { ...swapped, isSwapped: true };
}

/** The fields that identify a control unit and its software; the others may be edited. */
const identifying: readonly RecognizedField['name'][] = [
  'hardware',
  'software',
  'program',
  'calibration',
  'partNumber',
];

/** A field that differs between two images; null: not found in it. */
export interface RecognizedChange {
  readonly name: RecognizedField['name'] | 'family';
  readonly before: string | null;
  readonly after: string | null;
}

/** What differs between two recognized images: their family, or numbers of the first that the other one has not. */
export function compareRecognitions(before: Recognition, after: Recognition): RecognizedChange[] {
  if (before.family !== after.family) {
    return [{ name: 'family', before: before.name, after: after.name }];
  }
  const valueOf = ({ fields }: Recognition, name: RecognizedField['name']) =>
    fields.find((field) => field.name === name)?.value ?? null;
  return identifying.flatMap((name) => {
    const change = { name, before: valueOf(before, name), after: valueOf(after, name) };
    // every recognized image has one of these numbers: there is always something to compare
    return change.before !== null && change.before !== change.after ? [change] : [];
  });
}
