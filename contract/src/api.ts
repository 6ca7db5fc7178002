/**
 * Defines what a route is: one value from which the server's handler, the browser's call and the API document are
 * derived.
 */
import * as z from 'zod/mini';
import type { RefusalCode } from './errors.ts';

/** The HTTP methods that the API uses. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who can call a route. `public`: anyone. `own-session`: users, for calls about the session itself. `person`: users with
 * access to the portal. `client`: client applications. `session`: users with a session, and client applications with an
 * access token. `portal`: the same, if they have access to the portal. `portal-or-ticket`: the same or, for downloads,
 * anyone with a ticket in the query.
 */
export type Access =
  | 'public'
  | 'own-session'
  | 'person'
  | 'client'
  | 'session'
  | 'portal'
  | 'portal-or-ticket';

/**
 * What only some users can do, in addition to `access`: `manager` users who manage the organisation of their current
 * customer code, `operator` those who administer the installation. A client application acts for its organisation, as
 * its managers do, but never for the installation.
 */
export type Role = 'manager' | 'operator';

type Schema = z.ZodMiniType;

/**
 * The shape of a response: a JSON value, JSON that the handler sends itself, a file, a stream of events, a text page, or
 * nothing. `isHashed`: a header contains the SHA-256 of the file.
 */
export type Answer =
  | { readonly kind: 'json'; readonly status: 200 | 202; readonly schema: Schema }
  | { readonly kind: 'stream'; readonly schema: Schema; readonly isHashed?: boolean }
  | {
      readonly kind: 'file';
      readonly mediaType: string;
      readonly isHashed?: boolean;
      /** Of a file that contains JSON. */
      readonly schema?: Schema;
    }
  | { readonly kind: 'events' }
  | { readonly kind: 'page' }
  | { readonly kind: 'empty' };

/** The properties of a route besides its verb and path. */
export interface RouteParts {
  /** A description of the call in one or two short sentences, for the API document. */
  readonly summary: string;
  readonly access: Access;
  readonly role?: Role;
  /** Path parameters; those in `secret` are masked in every log. */
  readonly params?: Schema;
  readonly secret?: readonly string[];
  readonly query?: Schema;
  readonly body?: Schema;
  /** The multipart field that carries the file; `fields` are the text fields next to it. */
  readonly file?: { readonly field: string };
  readonly fields?: Schema;
  /** True for a call that starts work although its response has status 200. */
  readonly startsWork?: boolean;
  /** Set where the Encoding API's rules apply: field names in any case, errors always as one word of plain text. */
  readonly dialect?: 'encoding-api';
  /** Set for public calls with a code or secret that someone could try to guess; see {@link isLimited}. */
  readonly isLimited?: boolean;
  /** True for a change that names in `If-Match` the revision of the record on which it is based. */
  readonly isRevised?: boolean;
  /** True if the server compares the customer code header with the session's code. */
  readonly actsForCustomerCode?: boolean;
  /**
   * How often the audit trail records the call, where that differs from the default: each call that changes something,
   * and each download, has an entry. `never`: it changes only what a page shows, leads to a call that is recorded, or its
   * handler records it. `hourly`: once an hour for each caller and file, although it is neither.
   */
  readonly audit?: 'never' | 'hourly';
  /** The outcome in the audit trail, for a call that can succeed without an effect; null: it did what it is for. */
  auditOutcome?(response: unknown): string | null;
  readonly answer: Answer;
  /** The statuses of a page that a call for browsers returns if it has nothing else; 202: not yet. */
  readonly deadEnds?: readonly (202 | 404 | 410)[];
  /** What the call is refused with, besides what every call like it can be refused with. */
  readonly refusals: readonly RefusalCode[];
  /** The error names with which the check of an uploaded file can refuse it. */
  readonly errorNames?: readonly string[];
}

/** One call of the API. `path` uses `{name}` for parameters. */
export interface Route<P extends RouteParts = RouteParts> {
  readonly verb: Verb;
  readonly path: string;
  readonly parts: P;
}

/** Declares a route and keeps the literal types of its parts. */
export function route<const P extends RouteParts>(verb: Verb, path: string, parts: P): Route<P> {
  return { verb, path, parts };
}

/** A JSON response with status 200. */
export function json<S extends Schema>(schema: S): { kind: 'json'; status: 200; schema: S } {
  return { kind: 'json', status: 200, schema };
}

/** A JSON response with status 202: the server accepted the work and continues it. */
export function accepted<S extends Schema>(schema: S): { kind: 'json'; status: 202; schema: S } {
  return { kind: 'json', status: 202, schema };
}

/** Whether a call starts work that continues after the response. Such calls accept an idempotency key. */
export function startsWork({ verb, parts: { answer, ...parts } }: Route): boolean {
  const isAccepted = answer.kind === 'json' && answer.status === 202;
  return verb === 'POST' && (isAccepted || parts.startsWork === true);
}

/** The path of the calls about a user's session. */
export const sessionPath = '/api/auth/';

/** Whether a call refuses client applications although it is public: the end of a user's sign-in. */
export function refusesClients({ path, parts }: Route): boolean {
  return parts.access === 'public' && path.startsWith(sessionPath);
}

/** Whether an address can send only some of these calls in a minute: public ones with something that could be guessed. */
export function isLimited(route: Route): boolean {
  return route.parts.isLimited === true || refusesClients(route);
}

/** A file as the response, always as an attachment. */
export const file = (mediaType: string): { kind: 'file'; mediaType: string } => ({
  kind: 'file',
  mediaType,
});
/** A JSON file as the response. */
export const jsonFile = (schema: Schema) =>
  ({ kind: 'file', mediaType: 'application/json', schema }) as const;
/** A file of a slot as the response. */
export const storedFile = {
  kind: 'file',
  mediaType: 'application/octet-stream',
  isHashed: true,
} as const;
/** An empty response with status 204. */
export const empty = { kind: 'empty' } as const;
/** A stream of server-sent events as the response. */
export const events = { kind: 'events' } as const;
/** An HTML page as the response. */
export const htmlPage = { kind: 'page' } as const;

type Out<S> = S extends Schema ? z.output<S> : Record<never, never>;
type In<S> = S extends Schema ? z.input<S> : undefined;

/** The path parameters that a handler receives. */
export type ParamsOf<R extends Route> = Out<R['parts']['params']>;
/** The query that a handler receives, with defaults filled in. */
export type QueryOf<R extends Route> = Out<R['parts']['query']>;
/** The body that a handler receives, with defaults filled in. */
export type BodyOf<R extends Route> = Out<R['parts']['body']>;
/** The text fields next to an uploaded file. */
export type FieldsOf<R extends Route> = Out<R['parts']['fields']>;
/** The value that a handler returns and a call resolves to; files and streams are `undefined` here. */
export type AnswerOf<R extends Route> = R['parts']['answer'] extends {
  kind: 'json';
  schema: infer S;
}
  ? Out<S>
  : undefined;

/** The arguments of a call. Optional parts may be omitted. */
export interface InputOf<R extends Route> {
  readonly params?: In<R['parts']['params']>;
  readonly query?: In<R['parts']['query']>;
  readonly body?: In<R['parts']['body']>;
  readonly fields?: In<R['parts']['fields']>;
}

/** Fills the `{name}` placeholders of a path and encodes each value. */
export function pathOf(route: Route, params: Readonly<Record<string, string>> = {}): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The GUID that means "none" in payloads. */
export const zeroGuid = '00000000-0000-0000-0000-000000000000';

/** A GUID of a payload or path, in any case; lowercase after parsing. */
export const guid = z.string().check(z.regex(guidPattern), z.toLowerCase());

/** An optional GUID in a payload: absent, null and all zeros mean none and become null. */
export const optionalGuid = z.pipe(
  z.optional(z.nullable(guid)),
  z.transform((value): string | null => (value && value !== zeroGuid ? value : null)),
);

/** An optional boolean in a payload: absent and null mean false. */
export const optionalFlag = z.pipe(
  z.optional(z.nullable(z.boolean())),
  z.transform((value): boolean => value ?? false),
);

/** An optional text in a payload, at most `max` characters: absent and null become null. */
export const optionalText = (max: number) =>
  z.pipe(
    z.optional(z.nullable(z.string().check(z.maxLength(max)))),
    z.transform((value): string | null => value ?? null),
  );

/** A boolean in a query: `true` or `false`; absent means false. */
export const queryFlag = z.pipe(
  z.optional(z.enum(['true', 'false', 'True', 'False', ''])),
  z.transform((value): boolean => value?.toLowerCase() === 'true'),
);

/** A time in responses: ISO 8601, UTC. */
export const time = z.iso.datetime();

/** One of these names, in any case; it is read as it is written here. */
export function anyCase<const T extends readonly [string, ...string[]]>(names: T) {
  const written = new Map(names.map((name) => [name.toLowerCase(), name]));
  const asWritten = z.transform((name: string) => written.get(name.toLowerCase()) ?? name);
  const schema = z.pipe(z.pipe(z.string(), asWritten), z.enum(names));
  // OpenAPI describes what a program should send: only the names as they are written
  return schema.register(z.globalRegistry, { enum: [...names] });
}
