/** One exchange with a maker's service: a request, and its JSON response within limits of time and size. */
import { joinWords, parseJson, readBodyWords } from '../../encoding-api-client/error-words.ts';
import { RequestRefused, ServiceUnavailable } from '../../encoding-api-client/errors.ts';
import {
  type ExchangeLimits,
  limitExchange,
  readAtMost,
} from '../../encoding-api-client/exchange-limits.ts';
import { describeNetworkFault } from '../../encoding-api-client/network-faults.ts';

/** Bytes of an error response that are read for its message. */
const longestError = 64 * 1024;
/** Milliseconds: a service that asks for a longer pause is asked again after this time. */
const longestRetryAfter = 5 * 60_000;
/** Statuses of a request that may succeed later, besides those of 500 and above. */
const temporary: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The service does not accept the credentials: it responds so, or redirects to a page for signing in. */
export class AccessRefused extends RequestRefused {
  /** The service's own text. */
  readonly reason: string;
  constructor(reason: string, status: number | null = null) {
    super(`the service refuses the credentials: ${reason}`, status);
    this.reason = reason;
  }
}

/** A request, as its maker documents it. */
export interface ServiceRequest {
  /** After the address of the connection. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The type of the body. */
  readonly contentType: string;
  /** A file is read while it is sent, so that nothing is in memory while the service is unavailable. */
  readonly body: Blob;
}

/** The limits of an exchange. */
export interface ServiceLimits {
  /** Milliseconds without progress. */
  readonly waitMs: number;
  /** Bytes of the response. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  /** Statuses of 500 and above that are final if their body is JSON. */
  readonly finalStatuses: readonly number[];
  /** Waits until the body may be received: it is in memory. */
  receive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Removes the credentials from a text of the service, which may repeat them. */
  hideSecrets(text: string): string;
}

/**
 * Sends a request and returns the JSON of its response. Never follows a redirect, which would get the credentials.
 * @throws {AccessRefused} the credentials are wrong
 * @throws {RequestRefused} the same request would be refused again
 * @throws {ServiceUnavailable} the same request may succeed later
 */
export async function exchange(
  url: string,
  request: ServiceRequest,
  limits: ServiceLimits,
): Promise<unknown> {
  const headers = { ...request.headers, 'content-type': request.contentType };
  // the message of `fetch` would repeat the credentials
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]+$/.test(value)))
    throw new AccessRefused('they contain a character that a header cannot have');
  const { signal } = limits;
  const late = (): Error => new ServiceUnavailable('no response in time');
  const timer = limitExchange({ waitMs: limits.waitMs, sends: request.body.size }, signal, late);
  try {
    const response = await fetch(`${url}${request.path}`, {
      method: 'POST',
      headers,
      body: request.body,
      redirect: 'manual',
      signal: timer.signal,
    });
    // the wait for its turn is no fault of the service
    timer.stop();
    return await limits.receive(signal, () => {
      timer.startBody();
      return read(response, limits, timer);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestRefused || error instanceof ServiceUnavailable) throw error;
    if (timer.signal.aborted) throw timer.signal.reason;
    throw new ServiceUnavailable(describeNetworkFault(error, new URL(url)).text);
  } finally {
    timer.stop();
  }
}

async function read(
  response: Response,
  limits: ServiceLimits,
  timer: ExchangeLimits,
): Promise<unknown> {
  if (!response.ok) {
    // the status counts even if the body is too long, or never ends
    const bytes = await readAtMost(response, longestError, timer).catch(() => null);
    limits.signal.throwIfAborted();
    throw judge(response, new TextDecoder().decode(bytes ?? new Uint8Array()), limits);
  }
  const bytes = await readAtMost(response, limits.mostBytes, timer);
  // too long: a repeated request would return the same
  if (bytes === null) throw new RequestRefused('the response is too large');
  const json = parseJson(bytes.toString('utf8'));
  if (json === undefined) throw new ServiceUnavailable('the response is not JSON');
  return json;
}

/** What a status that is not a success means. */
function judge(
  { status, headers }: Response,
  text: string,
  { finalStatuses, hideSecrets }: ServiceLimits,
): RequestRefused | ServiceUnavailable {
  const word = joinWords({ word: `HTTP ${status}`, detail: joinWords(readBodyWords(text)) });
  const reason = hideSecrets(word);
  if (status < 400 || status === 401 || status === 403) return new AccessRefused(reason, status);
  const isFinal = finalStatuses.includes(status) && parseJson(text) !== undefined;
  if ((status >= 500 && !isFinal) || temporary.has(status)) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after'));
    return new ServiceUnavailable(reason, { status, retryAfterMs });
  }
  return new RequestRefused(reason, status);
}

/** Milliseconds of the header `Retry-After`, which has seconds; null when there is none. */
function readRetryAfter(text: string | null): number | null {
  return /^\d+$/.test(text ?? '') ? Math.min(longestRetryAfter, Number(text) * 1000) : null;
}
