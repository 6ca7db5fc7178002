/** The types that decode and encode share across all families: entry points, uploads, notification info, results. */
import * as z from 'zod/mini';
import { guid, json, optionalFlag, optionalText, queryFlag, route, time } from '../../api.ts';
import { longestMailAddress, longestRecipientMessage, mailAddressForm } from '../notifications.ts';
import { engine } from '../engines.ts';
import { operation } from '../operations.ts';
import { definitionOf, errorNamesOf, type Family } from '../../families/registry.ts';

/**
 * The master device that the user has chosen; if absent, the read file decides: its header names the master, in any group
 * of the customer code.
 */
export const deviceChoice = z.object({
  groupCode: z.optional(z.string()),
  masterDeviceSerialNumber: z.optional(z.string()),
});

/** The slave that wrote the read; only for families whose maker's service needs it. */
export const slaveChoice = z.object({ slaveSerialNumber: z.optional(z.string()) });

/** The devices that a decode of a family can name. */
export const decodeChoice = (family: Family) =>
  ({
    ...deviceChoice.shape,
    ...(definitionOf(family).asksForSlave === true ? slaveChoice.shape : {}),
  }) as typeof deviceChoice.shape & typeof slaveChoice.shape;

export const autoSendActions = ['Encode', 'EncodeAndSend'] as const;
export type AutoSendAction = (typeof autoSendActions)[number];

/** The fields of every entry point. */
export const entryFields = {
  isAutoSendEnabled: z.boolean(),
  autoSendDefaultAction: z.enum(autoSendActions),
  defaultAutoSendAction: z.enum(autoSendActions),
  isAutoSendNotificationPrivateByDefault: z.boolean(),
  canUseReCod: z.boolean(),
  canUseUtility: z.boolean(),
  /** The engine of the chosen master device: what it does not offer is not shown. */
  engine,
  /** The family's master devices whose engine takes files that are not in the portal's own container. */
  foreignFileMasters: z.array(
    z.object({ groupCode: z.string(), masterDeviceSerialNumber: z.string() }),
  ),
};
/** The caller's own running operation of the family, which the page resumes, or null. */
export const activeOperation = z.nullable(operation);

/** Why the entry of these families is refused, in the order of the checks. */
export function entryRefusalsOf(...of: readonly Family[]) {
  const noDevices = new Set(of.map((family) => definitionOf(family).noDevices));
  return ['USER_NO_RIGHTS', 'FeatureNotAvailable', ...noDevices] as const;
}

/** Why the call of a family's entry point is refused. */
export const entryCallRefusals = (family: Family) =>
  ['API_ERROR_UNAUTHORIZED', ...entryRefusalsOf(family), 'API_ERROR_THROTTLING'] as const;

/** Why the server refuses an upload that starts an operation of one of these families. */
export const uploadRefusals = (...of: readonly Family[]) =>
  [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'FILE_TOO_LARGE',
    'FILE_MISSING',
    'UPLOAD_INTERRUPTED',
    'TOO_MANY_UPLOADS',
    'STORAGE_QUOTA_REACHED',
    ...entryRefusalsOf(...of),
    'API_ERROR_THROTTLING',
    'OPERATION_NOT_POSSIBLE',
    'SERVICE_UNAVAILABLE',
  ] as const;

/** Why the server refuses a read file of one of these families. */
export function decodeRefusals(...of: readonly Family[]) {
  const asks = of.some((family) => definitionOf(family).asksForSlave === true);
  return [...uploadRefusals(...of), ...(asks ? (['SLAVE_NEEDED'] as const) : [])] as const;
}

/** Why the server refuses the upload of a modified or original file, which is checked at once. */
export const slotUploadRefusals = (family: Family) =>
  ({
    refusals: [...uploadRefusals(family), 'NOT_FOUND', 'FILE_DAMAGED'],
    errorNames: errorNamesOf(family),
  }) as const;

/** Why the server refuses a call that starts an encode, which checks the files once more. */
export const encodeRefusals = (family: Family) =>
  ({
    refusals: [
      'API_ERROR_UNAUTHORIZED',
      'CUSTOMER_CODE_CHANGED',
      'BAD_REQUEST',
      'OPERATION_NOT_POSSIBLE',
      ...entryRefusalsOf(family),
      'NOT_FOUND',
      'FILE_REPLACED',
      'STORAGE_QUOTA_REACHED',
      'API_ERROR_THROTTLING',
      'SERVICE_UNAVAILABLE',
    ],
    errorNames: errorNamesOf(family),
  }) as const;

/** An email address, or none: absent, null and empty become null. */
const mailAddress = z.pipe(
  z.pipe(
    optionalText(longestMailAddress),
    z.transform((text): string | null => text || null),
  ),
  z.nullable(z.string().check(z.regex(mailAddressForm))),
);

/** The recipient of the result, if any. */
export const notificationInfo = z.pipe(
  z.optional(
    z.nullable(
      z.object({
        email: mailAddress,
        message: optionalText(longestRecipientMessage),
        isPrivate: z.optional(z.nullable(z.boolean())),
      }),
    ),
  ),
  z.transform((value) =>
    value
      ? { email: value.email, message: value.message, isPrivate: value.isPrivate ?? true }
      : null,
  ),
);

export type NotificationInfo = NonNullable<z.output<typeof notificationInfo>>;

export const willCorrectCVN = optionalFlag;
/**
 * The query of every call that starts an encode. `isFromTray`: a tray starts it, so no page takes up the operation, and
 * it leaves a place of the quota to the pages.
 */
export const encodeQuery = z.object({ isFromTray: queryFlag });

/** Where a modified file differs from the decoded file; offsets and lengths in bytes, at most 64 spans. */
export const changes = z.object({
  bytes: z.number(),
  regions: z.number(),
  size: z.number(),
  fraction: z.number(),
  spans: z.array(z.object({ offset: z.number(), length: z.number() })),
});
export type Changes = z.infer<typeof changes>;

export const uploadedFile = z.object({
  fileGUID: guid,
  changes: z.nullable(changes),
  /** The file that it replaces in the draft, which is kept as a version; null: none. */
  replaced: z.optional(
    z.nullable(
      z.object({
        fileGUID: guid,
        name: z.string(),
        /** Bytes. */
        size: z.number(),
        changes: z.nullable(changes),
        uploadedOn: time,
        /** The user or client application that uploaded it; null when the account no longer exists. */
        userDisplayName: z.nullable(z.string()),
      }),
    ),
  ),
});
export type UploadedFile = z.infer<typeof uploadedFile>;

/** The initial values of the send popup. */
export const notificationDetails = z.object({
  slaveOrganizationName: z.nullable(z.string()),
  slaveOrganizationEmailAddress: z.nullable(z.string()),
});

const slotParams = z.object({ slotGUID: z.string() });

/** The route of a family that returns the initial values of the send popup. */
export function notificationDetailsRoute<const F extends string>(family: F) {
  return route('GET', `/api/${family}/notification-details/{slotGUID}`, {
    summary:
      "Returns the name and email address of the slave's organisation, to prefill the send form.",
    access: 'portal',
    params: slotParams,
    answer: json(notificationDetails),
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
  });
}
