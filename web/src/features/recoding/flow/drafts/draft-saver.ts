/**
 * Saves the encode draft to the slot: one request at a time, the latest choices, and only the files that changed here.
 */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { DraftValues, EncodeDraftChange } from '@recodery/contract/features/slots';
import { draftOfInputs, type RefusedFile, refusalsIn } from '../../inputs.ts';
import { noteOfRefused } from '../../refused-note.ts';
import { isOpen } from '../state/encode-flow.ts';
import type { Flow } from '../state/recoding-flow.ts';

/** A change of the draft of a slot. */
export interface UnsavedDraft {
  readonly slotGUID: string;
  readonly draft: EncodeDraftChange;
}

/** The draft that a page shows. */
interface ShownDraft {
  readonly slotGUID: string;
  readonly draft: DraftValues;
  /** The files that were refused, by their parts, without what only the page needs. */
  readonly refused: Readonly<Record<string, Pick<RefusedFile, 'file' | 'isLocal'>>>;
  /** What is noted of those that the server may not know of. */
  readonly notes: NonNullable<EncodeDraftChange['refused']>;
}

/** The draft that the server has or is receiving, and the last version of it that the page has shown. */
interface KnownDraft extends ShownDraft {
  readonly version: number | undefined;
}

export interface DraftSaver {
  /** Accepts the draft that the page shows; `version` if the server has it as that version, otherwise null. */
  readonly note: (flow: Flow, version: number | null) => void;
  /** Resolves once the server has every change that was accepted; rejects while one waits to be retried. */
  readonly saved: () => Promise<void>;
  /** Resolves once nothing is being saved or waiting to be retried. */
  readonly finished: () => Promise<void>;
  /**
   * Sends pending changes immediately, because the page is closing. Returns everything that the server may not have
   * yet; null: nothing.
   */
  readonly flush: () => UnsavedDraft | null;
  /** Discards pending changes and saves nothing more: another draft replaces this one. */
  readonly stop: () => void;
}

/** Milliseconds before a failed save is retried. */
const retryAfter = 5000;

function draftIn(flow: Flow): ShownDraft | null {
  if (flow.at !== 'decoded' || !isOpen(flow.encode)) return null;
  const { inputs } = flow.encode;
  const refusals = Object.entries(refusalsIn(inputs));
  const refused = Object.fromEntries(
    refusals.map(([part, { file, isLocal = false }]) => [part, { file, isLocal }]),
  );
  const local = refusals.filter(([, { isLocal }]) => isLocal);
  const notes = Object.fromEntries(local.map(([part, one]) => [part, noteOfRefused(one)]));
  return { slotGUID: flow.read.slotGUID, draft: draftOfInputs(inputs), refused, notes };
}

/**
 * The fields in which a draft differs from the one that is known of the same slot. A file that another tab uploaded stays
 * unchanged; a file whose upload was canceled here is named, because the other draft did not name it. One whose upload
 * was refused by the server is not: it has noted that. Once the user dismisses it, it is named, and no longer noted.
 */
function changedFrom(
  known: KnownDraft | null,
  { slotGUID, draft, refused, notes }: ShownDraft,
): UnsavedDraft {
  const isChanged = ([part, guid]: [part: string, guid: string | null]): boolean => {
    const before = known?.draft.files[part];
    if (refused[part]?.isLocal === false) return before !== undefined && before !== guid;
    const isDismissed = refused[part] === undefined && known?.refused[part] !== undefined;
    return before !== guid || isDismissed;
  };
  const changed = Object.entries(draft.files).filter(isChanged);
  const files = Object.fromEntries(changed);
  const fresh = Object.entries(notes).filter(
    ([part, note]) => JSON.stringify(known?.notes[part]) !== JSON.stringify(note),
  );
  const noted = fresh.length === 0 ? {} : { refused: Object.fromEntries(fresh) };
  // without a version, the server wants all choices
  if (known?.version === undefined) return { slotGUID, draft: { ...draft, files, ...noted } };
  const { version } = known;
  const isKept = (name: keyof Omit<DraftValues, 'files'>): boolean =>
    JSON.stringify(known.draft[name]) === JSON.stringify(draft[name]);
  const { removed, willCorrectCVN, willSkipChecksum, willCorrectChecksums = false } = draft;
  const choices = {
    ...(isKept('removed') ? {} : { removed }),
    ...(isKept('willCorrectCVN') ? {} : { willCorrectCVN }),
    ...(isKept('willSkipChecksum') ? {} : { willSkipChecksum }),
    ...(isKept('willCorrectChecksums') ? {} : { willCorrectChecksums }),
  };
  return { slotGUID, draft: { ...choices, files, ...noted, version } };
}

/** What is compared of two drafts. */
function contentOf(shown: ShownDraft | null): string {
  return JSON.stringify([shown?.draft, shown?.refused, shown?.notes]);
}

/** Whether a change changes nothing, because the only difference is a file that is uploading. */
function isEmpty({ draft: { files, ...others } }: UnsavedDraft): boolean {
  return Object.keys(files).length === 0 && Object.keys(others).every((name) => name === 'version');
}

/**
 * Merges two changes; the files of the later one win. If their slots differ, only the later one remains to be saved
 * here.
 */
function merged(earlier: UnsavedDraft | null, later: UnsavedDraft): UnsavedDraft {
  if (earlier?.slotGUID !== later.slotGUID) return later;
  const files = { ...earlier.draft.files, ...later.draft.files };
  const { version, refused: noted = {} } = earlier.draft;
  const base = version === undefined ? {} : { version };
  const still = Object.entries(noted).filter(([part]) => !(part in later.draft.files));
  const refused = { ...Object.fromEntries(still), ...later.draft.refused };
  const notes = Object.keys(refused).length === 0 ? {} : { refused };
  const { refused: _, ...others } = earlier.draft;
  return { ...later, draft: { ...others, ...later.draft, ...base, files, ...notes } };
}

/** Statuses of refusals after which the same request may succeed: after the next sign-in, or a little later. */
const temporary: readonly number[] = [401, 429];

/** Whether a failed save must not be retried. */
export function isFinal(thrown: unknown): boolean {
  if (!(thrown instanceof Refusal)) return false;
  const status = statusOf(thrown.code);
  return status < 500 && !temporary.includes(status);
}

/** Waits until a failed request for a draft is retried. */
export function pauseBeforeRetry(): Promise<void> {
  return new Promise((done) => setTimeout(done, retryAfter));
}

/** `save` sends one change; `pause` waits until a retry makes sense; `onRefused` is called with a change that is lost, and why. */
export function draftSaver(
  save: (change: UnsavedDraft) => Promise<void>,
  pause: () => Promise<void> = pauseBeforeRetry,
  onRefused: (change: UnsavedDraft, thrown: unknown) => void = () => {},
): DraftSaver {
  let known: KnownDraft | null = null;
  let waiting: UnsavedDraft | null = null;
  /** The change whose request is in progress. */
  let sending: UnsavedDraft | null = null;
  let saving: Promise<void> | null = null;
  /** The request that `saving` makes or has made last. */
  let request: Promise<void> = Promise.resolve();
  let isStopped = false;
  const saveAll = async (): Promise<void> => {
    while (waiting !== null) {
      const next: UnsavedDraft = waiting;
      waiting = null;
      sending = next;
      request = save(next).catch((thrown: unknown) => {
        if (!isStopped && !isFinal(thrown)) throw thrown;
        // the slot or one of its files no longer exists, or someone else has changed the same field
        if (!isStopped) onRefused(next, thrown);
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
    note: (flow, version) => {
      const now = isStopped ? null : draftIn(flow);
      if (now === null) return;
      const before = known?.slotGUID === now.slotGUID ? known : null;
      known = { ...now, version: version ?? before?.version };
      if (contentOf(before) === contentOf(now)) return;
      const change = changedFrom(before, now);
      if (version !== null || isEmpty(change)) return;
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
