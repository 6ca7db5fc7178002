/** Changes the drafts of a tray's files. */
import { type EncodeDraftChange, putEncodeDraft } from '@recodery/contract/features/slots';
import type { Call } from '../../api/call.ts';
import type { LivePages } from '../recoding/flow/live-pages.ts';
import type { Part } from '../recoding/decoded-read.ts';
import { draftOfInputs, refusedOf } from '../recoding/inputs.ts';
import type { LoadedTray } from './tray-query.ts';
import { type DecodedRow, rowsOf } from './tray-rows.ts';

type Inputs = DecodedRow['inputs'];

/** Changes the draft of a slot: `next` receives its present inputs, and returns null if nothing needs to change. */
export type ChangeDraft = (
  slotGUID: string,
  next: (inputs: Inputs) => EncodeDraftChange | null,
) => Promise<void>;

/** What changes of drafts need. */
export interface DraftChangeParts {
  readonly call: Call;
  readonly pages: LivePages;
  /** The tray as the server has it now. */
  readonly fetchLatest: () => Promise<LoadedTray>;
}

/** Changes drafts one after another: a draft is replaced entirely, and each change must include the previous one. */
export function draftChanges({ call, pages, fetchLatest }: DraftChangeParts): ChangeDraft {
  let last: Promise<void> = Promise.resolve();
  return (slotGUID, next) => {
    const change = async (): Promise<void> => {
      // changes that its device page in this tab has not saved yet would be lost
      await pages.saved(slotGUID);
      const rows = rowsOf(await fetchLatest(), new Map());
      const state = rows.find(({ file }) => file.slotGUID === slotGUID)?.state;
      const body = state?.at === 'decoded' ? next(state.inputs) : null;
      if (body !== null) await call(putEncodeDraft, { params: { slotGUID }, body });
    };
    const turn = last.then(change);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** The draft in which a part that is removed by default is included. */
export function withPart(inputs: Inputs, part: string): EncodeDraftChange | null {
  if (inputs.parts[part]?.at !== 'removed') return null;
  const draft = draftOfInputs(inputs);
  const removed = draft.removed?.filter((name) => name !== part) ?? null;
  return { ...draft, files: {}, removed };
}

/**
 * The draft without what a row lists for a part: the note that its last file was refused, which leaves the file before
 * it, otherwise its file. Without either, the part is left out again if its family leaves it out by default.
 */
export function withoutFile(inputs: Inputs, part: Part): EncodeDraftChange | null {
  const { name } = part;
  const state = inputs.parts[name];
  const isRefused = refusedOf(state) !== null;
  if (state?.at !== 'complete' && !isRefused) return null;
  const draft = draftOfInputs(inputs);
  const removed = draft.removed ?? [];
  return state?.at === 'complete'
    ? { ...draft, files: { [name]: isRefused ? state.fileGUID : null } }
    : {
        ...draft,
        files: { [name]: null },
        removed: part.startsRemoved ? [...removed, name] : removed,
      };
}
