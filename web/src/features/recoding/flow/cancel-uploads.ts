/**
 * Tells the server that uploads were canceled, which is a call of its own: whenever it arrives, the server keeps none of
 * their files.
 *
 *                     abort                    the server has answered
 *     uploading ────────────────▶ canceling ─────────────────────────▶ canceled
 *         │                        ▲     │
 *         ▼ the file arrives       └─────┘ the network or the server fails: again, also after the page was closed
 *     in the draft
 */
import { cancelUpload } from '@recodery/contract/features/slots';
import { tabHeader } from '@recodery/contract/headers';
import type { Call } from '../../../api/call.ts';
import { tabName } from '../../../api/tab.ts';
import { isFinal, pauseBeforeRetry } from './drafts/draft-saver.ts';

/** An upload of an image, by the name in its header. */
export interface NamedUpload {
  readonly slotGUID: string;
  readonly name: string;
}

export interface Canceling {
  /** Cancels an upload that was aborted; the request continues when the page closes. */
  readonly cancel: (upload: NamedUpload) => void;
  /** Resolves once the server knows what was canceled for a slot; rejects while that waits to be retried. */
  readonly saved: (slotGUID: string) => Promise<void>;
  /** The names of the canceled uploads for a slot that the server may not know. */
  readonly unsaved: (slotGUID: string) => readonly string[];
  /** The slots that have such uploads. */
  readonly unsavedSlots: () => ReadonlySet<string>;
}

/** Tells the server once. Rejects if this may succeed later. `tab`: where the file was uploaded. */
export async function tellCanceled(
  call: Call,
  { slotGUID, name }: NamedUpload,
  tab: string,
): Promise<void> {
  const options = { keepalive: true, headers: { [tabHeader]: tab } };
  const asked = { params: { slotGUID }, body: { upload: name } };
  await call(cancelUpload, asked, options).catch((thrown: unknown) => {
    // the slot no longer exists: nothing is kept
    if (!isFinal(thrown)) throw thrown;
  });
}

/** Starts with nothing canceled. `pause` waits until a retry makes sense. */
export function canceling(call: Call, pause = pauseBeforeRetry): Canceling {
  const attempts = new Map<NamedUpload, Promise<void>>();
  const tellUntilKnown = async (upload: NamedUpload): Promise<void> => {
    let isKnown = false;
    while (!isKnown) {
      const attempt = tellCanceled(call, upload, tabName());
      attempts.set(upload, attempt);
      isKnown = await attempt.then(
        () => true,
        () => pause().then(() => false),
      );
    }
    attempts.delete(upload);
  };
  const of = (slotGUID: string) => [...attempts].filter(([upload]) => upload.slotGUID === slotGUID);
  return {
    cancel: (upload) => void tellUntilKnown(upload),
    saved: async (slotGUID) => void (await Promise.all(of(slotGUID).map(([, attempt]) => attempt))),
    unsaved: (slotGUID) => of(slotGUID).map(([{ name }]) => name),
    unsavedSlots: () => new Set([...attempts.keys()].map(({ slotGUID }) => slotGUID)),
  };
}
