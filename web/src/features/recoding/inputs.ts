/** The user's inputs for encoding: each part ready for a file, uploaded or removed, and the switches. */
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import type { DraftValues, EncodeDraft } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { isKnown } from '../../api/read-refusal.ts';
import type { DecodedRead, FileLabel, Part, PartName } from './decoded-read.ts';
import { codeOf, type Fault, mayBeTemporary } from './fault.ts';

/** A file that is on the server. */
export interface UploadedVersion {
  readonly file: FileLabel;
  readonly fileGUID: string;
  readonly changes: UploadedFile['changes'];
}
/**
 * The last file for a part, if it was refused. `isNoted`: the user closed its error, but a note remains. `isStored`: it
 * came from the draft of the server. `isLocal`: this page did not upload it, or the server may not have noted it. Its name is empty if it was refused before the name was known.
 */
export interface RefusedFile {
  readonly file: FileLabel;
  readonly fault: Fault;
  readonly isNoted: boolean;
  readonly isStored?: boolean;
  readonly isLocal?: boolean;
}
/** `refused`: a file that was to replace this one. `previous`: the file that this one has replaced. */
export type CompletePart = UploadedVersion & {
  readonly at: 'complete';
  readonly refused?: RefusedFile;
  readonly previous?: UploadedVersion;
};
/** `before`: the state of the part until the upload succeeds; absent: ready. */
export type UploadingPart = {
  readonly at: 'uploading';
  readonly attempt: number;
  readonly file: FileLabel;
  readonly fraction: number;
  readonly before?: ReadyPart | CompletePart;
};
/** Ready for a file. `previous`: the file that was removed. */
export type ReadyPart = {
  readonly at: 'ready';
  readonly refused: RefusedFile | null;
  readonly previous?: UploadedVersion;
};
/** `kept`: the state that the part returns to, if it has or had a file, or one was refused. */
export type RemovedPart = {
  readonly at: 'removed';
  readonly kept: ReadyPart | CompletePart | null;
};
/** A part that is not uploading: ready for a file, uploaded, or removed. */
export type SettledPart = ReadyPart | CompletePart | RemovedPart;
export type PartState = SettledPart | UploadingPart;

/** The user's inputs for encoding. */
export interface Inputs<P extends PartState = PartState> {
  readonly parts: Readonly<Record<PartName, P>>;
  readonly correctsCVN: boolean;
  readonly skipsChecksum: boolean;
  /** Whether the checksums of a real control unit are corrected; absent: no. */
  readonly correctsChecksums?: boolean;
}

/** A part without a file. */
export const ready: ReadyPart = { at: 'ready', refused: null };

/** The initial state of a part: ready for a file, or removed if the family specifies it. */
function freshPart(part: Part): SettledPart {
  return part.startsRemoved ? { at: 'removed', kept: null } : ready;
}

/** The initial inputs of a read: nothing uploaded, the CVN unchanged. */
export function freshInputs(read: DecodedRead): Inputs<SettledPart> {
  return {
    parts: Object.fromEntries(read.parts.map((part) => [part.name, freshPart(part)])),
    correctsCVN: false,
    skipsChecksum: false,
  };
}

/** A part whose file is on the server. */
export function completePart(stored: EncodeDraft['files'][number]): CompletePart {
  const { name, size, fileGUID, changes } = stored;
  return { at: 'complete', file: { name, size }, fileGUID, changes };
}

/** A file that the server has noted as refused. */
function refusedFile(stored: NonNullable<EncodeDraft['refused']>[number]): RefusedFile {
  const { name, size, errorCode, details, diagnosis } = stored;
  const thrown = new Refusal(
    isKnown(errorCode) ? errorCode : 'GENERIC_ERROR',
    details ?? undefined,
    diagnosis ?? undefined,
  );
  const fault = { kind: 'refused', thrown } as const;
  return { file: { name: name ?? '', size }, fault, isNoted: false, isStored: true };
}

/**
 * The inputs of a read as the server stored them. A part for which a file was refused is not left out by default; one that
 * a user left out stays so, and its refused file is shown.
 */
export function inputsOfDraft(read: DecodedRead, draft: EncodeDraft): Inputs<SettledPart> {
  const stateOf = (part: Part): SettledPart => {
    const stored = draft.files.find((file) => file.part === part.name);
    const complete = stored ? completePart(stored) : null;
    const refused = draft.refused?.find((file) => file.part === part.name);
    const isRemoved = draft.removed?.includes(part.name) ?? (part.startsRemoved && !refused);
    const kept = refused ? withRefused(complete ?? ready, refusedFile(refused)) : complete;
    return isRemoved && part.isRemovable ? { at: 'removed', kept } : (kept ?? ready);
  };
  return {
    parts: Object.fromEntries(read.parts.map((part) => [part.name, stateOf(part)])),
    correctsCVN: draft.willCorrectCVN,
    skipsChecksum: draft.willSkipChecksum,
    ...(draft.willCorrectChecksums === true ? { correctsChecksums: true } : {}),
  };
}

/**
 * Inputs that the server stored, with the uploads that are in progress in `now`, and what can be undone; `lost`: the
 * parts whose change in `now` the server has refused, which cannot be restored.
 */
export function withUploads(
  stored: Inputs<SettledPart>,
  now: Inputs,
  lost: readonly PartName[] = [],
): Inputs {
  const parts = Object.entries(stored.parts).map(([name, part]): [PartName, PartState] => {
    const ours = now.parts[name];
    const isLost = lost.includes(name) && ours?.at !== 'uploading';
    return [name, ours === undefined || isLost ? part : followed(part, ours)];
  });
  return { ...stored, parts: Object.fromEntries(parts) };
}

/** What a part shows after the server's state of it has been read. */
function followed(stored: SettledPart, ours: PartState): PartState {
  if (ours.at === 'uploading') {
    const before = followed(stored, ours.before ?? ready);
    const isFree = before.at === 'ready' || before.at === 'complete';
    return isFree ? { ...ours, before } : ours;
  }
  if (stored.at === 'removed' || ours.at === 'removed') {
    const isSame =
      stored.at === ours.at && uploadedIn(stored)?.fileGUID === uploadedIn(ours)?.fileGUID;
    if (!isSame) return stored;
    const refused = followedRefusal(refusedOf(stored), refusedOf(ours));
    return refused === refusedOf(ours) ? ours : withRefused(ours, refused);
  }
  const isSame =
    stored.at === ours.at && (stored.at === 'ready' || isSameVersion(stored, ours as CompletePart));
  if (!isSame) return ours.at === 'complete' ? replacing(stored, ours) : stored;
  const refused = followedRefusal(refusedOf(stored), refusedOf(ours));
  return refused === refusedOf(ours) ? ours : withRefused(ours, refused);
}

type RefusedNote = Pick<NonNullable<EncodeDraft['refused']>[number], 'name' | 'size' | 'errorCode'>;

/**
 * Whether a note of the server is about this refusal of this file; one that was refused before it arrived has neither
 * name nor size there.
 */
export function isNoteOf(
  { name, size, errorCode }: RefusedNote,
  { file, fault }: Pick<RefusedFile, 'file' | 'fault'>,
): boolean {
  const isNamed = !name || name === file.name;
  return isNamed && (size === null || size === file.size) && errorCode === codeOf(fault);
}

/** The refused file that a part shows: the server notes those that it has received, and users dismiss them. */
function followedRefusal(stored: RefusedFile | null, ours: RefusedFile | null): RefusedFile | null {
  if (stored === null) return ours?.isStored ? null : ours;
  const { file, fault } = stored;
  const isSame = ours !== null && isNoteOf({ ...file, errorCode: codeOf(fault) }, ours);
  return isSame ? { ...ours, isStored: true, isLocal: false } : stored;
}

/** Whether both are the same file on the server. */
function isSameVersion(one: UploadedVersion, other: UploadedVersion): boolean {
  return one.fileGUID === other.fileGUID;
}

/** The file of a part, without its history. */
function versionOf({ file, fileGUID, changes }: UploadedVersion): UploadedVersion {
  return { file, fileGUID, changes };
}

/** A part without what can be undone, and without the errors of refused files. */
export function bare(part: SettledPart): SettledPart {
  if (part.at === 'ready') return ready;
  if (part.at === 'removed') return withRefused(part, null);
  return part.at === 'complete' ? { at: 'complete', ...versionOf(part) } : part;
}

/** A part in which `before` was replaced, or removed; that can be undone. */
export function replacing<P extends ReadyPart | CompletePart>(part: P, before: UploadedVersion): P {
  return { ...part, previous: versionOf(before) };
}

/** A part whose last change is undone; null if nothing can be undone. */
export function undone(part: PartState): CompletePart | null {
  if (part.at !== 'ready' && part.at !== 'complete') return null;
  if (part.previous === undefined) return null;
  const back: CompletePart = { at: 'complete', ...part.previous };
  return part.at === 'complete' ? replacing(back, part) : back;
}

/** The file that was refused last for a part, also while the part is removed; or null. */
export function refusedOf(part: PartState | undefined): RefusedFile | null {
  if (part?.at === 'removed') return refusedOf(part.kept ?? undefined);
  return part?.at === 'ready' || part?.at === 'complete' ? (part.refused ?? null) : null;
}

/** A part with a refused file, or without one (null). */
export function withRefused<P extends SettledPart>(part: P, refused: RefusedFile | null): P;
export function withRefused(part: SettledPart, refused: RefusedFile | null): SettledPart {
  if (part.at === 'removed') {
    const kept = withRefused(part.kept ?? ready, refused);
    const isFresh = kept.at === 'ready' && kept.previous === undefined && kept.refused === null;
    return { at: 'removed', kept: isFresh ? null : kept };
  }
  if (part.at === 'ready') return { ...part, refused };
  const { refused: _, ...others } = part;
  return refused === null ? others : { ...others, refused };
}

/** The inputs as the server stores them. A part that is uploading is omitted: the upload itself adds its file. */
export function draftOfInputs(inputs: Inputs): DraftValues {
  const { parts, correctsCVN, skipsChecksum, correctsChecksums = false } = inputs;
  const files: Record<PartName, string | null> = {};
  for (const [name, part] of Object.entries(parts)) {
    if (part.at === 'uploading') continue;
    const complete = part.at === 'removed' ? part.kept : part;
    files[name] = complete?.at === 'complete' ? complete.fileGUID : null;
  }
  const removed = Object.keys(parts).filter((name) => parts[name]?.at === 'removed');
  const choices = { willCorrectCVN: correctsCVN, willSkipChecksum: skipsChecksum };
  const known = correctsChecksums ? { willCorrectChecksums: true } : {};
  return { files, removed, ...choices, ...known };
}

/** The uploaded file that a part has on the server, also while it is removed or another file is uploading; or null. */
export function uploadedIn(part: PartState | undefined): UploadedVersion | null {
  switch (part?.at) {
    case 'complete':
      return part;
    case 'removed':
      return uploadedIn(part.kept ?? undefined);
    case 'uploading':
      return uploadedIn(part.before);
    default:
      return null;
  }
}

/** The file that was refused last for a part, also while another one is uploading; or null. */
function refusalIn(part: PartState): RefusedFile | null {
  return refusedOf(part.at === 'uploading' ? part.before : part);
}

/** The last files that were refused, by their parts, also while another file is uploading. */
export function refusalsIn({ parts }: Inputs): Readonly<Record<PartName, RefusedFile>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => {
      const refused = refusalIn(part);
      return refused === null ? [] : [[name, refused]];
    }),
  );
}

/** Whether both inputs of a read show the same, files that are being replaced or were refused included. */
export function isSameShown(one: Inputs, other: Inputs): boolean {
  const filesOf = ({ parts }: Inputs): string =>
    JSON.stringify(
      Object.values(parts).map((part) => {
        const { file, isStored } = refusalIn(part) ?? {};
        return [uploadedIn(part)?.fileGUID, file, isStored];
      }),
    );
  return isSameDraft(one, other) && filesOf(one) === filesOf(other);
}

/** Whether the server would store the same for both inputs of a read. */
export function isSameDraft(one: Inputs, other: Inputs): boolean {
  return JSON.stringify(draftOfInputs(one)) === JSON.stringify(draftOfInputs(other));
}

/** Whether both inputs of a read have the same file for a part, or both have none; no file is still uploading there. */
export function isSameFile(part: PartName, one: Inputs, other: Inputs): boolean {
  return draftOfInputs(one).files[part] === draftOfInputs(other).files[part];
}

/** The inputs for another file of the same read: the original stays, everything else is reset. */
export function inputsForAnother(read: DecodedRead, { parts }: Inputs): Inputs<SettledPart> {
  const fresh = freshInputs(read);
  const original = parts['original'];
  return original?.at === 'complete' ? { ...fresh, parts: { ...fresh.parts, original } } : fresh;
}

/**
 * The names of the parts whose last file was refused. `missing`: the part has no file. `earlier`: the file before is
 * still there, and is encoded. `removed`: a user has left the part out.
 */
export interface RefusedParts {
  readonly missing: readonly PartName[];
  readonly earlier: readonly PartName[];
  readonly removed: readonly PartName[];
}

/** No file was refused. */
export const noneRefused: RefusedParts = { missing: [], earlier: [], removed: [] };

export function refusedParts({ parts }: Inputs): RefusedParts {
  const refused = Object.keys(parts).filter((name) => refusedOf(parts[name]) !== null);
  const at = (state: SettledPart['at']) => refused.filter((name) => parts[name]?.at === state);
  return { missing: at('ready'), earlier: at('complete'), removed: at('removed') };
}

/** Whether a file that is now missing was itself refused; otherwise the same file may be accepted later. */
export function hasRefusedFile(inputs: Inputs): boolean {
  return refusedParts(inputs).missing.some((name) => {
    const refused = refusedOf(inputs.parts[name]);
    return refused !== null && !mayBeTemporary(refused.fault);
  });
}

/** Whether encoding would have nothing to write: every component is removed. */
export function leavesNothing({ parts }: Inputs): boolean {
  return Object.values(parts).every(({ at }) => at === 'removed');
}

/** Whether the user has added files that starting over would discard. */
export function hasFiles({ parts }: Inputs): boolean {
  return Object.values(parts).some((part) => part.at === 'uploading' || uploadedIn(part) !== null);
}

/** Whether a file is being uploaded for one of the parts. */
export function areUploading({ parts }: Inputs): boolean {
  return Object.values(parts).some(({ at }) => at === 'uploading');
}

/** The inputs if no upload is in progress, else null. */
export function settled(inputs: Inputs): Inputs<SettledPart> | null {
  const parts: Record<PartName, SettledPart> = {};
  for (const [name, part] of Object.entries(inputs.parts)) {
    if (part.at === 'uploading') return null;
    parts[name] = part;
  }
  return { ...inputs, parts };
}

/** The inputs without refused files and what can be undone: that is not encoded. */
export function withoutErrors(inputs: Inputs<SettledPart>): Inputs<SettledPart> {
  const parts = Object.entries(inputs.parts).map(([name, part]): [PartName, SettledPart] => [
    name,
    bare(part),
  ]);
  return { ...inputs, parts: Object.fromEntries(parts) };
}

/** The GUIDs of the uploaded files. */
function filesIn(inputs: Inputs): string[] {
  return Object.values(draftOfInputs(inputs).files).filter((guid) => guid !== null);
}

/** Whether a file was uploaded; the server has it. */
export function hasUploaded(inputs: Inputs): boolean {
  return filesIn(inputs).length > 0;
}

/** The inputs if they have a file that is neither in `used` nor named by `encoded`, or an upload; otherwise null. */
export function withMoreFiles<I extends Inputs>(
  inputs: I,
  used: Inputs,
  encoded: readonly string[] = [],
): I | null {
  if (areUploading(inputs)) return inputs;
  const known = [...filesIn(used), ...encoded];
  return filesIn(inputs).every((guid) => known.includes(guid)) ? null : inputs;
}
