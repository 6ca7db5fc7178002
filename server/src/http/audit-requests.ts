/** Records in the audit trail what callers change and download, from the contract's routes. */
import type { Route } from '@recodery/contract/api';
import {
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
} from '@recodery/contract/notifications';
import { getLogo, validateSsoToken } from '@recodery/contract/session';
import { shareDownload } from '@recodery/contract/share-links';
import { putEncodeDraft, refreshFileURL } from '@recodery/contract/slots';
import type { FastifyRequest } from 'fastify';
import { actorOf, type AuditEvent } from '../audit/audit.ts';
import { isGuid } from '../config/guids.ts';
import type { Caller } from '../organisations/caller.ts';
import { problemOf } from './problem.ts';

/** Stores an event. */
export type RecordAudit = (event: AuditEvent) => Promise<void>;

/** Calls that only note what a page shows, or that lead to a call that is recorded. */
const unrecorded = new Set<Route>([
  markAsInteractedByReceiver,
  markAsInteractedBySender,
  markAsReadByReceiver,
  markAsReadBySender,
  getLogo,
  putEncodeDraft,
  refreshFileURL,
  // these record it themselves, with the user or the email
  validateSsoToken,
  shareDownload,
]);

/** Whether calls of a route are recorded: those that change something, and downloads. */
export function isRecorded(route: Route): boolean {
  const { answer } = route.parts;
  // the Encoding API has a file's bytes in JSON, with their hash in a header
  const isDownload = answer.kind === 'file' || (answer.kind === 'stream' && answer.isHashed);
  return !unrecorded.has(route) && (route.verb !== 'GET' || isDownload === true);
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

/** What a call was about: its parameters, without secrets, the GUIDs of its body and its response, and changed settings. */
function objectOf(route: Route, request: FastifyRequest, response: unknown) {
  const secret = route.parts.secret ?? [];
  const params = Object.entries(request.params as Readonly<Record<string, string>>);
  const { body } = request;
  const { fileType } = request.query as Readonly<Record<string, unknown>>;
  const isSettings = route.verb === 'PUT' && typeof body === 'object' && body !== null;
  return {
    ...Object.fromEntries(params.filter(([name]) => !secret.includes(name))),
    ...(typeof fileType === 'string' && isShortName.test(fileType) ? { fileType } : {}),
    ...guidsIn(body),
    ...guidsIn(response),
    ...(isSettings ? { fields: Object.keys(body) } : {}),
  };
}

/** A call that has ended. */
export interface EndedCall {
  /** The route's name in the contract, such as `slots.downloadFile`. */
  readonly name: string;
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly caller: Caller | null;
  readonly end: { readonly response: unknown } | { readonly error: unknown };
}

/** Records a call. Its work is done: a failure to record is logged, and the caller gets the response. */
export async function recordCall(record: RecordAudit, call: EndedCall): Promise<void> {
  const { name, route, request, caller, end } = call;
  const outcome = 'error' in end ? problemOf(end.error).code : 'done';
  const response = 'error' in end ? null : end.response;
  const event: AuditEvent = {
    actor: actorOf(caller),
    ...(caller === null ? {} : { organisation: caller.organisationId }),
    action: name,
    object: objectOf(route, request, response),
    from: request.ip,
    outcome,
  };
  await record(event).catch((error: unknown) =>
    request.log.error({ error, action: name }, 'could not record in the audit trail'),
  );
}
