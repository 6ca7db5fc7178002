/** What the user lays out for encoding: each part ready for a file, uploaded or removed, and the switches. */
import type { UploadedFile } from '@recodery/contract/recoding';
import type { DecodedRead, FileLabel, Part, PartName } from './decoded-read.ts';
import type { Fault } from './fault.ts';

export type CompletePart = {
  readonly at: 'complete';
  readonly file: FileLabel;
  readonly fileGUID: string;
  readonly changes: UploadedFile['changes'];
};
export type UploadingPart = {
  readonly at: 'uploading';
  readonly attempt: number;
  readonly file: FileLabel;
  readonly fraction: number;
};
/** A part that is not on its way: `ready` for a file (and perhaps why the last one was refused), uploaded, or removed. */
export type SettledPart =
  | { readonly at: 'ready'; readonly fault: Fault | null }
  | CompletePart
  | { readonly at: 'removed'; readonly kept: CompletePart | null };
export type PartState = SettledPart | UploadingPart;

/** What the user has laid out for encoding. */
export interface Inputs<P extends PartState = PartState> {
  readonly parts: Readonly<Record<PartName, P>>;
  readonly correctsCVN: boolean;
  readonly skipsChecksum: boolean;
}

/** A part as it begins: ready for a file, or removed where the family says so. */
function freshPart(part: Part): SettledPart {
  return part.startsRemoved ? { at: 'removed', kept: null } : { at: 'ready', fault: null };
}

/** The inputs of a read that nobody has touched yet: nothing uploaded, the CVN left as it is. */
export function freshInputs(read: DecodedRead): Inputs<SettledPart> {
  return {
    parts: Object.fromEntries(read.parts.map((part) => [part.name, freshPart(part)])),
    correctsCVN: false,
    skipsChecksum: false,
  };
}

/** The inputs when none of them is on its way, else null. */
export function settled(inputs: Inputs): Inputs<SettledPart> | null {
  const parts: Record<PartName, SettledPart> = {};
  for (const [name, part] of Object.entries(inputs.parts)) {
    if (part.at === 'uploading') return null;
    parts[name] = part;
  }
  return { ...inputs, parts };
}
