/**
 * The one way to call the server: takes a route of the contract and its input, returns its response, and throws its
 * refusal.
 */
import { type AnswerOf, type InputOf, pathOf, type Route } from '@recodery/contract/api';
import { customerCodeHeader, languageHeader, sessionHeader } from '@recodery/contract/headers';
import * as z from 'zod/mini';
import { believedCustomerCode } from './customer-code.ts';
import { reportLostRequest } from './lost-requests.ts';
import { refusalOf } from './read-refusal.ts';
import { withRequestKey } from './request-keys.ts';
import { noteServerTime } from './server-clock.ts';
import { keepSessionId, readSessionId } from './session-id.ts';

// The content policy forbids `eval`, and even zod's feature test for it is reported as a violation.
z.config({ jitless: true });

/** The given values by name, as text. */
function textsOf(values: unknown): [name: string, text: string][] {
  return Object.entries((values ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}

/** The path and query of a call. */
export function addressOf(route: Route, { params, query }: InputOf<Route>): string {
  const path = pathOf(route, Object.fromEntries(textsOf(params)));
  const search = new URLSearchParams(textsOf(query));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The headers of a call to this route. */
export function headersOf(route: Route, sessionId: string | null): Record<string, string> {
  const headers: Record<string, string> = {};
  if (route.parts.access !== 'public' && sessionId !== null) headers[sessionHeader] = sessionId;
  // Only a problem document contains the details of a refusal; otherwise a refusal is just a code word.
  headers['Accept'] = 'application/problem+json, */*';
  // Messages that the server writes are in the page's display language.
  headers[languageHeader] = document.documentElement.lang;
  const code = believedCustomerCode();
  if (route.parts.actsForCustomerCode && code !== null) headers[customerCodeHeader] = code;
  return headers;
}

/** The response of a route, parsed from the body's text and checked against the contract. */
export function answerOf<R extends Route>(route: R, text: string): AnswerOf<R> {
  const { answer } = route.parts;
  if (answer.kind !== 'json') return undefined as AnswerOf<R>;
  return z.parse(answer.schema, JSON.parse(text)) as AnswerOf<R>;
}

/** Stores the session id that a response renews. */
export function renewSession(renewed: string | null): void {
  if (renewed !== null && renewed !== '' && readSessionId() !== null) keepSessionId(renewed);
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sends the request even if the page is closed immediately. */
  readonly keepalive?: boolean;
  /** The route returns a file: the text of a 404 is then also a code. */
  readonly isDownload?: boolean;
  /** Headers in addition to those of the route. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends the request of a route. Resolves to a successful response; rejects with a `Refusal` when the server refuses, and
 * with the error that `fetch` throws when the network fails or `signal` aborts.
 */
export async function send<R extends Route>(
  route: R,
  input: InputOf<R>,
  { signal, keepalive = false, isDownload = false, headers: more }: CallOptions,
): Promise<Response> {
  const sessionId = readSessionId();
  const headers = { ...headersOf(route, sessionId), ...more };
  if (input.body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(addressOf(route, input), {
    method: route.verb,
    headers,
    cache: 'no-store',
    keepalive,
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(signal ? { signal } : {}),
  }).catch((thrown: unknown) => {
    if (signal?.aborted !== true) reportLostRequest();
    throw thrown;
  });
  renewSession(response.headers.get(sessionHeader));
  noteServerTime(response.headers.get('Date'), Date.now());
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text(), sessionId, isDownload);
}

/** What identifies a request, except for its file. */
export function contentOf(route: Route, input: InputOf<Route>): string {
  const { body, fields } = input;
  const content = { body, fields, customerCode: believedCustomerCode() };
  return `${route.verb} ${addressOf(route, input)} ${JSON.stringify(content)}`;
}

/** Calls a route. Resolves to its response; rejects as {@link send} does. */
export async function call<R extends Route>(
  route: R,
  input: InputOf<R> = {},
  options: CallOptions = {},
): Promise<AnswerOf<R>> {
  const asked = { content: contentOf(route, input), file: null };
  const text = await withRequestKey(route, asked, async (headers) => {
    const response = await send(route, input, {
      ...options,
      headers: { ...options.headers, ...headers },
    });
    return response.text();
  });
  return answerOf(route, text);
}

export type Call = typeof call;
