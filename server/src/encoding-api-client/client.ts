/**
 * Calls the Encoding API of a service with the credentials of one client application: gets the token, limits each
 * exchange, and distinguishes what the service refuses from what may work later.
 */
import { requestAccessToken } from '@recodery/contract/features/clients';
import { contentSha256Header } from '@recodery/contract/features/slots';
import { accessTokenHeader, idempotencyHeader } from '@recodery/contract/headers';
import { type ErrorWords, joinWords, memberOf, parseJson, readBodyWords } from './error-words.ts';
import {
  CredentialsRefused,
  RequestRefused,
  ServiceUnavailable,
  TokenRefused,
  UnexpectedResponse,
} from './errors.ts';
import { type ExchangeLimits, limitExchange, readAtMost, readPieces } from './exchange-limits.ts';
import { createFileAnswerReader, type FileFault } from './file-answer.ts';
import { describeNetworkFault } from './network-faults.ts';
import { type ApiFile, readFileAnswer } from './records.ts';
import type { ApiRequest, WantedFile } from './requests.ts';

/** Bytes of a response that is not a file. */
const longestAnswer = 1024 * 1024;
/** Bytes of an error response that are read for its message. */
const longestError = 64 * 1024;
/** Characters of the shortest text that is hidden as a secret: a shorter one occurs in other words by chance. */
const shortestSecret = 6;
/** Statuses of a request that may succeed later; 409 means that the first request with the same key is still handled. */
const temporary: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** Error codes with which a Recodery portal refuses a request, with 400, that may succeed later. */
const temporaryWords: ReadonlySet<string> = new Set(['TOO_MANY_UPLOADS', 'UPLOAD_INTERRUPTED']);

/** The address of a service, and the credentials of a client application there. */
export interface ServiceAddress {
  /** Without a final slash; it may have a path. */
  readonly url: string;
  readonly clientGuid: string;
  readonly secretKey: string;
}

/** All of its functions throw {@link RequestRefused}, {@link ServiceUnavailable}, and the signal's reason. */
export interface EncodingApiClient {
  readonly origin: string;
  /** Gets a token, unless there is one. */
  connect(signal: AbortSignal): Promise<void>;
  /** Sends a request and returns the response as JSON. */
  call(request: ApiRequest, signal: AbortSignal): Promise<unknown>;
  /** Downloads a file. Its bytes have the size, and the hash, that the service states. */
  download(file: WantedFile, signal: AbortSignal): Promise<ApiFile>;
  /** A text of the service without the credentials, which it may repeat. */
  hideSecrets(text: string): string;
}

export interface EncodingApiClientOptions {
  /** Milliseconds for which a request waits without progress, for the response's head and between its pieces. */
  readonly waitMs: number;
  /** Aborts the token requests, which no caller owns. */
  readonly stop: AbortSignal;
  /** The address with the current credentials: they may be replaced while operations use this client. */
  findAddress?(): Promise<ServiceAddress>;
  /** Called when the service refuses to issue or accept a token, once until it accepts one again. */
  onTokenRefused?(reason: string): void;
}

/** Opens a client; its token is requested with the first call, and kept. */
export function createEncodingApiClient(
  address: ServiceAddress,
  options: EncodingApiClientOptions,
): EncodingApiClient {
  const service: Service = {
    address,
    options,
    secretKeys: new Set([address.secretKey]),
    token: null,
    issued: null,
    isRefused: false,
  };
  return {
    origin: new URL(address.url).origin,
    hideSecrets: (text) => hideSecrets(service, text),
    async connect(signal) {
      await untilAborted(getToken(service), signal);
    },
    call: (request, signal) =>
      exchange(service, request, signal, (response, limits) =>
        readAnswer(response, request, limits),
      ),
    download({ path, size, mostBytes }, signal) {
      return exchange(service, { verb: 'GET', path }, signal, async (response, limits) => {
        const { json, data } = await readFileBody(response, mostBytes, limits);
        const sha256 = response.headers.get(contentSha256Header);
        return readFileAnswer(json, data, { size, sha256 });
      });
    },
  };
}

interface Service {
  address: ServiceAddress;
  /** The secrets of all addresses, which texts of the service must not contain. */
  readonly secretKeys: Set<string>;
  readonly options: EncodingApiClientOptions;
  /** Shared by concurrent calls. */
  token: Promise<string> | null;
  /** The last token, which the service's texts must not contain. */
  issued: string | null;
  /** Whether a refusal has been reported. */
  isRefused: boolean;
}

/** Reads a successful response. */
type ReadResponse<T> = (response: Response, limits: ExchangeLimits) => Promise<T>;

const unauthorized = Symbol('401');

/** Sends a request with the token; once more with a new one, if the service does not accept it. */
async function exchange<T>(
  service: Service,
  request: ApiRequest,
  signal: AbortSignal,
  read: ReadResponse<T>,
): Promise<T> {
  const first = await sendWithToken(service, request, signal, read);
  if (first !== unauthorized) return first;
  // it may have expired, or the service has lost it
  const second = await sendWithToken(service, request, signal, read);
  if (second !== unauthorized) return second;
  throw refuseToken(service, 'the service refuses the token that it has just issued (401)');
}

/** Sends a request with the token, which is forgotten when the service does not accept it. */
async function sendWithToken<T>(
  service: Service,
  request: ApiRequest,
  signal: AbortSignal,
  read: ReadResponse<T>,
): Promise<T | typeof unauthorized> {
  const asked = getToken(service);
  const token = await untilAborted(asked, signal);
  const answer = await send(service, { request, token, signal, read });
  if (answer !== unauthorized) service.isRefused = false;
  // a concurrent call may have requested the next one
  else if (service.token === asked) service.token = null;
  return answer;
}

/** The token, which concurrent calls request once. */
function getToken(service: Service): Promise<string> {
  if (service.token === null) {
    const asked = requestToken(service);
    service.token = asked;
    asked.catch(() => {
      if (service.token === asked) service.token = null;
    });
  }
  return service.token;
}

/** The result of work that others wait for too; this caller stops waiting when its signal is aborted. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function requestToken(service: Service): Promise<string> {
  service.address = (await service.options.findAddress?.()) ?? service.address;
  const { clientGuid, secretKey } = service.address;
  service.secretKeys.add(secretKey);
  const request = {
    verb: 'POST',
    path: requestAccessToken.path,
    body: { clientApplicationGUID: clientGuid, secretKey },
  } as const;
  // not under a caller's signal: other calls wait for the same token
  const { stop: signal } = service.options;
  const read: ReadResponse<unknown> = (response, limits) => readAnswer(response, request, limits);
  const answer = await send(service, { request, token: null, signal, read }).catch(
    (error: unknown) => {
      if (!(error instanceof RequestRefused) || error.status === null) throw error;
      noticeRefusal(service, error.message);
      throw new CredentialsRefused(error.message, error.status);
    },
  );
  if (answer === unauthorized)
    throw refuseToken(service, 'the service responds to the token request with 401');
  const token = memberOf(answer, 'accessToken');
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new UnexpectedResponse('the response to the token request contains no token');
  service.issued = token;
  return token;
}

function refuseToken(service: Service, reason: string): TokenRefused {
  noticeRefusal(service, reason);
  return new TokenRefused(reason, { status: 401 });
}

function noticeRefusal(service: Service, reason: string): void {
  if (!service.isRefused) service.options.onTokenRefused?.(reason);
  service.isRefused = true;
}

function hideSecrets({ secretKeys, issued }: Service, text: string): string {
  return [...secretKeys, issued ?? '']
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

interface Exchange<T> {
  readonly request: ApiRequest;
  readonly token: string | null;
  readonly signal: AbortSignal;
  readonly read: ReadResponse<T>;
}

/** One exchange; returns what was read of its response, or {@link unauthorized}. */
async function send<T>(
  service: Service,
  { request, token, signal, read }: Exchange<T>,
): Promise<T | typeof unauthorized> {
  const { verb, path, file } = request;
  const url = path.startsWith('/') ? `${service.address.url}${path}` : path;
  const bounds = { waitMs: service.options.waitMs, sends: file?.size ?? 0 };
  const late = (): Error => new ServiceUnavailable('no response in time');
  const limits = limitExchange(bounds, signal, late);
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
    if (response.ok) return await read(response, limits);
    if (response.status === 401) {
      await discardBody(response);
      return unauthorized;
    }
    const words = await readWords(service, response, limits);
    signal.throwIfAborted();
    throw judge(response, words);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestRefused || error instanceof ServiceUnavailable) throw error;
    if (limits.signal.aborted) throw limits.signal.reason;
    throw new ServiceUnavailable(describeNetworkFault(error, new URL(url)).text);
  } finally {
    limits.stop();
  }
}

function headersOf(request: ApiRequest, token: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token === null ? {} : { [accessTokenHeader]: token }),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.idempotencyKey === undefined
      ? {}
      : { [idempotencyHeader]: request.idempotencyKey }),
  };
}

async function bodyOf({ body, file }: ApiRequest): Promise<string | FormData | null> {
  if (file === undefined) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  form.append(file.field, await file.open(), file.name);
  return form;
}

/** The JSON of a successful response. */
async function readAnswer(
  response: Response,
  request: ApiRequest,
  limits: ExchangeLimits,
): Promise<unknown> {
  if (request.isStatusEnough === true) {
    await discardBody(response);
    return undefined;
  }
  const bytes = await readAtMost(response, request.longestAnswer ?? longestAnswer, limits);
  // too long: a repeated request would return the same
  if (bytes === null) throw new RequestRefused('ANSWER_TOO_LARGE');
  return readJson(new TextDecoder().decode(bytes));
}

function readJson(text: string): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new ServiceUnavailable('the response is not JSON');
  return json;
}

/** The JSON of a response with a file, and the bytes of the file; null: there are none. */
async function readFileBody(
  response: Response,
  mostBytes: number,
  limits: ExchangeLimits,
): Promise<{ readonly json: unknown; readonly data: Buffer | null }> {
  const reader = createFileAnswerReader(mostBytes);
  let fault: FileFault | null = null;
  // Base64 with a few escapes, plus a name
  const longest = mostBytes * 2 + 128 * 1024;
  const isWhole = await readPieces(response, longest, limits, (piece) => {
    fault = reader.push(piece);
    return fault === null;
  });
  if (fault === 'no file') return { json: null, data: null };
  // too long: a repeated request would return the same
  if (!isWhole) throw new RequestRefused('ANSWER_TOO_LARGE');
  const { rest, data } = reader.end();
  return { json: readJson(rest), data };
}

/** Does not read a body, whether or not it would have been complete. */
async function discardBody(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** The message of an error. Its status counts even if its body is too long, or never ends. */
async function readWords(
  service: Service,
  response: Response,
  limits: ExchangeLimits,
): Promise<ErrorWords> {
  const bytes = await readAtMost(response, longestError, limits).catch(() => null);
  return readBodyWords(hideSecrets(service, new TextDecoder().decode(bytes ?? new Uint8Array())));
}

/** What an error status means: a refusal, or that the same request may succeed later. */
function judge(response: Response, words: ErrorWords): RequestRefused | ServiceUnavailable {
  const { status, headers } = response;
  const withStatus = joinWords({ word: `HTTP ${status}`, detail: joinWords(words) });
  const word = words.word === '' ? withStatus : joinWords(words);
  if (status < 400) {
    const to = `the address redirects to ${headers.get('location')}`;
    return new UnexpectedResponse(withStatus, { status, word: to });
  }
  if (status >= 500 || temporary.has(status) || temporaryWords.has(words.word))
    return new ServiceUnavailable(withStatus, {
      status,
      word,
      retryAfterMs: readRetryAfter(headers.get('retry-after') ?? ''),
    });
  return new RequestRefused(word, status);
}

/** Milliseconds of the header `Retry-After`, which has seconds or a date; null when there is none. */
function readRetryAfter(text: string): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
