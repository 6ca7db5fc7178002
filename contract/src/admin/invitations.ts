/** Invitations: a manager adds users to the organisation. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

/** Maximum email addresses of one call. */
export const mostInvitedAtOnce = 50;
/** Maximum open invitations of an organisation. */
export const mostOpenInvitations = 200;

/**
 * What became of an email address. `notAvailable`: an account that is not of the organisation has it, so only the
 * operator can add it. `tooMany`: the organisation has {@link mostOpenInvitations} open invitations. `justInvited`:
 * the address got an email in the last five minutes.
 */
export const invitationOutcomes = [
  'invited',
  'alreadyUser',
  'invalid',
  'notAvailable',
  'tooMany',
  'justInvited',
] as const;
export type InvitationOutcome = (typeof invitationOutcomes)[number];

const text = z.string().check(z.maxLength(1000));

export const invited = z.object({
  email: z.string(),
  outcome: z.enum(invitationOutcomes),
  /** Of the invitation; null if there is none. */
  guid: z.nullable(guid),
  /** Whether the invitation was queued as an email; otherwise the manager sends the link. */
  isMailed: z.boolean(),
  /**
   * For the user: where to set a password, or the portal if users sign in at an external provider. Null if it is emailed,
   * so that only the owner of the address receives it.
   */
  link: z.nullable(z.string()),
  /** Null: the link does not expire, or there is none. */
  expiresOn: z.nullable(time),
});
export type Invited = z.infer<typeof invited>;

/** An invited user who has not signed in yet. */
export const invitation = z.object({
  guid,
  email: z.string(),
  name: z.string(),
  isManager: z.boolean(),
  invitedOn: time,
  /** Null: the user signs in at an external provider, so the link does not expire. */
  expiresOn: z.nullable(time),
  /** The name of the manager; null: they have no account any more. */
  invitedBy: z.nullable(z.string()),
});
export type Invitation = z.infer<typeof invitation>;

const path = '/api/organisation/invitations';

export const inviteUsers = route('POST', path, {
  summary:
    'Adds users with access to the portal to the organisation, and emails each a link. If the portal has no mail server, the response contains the links, and the manager sends them. The response lists the outcome of each email address. An address that is already invited gets a new link.',
  access: 'person',
  role: 'manager',
  actsForCustomerCode: true,
  body: z.object({
    email: z.optional(text),
    emails: z.optional(z.array(text).check(z.maxLength(mostInvitedAtOnce))),
    /** Of a single user. Absent: the part of the email address before the `@`. */
    name: z.optional(text),
    /** Whether they also manage the organisation. Absent: no, or as invited before. */
    isManager: z.optional(z.boolean()),
  }),
  answer: json(z.object({ items: z.array(invited) })),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'FIELDS_NOT_ACCEPTED',
  ],
});

export const listInvitations = route('GET', path, {
  summary:
    "Lists the organisation's invitations whose users have not set a password or signed in yet, newest first, including those whose link has expired.",
  access: 'person',
  role: 'manager',
  answer: json(z.array(invitation)),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const revokeInvitation = route('DELETE', `${path}/{guid}`, {
  summary: 'Revokes an open invitation: its link stops working, and its user is removed.',
  access: 'person',
  role: 'manager',
  params: z.object({ guid: z.string() }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});
