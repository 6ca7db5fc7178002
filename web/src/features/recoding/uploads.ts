/** The uploads of a page that are on their way, each to be cancelled by its attempt. */
export interface Uploads {
  readonly run: <T>(attempt: number, send: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  readonly abort: (attempt: number) => void;
  readonly abortAll: () => void;
}

/** Begins with none. */
export function noUploads(): Uploads {
  const running = new Map<number, AbortController>();
  return {
    run: (attempt, send) => {
      const upload = new AbortController();
      running.set(attempt, upload);
      return send(upload.signal).finally(() => running.delete(attempt));
    },
    abort: (attempt) => running.get(attempt)?.abort(),
    abortAll: () => {
      for (const upload of running.values()) upload.abort();
    },
  };
}
