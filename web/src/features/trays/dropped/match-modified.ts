/**
 * Finds the read and the part that a modified file belongs to, by the names, sizes and hashes of the decoded files;
 * pure.
 */
import { stripExtension } from '@recodery/contract/file-names';
import { uploadedIn } from '../../recoding/inputs.ts';
import type { Row } from '../tray-rows.ts';

/** A part of a decoded read that a modified file may belong to. */
export interface Place {
  readonly fileGUID: string;
  /** The name of the read file. */
  readonly readName: string;
  readonly part: string;
  /** Whether the part has a modified file, also a removed one or one that is still to be uploaded. */
  readonly hasFile: boolean;
  /** The decoded image: its name, bytes, and hash if the server has sent it. */
  readonly image: { readonly name: string; readonly size: number; readonly sha256: string | null };
}

/** The properties of a modified file that matter here. */
export interface Modified {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string | null;
}

/**
 * Where a file belongs. `identical`: it is the decoded file itself, unchanged. `size`: the name fits, the size does
 * not. `asked`: the user must choose. `none`: it does not belong to a read of the tray.
 */
export type Match =
  | { readonly at: 'place'; readonly place: Place }
  | { readonly at: 'identical'; readonly place: Place }
  | { readonly at: 'size'; readonly place: Place }
  | { readonly at: 'asked'; readonly places: readonly Place[] }
  | { readonly at: 'none' };

/** The places of all decoded reads. */
export function placesOf(rows: readonly Row[]): readonly Place[] {
  return rows.flatMap(({ file, state }) => {
    if (state.at !== 'decoded') return [];
    const { images, inputs } = state;
    return state.read.parts.flatMap((part): Place[] => {
      const { decoded } = part;
      const stored = file.images.find(({ name }) => name === decoded?.name);
      if (decoded === null || stored === undefined) return [];
      const job = images.find((image) => image.part === part)?.job ?? null;
      const isWaiting = job !== null && job.at !== 'refused';
      const hasFile = isWaiting || uploadedIn(inputs.parts[part.name]) !== null;
      const read = { fileGUID: file.guid, readName: file.name };
      return [{ ...read, part: part.name, hasFile, image: stored }];
    });
  });
}

/** Minimum characters: a shorter read name occurs in many other names by chance. */
const shortestName = 4;

const plain = (name: string): string => name.normalize('NFC').toLowerCase();

/** Whether the name of a file is derived from that of an image: it contains it, at least without its extension. */
function isNamedAfter(name: string, image: string): boolean {
  return plain(name).includes(plain(stripExtension(image)));
}

const extensionOf = (name: string): string => plain(name).slice(plain(stripExtension(name)).length);

/** Whether a file shows by its name which of several images of the same read it is. */
function hasExtensionOf(name: string, image: string): boolean {
  return extensionOf(name) === extensionOf(image) || plain(name).includes(plain(image));
}

/** Those whose read has the longest name that the name of a file contains, as in the editor's copy of the read. */
function namedAfterRead(name: string, places: readonly Place[]): readonly Place[] {
  const lengthOf = ({ readName }: Place): number =>
    isNamedAfter(name, readName) ? stripExtension(readName).length : 0;
  const longest = Math.max(0, ...places.map(lengthOf));
  return longest < shortestName ? [] : places.filter((place) => lengthOf(place) === longest);
}

/** Those that meet a condition; all of them if none does. */
function prefer(places: readonly Place[], is: (place: Place) => boolean): readonly Place[] {
  const better = places.filter(is);
  return better.length === 0 ? places : better;
}

/**
 * Where a modified file belongs. `isComplete`: no other read of the tray is still to be decoded; then a file whose size
 * fits only one part belongs there under any name. A part that has a file is given another one only by the user.
 */
export function matchModified(
  { name, size, sha256 }: Modified,
  places: readonly Place[],
  isComplete: boolean,
): Match {
  const named = places.filter(({ image }) => isNamedAfter(name, image.name));
  const isSame = ({ image }: Place): boolean => sha256 !== null && image.sha256 === sha256;
  const same = prefer(named, isSame).find(isSame) ?? places.find(isSame);
  if (same !== undefined) return { at: 'identical', place: same };
  const hasSize = ({ image }: Place): boolean => image.size === size;
  const sized = places.filter(hasSize);
  const told = named.length > 0 ? named.filter(hasSize) : namedAfterRead(name, sized);
  const isTold = named.length > 0 || told.length > 0;
  const fitting = isTold ? told : sized;
  const [only, ...others] = prefer(fitting, ({ image }) => hasExtensionOf(name, image.name));
  if (only === undefined) {
    const [first] = prefer(named, ({ image }) => hasExtensionOf(name, image.name));
    return first === undefined ? { at: 'none' } : { at: 'size', place: first };
  }
  // without a matching name, the size of one of several parts is only a guess
  const isOnly = isComplete && sized.length === 1;
  return (isTold || isOnly) && others.length === 0 && !only.hasFile
    ? { at: 'place', place: only }
    : { at: 'asked', places: fitting };
}
