/** Saves what the user prepares for encoding with the slot: one request at a time, the latest choices, and only the files that changed here. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import type { EncodeDraftChange } from '@recodery/contract/slots';
import { draftOfInputs } from '../inputs.ts';
import type { Flow } from './recoding-flow.ts';

/** A draft and the slot that it belongs to. */
export interface SlotDraft {
  readonly slotGUID: string;
  readonly draft: EncodeDraftChange;
}

export interface DraftSaver {
  /** Takes over what the page shows; `isKnown` where the server has it already. */
  readonly note: (flow: Flow, isKnown: boolean) => void;
  /** Sends at once what is still waiting: the page is being left. */
  readonly flush: () => void;
}

/** Milliseconds until a draft that could not be saved is saved again. */
const retryAfter = 5000;

function draftIn(flow: Flow): SlotDraft | null {
  if (flow.at !== 'decoded' || flow.encode.at !== 'preparing') return null;
  return { slotGUID: flow.read.slotGUID, draft: draftOfInputs(flow.encode.inputs) };
}

/**
 * A draft with the files that differ from another draft of the same slot. A file that another tab has uploaded stays as
 * it is; one whose upload was canceled here is named, because the other draft did not name it.
 */
function changedFrom(before: SlotDraft | null, { slotGUID, draft }: SlotDraft): SlotDraft {
  const known = before?.slotGUID === slotGUID ? before.draft.files : {};
  const files = Object.entries(draft.files).filter(([part, guid]) => known[part] !== guid);
  return { slotGUID, draft: { ...draft, files: Object.fromEntries(files) } };
}

/** Two changes as one; the files of the later one count. Of another slot only the later one is left to save here. */
function merged(earlier: SlotDraft | null, later: SlotDraft): SlotDraft {
  if (earlier?.slotGUID !== later.slotGUID) return later;
  const files = { ...earlier.draft.files, ...later.draft.files };
  return { ...later, draft: { ...later.draft, files } };
}

function isFinal(thrown: unknown): boolean {
  return thrown instanceof Refusal && statusOf(thrown.code) < 500 && statusOf(thrown.code) !== 429;
}

/** `save` sends one change; `pause` waits until it is worth trying again. */
export function draftSaver(
  save: (change: SlotDraft) => Promise<void>,
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, retryAfter)),
): DraftSaver {
  /** What the server has, or is being sent. */
  let known: SlotDraft | null = null;
  let waiting: SlotDraft | null = null;
  let isSaving = false;
  const saveAll = async (): Promise<void> => {
    while (waiting !== null) {
      const next: SlotDraft = waiting;
      waiting = null;
      try {
        await save(next);
      } catch (thrown) {
        // A refusal is final: the slot or a file of it is gone, and the next encode shows an error.
        if (isFinal(thrown)) continue;
        waiting = waiting === null ? next : merged(next, waiting);
        await pause();
      }
    }
    isSaving = false;
  };
  return {
    note: (flow, isKnown) => {
      const now = draftIn(flow);
      if (now === null || JSON.stringify(now) === JSON.stringify(known)) return;
      const change = changedFrom(known, now);
      known = now;
      if (isKnown) return;
      waiting = merged(waiting, change);
      if (isSaving) return;
      isSaving = true;
      void saveAll();
    },
    flush: () => {
      if (waiting !== null) void save(waiting).catch(() => {});
    },
  };
}
