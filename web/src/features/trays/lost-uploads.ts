/**
 * Modified files of trays that had not arrived when the browser left the page: their bytes are gone. The tab remembers
 * them, and notes them in the drafts before a tray is shown again, so that no row is encoded without them silently.
 */
import type { Call } from '../../api/call.ts';
import { readSessionId, wasSignedOut } from '../../api/session-id.ts';
import { updateDraft } from '../../api/update-draft.ts';
import { isFinal } from '../recoding/flow/drafts/draft-saver.ts';
import { noteOfRefused } from '../recoding/refused-note.ts';
import type { FileLabel } from '../recoding/decoded-read.ts';
import type { JobState } from './work-queue.ts';

/** An upload that may be lost. */
export interface LostUpload {
  readonly slotGUID: string;
  readonly part: string;
  /** The file that the part had in the draft; null: none. */
  readonly before: string | null;
  readonly note: ReturnType<typeof noteOfRefused>;
}

const storageKey = 'recodery.lost-uploads';

function remembered(): readonly LostUpload[] {
  const text = sessionStorage.getItem(storageKey);
  // Written by `remember`.
  return text === null ? [] : (JSON.parse(text) as LostUpload[]);
}

function remember(uploads: readonly LostUpload[]): void {
  if (uploads.length === 0) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(uploads));
}

/** Removes exactly these uploads, each once: others may have been added or removed meanwhile. */
function forget(uploads: readonly LostUpload[]): void {
  const left = [...remembered()];
  for (const upload of uploads) {
    const text = JSON.stringify(upload);
    const at = left.findIndex((one) => JSON.stringify(one) === text);
    if (at >= 0) left.splice(at, 1);
  }
  remember(left);
}

interface Begun {
  readonly place: Omit<LostUpload, 'note'>;
  readonly file: FileLabel;
}

/** The uploads of modified files that a tray has begun; it starts without any. */
export class BegunUploads {
  readonly #begun = new Map<string, Begun>();

  /** `key`: of the job. */
  begin(key: string, place: Begun['place'], { name, size }: File): void {
    this.#begun.set(key, { place, file: { name, size } });
  }

  /** What is lost if the browser leaves the page now: the files whose jobs wait, are being sent, or were refused. */
  lost(jobs: ReadonlyMap<string, JobState>): readonly LostUpload[] {
    return [...this.#begun].flatMap(([key, { place, file }]) => {
      const job = jobs.get(key);
      if (job === undefined) return [];
      const interrupted = { kind: 'refused', thrown: null } as const;
      const fault = job.at === 'refused' ? job.fault : interrupted;
      return [{ ...place, note: noteOfRefused({ file, fault, isNoted: false }) }];
    });
  }
}

/** Remembers what `lost` returns when the browser leaves the page, until the returned function is called. */
export function keepLost(lost: () => readonly LostUpload[]): () => void {
  let kept: readonly LostUpload[] = [];
  const leave = (): void => {
    kept = readSessionId() === null && wasSignedOut() ? [] : lost();
    if (kept.length > 0) remember([...remembered(), ...kept]);
  };
  // the browser restores a page that was left, with its uploads; those of earlier pages are still lost
  const comeBack = (): void => {
    forget(kept);
    kept = [];
  };
  addEventListener('pagehide', leave);
  addEventListener('pageshow', comeBack);
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', comeBack);
  };
}

/** The noting in progress: two at once would each note and remove what the other does. */
let noting: Promise<void> | null = null;

/**
 * Notes in their drafts the uploads that were lost, unless someone has changed their part since. Rejects if this may
 * succeed later: they are then still remembered. Calls that overlap share the result.
 */
export function noteLost(call: Call): Promise<void> {
  noting ??= noteAll(call).finally(() => {
    noting = null;
  });
  return noting;
}

async function noteAll(call: Call): Promise<void> {
  for (let [next] = remembered(); next !== undefined; [next] = remembered()) {
    const { slotGUID, part, before, note } = next;
    await updateDraft(call, slotGUID, ({ files, refused = [] }) => {
      const file = files.find((one) => one.part === part)?.fileGUID ?? null;
      const isNoted = refused.some((one) => one.part === part);
      return file !== before || isNoted ? null : { files: {}, refused: { [part]: note } };
    }).catch((thrown: unknown) => {
      if (!isFinal(thrown)) throw thrown;
    });
    forget([next]);
  }
}
