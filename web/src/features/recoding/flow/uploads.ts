/** A page's uploads in progress, each cancelable by its attempt number, and the chosen files. */
import { registerUnsaved } from '../../../ui/unsaved-work.ts';
import { newKey } from '../../../api/request-keys.ts';
import type { PartName } from '../decoded-read.ts';
import type { NamedUpload } from './cancel-uploads.ts';

/**
 * Starts with no uploads. While one is in progress, the browser asks before it closes the page. `cancel` tells the server
 * that the upload of an image was aborted.
 */
export function noUploads(customerCode: string, cancel: (upload: NamedUpload) => void) {
  const running = new Map<number, AbortController>();
  const files = new Map<PartName, File>();
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
    /** Sends an image for a slot under a name. If it is aborted, the server must not keep it. */
    sendImage<T>(
      slotGUID: string,
      signal: AbortSignal,
      send: (name: string) => Promise<T>,
    ): Promise<T> {
      const name = newKey();
      const onAbort = (): void => cancel({ slotGUID, name });
      signal.addEventListener('abort', onAbort);
      return send(name).finally(() => signal.removeEventListener('abort', onAbort));
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
