/** The transitions of the parts of an encode: uploaded, replaced, removed, restored; pure. */
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import type { DecodedRead, FileLabel, PartName } from '../../decoded-read.ts';
import type { FlowEvent } from './flow-events.ts';
import {
  type CompletePart,
  type Inputs,
  type PartState,
  ready,
  type ReadyPart,
  refusedOf,
  replacing,
  type SettledPart,
  undone,
  type UploadingPart,
  withRefused,
} from '../../inputs.ts';

/** The name of the part whose upload has this attempt number, or undefined. */
function uploadingPart(inputs: Inputs, attempt: number): PartName | undefined {
  return Object.keys(inputs.parts).find((name) => {
    const part = inputs.parts[name];
    return part?.at === 'uploading' && part.attempt === attempt;
  });
}

/** The part that an event is about; a late event of a canceled upload is about none. */
export function partOfEvent(inputs: Inputs, event: FlowEvent): PartName | undefined {
  if ('part' in event) return event.part;
  return 'attempt' in event ? uploadingPart(inputs, event.attempt) : undefined;
}

/**
 * A part that is removed or not. What was uploaded for it stays; an upload in progress is canceled, and a refused file is
 * no longer expected.
 */
function switchRemoval(part: PartState, isRemoved: boolean): PartState | null {
  if (isRemoved === (part.at === 'removed')) return null;
  if (part.at === 'removed') return part.kept ?? ready;
  const kept = part.at === 'uploading' ? (part.before ?? ready) : part;
  return withRefused({ at: 'removed', kept }, null);
}

/** The state of a part during an upload. A file that it has stays until the new one has arrived. */
function changeUpload(part: UploadingPart, event: FlowEvent): PartState | null {
  const { file, before = ready } = part;
  switch (event.type) {
    case 'part-progressed':
      return { ...part, fraction: event.fraction };
    case 'part-uploaded':
      return arrived(file, before, event.uploaded);
    case 'part-refused':
      return withRefused(before, {
        ...{ file, fault: event.fault, isNoted: false },
        ...(event.isLocal === true && { isLocal: true }),
      });
    case 'part-canceled':
      return before;
    default:
      return null;
  }
}

/** A part whose upload has arrived. It replaces the file that the server names, which others may have uploaded. */
function arrived(
  file: FileLabel,
  before: ReadyPart | CompletePart,
  { fileGUID, changes, replaced }: UploadedFile,
): CompletePart {
  const part: CompletePart = { at: 'complete', file, fileGUID, changes };
  if (replaced) {
    const { name, size } = replaced;
    return replacing(part, { ...replaced, file: { name, size } });
  }
  const previous = before.at === 'complete' ? before : before.previous;
  return previous === undefined ? part : replacing(part, previous);
}

/** The state of a part when a file is chosen for it; null if none can be chosen now. */
function chosen(
  part: SettledPart,
  { attempt, file, isEngineUp }: Extract<FlowEvent, { readonly type: 'part-chosen' }>,
): PartState | null {
  if (!isEngineUp || part.at === 'removed') return null;
  const isFresh = part.at === 'ready' && part.previous === undefined && part.refused === null;
  const upload = { at: 'uploading', attempt, file, fraction: 0 } as const;
  return isFresh ? upload : { ...upload, before: part };
}

/** The state of a part after an event; null if nothing changes. */
function changePart(part: PartState, isRemovable: boolean, event: FlowEvent): PartState | null {
  if (event.type === 'part-removed') {
    return isRemovable ? switchRemoval(part, event.isRemoved) : null;
  }
  if (part.at === 'uploading') return changeUpload(part, event);
  if (event.type === 'part-chosen') return chosen(part, event);
  const refused = refusedOf(part);
  switch (event.type) {
    case 'part-refusal-noted':
      return refused && withRefused(part, { ...refused, isNoted: true });
    case 'part-refusal-cleared':
      return refused && withRefused(part, null);
    case 'part-restored':
      if (part.at !== 'complete' || (event.fileGUID ?? part.fileGUID) !== part.fileGUID)
        return null;
      return replacing(ready, part);
    case 'part-undone':
      return undone(part);
    default:
      return null;
  }
}

/**
 * The parts without the error of a file that was refused on the wrong part and has now been dropped on the right one.
 */
function withoutRefused({ parts }: Inputs, placed: PartState): Inputs['parts'] {
  const file = placed.at === 'complete' ? placed.file : null;
  const isSame = (part: PartState): part is SettledPart => {
    const refused = refusedOf(part)?.file;
    return refused !== undefined && refused.name === file?.name && refused.size === file.size;
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      isSame(part) ? withRefused(part, null) : part,
    ]),
  );
}

/** The inputs after an event of one of their parts; the same inputs if nothing changes. */
export function changeParts(read: DecodedRead, inputs: Inputs, event: FlowEvent): Inputs {
  const name = partOfEvent(inputs, event);
  const before = name === undefined ? undefined : inputs.parts[name];
  if (name === undefined || !before) return inputs;
  const isRemovable = read.parts.some((one) => one.name === name && one.isRemovable);
  const part = changePart(before, isRemovable, event);
  if (part === null) return inputs;
  const others = part.at === 'complete' ? withoutRefused(inputs, part) : inputs.parts;
  return { ...inputs, parts: { ...others, [name]: part } };
}
