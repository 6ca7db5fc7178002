/** Saves what the user prepares for encoding with the slot, one request at a time and always the latest. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import type { EncodeDraftChange } from '@recodery/contract/slots';
import { draftOfInputs } from './inputs.ts';
import type { Flow } from './recoding-flow.ts';

/** A draft and the slot that it belongs to. */
interface SlotDraft {
  readonly slotGUID: string;
  readonly draft: EncodeDraftChange;
}

export interface DraftSaver {
  /** Takes over what the page shows; `isKnown` where the server has it already. */
  readonly note: (flow: Flow, isKnown: boolean) => void;
}

/** Milliseconds until a draft that could not be saved is saved again. */
const retryAfter = 5000;

function draftIn(flow: Flow): SlotDraft | null {
  if (flow.at !== 'decoded' || flow.encode.at !== 'preparing') return null;
  return { slotGUID: flow.read.slotGUID, draft: draftOfInputs(flow.encode.inputs) };
}

/** `save` sends one draft; `pause` waits until it is worth trying again. */
export function draftSaver(
  save: (slot: SlotDraft) => Promise<void>,
  pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, retryAfter)),
): DraftSaver {
  /** What the server has, or is being sent, as text. */
  let known = '';
  let waiting: SlotDraft | null = null;
  let isSaving = false;
  const saveAll = async (): Promise<void> => {
    while (waiting !== null) {
      const next: SlotDraft = waiting;
      waiting = null;
      try {
        await save(next);
      } catch (thrown) {
        // A "no" is final: the slot is gone, or a file of it. What the page shows then is told by the encode.
        if (thrown instanceof Refusal && statusOf(thrown.code) < 500) continue;
        waiting ??= next;
        await pause();
      }
    }
    isSaving = false;
  };
  return {
    note: (flow, isKnown) => {
      const now = draftIn(flow);
      if (now === null) return;
      const text = JSON.stringify(now);
      if (text === known) return;
      known = text;
      if (isKnown) return;
      waiting = now;
      if (isSaving) return;
      isSaving = true;
      void saveAll();
    },
  };
}
