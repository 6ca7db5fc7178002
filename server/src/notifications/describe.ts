/** Describes a notification in the viewer's language, with URLs for the viewer. */
import type { Verbs } from '@recodery/contract/families/family';
import { emailsPerDay, type Notification } from '@recodery/contract/features/notifications';
import {
  type Family,
  describeOperationType,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { Doer } from '../organisations/caller.ts';
import type { Clock } from '../config/clock.ts';
import type { MailWay } from '../email/smtp.ts';
import { fill, type Localization, type ServerTextKey, type ServerTexts } from '../texts/texts.ts';
import { downloadEnd } from './notification-rules.ts';
import type { MailState, SeenNotification } from './notifications.ts';

/** The dependencies of describing notifications. */
export interface DescribeNotificationDependencies {
  readonly clock: Clock;
  /** How a waiting email will be sent. */
  readonly mailWay: MailWay;
  /** A download URL for a file, valid for an hour. */
  mintFileURL(bearer: Doer, fileGuid: string): Promise<string>;
  /** A download URL for a file shared by another organisation, valid for an hour. */
  mintSharedFileURL(recipient: Doer, fileGuid: string): Promise<string>;
  /** A download URL for all components of a slot, valid for an hour. */
  mintZipURL(bearer: Doer, family: Family, slotGuid: string): Promise<string>;
}

/** The record of a notification for its viewer, in their language. */
export async function describeNotification(
  deps: DescribeNotificationDependencies,
  viewer: Doer,
  seen: SeenNotification,
  { texts }: Localization,
): Promise<Notification> {
  const targetURL = await findTargetURL(deps, viewer, seen);
  const time = (date: Date | null): string | null => date?.toISOString() ?? null;
  const isSent = seen.role === 'sender';
  return {
    guid: seen.guid,
    asyncOperationType: seen.operationType,
    completedOn: seen.completedOn.toISOString(),
    isSuccessful: seen.isSuccessful,
    message: messageOf(seen, texts, deps.mailWay),
    longMessage: longMessageOf(seen),
    targetURL,
    targetURLFileName: targetURL === null ? null : (seen.target?.fileName ?? null),
    deviceSerialNumber: seen.slaveSerialNumber,
    errorCode: seen.errorName,
    errorDetail: seen.errorDetail,
    slotGUID: isSent && seen.hasJob ? seen.slotGuid : null,
    errorCause: seen.internalCode,
    isSent,
    isReceived: !isSent,
    isPrivate: seen.isPrivate,
    otherOrganizationName: isSent ? seen.receiverName : seen.senderName,
    senderNotifiedOn: time(seen.senderNotifiedOn),
    senderInteractedOn: time(seen.senderInteractedOn),
    receiverNotifiedOn: time(seen.receiverNotifiedOn),
    receiverInteractedOn: time(seen.receiverInteractedOn),
    receivedOn: isSent ? time(seen.receivedOn) : null,
    mail: isSent && seen.mail !== null ? describeMail(seen.mail) : null,
  };
}

function describeMail({ email, status, failure, sentOn, way, firstDownloadOn }: MailState) {
  return {
    email,
    status,
    failure,
    sentOn: sentOn?.toISOString() ?? null,
    way,
    firstDownloadOn: firstDownloadOn?.toISOString() ?? null,
  };
}

async function findTargetURL(
  deps: DescribeNotificationDependencies,
  viewer: Doer,
  { role, target, family, slotGuid, completedOn, isRevoked }: SeenNotification,
): Promise<string | null> {
  if (target === null || deps.clock.now() >= downloadEnd(completedOn)) return null;
  if (role === 'receiver') {
    const isOpen = target.fileGuid !== null && !isRevoked;
    return isOpen ? deps.mintSharedFileURL(viewer, target.fileGuid) : null;
  }
  return target.fileGuid === null
    ? deps.mintZipURL(viewer, family, slotGuid)
    : deps.mintFileURL(viewer, target.fileGuid);
}

function longMessageOf(seen: SeenNotification): string {
  const { fileName, slaveSerialNumber, errorName, role, note } = seen;
  const line = [fileName, slaveSerialNumber, errorName].filter(Boolean).join(' · ');
  return role === 'receiver' && note !== null ? `${line}\n${note}` : line;
}

/** The message of a notification, by operation and success. */
const plainKeys = {
  decode: {
    'decode-encode': ['notificationDecoded', 'notificationDecodeFailed'],
    'unpack-compact': ['notificationUnpacked', 'notificationUnpackFailed'],
  },
  encode: {
    'decode-encode': ['notificationEncoded', 'notificationEncodeFailed'],
    'unpack-compact': ['notificationCompacted', 'notificationCompactFailed'],
  },
} as const satisfies Record<string, Record<Verbs, readonly [ServerTextKey, ServerTextKey]>>;

/** The same inside a sentence about a file. */
const doneKeys = {
  'decode-encode': 'notificationEncoded',
  'unpack-compact': 'notificationFileCompacted',
} as const satisfies Record<Verbs, ServerTextKey>;

/** The texts for the recipient. */
const receivedKeys = {
  'decode-encode': { received: 'notificationReceived', withdrawn: 'notificationWithdrawn' },
  'unpack-compact': {
    received: 'notificationReceivedBackup',
    withdrawn: 'notificationWithdrawnBackup',
  },
} as const satisfies Record<Verbs, Record<string, ServerTextKey>>;

function messageOf(seen: SeenNotification, texts: ServerTexts, mailWay: MailWay): string {
  const { verbs } = workflowOf(seen.workflow);
  if (seen.role === 'receiver') {
    const keys = receivedKeys[verbs];
    return fill(texts[keys[seen.isRevoked ? 'withdrawn' : 'received']], seen.senderName);
  }
  const { isDecode } = describeOperationType(seen.operationType);
  const [good, bad] = plainKeys[isDecode ? 'decode' : 'encode'][verbs];
  if (!seen.isSuccessful) return texts[bad];
  // in every language, what is sent is called a file: the texts agree with that word
  const done = texts[doneKeys[verbs]];
  if (seen.mail !== null) {
    return fill(texts[mailKey(seen.mail, mailWay)], seen.mail.email, emailsPerDay, done);
  }
  if (seen.receiverOrganisationGuid === null) return texts[good];
  const key = seen.isRevoked ? 'notificationRevoked' : 'notificationShared';
  return fill(texts[key], seen.receiverName ?? '', emailsPerDay, done);
}

const failureKeys = {
  limit: 'notificationMailLimit',
  refused: 'notificationMailRefused',
  undeliverable: 'notificationMailUndeliverable',
} as const;

/** Without a mail server, a waiting email is on its way to the outbox: both have one wording. */
function mailKey({ status, failure, way }: MailState, mailWay: MailWay): ServerTextKey {
  if (status === 'failed') return failureKeys[failure ?? 'undeliverable'];
  if (status === 'revoked') return 'notificationRevoked';
  if (status === 'waiting' && mailWay === 'mail-server') return 'notificationMailWaiting';
  const isKept = status === 'waiting' || way === 'outbox';
  return isKept ? 'notificationMailOutbox' : 'notificationMailSent';
}
