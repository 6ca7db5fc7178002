/** The calls that external programs rely on: their paths, rights, file fields, options and defaults. */
import { describe, expect, test } from 'vitest';
import { portalRoutes } from '../src/family-routes/registry.ts';
import * as notifications from '../src/features/notifications.ts';
import * as operations from '../src/features/operations.ts';
import { routes } from '../src/routes.ts';
import { fieldsOf } from './fields-of.ts';

const { kessv2, ktag, kess3 } = portalRoutes;

const all = [...routes.values()];

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
