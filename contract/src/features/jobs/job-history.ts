/** What happened to a job and its files: failed operations, sendings, downloads and the restore kit. */
import * as z from 'zod/mini';
import { guid, time } from '../../api.ts';
import { operationFault } from '../operations.ts';

/** A decode or encode of a job that failed. */
export const jobFailure = z.object({
  operationGUID: guid,
  isDecode: z.boolean(),
  completedOn: time,
  /** The user or client application that started it; null when the account no longer exists. */
  userDisplayName: z.nullable(z.string()),
  error: operationFault,
});
export type JobFailure = z.infer<typeof jobFailure>;

/** A file of a job that was sent: by email, to the recipient's organization in the portal, or both. */
export const sending = z.object({
  /** Its notification, by which its sender can withdraw it. */
  notificationGUID: guid,
  requestedOn: time,
  /** The user or client application that sent it; null when the account no longer exists. */
  userDisplayName: z.nullable(z.string()),
  /** The address of the email; null: only in the portal. */
  email: z.nullable(z.string()),
  /** The organization that sees it in the portal; null: private. */
  organisationName: z.nullable(z.string()),
  /** Of the email, as in a notification; `shared`: there is none. */
  status: z.enum(['waiting', 'sent', 'failed', 'revoked', 'shared']),
  failure: z.nullable(z.enum(['limit', 'refused', 'undeliverable'])),
  way: z.nullable(z.enum(['mail-server', 'outbox'])),
  /** When the email left. */
  sentOn: z.nullable(time),
});
export type Sending = z.infer<typeof sending>;

/** A download of a file. `name`: of the user, program or organization, or the address of the link; null: not known. */
export const fileDownload = z.object({
  kind: z.enum(['user', 'program', 'organisation', 'link']),
  name: z.nullable(z.string()),
  downloadedOn: time,
});
export type FileDownload = z.infer<typeof fileDownload>;

/** Of a file that its maker's service has sealed. */
export const sealed = {
  sealedOn: z.optional(time),
  /** Until when its slave accepts it; null: without a limit. */
  expiresOn: z.optional(z.nullable(time)),
  /** Of a file that expires: whether its maker's service can seal it again for a late download. */
  canSealAgain: z.optional(z.boolean()),
  /** Of a file that was sealed again: which one the encode made, and who requested it, as in a {@link fileDownload}. */
  sealedAgain: z.optional(
    z.object({
      fileGUID: guid,
      kind: fileDownload.shape.kind,
      name: z.nullable(z.string()),
    }),
  ),
};

/**
 * The state of the restore kit. `ready`: the file can be written now. `outdated`: a later file was encoded for the
 * slave, so a new one must be made. `missing`: none has been made yet. `preparing`: one is being made. `impossible`:
 * `reason` is the cause.
 */
export const restoreKit = z.object({
  state: z.enum(['ready', 'outdated', 'missing', 'preparing', 'impossible']),
  reason: z.nullable(
    z.enum([
      'NOT_DECODED',
      'NOT_READ',
      'ORIGINAL_NEEDED',
      'FILES_DELETED',
      'DEVICE',
      'FORMER_KEY',
      'FAILED',
    ]),
  ),
  fileGUID: z.nullable(guid),
  fileName: z.nullable(z.string()),
});
export type RestoreKit = z.infer<typeof restoreKit>;

/**
 * The file of a repair as it came, and what was wrong with it. `details`: those of a diagnosis; null: an earlier version
 * repaired it.
 */
export const repaired = z.object({
  fileGUID: guid,
  kind: z.string(),
  // their schema is not checked: only the page of a job that has a repair loads it
  details: z.optional(z.unknown()),
});
