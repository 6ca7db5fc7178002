/** Limits of an answer: how long its next piece may take, and how many bytes it may have. */

/** Aborts an exchange that makes no progress. */
export interface Watch {
  readonly signal: AbortSignal;
  /** From now on, the next progress may take this many milliseconds. */
  allow(milliseconds: number): void;
  /** There was progress: the time begins again. */
  progress(): void;
  stop(): void;
}

/** Starts a watch, which also ends with `outer`. */
export function startWatch(milliseconds: number, outer: AbortSignal, fault: () => Error): Watch {
  const abort = new AbortController();
  let allowed = milliseconds;
  let timer = setTimeout(() => abort.abort(fault()), allowed);
  const begin = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(fault()), allowed);
  };
  return {
    signal: AbortSignal.any([outer, abort.signal]),
    allow(next) {
      allowed = next;
      begin();
    },
    progress: begin,
    stop: () => clearTimeout(timer),
  };
}

/** The whole body, unpacked; null as soon as it has more than `most` bytes. */
export async function readAtMost(
  response: Response,
  most: number,
  watch: Watch,
): Promise<Buffer | null> {
  const isPacked = response.headers.has('content-encoding');
  const declared = Number(response.headers.get('content-length') ?? 0);
  if (declared > most && !isPacked) {
    await response.body?.cancel();
    return null;
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    watch.progress();
    size += piece.length;
    // leaving the loop cancels the rest
    if (size > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
