/** Notifications of finished operations, for the sender and the recipient. */
import * as z from 'zod/mini';
import { empty, guid, json, queryFlag, route, time } from '../api.ts';
import { operationTypes } from '../families/registry.ts';

/** Notifications per page of the list. */
export const notificationPageSize = 20;
/** The highest number that the bell's badge shows. */
export const badgeCap = 99;
/** Polling interval for notifications in milliseconds, with or without the stream. */
export const notificationPolling = 180_000;
/** Emails that an organisation can send per day. */
export const emailsPerDay = 100;
/** Days after completion during which a notification's file can be downloaded. */
export const downloadDays = 10;
/**
 * Maximum length of a recipient's email address in characters: mail servers accept no more (RFC 5321, section
 * 4.5.3.1.3).
 */
export const longestMailAddress = 254;
/** Maximum length of the message to a recipient, in characters. */
export const longestRecipientMessage = 4000;
/**
 * The addresses that an email field of a form accepts (WHATWG HTML, "valid e-mail address"): one address, without a
 * name or line break. The part before the @ has at most 64 characters (RFC 5321, section 4.5.3.1.1): mail servers
 * reject longer ones, hours later.
 */
export const mailAddressForm =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/**
 * A notification. `isSent`: the caller's own operation; `isReceived`: another organisation's operation, not private.
 */
export const notification = z.object({
  /** The GUID of its operation. */
  guid,
  asyncOperationType: z.enum(operationTypes),
  completedOn: time,
  isSuccessful: z.boolean(),
  /** The message, in the caller's language. */
  message: z.string(),
  /** File name, slave and error name; for the recipient also the sender's note, on separate lines. */
  longMessage: z.nullable(z.string()),
  /**
   * The file's address, valid for an hour; null when there is no file, its ten days have passed, or the link was
   * withdrawn.
   */
  targetURL: z.nullable(z.string()),
  targetURLFileName: z.nullable(z.string()),
  deviceSerialNumber: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  errorDetail: z.nullable(z.string()),
  /** For the sender: the job of the operation; null when it was deleted. */
  slotGUID: z.optional(z.nullable(guid)),
  /** Same as `cause` in the operation's error. */
  errorCause: z.optional(z.nullable(z.string())),
  isSent: z.boolean(),
  isReceived: z.boolean(),
  isPrivate: z.boolean(),
  otherOrganizationName: z.nullable(z.string()),
  senderNotifiedOn: z.nullable(time),
  senderInteractedOn: z.nullable(time),
  receiverNotifiedOn: z.nullable(time),
  receiverInteractedOn: z.nullable(time),
  /** For the sender: when the recipient downloaded the file in the portal for the first time. */
  receivedOn: z.optional(z.nullable(time)),
  /** For the sender: the email, if one was requested, with its address and status. */
  mail: z.nullable(
    z.object({
      email: z.string(),
      status: z.enum(['waiting', 'sent', 'failed', 'revoked']),
      /** Why it failed: too many emails that day, rejected by the mail server, or undeliverable for a whole day. */
      failure: z.nullable(z.enum(['limit', 'refused', 'undeliverable'])),
      sentOn: z.nullable(time),
      /**
       * How an email with the status `sent` left: accepted by the mail server, or, where the portal has none, written
       * to its outbox folder, from which it is not sent; null where it has not left, or left before this was recorded.
       */
      way: z.nullable(z.enum(['mail-server', 'outbox'])),
      firstDownloadOn: z.nullable(time),
    }),
  ),
});
export type Notification = z.infer<typeof notification>;

/** The value of the list's `to` parameter for the page that follows this notification. */
export function cursorBehind({ completedOn, guid }: Pick<Notification, 'completedOn' | 'guid'>) {
  return `${completedOn}~${guid}`;
}

const guidParams = z.object({ guid: z.string() });

export const listNotifications = route('GET', '/api/async-operation-notifications/', {
  summary:
    "Lists the caller's notifications under the current customer code that were completed before a given time, newest first.",
  access: 'portal',
  query: z.object({
    count: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,4}$/))),
      z.transform((text) => Math.min(1000, Number(text ?? notificationPageSize))),
    ),
    /**
     * An ISO time; `{time}~{guid}` continues after that notification, so that notifications with equal times are
     * neither skipped nor repeated.
     */
    to: z.optional(z.string()),
    /** Only those that the caller has not acted on. */
    new: queryFlag,
  }),
  answer: json(z.array(notification)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

function markRoute(what: 'read' | 'interacted', who: 'sender' | 'receiver') {
  const by = who === 'receiver' ? 'recipient' : who;
  return route('POST', `/api/async-operation-notifications/{guid}/mark-as-${what}/${who}`, {
    summary: `Marks a notification as ${what} by its ${by}. Repeating the call changes nothing.`,
    access: 'portal',
    params: guidParams,
    audit: 'never',
    answer: empty,
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
  });
}

export const markAsReadBySender = markRoute('read', 'sender');
export const markAsInteractedBySender = markRoute('interacted', 'sender');
export const markAsReadByReceiver = markRoute('read', 'receiver');
export const markAsInteractedByReceiver = markRoute('interacted', 'receiver');

export const revokeShare = route('POST', '/api/async-operation-notifications/{guid}/revoke', {
  summary:
    "Withdraws a file: disables the link in the email and the download in the recipient's notifications.",
  access: 'portal',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});
