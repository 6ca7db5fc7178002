/** The names in a watched folder: which modified file belongs to which read file, and what new files are called. */
import { replaceInvisible, stripExtension } from '@recodery/contract/file-names';
import { componentNames, type ComponentName, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family, families } from '@recodery/contract/families/registry';
import type { Image } from './record.ts';

export const modifiedEnd = '.mod.bin';
const originalEnd = '.original.bin';

/** A file that an encode uses, if it exists. */
export interface ExpectedImage extends Pick<Image, 'role' | 'component'> {
  /** Its possible names, the preferred one first. */
  readonly names: readonly string[];
}

/**
 * Bytes of a name. File systems allow 255, and the files of a read have longer names, such as
 * `NAME.tuningfile.decoded.bin`.
 */
const nameBytes = 220;

/** The beginning of a name, short enough for a suffix. No character is split. */
function cutName(name: string): string {
  const letters = [...name];
  while (Buffer.byteLength(letters.join('')) > nameBytes) letters.pop();
  return letters.join('');
}

/**
 * The name under which everything about a read file is stored: without its extension, unless that is taken. It is not
 * too long and has no control characters; read files whose names differ only in the removed parts get a number.
 */
export function chooseName(readFile: string, taken: (name: string) => boolean): string {
  const visible = replaceInvisible(readFile);
  const stem = cutName(stripExtension(visible));
  if (!taken(stem)) return stem;
  const whole = cutName(visible);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? whole : `${whole}-${count}`;
    if (!taken(name)) return name;
  }
}

const encodedEnds = families.map((family) => definitionOf(family).encodedFileExtension.slice(1));
/** Files that `watch` writes, or that belong to a read file. */
const companion = new RegExp(
  String.raw`\.(decoded|mod|original)\.bin$|\.encoded(-\d+)?\.(${encodedEnds.join('|')})$`,
);
/** Unfinished downloads, backup copies of editors, and what file managers create. */
const byproduct = /~$|\.(part|partial|crdownload|download|tmp|temp)$|^(thumbs\.db|desktop\.ini)$/i;

/** Whether a file that is not recognized can be a read file of a vendor's engine, by its name. */
export function mayBeForeign(file: string): boolean {
  return !companion.test(file) && !byproduct.test(file);
}

/** The files that an encode of a read uses. Both `read.mod.bin` and `read.tfc.mod.bin` belong to `read.tfc`. */
export function expectedImages(
  names: readonly string[],
  family: Family,
  mode: Mode,
): readonly ExpectedImage[] {
  const called = (end: string): readonly string[] => [...new Set(names)].map((name) => name + end);
  if (mode === 'obd')
    return [
      { role: 'modified', component: 'obd', names: called(modifiedEnd) },
      { role: 'original', component: 'obd', names: called(originalEnd) },
    ];
  const { modes } = definitionOf(family);
  return (modes[mode] ?? []).map((component) => ({
    role: 'modified' as const,
    component,
    names: called(`.${component}${modifiedEnd}`),
  }));
}

/** The name of a decoded file. */
export function decodedName(name: string, component: ComponentName): string {
  return component === 'obd' ? `${name}.decoded.bin` : `${name}.${component}.decoded.bin`;
}

/** The name of an encoded file, and its extension. */
export function encodedName(name: string, family: Family) {
  const extension = definitionOf(family).encodedFileExtension;
  return { name: `${name}.encoded${extension}`, extension };
}

/** Whether a file may be meant for a read file with one of these names. */
export function isMeantFor(names: readonly string[], file: string): boolean {
  const ends = ['', ...componentNames.map((component) => `.${component}`)];
  return names.some((name) => ends.some((end) => file === name + end + modifiedEnd));
}
