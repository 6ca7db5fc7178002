/** Records in the audit trail what callers change and download, from the contract's routes. */
import { type Route, startsWork } from '@recodery/contract/api';
import type { FastifyRequest } from 'fastify';
import { actorOf, type AuditEvent, type CompleteAudit } from '../../audit/audit.ts';
import { isGuid } from '../../config/guids.ts';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { httpProblemOf } from '../problem.ts';
import { senderOf } from './request-log.ts';

/** The outcome of a call that did what it is for. */
const done = 'done';

/** Stores an event, in a transaction if there is one. */
export type RecordAudit = (event: AuditEvent, trx?: Db) => Promise<void>;

/** Where calls are recorded. */
export interface AuditRecorder {
  readonly record: RecordAudit;
  /** Stores an event before it happens. */
  readonly announce: (event: Omit<AuditEvent, 'outcome'>) => Promise<CompleteAudit>;
}

const hour = 3_600_000;
/** Files that a portal process remembers; after that, the oldest are recorded again. */
const mostRemembered = 10_000;

/** Entries of refused calls for each caller and minute, from each portal. The next entry counts the others. */
const refusalsAMinute = 30;
const minute = 60_000;

/** Values by key, without the oldest when there are too many. */
function createMemory<V>() {
  const known = new Map<string, V>();
  return {
    get: (key: string) => known.get(key),
    set(key: string, value: V): void {
      // last in the order of the map, which is the order of age
      known.delete(key);
      known.set(key, value);
      const [oldest] = known.keys();
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    },
  };
}

/**
 * Limits the entries of refused calls. Returns how many calls of that caller have got no entry since the last one, or
 * null: this one gets none either.
 */
function createRefusalLimit(): (caller: string) => number | null {
  const callers = createMemory<{ since: number; entries: number; left: number }>();
  return (caller) => {
    const now = performance.now();
    const known = callers.get(caller);
    const isOld = known === undefined || now - known.since >= minute;
    const window = isOld ? { since: now, entries: 0, left: known?.left ?? 0 } : known;
    const isFull = window.entries >= refusalsAMinute;
    callers.set(
      caller,
      isFull
        ? { ...window, left: window.left + 1 }
        : { ...window, entries: window.entries + 1, left: 0 },
    );
    return isFull ? null : window.left;
  };
}

/**
 * Records calls like {@link recordCall}, except repetitions of a call that was recorded within the last hour, and
 * refused calls beyond the limit of their caller.
 */
export function createCallRecorder(record: RecordAudit): (call: EndedCall) => Promise<void> {
  const recorded = createMemory<number>();
  const admitRefusal = createRefusalLimit();
  return async (call) => {
    const { route, request, caller, end } = call;
    if ('error' in end && caller !== null && isRecorded(route)) {
      const left = admitRefusal(JSON.stringify([caller.organisationId, actorOf(caller)]));
      if (left !== null) await recordCall(record, call, left);
      return;
    }
    if (route.parts.audit !== 'hourly' || caller === null) {
      await recordCall(record, call);
      return;
    }
    const key = JSON.stringify([caller.organisationId, actorOf(caller), request.params]);
    const last = recorded.get(key);
    if (last !== undefined && performance.now() - last < hour) return;
    // a call that was not recorded, such as a HEAD request, does not count as recorded for later ones
    if (await recordCall(record, call)) recorded.set(key, performance.now());
  };
}

/** Whether calls of a route are recorded: those that change something, and downloads. */
export function isRecorded(route: Route): boolean {
  const { answer, audit } = route.parts;
  // the Encoding API has a file's bytes in JSON, with their hash in a header
  const isDownload = answer.kind === 'file' || (answer.kind === 'stream' && answer.isHashed);
  return audit !== 'never' && (route.verb !== 'GET' || isDownload === true || audit === 'hourly');
}

const isShortName = /^\w{1,32}$/;

/** The members of a value that are GUIDs: what was named, without names or secrets. */
function guidsIn(value: unknown): Record<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    members.filter((member): member is [string, string] => {
      const [, content] = member;
      return typeof content === 'string' && isGuid(content);
    }),
  );
}

/** Characters of a parameter: names and GUIDs are shorter, and a refused call can contain anything. */
const longestParam = 100;

/**
 * What a call was about: its parameters, without secrets, the GUIDs of its body and its response, and changed settings.
 */
function objectOf({ route, request, body, noted }: EndedCall, response: unknown) {
  const secret = route.parts.secret ?? [];
  const { fileType } = request.query as Readonly<Record<string, unknown>>;
  const params = Object.entries(request.params as Readonly<Record<string, string>>)
    .filter(([name]) => !secret.includes(name))
    .map(([name, text]) => [name, text.slice(0, longestParam)]);
  const sent = Object.keys(request.body ?? {});
  const isSettings = route.verb === 'PUT' && body !== null;
  return {
    ...Object.fromEntries(params),
    ...(typeof fileType === 'string' && isShortName.test(fileType) ? { fileType } : {}),
    ...guidsIn(body),
    ...guidsIn(response),
    ...noted,
    ...(isSettings ? { fields: sent.filter((name) => Object.hasOwn(body, name)) } : {}),
  };
}

/** A finished call. */
export interface EndedCall {
  /** The route's name in the contract, such as `slots.downloadFile`. */
  readonly name: string;
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly caller: Caller | null;
  /** Set only after validation, because a refused body can have members with any names. Null: there is none. */
  readonly body: object | null;
  readonly end: { readonly response: unknown } | { readonly error: unknown };
  /** What the handler has added to the entry. */
  readonly noted: Readonly<Record<string, unknown>>;
  /** The transaction that does what the call asks: the entry must be part of it. Absent: the call is already done. */
  readonly trx?: Db;
  /** Completes the entry that was announced when the call began. */
  readonly complete?: CompleteAudit;
}

/**
 * Whether a call is recorded with this outcome. A refused call of a stranger is not, because anyone can send any number
 * of them. A call with a valid secret or token from a network that is not allowed is.
 */
function isWorthAnEntry({ route, request, caller, end }: EndedCall, outcome: string): boolean {
  if (!isRecorded(route)) return false;
  if ('error' in end) return caller !== null || outcome === 'IP_NOT_ALLOWED';
  // a file whose headers only were requested was not downloaded
  return request.method !== 'HEAD';
}

/**
 * Whether calls of a route are announced: they change something, but do not pass a transaction in which they could be
 * recorded, as those that start work or store a file do.
 */
export function isAnnounced(route: Route): boolean {
  const isInTransaction = startsWork(route) || route.parts.file !== undefined;
  return isRecorded(route) && route.verb !== 'GET' && !isInTransaction;
}

/** The event of a call, without its outcome. `left`: refused calls before it that have no entry. */
export function describeCall(call: EndedCall, left = 0): Omit<AuditEvent, 'outcome'> {
  const { name, route, request, caller, end } = call;
  const response = 'error' in end ? null : end.response;
  // operators administer the installation, not on behalf of their own organisation; a ticket does not name a caller,
  // only the organisation that may use it
  const organisation =
    route.parts.role === 'operator'
      ? undefined
      : (caller?.organisationId ?? senderOf(request).organisation);
  return {
    actor: actorOf(caller),
    ...(organisation === undefined ? {} : { organisation }),
    action: name,
    object: { ...objectOf(call, response), ...(left === 0 ? {} : { unrecordedRefusals: left }) },
    from: request.ip,
  };
}

/**
 * Records a call if it needs an entry; returns whether it did. `left`: refused calls before it that have none. If the call is already done and recording fails, this is
 * logged, and the caller gets the response.
 */
async function recordCall(record: RecordAudit, call: EndedCall, left = 0): Promise<boolean> {
  const { name, request, end, trx, complete } = call;
  const outcome =
    'error' in end
      ? httpProblemOf(end.error).code
      : (call.route.parts.auditOutcome?.(end.response) ?? done);
  if (!isWorthAnEntry(call, outcome)) return false;
  const event = { ...describeCall(call, left), outcome };
  return (complete?.(event) ?? record(event, trx)).then(
    () => true,
    (error: unknown) => {
      if (trx !== undefined) throw error;
      request.log.error({ error, action: name }, 'could not record in the audit trail');
      return false;
    },
  );
}
