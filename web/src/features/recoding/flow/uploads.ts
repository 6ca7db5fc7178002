/** A page's uploads in progress, each cancelable by its attempt number, and the chosen files. */
import { holdUnsaved } from '../../../ui/unsaved-work.ts';
import type { PartName } from '../decoded-read.ts';

export interface Uploads {
  readonly run: <T>(attempt: number, send: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  readonly abort: (attempt: number) => void;
  readonly abortAll: () => void;
  /** The file that was last chosen for a part, so that a failed upload can be retried. */
  readonly keepFile: (part: PartName, file: File) => void;
  readonly fileOf: (part: PartName) => File | null;
}

/** Starts with no uploads. While one is in progress, the browser asks before it closes the page. */
export function noUploads(): Uploads {
  const running = new Map<number, AbortController>();
  const files = new Map<PartName, File>();
  return {
    run: (attempt, send) => {
      const upload = new AbortController();
      running.set(attempt, upload);
      const release = holdUnsaved('upload');
      return send(upload.signal).finally(() => {
        running.delete(attempt);
        release();
      });
    },
    abort: (attempt) => running.get(attempt)?.abort(),
    abortAll: () => {
      for (const upload of running.values()) upload.abort();
    },
    keepFile: (part, file) => void files.set(part, file),
    fileOf: (part) => files.get(part) ?? null,
  };
}
