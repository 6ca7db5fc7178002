/** The responses that external programs rely on: the fields and values of each. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as kess3Family from '../src/families/kess3.ts';
import * as kessv2Family from '../src/families/kessv2.ts';
import * as ktagFamily from '../src/families/ktag.ts';
import { portalRoutes } from '../src/family-routes/registry.ts';
import * as notifications from '../src/features/notifications.ts';
import * as operations from '../src/features/operations.ts';
import * as preferences from '../src/features/preferences.ts';
import * as recoding from '../src/features/recoding/recoding.ts';
import { encodeResult } from '../src/results.ts';
import { routes } from '../src/routes.ts';
import * as serviceStatus from '../src/features/service-status.ts';
import * as session from '../src/features/session.ts';
import { fieldsOf } from './fields-of.ts';

const { kessv2, ktag, kess3 } = portalRoutes;

describe('the response', () => {
  // promise 3.session.fields, 3.session.group-codes, 3.entry.kess3-flags, 3.decode.kessv2-fields
  // promise 3.decode.kessv2-information, 3.decode.ktag-fields, 3.decode.ktag-information
  // promise 3.decode.kess3-fields, 3.decode.kess3-information, 3.records.uploaded
  // promise 3.records.encoded, 3.records.operation, 3.records.pending, 3.records.notification
  // promise 3.records.details
  test.each<[string, z.core.$ZodType, string]>([
    [
      'the session',
      session.session,
      'sessionID customerCode userDisplayName userOrganizationLogoURL otherCustomerCodes groupCodesInfo culture canReceive',
    ],
    [
      'a group code',
      session.groupCodeInfo,
      'groupCode kessv2MasterDevicesSerialNumbers ktagMasterDevicesSerialNumbers kess3MasterDevicesSerialNumbers',
    ],
    [
      'the entry of KESSv2',
      kessv2.entry.parts.answer.schema,
      'isAutoSendEnabled autoSendDefaultAction isAutoSendNotificationPrivateByDefault kessv2ActiveFileSlotCreationResult canUseReCod canUseUtility',
    ],
    [
      'the entry of K-TAG',
      ktag.entry.parts.answer.schema,
      'isAutoSendEnabled autoSendDefaultAction isAutoSendNotificationPrivateByDefault ktagActiveFileSlotCreationResult canUseReCod canUseUtility',
    ],
    [
      'the entry of KESS3',
      kess3.entry.parts.answer.schema,
      'isAutoSendEnabled autoSendDefaultAction isAutoSendNotificationPrivateByDefault kess3ActiveFileSlotCreationResult canUseReCod canUseUtility kess3CanSkipChecksum kess3HasIsDebugFlag',
    ],
    [
      'a KESSv2 decode',
      kessv2Family.decodeResult,
      'kessv2SlotGUID name readFileName decodedFileURL decodedFileName idFileURL idFileName wasOriginalFileFoundThroughVirtualReading isOriginalFileNeeded isChecksumCorrectionNeeded isCVNCorrectionPossible information',
    ],
    [
      'the information of KESSv2',
      kessv2Family.information,
      'protocolID serialNumber hardware software softwareUpgrade spare softwareDate imp engine vin softwareVersion protocolName',
    ],
    [
      'a K-TAG decode',
      ktagFamily.decodeResult,
      'ktagSlotGUID ktagSlotID name components idFileURL information',
    ],
    [
      'the information of K-TAG',
      ktagFamily.information,
      'PRT/FAMILY/SN/HW/SW/SW upd/Spare/Impianto/Engine/VIN',
    ],
    [
      'a KESS3 decode',
      kess3Family.decodeResult,
      'kess3FileSlotGUID name readFileName idFileURL idFileName obdDecodedFileURL obdDecodedFileName decodedFileURL bootBenchComponents obdIsOriginalFileNeeded obdIsChecksumCorrectionNeeded obdIsCVNCorrectionPossible information',
    ],
    [
      'the information of KESS3',
      kess3Family.information,
      'Mode/Cks/Protocol/Family/HW/HW Ver./SW/SW Ver./SW upg./Spare/System/VIN/Engine/Recognized/SN/Customer Code/Group Code',
    ],
    ['an uploaded file', recoding.uploadedFile, 'fileGUID changes'],
    ['an encode', encodeResult, 'name encodedFileURL fileGUID'],
    [
      'an operation',
      operations.operation,
      'guid asyncOperationGUID asyncOperationType slotGUID userFlow contextData status isCompleted isSuccessful hasFailed suggestedPollingInterval recommendedPollingInterval startedOn completedOn progress result error',
    ],
    ['an operation’s error', operations.operationSummary.shape.error, 'errorName detail'],
    ['an operation’s progress', operations.progress, 'stage fraction'],
    [
      'a notification',
      notifications.notification,
      'guid completedOn isSuccessful message longMessage targetURL targetURLFileName deviceSerialNumber errorCode isSent isReceived isPrivate otherOrganizationName senderNotifiedOn senderInteractedOn',
    ],
    [
      'the suggestion in the send popup',
      recoding.notificationDetails,
      'slaveOrganizationName slaveOrganizationEmailAddress',
    ],
    [
      'the preferences',
      preferences.organisationPreferences,
      'encodedKESSv2FileNameFormat encodedKTAGFileNameFormat encodedKESS3FileNameFormat decodedFileNameFormat timeZone autoSendDefaultAction autoSendNotificationIsPrivateByDefault defaultAutoSendAction isAutoSendNotificationPrivateByDefault',
    ],
    [
      'the preferences around them',
      preferences.preferences,
      'organisationPreferences canUserAutoSend',
    ],
    ['the service status', serviceStatus.serviceStatus, 'statusCode'],
  ])('%s has exactly its documented fields', (_, schema, names) => {
    const wanted = names.includes('/') ? names.split('/') : names.split(' ');
    expect(fieldsOf(schema)).toEqual(expect.arrayContaining(wanted));
  });

  // promise 7.around.terms
  test('for the terms of use is a plain boolean', () => {
    const { schema } = session.hasAcceptedTerms.parts.answer;
    expect(
      [true, false, { hasAccepted: true }].map((one) => schema.safeParse(one).success),
    ).toEqual([true, true, false]);
  });

  // promise d6.payloads.bare-lists
  test('for notifications and for messages is a plain list', () => {
    for (const name of ['notifications.listNotifications', 'messages.listMessages']) {
      const answer = routes.get(name)?.parts.answer;
      expect(answer?.kind === 'json' && z.toJSONSchema(answer.schema)).toMatchObject({
        type: 'array',
      });
    }
  });

  // promise 7.around.status
  test('for the engine is 200 or 503 as a number', () => {
    const may = (statusCode: unknown) =>
      serviceStatus.serviceStatus.safeParse({ statusCode }).success;
    expect([may(200), may(503), may(404)]).toEqual([true, true, false]);
  });
});
