/**
 * The names of files, for both sides: what the portal calls the files that it creates, the organisation's name format,
 * and what every file system accepts.
 */
import { type ComponentName, componentExtensions } from './families/family.ts';
import { type Family, definitionOf } from './families/registry.ts';
import { clockIn } from './time-zones.ts';

/** Maximum characters of a safe name, including its extension. */
export const fileNameLength = 120;
// Most file systems allow 255 bytes; this leaves room for a prefix or suffix.
const fileNameBytes = 230;
const extensionLength = 16;

/** The longest name format, in characters. */
export const maxFormatLength = 120;

/** The format of an organisation that has chosen none. */
export const defaultFileNameFormat = '%d';

/** The name under which all components of a slot are downloaded. */
export const componentsFileName = 'components.zip';

// Control characters, direction marks and overrides, line and paragraph separators, and everything that Unicode draws as
// nothing (Default_Ignorable_Code_Point), except what joins letters and emoji: U+200C, U+200D and variation selectors.
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffc\ufffe\uffff]|(?![\ufe00-\ufe0f]|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu;
const forbidden = /[<>:"|?*]/g;
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/** The bytes of a character in UTF-8; each side has a different encoder. */
function bytesOf(letter: string): number {
  const point = letter.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function fits(letters: readonly string[]): boolean {
  const bytes = letters.reduce((sum, letter) => sum + bytesOf(letter), 0);
  return letters.length <= fileNameLength && bytes <= fileNameBytes;
}

/** Cuts the stem, not the extension. */
function shorten(name: string): string {
  if (fits([...name])) return name;
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && name.length - dot <= extensionLength;
  const extension = hasExtension ? name.slice(dot) : '';
  return cutToFit(hasExtension ? name.slice(0, dot) : name, extension);
}

/** The stem with that end, cut so that both fit into a name. Counts code points, so that no character is split. */
export function cutToFit(stem: string, end: string): string {
  const letters = [...stem];
  while (!fits([...letters, ...end])) letters.pop();
  const isCut = letters.join('').length < stem.length;
  return (isCut ? letters.join('').trimEnd() : stem) + end;
}

/** A part of a name, without the characters that names cannot contain, or not at the start or end. */
function bareName(part: string): string {
  return part
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(forbidden, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
}

/**
 * A name without path, control characters, direction marks, reserved Windows names or characters, of at most {@link
 * fileNameLength} characters and never empty (then `fallback`).
 */
export function makeFileNameSafe(name: string, fallback = 'file'): string {
  const bare = bareName(name.split(/[/\\]/).at(-1) ?? '');
  const free = reserved.test(bare) ? `_${bare}` : bare;
  return shorten(free).replace(/[. ]+$/, '') || fallback;
}

/** Escapes all control and invisible characters of a text (`\u001b`), so that it is one line in terminals and logs. */
export function escapeInvisible(text: string): string {
  return text.toWellFormed().replace(invisible, escapeUnits);
}

/** Each UTF-16 unit as `\u` and four digits, as in JSON. */
function escapeUnits(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Replaces each control or invisible character of a name with `_`. */
export function replaceInvisible(name: string): string {
  return name.toWellFormed().replace(invisible, '_');
}

/** A file name without its extension: the part after the last dot, when it is short and not the whole name. */
export function stripExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.\s]{1,8}$/, '');
}

/** A point in time, and the time zone that names show it in: a name such as `Europe/Rome`. */
interface LocalTime {
  readonly time: Date;
  readonly timeZone: string;
}

/** The parts of the automatic name. */
export interface NameParts extends LocalTime {
  readonly family: Family;
  readonly slaveSerialNumber: string;
  readonly protocolId: number;
}

/** `yyyyMMdd-HHmmss` in that time zone. */
function clockText({ time, timeZone }: LocalTime): string {
  return clockIn(timeZone).format(time).replace(/[-:]/g, '').replace(/\s/u, '-');
}

/** The automatic name, without extension: `{family}_{slave serial}_{protocol}_{yyyyMMdd-HHmmss}`. */
export function automaticName(parts: NameParts): string {
  return makeFileNameSafe(
    `${definitionOf(parts.family).name}_${parts.slaveSerialNumber}_${parts.protocolId}_${clockText(parts)}`,
  );
}

/** The name of a decoded component with that stem. */
export function decodedFileName(stem: string, component: ComponentName): string {
  return `${stem}${componentExtensions[component]}`;
}

/** The name of the ID file with that stem. */
export function idFileName(stem: string): string {
  return `${stem}.id`;
}

/** The values of a format's placeholders; null: unknown. `readFile` may include its extension. */
export interface FormatNames extends LocalTime {
  readonly automatic: string;
  readonly readFile: string;
  readonly vin: string | null;
  readonly slaveSerialNumber: string | null;
  readonly protocolId: number | null;
  /** The customer label of the job. */
  readonly label: string | null;
  /** The hardware and software number that the slave reports, or that were recognized in the image. */
  readonly hardware: string | null;
  readonly software: string | null;
}

/**
 * The VIN as names contain it: only ASCII letters and digits. Null if it has no digit or another length than a VIN can
 * have: then no other text would be searched for it, and it could not be removed from names for other readers.
 */
function vinInNames(vin: string | null): string | null {
  const letters = vin?.replace(/[^\p{L}\p{N}]/gu, '') ?? '';
  return /^(?=.*\d)[A-Za-z0-9]{6,32}$/.test(letters) ? letters : null;
}

/** The customer label of a job as names contain it; null: nothing is left of it. */
export function labelInNames(label: string | null): string | null {
  return bareName((label ?? '').replace(/[/\\]/g, '_')) || null;
}

/** The placeholders of a name format, and their values. All names are without extension. */
const placeholders = {
  d: ({ automatic }) => automatic,
  r: ({ readFile }) => stripExtension(readFile),
  v: ({ vin }) => vinInNames(vin),
  s: ({ slaveSerialNumber }) => slaveSerialNumber,
  p: ({ protocolId }) => protocolId?.toString() ?? null,
  t: clockText,
  c: ({ label }) => labelInNames(label),
  h: ({ hardware }) => hardware,
  w: ({ software }) => software,
} as const satisfies Readonly<Record<string, (names: FormatNames) => string | null>>;
type Placeholder = keyof typeof placeholders;
export const placeholderLetters = Object.keys(placeholders) as readonly Placeholder[];

const placeholderPattern = new RegExp(`%[${placeholderLetters.join('')}]`, 'g');
// a `%` that is not followed by a letter or digit is a literal
const unknownPlaceholder = new RegExp(`%(?![${placeholderLetters.join('')}])[\\p{L}\\p{N}%]`, 'u');

/** Replaces a placeholder without a value: no file name contains it, so no format does either. */
const nothing = '|';
const gap = /([\s_.,-]*)\|(?:[\s_.,-]*\|)*([\s_.,-]*)/g;

/** Removes the placeholders without a value, with the brackets around them and the separators on one side. */
function closeGaps(text: string): string {
  const bare = text.replace(/[([{]\|[)\]}]/g, nothing);
  return bare.replace(gap, (found, before: string, after: string, at: number) => {
    const isAtEdge = at === 0 || at + found.length === bare.length;
    return isAtEdge ? '' : before || after;
  });
}

/** Replaces the placeholders of a format. */
function fillFormat(format: string, valueOf: (letter: Placeholder) => string | null): string {
  return closeGaps(
    // a function, so that `$&` in a name stays literal
    format.replace(placeholderPattern, (placeholder) => {
      const letter = placeholderLetters.find((one) => placeholder === `%${one}`);
      const value = letter === undefined ? placeholder : valueOf(letter);
      // what divides a path is only checked in the format's own text
      return value === null || value === '' ? nothing : value.replace(/[/\\|]/g, '_');
    }),
  );
}
/** Characters of a name that stay free for what is added later: a suffix, a number, the extension. */
const ending = '_'.repeat(40);

/**
 * The name of a file in the organisation's format, without extension; text without placeholders stays unchanged. The VIN
 * and the customer label are in it as a whole or not at all: a part of them could not be found and removed later.
 */
export function nameInFormat(format: string, names: FormatNames): string {
  const filled = fillFormat(format, (letter) => placeholders[letter](names));
  const stem = makeFileNameSafe(filled, names.automatic);
  const kept = cutToFit(stem, ending);
  const isCut = (placeholder: string, value: string | null) =>
    value !== null && format.includes(placeholder) && !kept.includes(value);
  if (isCut('%v', vinInNames(names.vin))) return nameInFormat(format, { ...names, vin: null });
  if (isCut('%c', labelInNames(names.label)))
    return nameInFormat(format, { ...names, label: null });
  return stem;
}

/** What follows the common name of a read's files: a number, if other files have that name, and the extension. */
const decodedEnding = '-999.bin';

/** The common name of the files of a read in the organisation's format, without extension, which leaves room for it. */
export function decodedStem(format: string, names: FormatNames): string {
  return cutToFit(nameInFormat(format, names), decodedEnding).slice(0, -decodedEnding.length);
}

/** The name of a family's encoded file in the organisation's format. */
export function encodedFileName(family: Family, format: string, names: FormatNames): string {
  return makeFileNameSafe(
    `${nameInFormat(format, names)}${definitionOf(family).encodedFileExtension}`,
  );
}

/**
 * What is wrong with a name format: an unknown placeholder, a character that a file name cannot contain (or a dot at
 * its start or end), or a name that is reserved, too long or has invisible characters.
 */
export type FormatFault = 'placeholder' | 'character' | 'name';

/** A name format as it is stored, and what is wrong with it. An empty format means the default. */
export function readFileNameFormat(text: string): {
  readonly format: string;
  readonly fault: FormatFault | null;
} {
  const format = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  return { format, fault: format === '' ? null : faultOf(format) };
}

function faultOf(format: string): FormatFault | null {
  if (unknownPlaceholder.test(format)) return 'placeholder';
  // The shortest possible names: the format's own text must be valid with any name.
  const stem = format.replace(placeholderPattern, 'd');
  if (makeFileNameSafe(stem, '') === stem) return null;
  return /[<>:"|?*/\\]|^\.|\.$/.test(format) ? 'character' : 'name';
}
