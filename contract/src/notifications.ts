/** What tells of a finished operation: the sender's and the receiver's notifications. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from './api.ts';
import { operationTypes } from './families/registry.ts';

/** Notifications a page of the list. */
export const notificationPageSize = 20;
/** The highest number that the bell's badge shows. */
export const badgeCap = 99;
/** Milliseconds between two looks at the notifications, stream or no stream. */
export const notificationPolling = 180_000;
/** Days after completion in which a notification's file can be had. */
export const downloadDays = 10;
/** Characters of a recipient's mail address: more no mail server takes (RFC 5321, section 4.5.3.1.3). */
export const longestMailAddress = 254;
/** Characters of the message to a recipient. */
export const longestMessage = 4000;
/**
 * What an e-mail field of a form takes (WHATWG HTML, "valid e-mail address"): one address, without name or line break.
 * Before the @ at most 64 characters (RFC 5321, section 4.5.3.1.1): more is refused by mail servers, hours later.
 */
export const mailAddressForm =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** A notification. `isSent`: the caller's own operation; `isReceived`: another organisation's, not private. */
export const notification = z.object({
  /** That of its operation. */
  guid,
  asyncOperationType: z.enum(operationTypes),
  completedOn: time,
  isSuccessful: z.boolean(),
  /** What happened, in the caller's language. */
  message: z.string(),
  /** File name, slave and error name; to the receiver also the sender's note, on lines of its own. */
  longMessage: z.nullable(z.string()),
  /** Where to have the file, for an hour; null when there is none, or its ten days are over, or it was taken back. */
  targetURL: z.nullable(z.string()),
  targetURLFileName: z.nullable(z.string()),
  deviceSerialNumber: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  errorDetail: z.nullable(z.string()),
  /** As `cause` of the operation's error. */
  errorCause: z.optional(z.nullable(z.string())),
  isSent: z.boolean(),
  isReceived: z.boolean(),
  isPrivate: z.boolean(),
  otherOrganizationName: z.nullable(z.string()),
  senderNotifiedOn: z.nullable(time),
  senderInteractedOn: z.nullable(time),
  receiverNotifiedOn: z.nullable(time),
  receiverInteractedOn: z.nullable(time),
  /** To the sender: the mail, if one was asked for; where it goes and what became of it. */
  mail: z.nullable(
    z.object({
      email: z.string(),
      status: z.enum(['waiting', 'sent', 'failed', 'revoked']),
      /** Why it failed: too many mails that day, refused by the mail server, not to be delivered for a whole day. */
      failure: z.nullable(z.enum(['limit', 'refused', 'undeliverable'])),
      sentOn: z.nullable(time),
      /**
       * How a mail that is `sent` has left: taken by the mail server, or, where the portal has none, laid into its outbox
       * folder, from which nobody sends it; null where it has not left, or left before this was written down.
       */
      way: z.nullable(z.enum(['mail-server', 'outbox'])),
      firstDownloadOn: z.nullable(time),
    }),
  ),
});
export type Notification = z.infer<typeof notification>;

/** What `to` of the list is to be for the page that follows this notification. */
export function cursorBehind({ completedOn, guid }: Pick<Notification, 'completedOn' | 'guid'>) {
  return `${completedOn}~${guid}`;
}

const guidParams = z.object({ guid: z.string() });

export const listNotifications = route('GET', '/api/async-operation-notifications/', {
  summary:
    "The caller's notifications under the current customer code that were completed before a time, newest first.",
  access: 'portal',
  query: z.object({
    count: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,4}$/))),
      z.transform((text) => Math.min(1000, Number(text ?? notificationPageSize))),
    ),
    /** An ISO time; `{time}~{guid}` continues behind that notification, so that ties are neither skipped nor shown twice. */
    to: z.optional(z.string()),
  }),
  answer: json(z.array(notification)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

function markRoute(what: 'read' | 'interacted', who: 'sender' | 'receiver') {
  return route('POST', `/api/async-operation-notifications/{guid}/mark-as-${what}/${who}`, {
    summary: `Marks a notification as ${what} by its ${who}; doing it again changes nothing.`,
    access: 'portal',
    params: guidParams,
    answer: empty,
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
  });
}

export const markAsReadBySender = markRoute('read', 'sender');
export const markAsInteractedBySender = markRoute('interacted', 'sender');
export const markAsReadByReceiver = markRoute('read', 'receiver');
export const markAsInteractedByReceiver = markRoute('interacted', 'receiver');

export const revokeShare = route('POST', '/api/async-operation-notifications/{guid}/revoke', {
  summary: "Takes back what was shared: the mail's link, and the download in the receiver's bell.",
  access: 'portal',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});
