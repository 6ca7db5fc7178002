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
  apiFamilies,
  byFamily,
  definitionOf,
  operationTypes,
  recodErrorNames,
} from '../src/families/registry.ts';
import { componentExtensions } from '../src/families/family.ts';
import { memories } from '../src/families/memories.ts';
import * as kess3Family from '../src/families/kess3.ts';
import * as ktagFamily from '../src/families/ktag.ts';
import { encodingApiOf, portalRoutes } from '../src/family-routes/registry.ts';
import { messagePolling, messageSeenSeconds } from '../src/features/messages.ts';
import * as notifications from '../src/features/notifications.ts';
import * as operations from '../src/features/operations.ts';
import { logDays } from '../src/features/operations-log.ts';
import * as preferences from '../src/features/preferences.ts';
import * as recoding from '../src/features/recoding/recoding.ts';
import * as serviceStatus from '../src/features/service-status.ts';

const { kess3 } = portalRoutes;

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

  // promise e1.work.numbers
  test('of each type of file in the Encoding API is unchanged', () => {
    const words = (text: string) => text.trim().split(/\s+/);
    const types = apiFamilies.map((family) => {
      const { uploadTypes, fileTypes } = encodingApiOf(family);
      return [family, { upload: Object.keys(uploadTypes), download: Object.keys(fileTypes) }];
    });
    expect(Object.fromEntries(types)).toEqual({
      kessv2: { upload: words('Modified Original'), download: words('Decoded Encoded IDFile') },
      ktag: {
        upload: words('Flash Micro EEPROM TuningFile'),
        download: words(`
          DecodedFlash DecodedMicro DecodedEEPROM DecodedTuningFile Encoded IDFile`),
      },
      kess3: {
        upload: words(`
          OBDModified OBDOriginal BootBenchModifiedFlash BootBenchModifiedMicro
          BootBenchModifiedEEPROM BootBenchModifiedMapFile`),
        download: words(`
          OBDDecoded BootBenchDecodedFlash BootBenchDecodedMicro BootBenchDecodedEEPROM
          BootBenchDecodedMapFile OBDEncoded BootBenchEncoded IDFile`),
      },
      bflash: { upload: words('Modified'), download: words('Decoded Encoded') },
      autotuner: { upload: words('Modified'), download: words('Decoded Encoded') },
      flex: {
        upload: words(`
          Modified Modified_int_flash Modified_ext_flash Modified_int_eeprom
          Modified_ext_eeprom Modified_memory1 Modified_memory2 Modified_memory3
          Modified_memory4`),
        download: words(`
          Decoded Decoded_int_flash Decoded_ext_flash Decoded_int_eeprom Decoded_ext_eeprom
          Decoded_memory1 Decoded_memory2 Decoded_memory3 Decoded_memory4 Encoded`),
      },
      autoflasher: {
        upload: words(`
          Modified Modified_int_flash Modified_ext_flash Modified_int_eeprom
          Modified_ext_eeprom Modified_maps Modified_full_dump Modified_memory1
          Modified_memory2 Modified_memory3 Modified_memory4`),
        download: words(`
          Decoded Decoded_int_flash Decoded_ext_flash Decoded_int_eeprom Decoded_ext_eeprom
          Decoded_maps Decoded_full_dump Decoded_memory1 Decoded_memory2 Decoded_memory3
          Decoded_memory4 Encoded`),
      },
    });
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
