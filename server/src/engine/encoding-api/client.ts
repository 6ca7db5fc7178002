/**
 * Calls of the Encoding API under the credentials of one connection. Distinguishes what the vendor refuses from what
 * may work later.
 */
import { requestAccessToken } from '@recodery/contract/features/clients';
import { EngineRefused } from '../engine.ts';
import { type ErrorWords, joinWords, memberOf, parseJson, readBodyWords } from './error-words.ts';
import { describeNetworkFault } from './network-faults.ts';
import { readAtMost, limitExchange, type ExchangeLimits } from './exchange-limits.ts';

/** The header that carries the access token, without a scheme. */
const tokenHeader = 'X-Alientech-ReCodAPI-LLC';
/** Bytes of a response that is not a file. */
const longestAnswer = 1024 * 1024;
/** Bytes of an error response that are read for its message. */
const longestError = 64 * 1024;
/** Characters of the shortest text that is hidden as a secret: a shorter one occurs in other words by chance. */
const shortestSecret = 6;
/** Statuses of a request that may succeed later; 409 means that the first request with the same key is still handled. */
const temporary: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);
/** Error codes with which a Recodery portal refuses a request, with 400, that may succeed later. */
const temporaryWords: ReadonlySet<string> = new Set(['TOO_MANY_UPLOADS', 'UPLOAD_INTERRUPTED']);

/** The service is not responding correctly; the message describes how. The same request may succeed later. */
export class VendorUnavailable extends Error {
  /** Milliseconds that the vendor asks to wait; null: not specified. */
  readonly retryAfterMs: number | null;
  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.name = 'VendorUnavailable';
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service refuses to issue a token for the credentials of the connection. */
export class CredentialsRefused extends EngineRefused {}

/**
 * The service returns 401 where it should issue or accept a new token. This may be temporary, or the credentials are
 * wrong.
 */
export class TokenRefused extends VendorUnavailable {}

/** The address of a connection, and its credentials. */
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
  /** Sent as a form; created again for each attempt. */
  readonly form?: () => Promise<FormData>;
  /** Bytes that the form sends: the response may take longer. */
  readonly sends?: number;
  readonly idempotencyKey?: string;
  /** Bytes of the response; by default 1 MiB. */
  readonly longestAnswer?: number;
  /** Only the status of the response matters: its body is not read. */
  readonly isStatusEnough?: boolean;
}

export interface VendorClient {
  readonly origin: string;
  /**
   * Sends a request and returns the response as JSON. @throws {EngineRefused} @throws {VendorUnavailable} @throws the
   * signal's reason
   */
  call(request: VendorRequest, signal: AbortSignal): Promise<unknown>;
  /** A text of the vendor without the credentials, which it may repeat. */
  hideSecrets(text: string): string;
}

export interface VendorClientOptions {
  /** How long a request waits without progress, for the response's head and between its pieces. */
  readonly waitMs: number;
  /** Aborts the token requests, which no caller owns. */
  readonly stop: AbortSignal;
  /** The address with the current credentials: they may be replaced while operations use this client. */
  findAddress?(): Promise<VendorAddress>;
  /** Called when the service refuses to issue or accept a token, once until it accepts one again. */
  onTokenRefused?(reason: string): void;
}

/** Opens a client; its token is requested with the first call, and kept. */
export function createVendorClient(
  address: VendorAddress,
  options: VendorClientOptions,
): VendorClient {
  const vendor: Vendor = {
    address,
    options,
    secretKeys: new Set([address.secretKey]),
    token: null,
    issued: null,
    isRefused: false,
  };
  return {
    origin: new URL(address.url).origin,
    hideSecrets: (text) => hideSecrets(vendor, text),
    async call(request, signal) {
      const first = await sendWithToken(vendor, request, signal);
      if (first !== unauthorized) return first;
      // once more with a new token: it may have expired, or the service has lost it
      const second = await sendWithToken(vendor, request, signal);
      if (second !== unauthorized) return second;
      const reason = 'the service refuses the token that it has just issued (401)';
      noticeRefusal(vendor, reason);
      throw new TokenRefused(reason);
    },
  };
}

interface Vendor {
  address: VendorAddress;
  /** The secrets of all addresses, which texts of the vendor must not contain. */
  readonly secretKeys: Set<string>;
  readonly options: VendorClientOptions;
  /** Shared by concurrent calls. */
  token: Promise<string> | null;
  /** The last token, which the vendor's texts must not contain. */
  issued: string | null;
  /** Whether a refusal has been reported. */
  isRefused: boolean;
}

const unauthorized = Symbol('401');

/** Sends a request with the token, which is forgotten when the service does not accept it. */
async function sendWithToken(
  vendor: Vendor,
  request: VendorRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const asked = (vendor.token ??= requestToken(vendor));
  const forget = (): void => {
    // a concurrent call may have requested the next one
    if (vendor.token === asked) vendor.token = null;
  };
  asked.catch(forget);
  const answer = await send(vendor, request, await untilAborted(asked, signal), signal);
  if (answer === unauthorized) forget();
  else vendor.isRefused = false;
  return answer;
}

/** The result of work that others wait for too; this caller stops waiting when its signal is aborted. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}

async function requestToken(vendor: Vendor): Promise<string> {
  vendor.address = (await vendor.options.findAddress?.()) ?? vendor.address;
  const { clientGuid, secretKey } = vendor.address;
  vendor.secretKeys.add(secretKey);
  const request = {
    verb: 'POST',
    path: requestAccessToken.path,
    body: { clientApplicationGUID: clientGuid, secretKey },
  } as const;
  // not under a caller's signal: other calls wait for the same token
  const answer = await send(vendor, request, null, vendor.options.stop).catch((error: unknown) => {
    if (!(error instanceof EngineRefused) || error.status === null) throw error;
    noticeRefusal(vendor, error.message);
    throw new CredentialsRefused(error.message, error.status);
  });
  if (answer === unauthorized) {
    const reason = 'the service responds to the token request with 401';
    noticeRefusal(vendor, reason);
    throw new TokenRefused(reason);
  }
  const token = memberOf(answer, 'accessToken');
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new VendorUnavailable('the response to the token request contains no token');
  vendor.issued = token;
  return token;
}

function noticeRefusal(vendor: Vendor, reason: string): void {
  if (!vendor.isRefused) vendor.options.onTokenRefused?.(reason);
  vendor.isRefused = true;
}

function hideSecrets({ secretKeys, issued }: Vendor, text: string): string {
  return [...secretKeys, issued ?? '']
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/** One exchange; returns the response's JSON, or {@link unauthorized}. */
async function send(
  vendor: Vendor,
  request: VendorRequest,
  token: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const { verb, path, sends = 0 } = request;
  const { waitMs } = vendor.options;
  const url = path.startsWith('/') ? `${vendor.address.url}${path}` : path;
  const limits = limitExchange(
    { waitMs, sends },
    signal,
    () => new VendorUnavailable('no response in time'),
  );
  try {
    const response = await fetch(url, {
      method: verb,
      headers: headersOf(request, token),
      body: await bodyOf(request),
      // the credentials are meant only for this address
      redirect: 'manual',
      signal: limits.signal,
    });
    limits.startBody();
    if (response.ok) return await readAnswer(response, request, limits);
    if (response.status === 401) {
      await discardBody(response);
      return unauthorized;
    }
    const words = await readWords(vendor, response, limits);
    signal.throwIfAborted();
    throw judge(response, words);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineRefused || error instanceof VendorUnavailable) throw error;
    if (limits.signal.aborted) throw limits.signal.reason;
    throw new VendorUnavailable(describeNetworkFault(error, new URL(url)).text);
  } finally {
    limits.stop();
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

/** The JSON of a successful response. */
async function readAnswer(
  response: Response,
  request: VendorRequest,
  limits: ExchangeLimits,
): Promise<unknown> {
  if (request.isStatusEnough === true) {
    await discardBody(response);
    return undefined;
  }
  const bytes = await readAtMost(response, request.longestAnswer ?? longestAnswer, limits);
  // too long: a repeated request would return the same
  if (bytes === null) throw new EngineRefused('ANSWER_TOO_LARGE');
  const json = parseJson(new TextDecoder().decode(bytes));
  if (json === undefined) throw new VendorUnavailable('the response is not JSON');
  return json;
}

/** Does not read a body, whether or not it would have been complete. */
async function discardBody(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** The message of an error. Its status counts even if its body is too long, or never ends. */
async function readWords(
  vendor: Vendor,
  response: Response,
  limits: ExchangeLimits,
): Promise<ErrorWords> {
  const bytes = await readAtMost(response, longestError, limits).catch(() => null);
  return readBodyWords(hideSecrets(vendor, new TextDecoder().decode(bytes ?? new Uint8Array())));
}

/** What an error status means: a refusal, or that the same request may succeed later. */
function judge(response: Response, words: ErrorWords): EngineRefused | VendorUnavailable {
  const { status } = response;
  const isTemporary = status < 400 || status >= 500 || temporary.has(status);
  const isNamed = words.word !== '';
  const withStatus = joinWords({ word: `HTTP ${status}`, detail: joinWords(words) });
  if (isTemporary || temporaryWords.has(words.word))
    return new VendorUnavailable(withStatus, readRetryAfter(response));
  return new EngineRefused(isNamed ? joinWords(words) : withStatus, status);
}

/** Milliseconds of the header `Retry-After`, which has seconds or a date; null when there is none. */
function readRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
