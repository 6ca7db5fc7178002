/** A page's uploads in progress, each cancelable by its attempt number, and the chosen files. */
import { registerUnsaved } from '../../../ui/unsaved-work.ts';
import type { PartName } from '../decoded-read.ts';

/** Starts with no uploads. While one is in progress, the browser asks before it closes the page. */
export function noUploads(customerCode: string) {
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
