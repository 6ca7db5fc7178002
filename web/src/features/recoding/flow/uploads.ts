/** The uploads of a page that are under way, each to be canceled by its attempt, and the files that were chosen. */
import { holdUnsaved } from '../../../ui/unsaved-work.ts';
import type { PartName } from '../decoded-read.ts';

export interface Uploads {
  readonly run: <T>(attempt: number, send: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  readonly abort: (attempt: number) => void;
  readonly abortAll: () => void;
  /** The file that was last chosen for a part, so that a failed upload can be repeated. */
  readonly keepFile: (part: PartName, file: File) => void;
  readonly fileOf: (part: PartName) => File | null;
}

/** Begins with none. While one is under way the browser asks before the page is closed. */
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
