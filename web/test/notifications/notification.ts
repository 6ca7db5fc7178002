/** A notification as the server sends it, for the tests of the page. */
import type { Notification } from '@recodery/contract/features/notifications';

export const completedOn = '2026-11-21T10:00:00.000Z';

/** A successful decode of the user's own, not yet announced; with the given differences. */
export function notification(differs: Partial<Notification> = {}): Notification {
  return {
    guid: '01890000-0000-7000-8000-000000000001',
    asyncOperationType: 'KESSv2Decode',
    completedOn,
    isSuccessful: true,
    message: 'File decoded',
    longMessage: 'golf.tfc · KV2-000007',
    targetURL: null,
    targetURLFileName: null,
    deviceSerialNumber: 'KV2-000007',
    errorCode: null,
    errorDetail: null,
    isSent: true,
    isReceived: false,
    isPrivate: true,
    otherOrganizationName: null,
    senderNotifiedOn: null,
    senderInteractedOn: null,
    receiverNotifiedOn: null,
    receiverInteractedOn: null,
    mail: null,
    ...differs,
  };
}
