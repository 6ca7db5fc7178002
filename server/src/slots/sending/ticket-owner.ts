/** For whom a download is sent: the bearer of the ticket, or else the caller. */
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyRequest } from 'fastify';
import { logSender } from '../../http/requests/request-log.ts';
import type { Caller, Doer } from '../../organisations/caller.ts';
import type { TicketPurpose, Tickets } from './tickets.ts';

/** Who requests a download, and how. */
export interface TicketAsked {
  readonly caller: Caller | null;
  readonly ticket: string | undefined;
  readonly request: FastifyRequest;
}

/**
 * Who downloads with a ticket of this bearer: a caller of the bearer's organisation whose session or token is known, because
 * users open addresses that others got; otherwise, the bearer.
 */
export function whoUses(bearer: Doer, caller: Caller | null): Doer {
  return caller?.organisationId === bearer.organisationId ? caller : bearer;
}

/**
 * Who downloads, and with it the organisation whose data the request may download. An invalid ticket is refused, and the
 * response does not say why.
 * @throws {Refusal} API_ERROR_UNAUTHORIZED, NOT_FOUND
 */
export async function requireTicketOwner(
  tickets: Pick<Tickets, 'verify'>,
  purpose: TicketPurpose,
  guid: string,
  { caller, ticket, request }: TicketAsked,
): Promise<Doer> {
  const owner = ticket === undefined ? null : await tickets.verify(ticket, purpose, guid, caller);
  if (owner !== null) {
    // a ticket belongs to all users of an organisation
    if (caller === null) logSender(request, { organisation: owner.organisationId });
    return whoUses(owner, caller);
  }
  if (caller !== null) return caller;
  throw new Refusal(ticket === undefined ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND');
}
