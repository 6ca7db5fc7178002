/**
 * Calls of the Encoding API under the credentials of one connection. Tells apart what the vendor refuses, and what may
 * work later.
 */
import { EngineRefused } from '../engine.ts';
import { describeNetworkFault } from './network-faults.ts';
import { readAtMost, startWatch, type Watch } from './watch.ts';

/** The header that carries the access token, without a scheme. */
const tokenHeader = 'X-Alientech-ReCodAPI-LLC';
/** Bytes of an answer that is not a file. */
const longestAnswer = 1024 * 1024;
/** Characters of a vendor's word that are kept. */
const longestWord = 200;
/** Statuses of a request that may succeed later; 409 says that the first request with the same key is still handled. */
const passing: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);
/** Words with which a Recodery refuses a request, with 400, that may succeed later. */
const passingWords: ReadonlySet<string> = new Set(['TOO_MANY_UPLOADS', 'UPLOAD_INTERRUPTED']);

/** The service does not answer as it should at the moment; the message says how. The same request may succeed later. */
export class EngineAway extends Error {
  /** Milliseconds that the vendor asks to wait; null: it does not say. */
  readonly retryAfterMs: number | null;
  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.name = 'EngineAway';
    this.retryAfterMs = retryAfterMs;
  }
}

/** Where a connection leads, and its credentials there. */
export interface VendorAddress {
  /** Without a final slash; it may have a path. */
  readonly url: string;
  readonly clientGuid: string;
  readonly secretKey: string;
}

/** A request of the Encoding API. */
export interface VendorRequest {
  readonly verb: 'GET' | 'POST' | 'PUT';
  /** Below the base address, or the whole address of a result. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form; made again for each attempt. */
  readonly form?: () => Promise<FormData>;
  /** Bytes that the form sends: the answer may take longer. */
  readonly sends?: number;
  readonly idempotencyKey?: string;
  /** Bytes of the answer; by default 1 MiB. */
  readonly longestAnswer?: number;
}

export interface VendorClient {
  readonly origin: string;
  /** Sends a request; the answer as JSON. @throws {EngineRefused} @throws {EngineAway} @throws the signal's reason */
  call(request: VendorRequest, signal: AbortSignal): Promise<unknown>;
}

/** Bytes a millisecond: the slowest line on which an upload arrives in time. */
const slowestLine = 64;

/**
 * Opens a client; its token is asked for with the first call, and kept. `waitMs`: how long a request waits without progress,
 * for the answer's head and between its pieces.
 */
export function createVendorClient(address: VendorAddress, waitMs: number): VendorClient {
  const vendor: Vendor = { address, waitMs, token: null };
  return {
    origin: new URL(address.url).origin,
    async call(request, signal) {
      const first = await send(vendor, request, await useToken(vendor, signal), signal);
      if (first !== unauthorized) return first;
      // once more with a new token: it may have expired, or the service has lost it
      vendor.token = null;
      const second = await send(vendor, request, await useToken(vendor, signal), signal);
      if (second !== unauthorized) return second;
      vendor.token = null;
      throw new EngineAway('the service refuses the token that it has just issued (401)');
    },
  };
}

interface Vendor {
  readonly address: VendorAddress;
  readonly waitMs: number;
  /** Shared by concurrent calls. */
  token: Promise<string> | null;
}

const unauthorized = Symbol('401');

async function useToken(vendor: Vendor, signal: AbortSignal): Promise<string> {
  // not under the caller's signal: other calls wait for the same token
  const asked = (vendor.token ??= requestToken(vendor));
  const token = await asked.catch((error: unknown) => {
    if (vendor.token === asked) vendor.token = null;
    throw error;
  });
  signal.throwIfAborted();
  return token;
}

async function requestToken(vendor: Vendor): Promise<string> {
  const { clientGuid, secretKey } = vendor.address;
  const answer = await send(
    vendor,
    {
      verb: 'POST',
      path: '/api/access-tokens/request',
      body: { clientApplicationGUID: clientGuid, secretKey },
    },
    null,
    new AbortController().signal,
  );
  if (answer === unauthorized) throw new EngineRefused('INVALID_CREDENTIALS', 401);
  const token = memberOf(answer, 'accessToken');
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new EngineAway('the answer to the token request has no token');
  return token;
}

/** One exchange; the answer's JSON, or {@link unauthorized}. */
async function send(
  { address, waitMs }: Vendor,
  request: VendorRequest,
  token: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const { verb, path } = request;
  const url = path.startsWith('/') ? `${address.url}${path}` : path;
  const watch = startWatch(waitMs, signal, () => new EngineAway('no answer in time'));
  try {
    watch.allow(waitMs + (request.sends ?? 0) / slowestLine);
    const response = await fetch(url, {
      method: verb,
      headers: headersOf(request, token),
      body: await bodyOf(request),
      // the credentials are meant for this address alone
      redirect: 'manual',
      signal: watch.signal,
    });
    watch.allow(waitMs);
    return await judge(response, request, watch);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineRefused || error instanceof EngineAway) throw error;
    if (watch.signal.aborted) throw watch.signal.reason;
    throw new EngineAway(describeNetworkFault(error, new URL(url)).text);
  } finally {
    watch.stop();
  }
}

function headersOf(request: VendorRequest, token: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token === null ? {} : { [tokenHeader]: token }),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
  };
}

async function bodyOf({ body, form }: VendorRequest): Promise<string | FormData | null> {
  if (form !== undefined) return form();
  return body === undefined ? null : JSON.stringify(body);
}

async function judge(response: Response, request: VendorRequest, watch: Watch): Promise<unknown> {
  const { status } = response;
  const limit = response.ok ? (request.longestAnswer ?? longestAnswer) : longestAnswer;
  const bytes = await readAtMost(response, limit, watch);
  // too long in full, it would be too long again
  if (bytes === null) throw new EngineRefused('ANSWER_TOO_LARGE');
  const text = (): string => new TextDecoder().decode(bytes);
  if (response.ok) {
    const json = parseJson(text());
    if (json === undefined) throw new EngineAway('the answer is not JSON');
    return json;
  }
  if (status === 401) return unauthorized;
  const word = wordOf(text());
  const isPassing = status < 400 || status >= 500 || passing.has(status);
  if (isPassing || word === null || passingWords.has(word))
    throw new EngineAway(`HTTP ${status}`, readRetryAfter(response));
  throw new EngineRefused(word === '' ? `HTTP ${status}` : word, status);
}

/** Milliseconds of the header `Retry-After`, which has seconds or a date; null when there is none. */
function readRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The JSON value of a text; undefined when it is none. JSON.parse can say so only by throwing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member of a JSON object, by its name in any case; undefined when there is none. */
export function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined;
  const wanted = name.toLowerCase();
  return Object.entries(json).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The vendor's word in an error's body: plain text, or a JSON error; null for a page, which no vendor's program wrote. */
function wordOf(body: string): string | null {
  const json = parseJson(body);
  if (json !== undefined) return wordOfError(json);
  return /^\s*</.test(body) ? null : tidy(body);
}

/** The word of an error whose shape is not known: a text, or an object that names it; empty when there is none. */
export function wordOfError(error: unknown): string {
  if (typeof error === 'string' || typeof error === 'number') return tidy(String(error));
  for (const name of [
    'errorName',
    'errorCode',
    'code',
    'error',
    'name',
    'message',
    'detail',
    'title',
  ]) {
    const word = wordOfMember(memberOf(error, name));
    if (word !== '') return word;
  }
  return '';
}

function wordOfMember(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? tidy(String(value)) : '';
}

/** One line of visible characters, short enough to be shown. */
function tidy(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
    .trim();
  return [...line.slice(0, 2 * longestWord)].slice(0, longestWord).join('');
}
