/**
 * The names that programs outside of this repository use: paths, fields, headers, codes, numbers. Each is repeated
 * here, so that none is renamed by accident.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { guid, optionalGuid, zeroGuid } from '../src/api.ts';
import {
  accessTokenHeader,
  customerCodeHeader,
  idempotencyHeader,
  sessionHeader,
} from '../src/headers.ts';
import { refusalStatus, statusOf } from '../src/errors.ts';
import {
  byFamily,
  definitionOf,
  operationTypes,
  recodErrorNames,
} from '../src/families/registry.ts';
import { componentExtensions } from '../src/families/family.ts';
import { memories } from '../src/families/memories.ts';
import * as kess3Family from '../src/families/kess3.ts';
import * as kessv2Family from '../src/families/kessv2.ts';
import * as ktagFamily from '../src/families/ktag.ts';
import { portalRoutes } from '../src/family-routes/registry.ts';
import { messagePolling, messageSeenSeconds } from '../src/features/messages.ts';
import * as notifications from '../src/features/notifications.ts';
import * as operations from '../src/features/operations.ts';
import { logDays } from '../src/features/operations-log.ts';
import * as preferences from '../src/features/preferences.ts';
import * as recoding from '../src/features/recoding/recoding.ts';
import { encodeResult } from '../src/results.ts';
import { routes } from '../src/routes.ts';
import * as serviceStatus from '../src/features/service-status.ts';
import * as session from '../src/features/session.ts';

const { kessv2, ktag, kess3 } = portalRoutes;

const all = [...routes.values()];

/** The fields of an object schema, at any depth. */
function fieldsOf(schema: z.core.$ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const options = [described, ...(described.anyOf ?? []), ...(described.oneOf ?? [])];
  return options.flatMap((one) => Object.keys((one as { properties?: object }).properties ?? {}));
}

describe('the call', () => {
  // promise 7.recoding.entry-kessv2, 7.recoding.entry-ktag, 7.recoding.entry-kess3
  // promise 7.recoding.kessv2-read, 7.recoding.kessv2-modified, 7.recoding.kessv2-original
  // promise 7.recoding.kessv2-encode, 7.recoding.kessv2-reencode, 7.recoding.kessv2-details
  // promise 7.recoding.ktag-details, 7.recoding.kess3-details, 7.recoding.ktag-read
  // promise 7.recoding.ktag-modified, 7.recoding.ktag-encode, 7.recoding.kess3-read
  // promise 7.recoding.kess3-modified, 7.recoding.kess3-obd, 7.recoding.kess3-bench
  // promise 7.around.operation, 7.around.notifications, 7.around.mark-read
  // promise 7.around.mark-interacted, 7.around.preferences, 7.around.preferences-put
  // promise 7.around.preferences-format, 7.around.session, 7.around.switch, 7.around.logout
  // promise 7.around.terms, 7.around.terms-register, 7.around.status, 7.around.messages
  // promise 7.around.log-kess3, 7.around.log-kessv2, 7.around.log-ktag, d9.bell.marks
  test.each([
    'GET /api/kessv2',
    'GET /api/ktag',
    'GET /api/kess3',
    'POST /api/kessv2/upload-read-file',
    'PUT /api/kessv2/upload-modified-file/{slotGUID}',
    'PUT /api/kessv2/upload-original-file/{slotGUID}',
    'POST /api/kessv2/encode-file',
    'POST /api/kessv2/reencode-decoded-file',
    'GET /api/kessv2/notification-details/{slotGUID}',
    'GET /api/ktag/notification-details/{slotGUID}',
    'GET /api/kess3/notification-details/{slotGUID}',
    'POST /api/ktag/upload-read-backup',
    'PUT /api/ktag/upload-modified-component-file/{slotGUID}/{componentType}',
    'POST /api/ktag/encode-backup',
    'POST /api/kess3/upload-read-file',
    'PUT /api/kess3/upload-modified-file/{slot}/{component}',
    'POST /api/kess3/encode-obd-file',
    'POST /api/kess3/encode-boot-bench-file',
    'GET /api/async-operations/{guid}',
    'GET /api/async-operation-notifications/',
    'POST /api/async-operation-notifications/{guid}/mark-as-read/sender',
    'POST /api/async-operation-notifications/{guid}/mark-as-interacted/sender',
    'POST /api/async-operation-notifications/{guid}/mark-as-read/receiver',
    'POST /api/async-operation-notifications/{guid}/mark-as-interacted/receiver',
    'GET /api/preferences',
    'PUT /api/preferences/',
    'PUT /api/preferences/encoded-kessv2-file-name-format',
    'GET /api/auth/session/{sessionId}',
    'POST /api/auth/session/{sessionId}/switch-customer-code/{code}',
    'POST /api/auth/session/{sessionId}/logout',
    'GET /api/auth/tou/has-accepted',
    'POST /api/auth/tou/register',
    'GET /api/maestro-checkup/status',
    'GET /api/comunication-messages/message',
    'GET /api/operations-log/kess3',
    'GET /api/operations-log/kessv2',
    'GET /api/operations-log/ktag',
    'GET /api/events',
  ])('%s exists and needs a session', (name) => {
    const [route, ...others] = all.filter(({ verb, path }) => `${verb} ${path}` === name);
    expect(others).toEqual([]);
    expect(['own-session', 'session', 'portal']).toContain(route?.parts.access);
  });

  // promise 7.recoding.kess3-zip, 7.around.validate
  test.each([
    ['POST /api/auth/validate-sso-token/{token}', 'public'],
    ['POST /api/access-tokens/request', 'public'],
    ['GET /api/clients', 'portal'],
    ['POST /api/clients', 'person'],
    ['POST /api/clients/{guid}/revoke', 'portal'],
    ['GET /api/config', 'public'],
    ['GET /api/openapi.json', 'public'],
    ['GET /api/docs', 'public'],
    ['GET /r/{token}', 'public'],
    ['GET /api/files/{fileGUID}', 'portal-or-ticket'],
    ['GET /kess3/slots/{id}/files/', 'portal-or-ticket'],
    ['GET /ktag/slots/{id}/files/', 'portal-or-ticket'],
  ])('%s exists for %s', (name, access) => {
    const route = all.find(({ verb, path }) => `${verb} ${path}` === name);
    expect(route?.parts.access).toBe(access);
  });

  // promise 7.recoding.kessv2-read, 7.recoding.kessv2-modified, 7.recoding.kessv2-original
  // promise 7.recoding.ktag-read, 7.recoding.ktag-modified, 7.recoding.kess3-read
  test.each([
    ['POST /api/kessv2/upload-read-file', 'readFile'],
    ['PUT /api/kessv2/upload-modified-file/{slotGUID}', 'modifiedFile'],
    ['PUT /api/kessv2/upload-original-file/{slotGUID}', 'originalFile'],
    ['POST /api/ktag/upload-read-backup', 'readFile'],
    ['PUT /api/ktag/upload-modified-component-file/{slotGUID}/{componentType}', 'file'],
    ['POST /api/kess3/upload-read-file', 'readFile'],
    ['PUT /api/kess3/upload-modified-file/{slot}/{component}', 'file'],
  ])('%s accepts its file in the field %s, under a customer code', (name, field) => {
    const route = all.find(({ verb, path }) => `${verb} ${path}` === name);
    expect(route?.parts.file?.field).toBe(field);
    expect(route?.parts.actsForCustomerCode).toBe(true);
  });

  // promise 5.files.flags, 7.recoding.kessv2-encode, 7.recoding.kessv2-reencode
  // promise 7.recoding.ktag-encode, 7.recoding.kess3-read, 7.recoding.kess3-obd
  // promise 7.recoding.kess3-bench, 7.around.notifications, 7.around.messages
  test.each([
    [
      'kessv2 encode-file',
      kessv2.encodeFile.parts.body,
      'kessv2FileSlotGUID modifiedFileGUID originalFileGUID willCorrectCVN willCorrectChecksums contextData notificationInfo',
    ],
    [
      'kessv2 reencode-decoded-file',
      kessv2.reencodeDecodedFile.parts.body,
      'kessv2FileSlotGUID willCorrectCVN contextData notificationInfo',
    ],
    [
      'ktag encode-backup',
      ktag.encodeBackup.parts.body,
      'ktagFileSlotGUID willCorrectChecksums contextData notificationInfo FlashFileGUID MicroFileGUID EEPROMFileGUID TuningFileGUID',
    ],
    [
      'kess3 encode-obd-file',
      kess3.encodeObdFile.parts.body,
      'kess3FileSlotGUID modifiedFileGUID originalFileGUID willCorrectCVN willSkipChecksum willCorrectChecksums contextData notificationInfo',
    ],
    [
      'kess3 encode-boot-bench-file',
      kess3.encodeBootBenchFile.parts.body,
      'kess3FileSlotGUID willCorrectCVN willSkipChecksum willCorrectChecksums contextData notificationInfo FlashFileGUID MicroFileGUID EEPROMFileGUID MapFileGUID RemoveFlash RemoveMicro RemoveEEPROM RemoveMapFile',
    ],
    [
      'upload-read-file of kess3 (its query)',
      kess3.uploadReadFile.parts.query,
      'groupCode masterDeviceSerialNumber skipChecksum hasDebugFlag fromUtility',
    ],
    [
      'the messages (its query)',
      routes.get('messages.listMessages')?.parts.query,
      'i_twoLetterCode',
    ],
    ['the notifications (its query)', notifications.listNotifications.parts.query, 'count to new'],
  ])('%s accepts exactly its documented fields', (_, schema, names) => {
    expect(schema && fieldsOf(schema).toSorted()).toEqual(names.split(' ').toSorted());
  });

  // promise 7.recoding.kessv2-read
  test('that reads a read file accepts the flag "decode to encode", which is off by default', () => {
    for (const upload of [kessv2.uploadReadFile, ktag.uploadReadBackup, kess3.uploadReadFile]) {
      expect(fieldsOf(upload.parts.fields)).toEqual(['userFlow']);
    }
    expect(['D', 'E', 'X'].map((flow) => operations.userFlow.safeParse(flow).success)).toEqual([
      true,
      true,
      false,
    ]);
  });

  // promise 7.recoding.entry-kess3
  test('of the KESS3 entry point has two modes', () => {
    const query = (mode?: string) => kess3.entry.parts.query.safeParse({ mode }).success;
    expect([query(), query('recod'), query('utility'), query('other')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  // promise 7.recoding.starts
  test('that starts an operation returns 202 with its record', () => {
    for (const path of ['upload-read', 'encode-', 'reencode-']) {
      const starting = all.filter((route) => route.path.includes(`/${path}`));
      expect(starting.length).toBeGreaterThan(0);
      for (const { parts } of starting) expect(parts.answer).toMatchObject({ status: 202 });
    }
  });
});

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

describe('the name', () => {
  // promise d4.session.header
  test('of the headers for session, customer code, access token and idempotency is unchanged', () => {
    expect([sessionHeader, customerCodeHeader, accessTokenHeader, idempotencyHeader]).toEqual([
      'X-Recodery-Session',
      'X-Recodery-Customer-Code',
      'X-Alientech-ReCodAPI-LLC',
      'Idempotency-Key',
    ]);
  });

  // promise 4.decode.stages, d6.payloads.types
  test('of each type, state and stage of an operation is unchanged', () => {
    expect(operationTypes).toEqual([
      'KESSv2Decode',
      'KESSv2Encode',
      'KTAGDecode',
      'KTAGEncode',
      'KESS3Decode',
      'KESS3Encode',
      'BFlashDecode',
      'BFlashEncode',
      'AutoTunerDecode',
      'AutoTunerEncode',
      'FlexDecode',
      'FlexEncode',
      'AutoFlasherDecode',
      'AutoFlasherEncode',
    ]);
    expect(operations.operationSummary.shape.status.options).toEqual([
      'waiting',
      'running',
      'succeeded',
      'failed',
    ]);
    expect(operations.progress.shape.stage.options).toEqual(
      expect.arrayContaining(['UPLOADING', 'DECODING', 'COMPLETED']),
    );
  });

  // promise d6.push.names
  test('of each event of the stream is unchanged', () => {
    expect(operations.eventNames).toEqual([
      'operation',
      'notification',
      'service-status',
      'message',
      'session',
      'draft',
    ]);
  });

  // promise 3.entry.actions, 9.figures.default-action
  test('of both send actions is unchanged, and the default is to encode only', () => {
    expect(recoding.autoSendActions).toEqual(['Encode', 'EncodeAndSend']);
    expect(preferences.defaultAutoSendAction).toBe('Encode');
  });

  // promise 3.decode.kess3-mode, 3.decode.extensions, 4.encode.extensions
  test('of each component and its file extension is unchanged', () => {
    expect(componentExtensions).toEqual({
      flash: '.fls',
      micro: '.mpc',
      eeprom: '.epr',
      tuningfile: '.tun',
      mapfile: '.map',
      obd: '.bin',
      ...Object.fromEntries(memories.map((name) => [name, `.${name}.bin`])),
    });
    expect(byFamily((family) => definitionOf(family).encodedFileExtension)).toEqual({
      kessv2: '.moc',
      ktag: '.unq',
      bflash: '.sbdc',
      autotuner: '.slave',
      flex: '.mmf',
      autoflasher: '.atf',
      kess3: '.moc',
    });
    const types = (schema: z.core.$ZodType) =>
      JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }));
    expect(types(ktagFamily.decodeResult)).toContain('["flash","micro","eeprom","tuningfile"]');
    expect(types(kess3Family.decodeResult)).toContain('["Flash","Micro","EEPROM","MapFile"]');
    expect(types(kess3Family.information)).toContain('["OBD","BootBench"]');
  });

  test.each([
    ['API_ERROR_UNAUTHORIZED', 401],
    ['SIGN_IN_AGAIN', 422],
    ['API_ERROR_THROTTLING', 429],
    ['SERVICE_UNAVAILABLE', 503],
    ['USER_NO_RIGHTS', 403],
    ['USER_NOT_AUTHORIZED', 403],
    ['USER_NOT_AUTHORIZED_KESS3', 403],
    ['FeatureNotAvailable', 403],
    ['CUSTOMER_CODE_CHANGED', 400],
    ['FILE_TOO_LARGE', 400],
    ['CALLBACK_URL_NOT_ALLOWED', 400],
    ['INVALID_CREDENTIALS', 403],
    ['IP_NOT_ALLOWED', 403],
    ['IDEMPOTENCY_KEY_IN_USE', 429],
    ['TOO_MANY_UPLOADS', 429],
    ['IDEMPOTENCY_KEY_REUSED', 422],
    ['NOT_FOUND', 404],
    ['FILE_NOT_COMPATIBLE_WITH_READ_FILE', 400],
    ['KESS3_FILE_IS_ARCHIVE', 400],
  ])('%s is returned with status %i', (code, status) => {
    expect(statusOf(code)).toBe(status);
    const known: readonly string[] = [...Object.keys(refusalStatus), ...recodErrorNames];
    expect(known).toContain(code);
  });

  // promise 8.catalogue.file-not-compatible-with-read-file
  // promise 8.catalogue.file-not-compatible-with-read-component, 8.catalogue.file-load-error
  // promise 8.catalogue.file-save-error, 8.catalogue.file-is-zip-archive
  // promise 8.catalogue.file-is-ktag-backup, 8.catalogue.invalid-file, 8.catalogue.file-corrupted
  // promise 8.catalogue.unexpected-size, 8.catalogue.wrong-size, 8.catalogue.wrong-import
  // promise 8.catalogue.wrong-master-code, 8.catalogue.ecu-not-supported
  // promise 8.catalogue.ecu-not-recognized, 8.catalogue.checksum-error
  // promise 8.catalogue.cvn-correction-error, 8.catalogue.virtual-reading-lookup-error
  // promise 8.catalogue.kess3-path-or-file-not-found, 8.catalogue.kess3-file-is-archive
  // promise 8.catalogue.kess3-file-is-ktag-backup, 8.catalogue.kess3-file-is-kessv2
  // promise 8.catalogue.kess3-file-not-recognized, 8.catalogue.kess3-file-compatible-with-kess3
  // promise 8.catalogue.kess3-bad-header, 8.catalogue.kess3-generic-error-with-code
  // promise 8.catalogue.kess3-wrong-master-code, 8.catalogue.kess3-tool-not-found
  // promise 8.catalogue.kess3-decrypt-error, 8.catalogue.kess3-encrypt-error
  // promise 8.catalogue.kess3-component-read-error, 8.catalogue.kess3-unpack-backup-error
  // promise 8.catalogue.kess3-compact-backup-error, 8.catalogue.kess3-protocol-not-found
  // promise 8.catalogue.kess3-info-retrieval-error, 8.catalogue.kess3-maps-file-absent-in-protocol
  // promise 8.catalogue.kess3-maps-file-processing-error, 8.catalogue.kess3-checksum-error
  // promise 8.catalogue.kess3-decoded-with-checksum-error
  // promise 8.catalogue.kess3-virtual-reading-not-supported
  test.each([
    'FILE_LOAD_ERROR',
    'FILE_SAVE_ERROR',
    'FILE_IS_ZIP_ARCHIVE',
    'FILE_IS_KTAG_BACKUP',
    'FILE_IS_KESSV2',
    'FILE_IS_KESS3',
    'INVALID_FILE',
    'FILE_CORRUPTED',
    'UNEXPECTED_SIZE',
    'WRONG_SIZE',
    'WRONG_IMPORT',
    'WRONG_MASTER_CODE',
    'ECU_NOT_SUPPORTED',
    'ECU_NOT_RECOGNIZED',
    'CHECKSUM_ERROR',
    'CVN_CORRECTION_ERROR',
    'VIRTUAL_READING_LOOKUP_ERROR',
    'KESS3_PATH_OR_FILE_NOT_FOUND',
    'KESS3_FILE_IS_ARCHIVE',
    'KESS3_FILE_IS_KTAG_BACKUP',
    'KESS3_FILE_IS_KESSV2',
    'KESS3_FILE_NOT_RECOGNIZED',
    'KESS3_FILE_COMPATIBLE_WITH_KESS3',
    'KESS3_BAD_HEADER',
    'KESS3_GENERIC_ERROR_WITH_CODE',
    'KESS3_WRONG_MASTER_CODE',
    'KESS3_TOOL_NOT_FOUND',
    'KESS3_DECRYPT_ERROR',
    'KESS3_ENCRYPT_ERROR',
    'KESS3_COMPONENT_READ_ERROR',
    'KESS3_UNPACK_BACKUP_ERROR',
    'KESS3_COMPACT_BACKUP_ERROR',
    'KESS3_PROTOCOL_NOT_FOUND',
    'KESS3_INFO_RETRIEVAL_ERROR',
    'KESS3_MAPS_FILE_ABSENT_IN_PROTOCOL',
    'KESS3_MAPS_FILE_PROCESSING_ERROR',
    'KESS3_CHECKSUM_ERROR',
    'KESS3_DECODED_WITH_CHECKSUM_ERROR',
    'KESS3_VIRTUAL_READING_NOT_SUPPORTED',
    'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
    'FILE_NOT_COMPATIBLE_WITH_READ_COMPONENT',
    '-1073741819',
    'GENERIC_ERROR',
  ])('%s is the name of a failed operation', (name) => {
    expect(recodErrorNames).toContain(name);
  });
});

describe('an optional field', () => {
  const slot = '01900000-0000-7000-8000-00000000aaaa';

  // promise d6.payloads.zero-guid
  test('means none if it contains a GUID and is absent, null or all zeros', () => {
    for (const none of [undefined, null, zeroGuid]) expect(optionalGuid.parse(none)).toBeNull();
    expect(optionalGuid.parse(slot.toUpperCase())).toBe(slot);
    expect(guid.safeParse('x').success).toBe(false);
  });

  // promise d6.payloads.optional
  test('of an encode can be absent or null', () => {
    const bare = kess3.encodeBootBenchFile.parts.body.parse({ kess3FileSlotGUID: slot });
    const fields = Object.keys(kess3.encodeBootBenchFile.parts.body.shape);
    const nulls = Object.fromEntries(
      fields.filter((name) => name !== 'kess3FileSlotGUID').map((name) => [name, null]),
    );
    const filled = { ...nulls, kess3FileSlotGUID: slot };
    expect(kess3.encodeBootBenchFile.parts.body.parse(filled)).toEqual(bare);
    expect(bare).toMatchObject({ willCorrectCVN: false, RemoveEEPROM: false, contextData: null });
  });

  // promise 3.records.info, 9.figures.default-private
  test('means private if it is the notification’s privacy', () => {
    const info = (value: object) => recoding.notificationInfo.parse(value);
    expect(info({})).toEqual({ email: null, message: null, isPrivate: true });
    expect(info({ isPrivate: false })?.isPrivate).toBe(false);
  });

  // promise d6.payloads.context
  test('contains up to 4 KiB if it is the context', () => {
    expect(operations.contextData.safeParse('x'.repeat(4096)).success).toBe(true);
    expect(operations.contextData.safeParse('x'.repeat(4097)).success).toBe(false);
    // bytes of UTF-8, not characters
    expect(operations.contextData.safeParse('è'.repeat(2048)).success).toBe(true);
    expect(operations.contextData.safeParse('è'.repeat(2049)).success).toBe(false);
    expect(operations.contextData.safeParse('🚗'.repeat(1025)).success).toBe(false);
    expect(operations.contextData.parse(undefined)).toBeNull();
  });
});

describe('the number', () => {
  // promise 7.polling.notifications, 7.polling.status-up, 7.polling.status-down
  // promise 7.polling.messages-some, 7.polling.messages-none, 9.figures.resumed, 9.figures.failures
  // promise 9.figures.page-size, 9.figures.badge, 9.figures.notification-poll
  // promise 9.figures.download-days, 9.figures.log-days, 9.figures.message-seen
  test.each([
    ['of notifications per page', notifications.notificationPageSize, 20],
    ['of the badge’s maximum', notifications.badgeCap, 99],
    [
      'of milliseconds between two polls of the notifications',
      notifications.notificationPolling,
      180_000,
    ],
    ['of days for which a notification’s file can be downloaded', notifications.downloadDays, 10],
    ['of days in the operations log', logDays, 30],
    ['of failed requests in a row that end the polling', operations.pollingFailureLimit, 4],
    ['of seconds between two polls of a resumed operation', operations.resumedPollingInterval, 10],
    [
      'of milliseconds between two polls of a working service',
      serviceStatus.statusPolling.available,
      60_000,
    ],
    [
      'of milliseconds between two polls of a suspended service',
      serviceStatus.statusPolling.unavailable,
      15_000,
    ],
    [
      'of milliseconds between two polls of messages, if there are some',
      messagePolling.some,
      15_000,
    ],
    [
      'of milliseconds between two polls of messages, if there are none',
      messagePolling.none,
      60_000,
    ],
    ['of seconds for which a seen message is remembered', messageSeenSeconds, 3600],
  ])('%s is unchanged', (_, is, promised) => {
    expect(is).toBe(promised);
  });

  // promise 9.figures.page-size
  test('of notifications in a list without a limit is one page', () => {
    expect(notifications.listNotifications.parts.query.parse({}).count).toBe(20);
  });
});
