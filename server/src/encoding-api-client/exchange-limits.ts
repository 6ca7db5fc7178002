/**
 * Limits of an exchange: how long it may take, in total and without progress, and how many bytes its response may have.
 */
import { followJson } from '../config/bounded-json.ts';

/** Bytes a millisecond: the slowest line on which a file arrives in time. */
const slowestLine = 64;

/** Aborts an exchange that makes no progress, or too little. */
export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** The head of the response has arrived. */
  startBody(): void;
  /** More of the body has arrived. */
  receive(bytes: number): void;
  stop(): void;
}

/** The limits of an exchange. */
export interface ExchangeBounds {
  /** Milliseconds without progress; also what the head and the body may each take beyond the time of their bytes. */
  readonly waitMs: number;
  /** Bytes that the request sends. */
  readonly sends: number;
}

/**
 * Starts to limit an exchange; `outer` aborts it too. A service that sends a little from time to time does not prolong
 * the exchange: each byte extends the total by no more than the slowest line needs for it.
 */
export function limitExchange(
  { waitMs, sends }: ExchangeBounds,
  outer: AbortSignal,
  fault: () => Error,
): ExchangeLimits {
  const abort = new AbortController();
  const end = (): void => abort.abort(fault());
  let timer = setTimeout(end, waitMs + sends / slowestLine);
  let deadline = Number.POSITIVE_INFINITY;
  const restart = (): void => {
    clearTimeout(timer);
    const left = deadline - performance.now();
    // started once: a timer that each piece restarts would never fire
    if (left <= 0) end();
    else timer = setTimeout(end, Math.min(waitMs, left));
  };
  return {
    signal: AbortSignal.any([outer, abort.signal]),
    startBody() {
      deadline = performance.now() + waitMs;
      restart();
    },
    receive(bytes) {
      deadline += bytes / slowestLine;
      restart();
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * The limits of JSON in a response: more levels or values take longer to parse than the files of other organisations
 * should wait. A list of slots has the most values.
 */
const jsonLimits = { nesting: 32, values: 1_000_000 };

/**
 * Passes a body on in pieces, unpacked, until `take` returns false or the body declares more than `most` bytes; returns
 * whether it was read to its end.
 */
export async function readPieces(
  response: Response,
  most: number,
  limits: ExchangeLimits,
  take: (piece: Uint8Array) => boolean,
): Promise<boolean> {
  const isPacked = response.headers.has('content-encoding');
  const declared = Number(response.headers.get('content-length') ?? 0);
  if (declared > most && !isPacked) {
    await response.body?.cancel();
    return false;
  }
  for await (const piece of response.body ?? []) {
    limits.receive(piece.length);
    // leaving the loop cancels the rest
    if (!take(piece)) return false;
  }
  return true;
}

/** The whole body, unpacked; null as soon as it has more than `most` bytes, or is JSON that would take long to parse. */
export async function readAtMost(
  response: Response,
  most: number,
  limits: ExchangeLimits,
): Promise<Buffer | null> {
  const json = followJson(jsonLimits);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const isWhole = await readPieces(response, most, limits, (piece) => {
    size += piece.length;
    pieces.push(piece);
    return size <= most && json.isWithin(piece);
  });
  return isWhole ? Buffer.concat(pieces, size) : null;
}
