/**
 * Serves the contract's routes: checks session and input, calls the handler and sends the response, as the route
 * defines.
 */
import {
  type AnswerOf,
  type BodyOf,
  type FieldsOf,
  refusesClients,
  isLimited,
  type ParamsOf,
  type QueryOf,
  type Route,
  startsWork,
  type Role,
} from '@recodery/contract/api';
import { customerCodeHeader, sessionHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import { httpProblemOf } from './problem.ts';
import { routes } from '@recodery/contract/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Caller, ClientCaller, Person } from '../organisations/caller.ts';
import { presentedToken } from './requests/access-token.ts';
import {
  type AuditRecorder,
  createCallRecorder,
  describeCall,
  type EndedCall,
  isAnnounced,
} from './requests/audit-requests.ts';
import type { CompleteAudit } from '../audit/audit.ts';
import {
  answerIdempotently,
  type HandleIdempotent,
  type KeepAnswer,
} from './requests/idempotency.ts';
import type { Upload, UploadReceiver } from './file-transfer.ts';
import { logSender } from './requests/request-log.ts';
import { readBody, readParams, readQuery } from './requests/read-input.ts';
import type { Db } from '../postgres/tables/schema.ts';

/**
 * The caller; always a user or a client application if a route is only for those, null for a public route, and for a
 * file that was requested with only a ticket.
 */
export type CallerOf<R extends Route> = R['parts']['access'] extends 'own-session' | 'person'
  ? Person
  : R['parts']['access'] extends 'client'
    ? ClientCaller
    : R['parts']['access'] extends 'session' | 'portal'
      ? Caller
      : R['parts']['access'] extends 'public'
        ? null
        : Caller | null;

/** The upload that a handler receives after its own checks; null for routes without a file. */
export type UploadOf<R extends Route> = R['parts'] extends { file: { field: string } }
  ? Upload<FieldsOf<R>>
  : null;

/** The input of a handler, checked against the route's schemas. */
export interface Asked<R extends Route> {
  readonly caller: CallerOf<R>;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly upload: UploadOf<R>;
  /**
   * A call that starts work passes its response here, in the transaction that starts it, and so does one that stores a
   * file: the transaction then also contains the entry in the audit trail. A download that must not leave without its
   * entry passes the database here before it sends anything.
   */
  readonly keep: KeepAnswer;
  /** Adds to the call's entry in the audit trail what the request does not show, such as old values; never a secret. */
  readonly noteAudit: (facts: Readonly<Record<string, unknown>>) => void;
  readonly request: FastifyRequest;
  /** For files, event streams and pages, which the handler sends itself; and for headers. */
  readonly reply: FastifyReply;
}

/** Handles a call: takes validated input and returns the contract's response. Refuses by throwing a Refusal. */
export type RouteHandler<R extends Route> = (asked: Asked<R>) => Promise<AnswerOf<R>>;

/** Who sent a request. `renewedSession` is the id that the browser must use from now on, or null. */
export interface Authenticated {
  readonly caller: Caller;
  readonly renewedSession: string | null;
}

/** The dependencies of serving routes. */
export interface RouterOptions {
  /** Checks the session or the access token. @throws {Refusal} API_ERROR_UNAUTHORIZED, SIGN_IN_AGAIN, IP_NOT_ALLOWED */
  readonly authenticate: (request: FastifyRequest) => Promise<Authenticated>;
  readonly uploads: UploadReceiver;
  /** How calls that start work are protected from being handled twice. */
  readonly handleIdempotent: HandleIdempotent;
  /** Stores what callers did in the audit trail. */
  readonly audit: AuditRecorder;
  /** Refuses operators who must add a second factor first. @throws {Refusal} SECOND_FACTOR_REQUIRED */
  readonly admitOperator?: (caller: Caller) => Promise<void>;
  /** The routes that must be served; the contract's, except in tests of this module. */
  readonly routes?: ReadonlyMap<string, Route>;
}

/** Registers every route of the contract exactly once. */
export interface Router {
  /** Serves a route. @throws when it is not in the contract or is already served. */
  serve<R extends Route>(route: R, handler: RouteHandler<R>): void;
  /** @throws when a route of the contract has no handler. */
  finish(): void;
}

/** The results of the checks before the body is read. */
interface Entered {
  readonly caller: Caller | null;
  readonly params: unknown;
  readonly query: unknown;
}

/**
 * Attempts per minute and address for a public call that authenticates a caller, or has a code that could be guessed.
 */
const publicLimit = { max: 120, timeWindow: 60_000 };

/** Refuses a client application at a sign-in; anything but a client's token is ignored there. */
async function refuseClient(request: FastifyRequest, options: RouterOptions): Promise<void> {
  if (presentedToken(request.headers) === null) return;
  const known = await options.authenticate(request).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (known !== null) throw new Refusal('USER_NO_RIGHTS');
}

function hasRole(caller: Caller, role: Role): boolean {
  if (caller.kind === 'client') return role === 'manager';
  return role === 'manager' ? caller.isManager : caller.isOperator;
}

async function admit(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  options: RouterOptions,
  know: (caller: Caller) => void,
): Promise<Caller | null> {
  const { access, role, actsForCustomerCode } = route.parts;
  if (refusesClients(route)) await refuseClient(request, options);
  if (access === 'public') return null;
  const isKnown =
    request.headers[sessionHeader.toLowerCase()] !== undefined ||
    presentedToken(request.headers) !== null;
  if (access === 'portal-or-ticket' && !isKnown) return null;
  const mayHaveTicket =
    access === 'portal-or-ticket' && Object.hasOwn(request.query as object, 'ticket');
  const session = await options.authenticate(request).catch((error: unknown) => {
    // A request that also has a ticket may still succeed, although its session has expired.
    if (mayHaveTicket && error instanceof Refusal) return null;
    throw error;
  });
  if (session === null) return null;
  const { caller, renewedSession } = session;
  know(caller);
  const isUser = caller.kind === 'person';
  logSender(request, isUser ? { account: caller.accountGuid } : { client: caller.clientGuid });
  if (renewedSession !== null) reply.header(sessionHeader, renewedSession);
  const believed = request.headers[customerCodeHeader.toLowerCase()];
  if (actsForCustomerCode === true && believed !== undefined && believed !== caller.customerCode) {
    throw new Refusal('CUSTOMER_CODE_CHANGED');
  }
  const isForUsers = access === 'person' || access === 'own-session';
  if (isForUsers && caller.kind === 'client') throw new Refusal('USER_NO_RIGHTS');
  if (access === 'client' && caller.kind !== 'client') throw new Refusal('API_ERROR_UNAUTHORIZED');
  if (access !== 'session' && access !== 'own-session' && !caller.hasPortalAccess) {
    if (mayHaveTicket) return null;
    throw new Refusal('USER_NO_RIGHTS');
  }
  if (role !== undefined && !hasRole(caller, role)) throw new Refusal('USER_NO_RIGHTS');
  if (role === 'operator') await options.admitOperator?.(caller);
  return caller;
}

/** Sends the handler's result; a response that breaks the contract is an internal error and becomes a 500. */
async function answer(route: Route, value: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const shape = route.parts.answer;
  if (shape.kind === 'json') {
    return reply
      .code(shape.status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(shape.schema.parse(value));
  }
  return shape.kind === 'empty' ? reply.code(204).send() : reply;
}

/**
 * Records the calls of a route in the audit trail. `know` sets the caller of a request as soon as it is known;
 * `noteBody` sets its body as soon as it is validated, and returns it.
 */
function createRecorder(name: string, route: Route, { audit }: RouterOptions) {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const bodies = new WeakMap<FastifyRequest, object>();
  const announced = new WeakMap<FastifyRequest, CompleteAudit>();
  const within = new WeakSet<FastifyRequest>();
  const noted = new WeakMap<FastifyRequest, Readonly<Record<string, unknown>>>();
  const recordCall = createCallRecorder(audit.record);
  const callOf = (request: FastifyRequest, end: EndedCall['end']): EndedCall => {
    const [caller, body] = [callers.get(request) ?? null, bodies.get(request) ?? null];
    return { name, route, request, caller, body, end, noted: noted.get(request) ?? {} };
  };
  return {
    know: (request: FastifyRequest, caller: Caller): void => void callers.set(request, caller),
    noteBody(request: FastifyRequest, body: unknown): unknown {
      if (typeof body === 'object' && body !== null) bodies.set(request, body);
      return body;
    },
    note: (request: FastifyRequest, facts: Readonly<Record<string, unknown>>): void =>
      void noted.set(request, facts),
    /** The database may be lost right after the call's commit: its entry is there before. */
    async announce(request: FastifyRequest): Promise<void> {
      if (!callers.has(request) || !isAnnounced(route)) return;
      announced.set(
        request,
        await audit.announce(describeCall(callOf(request, { response: null }))),
      );
    },
    /** With `trx`, the entry becomes part of the work; once the call has ended, it is not recorded again. */
    async record(request: FastifyRequest, end: EndedCall['end'], trx?: Db): Promise<void> {
      if (trx !== undefined) {
        await recordCall({ ...callOf(request, end), trx });
        within.add(request);
        return;
      }
      const complete = announced.get(request);
      announced.delete(request);
      const isRefused = 'error' in end;
      // a refused call has no entry, or one that its caller's limit allows; after a fault, the change may exist
      const isFault = isRefused && httpProblemOf(end.error).status >= 500;
      if (!isFault && (isRefused || within.has(request)))
        await complete?.(null).catch(() => undefined);
      if (!isRefused && !within.has(request))
        await recordCall({ ...callOf(request, end), ...(complete ? { complete } : {}) });
      if (isRefused) await recordCall(callOf(request, end));
    },
  };
}

/** Fastify's options for a route. The caller is authenticated first, and the body is read only if they have access. */
function toFastify<R extends Route>(
  name: string,
  route: R,
  handler: RouteHandler<R>,
  options: RouterOptions,
): RouteOptions {
  const entered = new WeakMap<FastifyRequest, Entered>();
  const { know, noteBody, note, announce, record } = createRecorder(name, route, options);
  const { file, body } = route.parts;
  return {
    method: route.verb,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    // A HEAD request for an event stream would never end.
    exposeHeadRoute: route.parts.answer.kind !== 'events',
    config: {
      contractRoute: route,
      ...(isLimited(route) ? { rateLimit: publicLimit } : {}),
    },
    onError: (request, _reply, error) => record(request, { error }),
    onRequest: async (request, reply) => {
      entered.set(request, {
        caller: await admit(route, request, reply, options, (known) => know(request, known)),
        params: readParams(route, request.params),
        query: readQuery(route, request.query),
      });
    },
    handler: async (request, reply) => {
      const before = entered.get(request);
      if (before === undefined) throw new Error('A handler was called without its checks.');
      const upload =
        file === undefined || before.caller === null
          ? null
          : options.uploads.expect(route, request, before.caller);
      const checked = {
        ...before,
        body: body === undefined ? {} : noteBody(request, readBody(route, request.body)),
        noteAudit: note.bind(null, request),
        request,
        reply,
      };
      const handle = (received: typeof upload, keep: KeepAnswer): Promise<unknown> => {
        // the database may be lost right after the commit: the entry must not be
        const keepAll: KeepAnswer = async (trx, response) => {
          await record(request, { response }, trx);
          await keep(trx, response);
        };
        // The schemas have been applied; from here on the types of the route are correct.
        return handler({ ...checked, upload: received, keep: keepAll } as unknown as Asked<R>);
      };
      const { caller } = before;
      const handled =
        caller !== null && startsWork(route)
          ? answerIdempotently(options.handleIdempotent, { ...checked, caller, upload }, handle)
          : announce(request).then(() => handle(upload, async () => undefined));
      const given = await handled.catch(async (error: unknown) => {
        // Only after a refusal: after an internal error the rows may exist, and the sweep decides.
        if (error instanceof Refusal) await upload?.discard();
        throw error;
      });
      await record(request, { response: given });
      return answer(route, given, reply);
    },
  };
}

/** Creates the route registry: routes are served through it, and `finish` checks that none is missing. */
export function createRouter(app: FastifyInstance, options: RouterOptions): Router {
  const expected = new Map([...(options.routes ?? routes)].map(([name, route]) => [route, name]));
  const served = new Set<Route>();
  return {
    serve(route, handler) {
      const name = expected.get(route);
      if (name === undefined) throw new Error(`${route.verb} ${route.path} is not in the contract`);
      if (served.has(route)) throw new Error(`${name} is served twice`);
      served.add(route);
      app.route(toFastify(name, route, handler, options));
    },
    finish() {
      const forgotten = [...expected].filter(([route]) => !served.has(route));
      if (forgotten.length > 0) {
        throw new Error(`No handler for ${forgotten.map(([, name]) => name).join(', ')}`);
      }
    },
  };
}
