/**
 * The names of files, for both sides: what the portal calls the files that it creates, the organisation's name format,
 * and what every file system accepts.
 */
import { type ComponentName, componentExtensions } from './families/family.ts';
import { type Family, definitionOf } from './families/registry.ts';

/** Maximum characters of a safe name, including its extension. */
export const fileNameLength = 120;
// Most file systems allow 255 bytes; this leaves room for a prefix or suffix.
const fileNameBytes = 230;
const extensionLength = 16;

/** The longest name format, in characters. */
export const maxFormatLength = 120;

/** The placeholders of a name format; both names are without extension. */
const placeholders = { automaticName: '%d', readFileName: '%r' } as const;
/** The format of an organisation that has chosen none. */
export const defaultFileNameFormat = placeholders.automaticName;

/** The name under which all components of a slot are downloaded. */
export const componentsFileName = 'components.zip';

// Control characters, direction marks and overrides, invisible characters, line and paragraph separators.
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffe\uffff]/gu;
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

/**
 * A name without path, control characters, direction marks, reserved Windows names or characters, of at most {@link
 * fileNameLength} characters and never empty (then `fallback`).
 */
export function makeFileNameSafe(name: string, fallback = 'file'): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const bare = last
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(forbidden, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const free = reserved.test(bare) ? `_${bare}` : bare;
  return shorten(free).replace(/[. ]+$/, '') || fallback;
}

/** Escapes all control and invisible characters of a text (`\u001b`), so that it is one line in terminals and logs. */
export function escapeInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(invisible, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces each control or invisible character of a name with `_`. */
export function replaceInvisible(name: string): string {
  return name.toWellFormed().replace(invisible, '_');
}

/** A file name without its extension: the part after the last dot, when it is short and not the whole name. */
export function stripExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.\s]{1,8}$/, '');
}

/** The parts of the automatic name. `time` is shown in UTC. */
export interface NameParts {
  readonly family: Family;
  readonly slaveSerialNumber: string;
  readonly protocolId: number;
  readonly time: Date;
}

/** The automatic name, without extension: `{family}_{slave serial}_{protocol}_{yyyyMMdd-HHmmss}`. */
export function automaticName(parts: NameParts): string {
  const [day = '', time = ''] = parts.time.toISOString().replace(/[-:]/g, '').split(/[T.]/);
  return makeFileNameSafe(
    `${definitionOf(parts.family).name}_${parts.slaveSerialNumber}_${parts.protocolId}_${day}-${time}`,
  );
}

/** The name of a decoded component of a read with that automatic name. */
export function decodedFileName(automatic: string, component: ComponentName): string {
  return `${automatic}${componentExtensions[component]}`;
}

/** The name of the ID file of a read with that automatic name. */
export function idFileName(automatic: string): string {
  return `${automatic}.id`;
}

/** The values of a format's placeholders. `readFile` may include its extension. */
export interface FormatNames {
  readonly automatic: string;
  readonly readFile: string;
}

/** Replaces the placeholders of a format. */
function fillFormat(format: string, names: FormatNames): string {
  // a function, so that `$&` in a name stays literal
  return format.replace(/%[dr]/g, (placeholder) =>
    placeholder === placeholders.automaticName ? names.automatic : stripExtension(names.readFile),
  );
}

/** The name of a family's encoded file in the organisation's format; text without placeholders stays unchanged. */
export function encodedFileName(family: Family, format: string, names: FormatNames): string {
  const stem = makeFileNameSafe(fillFormat(format, names), names.automatic);
  return makeFileNameSafe(`${stem}${definitionOf(family).encodedFileExtension}`);
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
  // a `%` that is not followed by a letter or digit is a literal
  if (/%(?![dr])[\p{L}\p{N}%]/u.test(format)) return 'placeholder';
  // The shortest possible names: the format's own text must be valid with any name.
  const stem = fillFormat(format, { automatic: 'd', readFile: 'r' });
  if (makeFileNameSafe(stem, '') === stem) return null;
  return /[<>:"|?*/\\]|^\.|\.$/.test(format) ? 'character' : 'name';
}
