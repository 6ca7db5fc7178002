/** A request of the matrix: what a call names, in which place, and how it is sent. */
import { pathOf, type Route } from '@recodery/contract/api';
import type { FastifyInstance, InjectOptions } from 'fastify';
import * as z from 'zod/mini';

/** The values of a request. `body` is sent as JSON, `file` in the route's form. */
export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly file?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response as the matrix compares it. */
export interface Reply {
  /** The status and, for a refusal, its code: `404 NOT_FOUND`. */
  readonly answer: string;
  /** Headers and body. */
  readonly whole: string;
}

type Leaves = ReadonlyMap<string, unknown>;

function collect(value: unknown, path: string, leaves: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) {
    leaves.set(path, value);
    return;
  }
  for (const [name, member] of Object.entries(value)) collect(member, `${path}.${name}`, leaves);
}

/** The values of a request by their places: `path.slotGUID`, `query.before`, `body.files.modified`. */
export function leavesOf({ params = {}, query = {}, body = {} }: Ask): Leaves {
  const leaves = new Map<string, unknown>();
  for (const [place, values] of Object.entries({ path: params, query, body }))
    collect(values, place, leaves);
  return leaves;
}

/** The places in which two requests differ: those that name something of their organisation. */
export function requestDifferences(one: Ask, other: Ask): readonly string[] {
  const others = leavesOf(other);
  return [...leavesOf(one)]
    .filter(([place, value]) => others.get(place) !== value)
    .map(([place]) => place);
}

function replace(value: unknown, path: readonly string[], by: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (String(at) === name ? replace(one, rest, by) : one));
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...members, [name]: replace(members[name], rest, by) };
}

/** The request with a different value in one place. */
export function withValue(ask: Ask, place: string, value: unknown): Ask {
  const path = place.replace(/^path\./, 'params.').split('.');
  return replace(ask, path, value) as Ask;
}

const inputs = { io: 'input', unrepresentable: 'any' } as const;

function fieldsOf(schema: z.ZodMiniType | undefined): readonly string[] {
  return schema === undefined ? [] : Object.keys(z.toJSONSchema(schema, inputs).properties ?? {});
}

/** Every place of a route in which a caller can write a value. */
export function declaredPlaces({ path, parts }: Route): readonly string[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `path.${name}`),
    ...fieldsOf(parts.query).map((name) => `query.${name}`),
    ...[...fieldsOf(parts.body), ...fieldsOf(parts.fields)].map((name) => `body.${name}`),
  ];
}

async function bodyOf(route: Route, { body = {}, file }: Ask) {
  if (route.parts.file !== undefined) {
    const form = new FormData();
    form.append(route.parts.file.field, new Blob([new Uint8Array(file ?? [])]), 'file.bin');
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    return { payload: Buffer.from(await encoded.bytes()), headers: { 'content-type': type } };
  }
  if (route.verb === 'GET' || route.verb === 'DELETE') return { headers: {} };
  return { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/**
 * Sends a request to the server; with `hasHead`, a GET request also as HEAD. Of an event stream, only the head is read.
 */
export async function sendAsk(
  app: FastifyInstance,
  { route, prefix }: { readonly route: Route; readonly prefix: string },
  ask: Ask,
  credentials: Readonly<Record<string, string>>,
  hasHead = true,
): Promise<Reply> {
  const { headers, ...payload } = await bodyOf(route, ask);
  const query = new URLSearchParams(ask.query).toString();
  const options: InjectOptions = {
    method: route.verb,
    url: prefix + pathOf(route, ask.params) + (query === '' ? '' : `?${query}`),
    headers: { ...headers, ...ask.headers, ...credentials },
    ...payload,
  };
  if (route.parts.answer.kind !== 'events') {
    const reply = describe(await app.inject(options));
    if (route.verb !== 'GET' || !hasHead) return reply;
    // a HEAD request must be refused in the same way, without a body
    const head = await app.inject({ ...options, method: 'HEAD' });
    const isSame = reply.answer.startsWith(String(head.statusCode)) && head.body === '';
    return isSame ? reply : { ...reply, answer: `${reply.answer}, HEAD ${head.statusCode}` };
  }
  const streamed = await app.inject({ ...options, payloadAsStream: true });
  if (streamed.statusCode !== 200) return describe(await app.inject(options));
  streamed.stream().destroy();
  return { answer: '200', whole: JSON.stringify(streamed.headers) };
}

/** A response of the server as written in the matrix. */
export function describe(response: {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: string;
}): Reply {
  const { statusCode, headers, body } = response;
  const isPage = body.startsWith('<!doctype html>');
  const code = isPage ? 'page' : body;
  const type = String(Object.entries(headers).find(([name]) => name === 'content-type')?.[1]);
  // a refusal is one word of plain text
  const odd = isPage || type === 'text/plain; charset=utf-8' ? '' : ` as ${type}`;
  const answer = statusCode < 400 ? String(statusCode) : `${statusCode} ${code}${odd}`;
  return { answer, whole: `${JSON.stringify(headers)}\n${body}` };
}
