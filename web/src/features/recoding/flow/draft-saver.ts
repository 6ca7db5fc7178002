/**
 * Saves the encode draft to the slot: one request at a time, the latest choices, and only the files that changed here.
 */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import { draftOfInputs } from '../inputs.ts';
import type { Flow } from './recoding-flow.ts';

/** A draft and its slot. */
export interface SlotDraft {
  readonly slotGUID: string;
  readonly draft: EncodeDraftChange;
}

export interface DraftSaver {
  /** Accepts the draft that the page shows; `isKnown` if the server already has it. */
  readonly note: (flow: Flow, isKnown: boolean) => void;
  /** Resolves once the server has every change that was accepted; rejects while one waits to be retried. */
  readonly saved: () => Promise<void>;
  /** Resolves once nothing is being saved or waiting to be retried. */
  readonly finished: () => Promise<void>;
  /**
   * Sends pending changes immediately, because the page is closing. Returns everything that the server may not have
   * yet; null: nothing.
   */
  readonly flush: () => SlotDraft | null;
  /** Discards pending changes and saves nothing more: another draft replaces this one. */
  readonly stop: () => void;
}

/** Milliseconds before a failed save is retried. */
const retryAfter = 5000;

function draftIn(flow: Flow): SlotDraft | null {
  if (flow.at !== 'decoded' || flow.encode.at !== 'preparing') return null;
  return { slotGUID: flow.read.slotGUID, draft: draftOfInputs(flow.encode.inputs) };
}

/**
 * A draft with the files that differ from another draft of the same slot. A file that another tab uploaded stays
 * unchanged; a file whose upload was canceled here is named, because the other draft did not name it.
 */
function changedFrom(before: SlotDraft | null, { slotGUID, draft }: SlotDraft): SlotDraft {
  const known = before?.slotGUID === slotGUID ? before.draft.files : {};
  const files = Object.entries(draft.files).filter(([part, guid]) => known[part] !== guid);
  return { slotGUID, draft: { ...draft, files: Object.fromEntries(files) } };
}

/**
 * Merges two changes; the files of the later one win. If their slots differ, only the later one remains to be saved
 * here.
 */
function merged(earlier: SlotDraft | null, later: SlotDraft): SlotDraft {
  if (earlier?.slotGUID !== later.slotGUID) return later;
  const files = { ...earlier.draft.files, ...later.draft.files };
  return { ...later, draft: { ...later.draft, files } };
}

/** Statuses of refusals after which the same request may succeed: after the next sign-in, or a little later. */
const temporary: readonly number[] = [401, 429];

/** Whether a failed save must not be retried. */
export function isFinal(thrown: unknown): boolean {
  if (!(thrown instanceof Refusal)) return false;
  const status = statusOf(thrown.code);
  return status < 500 && !temporary.includes(status);
}

/** `save` sends one change; `pause` waits until a retry makes sense. */
export function draftSaver(
  save: (change: SlotDraft) => Promise<void>,
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, retryAfter)),
): DraftSaver {
  /** The draft that the server has or is receiving. */
  let known: SlotDraft | null = null;
  let waiting: SlotDraft | null = null;
  /** The change whose request is in progress. */
  let sending: SlotDraft | null = null;
  let saving: Promise<void> | null = null;
  /** The request that `saving` makes or has made last. */
  let request: Promise<void> = Promise.resolve();
  let isStopped = false;
  const saveAll = async (): Promise<void> => {
    while (waiting !== null) {
      const next: SlotDraft = waiting;
      waiting = null;
      sending = next;
      request = save(next).catch((thrown: unknown) => {
        // A refusal is final: the slot or one of its files no longer exists, and the next encode shows an error.
        if (!isStopped && !isFinal(thrown)) throw thrown;
      });
      try {
        await request;
        sending = null;
      } catch {
        sending = null;
        waiting = waiting === null ? next : merged(next, waiting);
        await pause();
      }
    }
    saving = null;
  };
  return {
    note: (flow, isKnown) => {
      const now = isStopped ? null : draftIn(flow);
      if (now === null || JSON.stringify(now) === JSON.stringify(known)) return;
      const change = changedFrom(known, now);
      known = now;
      if (isKnown) return;
      waiting = merged(waiting, change);
      saving ??= saveAll();
    },
    saved: async () => {
      while (saving !== null) await request;
    },
    finished: async () => {
      while (saving !== null) await saving;
    },
    flush: () => {
      if (waiting === null) return sending;
      void save(waiting).catch(() => {});
      return merged(sending, waiting);
    },
    stop: () => {
      isStopped = true;
      waiting = null;
    },
  };
}
