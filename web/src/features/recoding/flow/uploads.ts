/** A page's uploads in progress, each cancelable by its attempt number, and the chosen files. */
import { registerUnsaved } from '../../../ui/dialogs/unsaved-work.ts';
import { newKey } from '../../../api/request-keys.ts';
import type { PartName } from '../decoded-read.ts';
import type { NamedUpload } from './cancel-uploads.ts';

/** An image that is sent to a part of a slot. */
export interface SentImage {
  readonly slotGUID: string;
  readonly part: PartName;
  readonly file: File;
}

/**
 * Starts with no uploads. While one is in progress, the browser asks before it closes the page. `cancel` tells the server
 * that the upload of an image was aborted.
 */
export function noUploads(customerCode: string, cancel: (upload: NamedUpload) => void) {
  const running = new Map<number, AbortController>();
  const files = new Map<PartName, File>();
  /** The names of the files whose upload has not ended, by slot and part: sent again, they have the same idempotency key. */
  const names = new WeakMap<File, Map<string, string>>();
  return {
    run<T>(attempt: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const upload = new AbortController();
      running.set(attempt, upload);
      const release = registerUnsaved('upload', customerCode);
      return send(upload.signal).finally(() => {
        running.delete(attempt);
        release();
      });
    },
    /**
     * Sends an image under a name, which it keeps while its upload fails. If it is aborted, the server must not keep it,
     * whichever attempt has brought it.
     */
    async sendImage<T>(
      { slotGUID, part, file }: SentImage,
      signal: AbortSignal,
      send: (name: string) => Promise<T>,
    ): Promise<T> {
      const place = `${slotGUID}/${part}`;
      const ofFile = names.get(file) ?? new Map<string, string>();
      const name = ofFile.get(place) ?? newKey();
      names.set(file, ofFile.set(place, name));
      const onAbort = (): void => {
        // the server refuses this name from now on
        ofFile.delete(place);
        cancel({ slotGUID, name });
      };
      signal.addEventListener('abort', onAbort);
      try {
        const answer = await send(name);
        ofFile.delete(place);
        return answer;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    abort: (attempt: number): void => running.get(attempt)?.abort(),
    abortAll(): void {
      for (const upload of running.values()) upload.abort();
    },
    /** Keeps the file that was last chosen for a part, so that a failed upload can be retried. */
    keepFile: (part: PartName, file: File): void => void files.set(part, file),
    fileOf: (part: PartName): File | null => files.get(part) ?? null,
  };
}

export type Uploads = ReturnType<typeof noUploads>;
