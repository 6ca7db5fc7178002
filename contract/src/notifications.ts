/** What tells of a finished operation: the sender's and the receiver's notifications, and the public page of a mail's link. */
import * as z from 'zod/mini';
import { empty, file, guid, json, page, route, time } from './api.ts';

/** Notifications a page of the list. */
export const notificationPageSize = 20;
/** The highest number that the bell's badge shows. */
export const badgeCap = 99;
/** Milliseconds between two looks at the notifications, stream or no stream. */
export const notificationPolling = 180_000;
/** Days after completion in which a notification's file can be had. */
export const downloadDays = 10;

/** A notification. `isSent`: the caller's own operation; `isReceived`: another organisation's, not private. */
export const notification = z.object({
  guid,
  completedOn: time,
  isSuccessful: z.boolean(),
  message: z.string(),
  longMessage: z.nullable(z.string()),
  targetURL: z.nullable(z.string()),
  targetURLFileName: z.nullable(z.string()),
  deviceSerialNumber: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  errorDetail: z.nullable(z.string()),
  isSent: z.boolean(),
  isReceived: z.boolean(),
  isPrivate: z.boolean(),
  otherOrganizationName: z.nullable(z.string()),
  senderNotifiedOn: z.nullable(time),
  senderInteractedOn: z.nullable(time),
  receiverNotifiedOn: z.nullable(time),
  receiverInteractedOn: z.nullable(time),
  /** The mail, if one was asked for: where it goes and what became of it. */
  mail: z.nullable(
    z.object({
      email: z.string(),
      status: z.enum(['waiting', 'sent', 'failed', 'revoked']),
      sentOn: z.nullable(time),
      firstDownloadOn: z.nullable(time),
    }),
  ),
});
export type Notification = z.infer<typeof notification>;

const guidParams = z.object({ guid: z.string() });

export const listNotifications = route('GET', '/api/async-operation-notifications/', {
  summary:
    'The notifications of the current customer code that were completed up to a time, newest first.',
  access: 'session',
  query: z.object({
    count: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,4}$/))),
      z.transform((text) => Math.min(1000, Math.max(1, Number(text ?? notificationPageSize)))),
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
    access: 'session',
    params: guidParams,
    answer: empty,
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
  });
}

export const markAsReadBySender = markRoute('read', 'sender');
export const markAsInteractedBySender = markRoute('interacted', 'sender');
export const markAsReadByReceiver = markRoute('read', 'receiver');
export const markAsInteractedByReceiver = markRoute('interacted', 'receiver');

export const revokeShare = route('POST', '/api/async-operation-notifications/{guid}/revoke', {
  summary: "Takes the mail's link back; the public page then says so.",
  access: 'session',
  params: guidParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});

export const sharePage = route('GET', '/r/{token}', {
  summary: "The public page of a mail's link: what the file is; opening it records nothing.",
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: page,
  refusals: [],
});

export const shareDownload = route('POST', '/r/{token}', {
  summary: 'The file of a mail’s link, for ten days, unless it was revoked.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: file(),
  refusals: ['NOT_FOUND'],
});
