/**
 * Everything that KESSv2 refuses: damaged reads, wrong images, full quotas, missing rights; each with its own error
 * name.
 */
import { engineDefinitions } from '@recodery/contract/features/engines';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Operation } from '@recodery/contract/features/operations';
import { describe, expect, test } from 'vitest';
import { damages } from '../../../../codec/test/damaged/damages.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import { setMaintenance } from '../../../src/service-status/maintenance.ts';
import { authenticate } from '../../../src/sign-in/sessions.ts';
import { requestEncode } from '../../../src/recoding/encode.ts';
import { startTestPortal } from '../../fixtures/running-portal.ts';
import {
  decode,
  keepImage,
  protocolOf,
  sealImage,
  started,
  uploadImage,
  uploadRead,
} from './kessv2-workflow.ts';
import { startJourney } from '../workflow-setup.ts';

const { portal, anna, slave } = await startJourney('kessv2', {
  RECODERY_PARALLEL_OPERATIONS: '200',
});

/** The result of an upload: the error that the page receives, and the code in the row. */
async function failureOf(bytes: Uint8Array) {
  const { guid } = started(await uploadRead(anna, bytes));
  const { error } = await anna.follow({ guid });
  const row = portal.platform.db.selectFrom('operation').select('internal_code');
  const { internal_code: code } = await row.where('guid', '=', guid).executeTakeFirstOrThrow();
  const { errorName: name, detail = null, cause, sizes } = error ?? {};
  return { name, code, detail, cause, sizes };
}

describe('a read file', () => {
  const own = damages.flatMap(({ names: [name], ...damage }) =>
    name === null ? [] : [{ ...damage, errorName: name }],
  );
  // promise 5.files.master, c.checks.damaged-kessv2
  test.each(own)('$name fails with $errorName', async ({ make, code, errorName }) => {
    expect(await failureOf(make(slave))).toMatchObject({ name: errorName, code });
  });

  test.each([
    ['key id', { keyId: 2 ** 32 - 1 }, 'FILE_CORRUPTED', 'AUTHENTICATION_FAILED'],
    ['master serial', { masterSerial: 'KV2-M\0' }, 'WRONG_MASTER_CODE', 'WRONG_MASTER_CODE'],
    ['slave serial', { slaveSerial: 'KV2\0' }, 'WRONG_MASTER_CODE', 'TOOL_NOT_FOUND'],
    ['protocol', { protocolId: 2 ** 32 - 1 }, 'ECU_NOT_SUPPORTED', 'PROTOCOL_NOT_FOUND'],
  ])('whose %s no database column can store fails like any unknown one', async (...row) => {
    const [, parts, name, code] = row;
    const read = sealImage(slave, 9000, new Uint8Array(1024), parts);
    expect(await failureOf(read)).toMatchObject({ name, code });
  });

  test('whose information no database column can store is decoded', async () => {
    const information = { vin: 'ZAR\0', hardware: '\ud800' };
    const read = sealImage(slave, 9000, new Uint8Array(1024), { information });
    expect((await failureOf(read)).code).toBeNull();
  });

  // promise 5.files.checksum-size-corrupted
  test('with wrong checksums fails with CHECKSUM_ERROR, which names the rules', async () => {
    const image = generateImage(protocolOf(1001), 'obd', 1);
    image[0x20000] = (image[0x20000] ?? 0) ^ 0xff;
    const failure = await failureOf(sealImage(slave, 1001, image));
    expect(failure).toMatchObject({ name: 'CHECKSUM_ERROR', code: 'READ_CHECKSUM_ERROR' });
    expect(failure.detail).toContain('PROGRAM');
    expect(failure.cause).toBe('READ_CHECKSUM_ERROR');
  });

  test('that is truncated fails with UNEXPECTED_SIZE, which names both sizes', async () => {
    const whole = sealImage(slave, 9000, new Uint8Array(4096));
    expect(await failureOf(whole.subarray(0, -1))).toMatchObject({
      name: 'UNEXPECTED_SIZE',
      cause: 'FILE_TRUNCATED',
      sizes: { actual: whole.length - 1, allowed: [whole.length] },
    });
  });

  test('of only the identification, of a protocol without Virtual Reading, reports that cause', async () => {
    const read = sealImage(slave, 1001, new Uint8Array(), { identificationOnly: true });
    expect(await failureOf(read)).toMatchObject({
      name: 'VIRTUAL_READING_LOOKUP_ERROR',
      cause: 'VR_UNSUPPORTED',
    });
  });

  test('of an ECU that the protocol does not know fails with ECU_NOT_RECOGNIZED', async () => {
    const image = generateImage(protocolOf(1001), 'obd', 1);
    image.fill(0xff, 0x60000, 0x60100);
    expect(await failureOf(sealImage(slave, 1001, image))).toMatchObject({
      name: 'ECU_NOT_RECOGNIZED',
    });
  });

  // promise d5.devices.other-group
  test('of a slave in another group of the caller’s names that group if another was chosen', async () => {
    await applyDirectory(portal.platform, {
      organisations: [
        {
          customerCode: 'CC-1001',
          name: 'Officina Demo',
          rights: ['kessv2', 'ktag', 'kess3', 'recod', 'utility', 'autoSend'],
          groupCodes: [
            {
              code: 'G-12',
              masters: [{ family: 'kessv2', serial: 'KV2-M-12', slaves: [{ serial: 'KV2-12' }] }],
            },
          ],
        },
      ],
    });
    const other = await portal.getSlave('kessv2', 'KV2-12');
    const bytes = sealImage(other, 9000, new Uint8Array(1024));
    const decodeIn = async (query: string) => {
      const path = `/api/kessv2/upload-read-file${query}`;
      const answer = await anna.upload('POST', path, { field: 'readFile', bytes });
      return (await anna.follow(started(answer))).error;
    };
    const fault = { errorName: 'WRONG_MASTER_CODE', cause: 'TOOL_NOT_FOUND', detail: 'G-12' };
    expect(await decodeIn('?groupCode=G-10')).toMatchObject(fault);
    expect(await decodeIn('?groupCode=G-12')).toBeNull();
    expect(await decodeIn('')).toBeNull();
  });
});

describe('a modified file', () => {
  // promise 5.files.wrong-protocol, 5.files.checksum-size-corrupted
  test.each([
    ['of another size', () => new Uint8Array(1000), 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
    ['of another ECU', () => otherEcu(), 'FILE_NOT_COMPATIBLE_WITH_READ_FILE'],
    ['that is still sealed', (read: Uint8Array) => read, 'INVALID_FILE'],
    ['in an archive', () => Buffer.from('PK\u0003\u0004 and so on'), 'FILE_IS_ZIP_ARCHIVE'],
    ['that is empty', () => new Uint8Array(), 'FILE_LOAD_ERROR'],
  ])('%s is refused when it is uploaded', async (_, make, code) => {
    const image = generateImage(protocolOf(1001), 'obd', 2);
    const read = sealImage(slave, 1001, image);
    const { kessv2SlotGUID } = await decode(anna, read);
    const answer = await uploadImage(anna, 'modified', kessv2SlotGUID, make(read));
    expect([answer.status, answer.text]).toEqual([400, code]);
  });

  test('whose checksum cannot be corrected fails the encode', async () => {
    const image = generateImage(protocolOf(1006), 'obd', 3);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 1006, image));
    // inside of the signed boot loader
    const modified = image.with(0x1000, (image[0x1000] ?? 0) ^ 0xff);
    const kept = await uploadImage(anna, 'modified', kessv2SlotGUID, modified);
    const { fileGUID } = kept.json as { fileGUID: string };
    const body = { kessv2FileSlotGUID: kessv2SlotGUID, modifiedFileGUID: fileGUID };
    const ended = await anna.follow(started(await anna.post('/api/kessv2/encode-file', body)));
    expect(ended.error).toMatchObject({
      errorName: 'CHECKSUM_ERROR',
      cause: 'CHECKSUM_UNCORRECTABLE',
    });
  });

  function otherEcu(): Uint8Array {
    const image = generateImage(protocolOf(1001), 'obd', 2);
    // both must have the same hardware number
    image.copyWithin(0x60010, 0x60020, 0x60030);
    return image;
  }
});

describe('an original file', () => {
  test('of another size is refused when it is uploaded', async () => {
    const image = generateImage(protocolOf(1003), 'obd', 5);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 1003, image));
    const answer = await uploadImage(anna, 'original', kessv2SlotGUID, image.subarray(1));
    expect([answer.status, answer.text]).toEqual([400, 'FILE_NOT_COMPATIBLE_WITH_READ_FILE']);
  });
});

describe('a caller who accepts RFC 9457', () => {
  const whole = 0x80000;

  // promise 8.display.cause
  test.each([
    ['a modified file of another size', 'modified', 1, 'MOD_WRONG_SIZE', whole - 1],
    ['an original file of another size', 'original', 1, 'ORI_MISMATCH', whole - 1],
    ['an empty modified file', 'modified', whole, 'MOD_EMPTY', null],
  ] as const)('gets the reason why %s is refused', async (_, role, cut, cause, actual) => {
    const image = generateImage(protocolOf(1003), 'obd', 5);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 1003, image));
    const form = new FormData();
    form.append(`${role}File`, new Blob([new Uint8Array(image.subarray(cut))]), 'tune.bin');
    const path = `/api/kessv2/upload-${role}-file/${kessv2SlotGUID}`;
    const headers = { accept: 'application/problem+json' };
    const answer = await anna.call('PUT', path, { headers, body: form });
    const sizes = actual === null ? null : { actual, allowed: [whole] };
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      400,
      {
        errorCode: actual === null ? 'FILE_LOAD_ERROR' : 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
        details: { cause, sizes },
      },
    ]);
  });

  test('gets the reason when an encode is refused because the original is missing', async () => {
    const image = generateImage(protocolOf(1003), 'obd', 5);
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 1003, image));
    const { fileGUID } = await keepImage(anna, 'modified', kessv2SlotGUID, image);
    const answer = await anna.call('POST', '/api/kessv2/encode-file', {
      headers: { accept: 'application/problem+json', 'content-type': 'application/json' },
      body: JSON.stringify({ kessv2FileSlotGUID: kessv2SlotGUID, modifiedFileGUID: fileGUID }),
    });
    expect(JSON.parse(answer.text)).toMatchObject({
      errorCode: 'FILE_NOT_COMPATIBLE_WITH_READ_FILE',
      details: { cause: 'ORI_MISSING' },
    });
  });
});

describe('an encode', () => {
  // promise 4.encode.image-needs-modified
  test.each([
    ['without a modified file', {}, 400, 'OPERATION_NOT_POSSIBLE'],
    ['with an unknown file', { modifiedFileGUID: unknownGuid() }, 404, 'NOT_FOUND'],
    ['with an invalid GUID', { modifiedFileGUID: 'x' }, 400, 'BAD_REQUEST'],
    ['with a context that is too long', { contextData: 'x'.repeat(4097) }, 400, 'BAD_REQUEST'],
  ])('%s is refused', async (_, extra, status, code) => {
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, new Uint8Array(1024)));
    const body = { kessv2FileSlotGUID: kessv2SlotGUID, ...extra };
    const answer = await anna.post('/api/kessv2/encode-file', body);
    expect([answer.status, answer.text]).toEqual([status, code]);
  });

  test('of a slot whose read was never decoded is refused', async () => {
    const failed = started(await uploadRead(anna, new Uint8Array(100)));
    await anna.follow(failed);
    const body = { kessv2FileSlotGUID: failed.slotGUID };
    const answer = await anna.post('/api/kessv2/reencode-decoded-file', body);
    expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  });

  test('is refused while the disk is nearly full, and nothing is written', async () => {
    const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, new Uint8Array(1024)));
    const { db } = portal.platform;
    const { caller } = await authenticate(portal.platform, anna.sessionId, true);
    const ask = (hasDiskRoom: boolean) =>
      requestEncode(
        {
          db,
          parallelOperations: 200,
          organisationBytes: 2 ** 40,
          retentionDays: 30,
          hasDiskRoom: async () => hasDiskRoom,
        },
        caller,
        {
          family: 'kessv2',
          slotGuid: kessv2SlotGUID,
          modified: [],
          originalFileGuid: null,
          removed: [],
          reencode: true,
          willCorrectCVN: false,
          willSkipChecksum: false,
          contextData: null,
          notificationInfo: null,
        },
        async (_trx, operation) => operation,
      );
    const encodes = db
      .selectFrom('operation')
      .select('guid')
      .where('slot_guid', '=', kessv2SlotGUID);
    const before = await encodes.execute();
    await expect(ask(false)).rejects.toThrow('SERVICE_UNAVAILABLE');
    expect(await encodes.execute()).toEqual(before);
    expect(await ask(true)).toMatchObject({ status: 'waiting' });
  });

  test('is refused as a re-encode if the read lacks its image', async () => {
    const read = sealImage(slave, 1002, new Uint8Array(), { identificationOnly: true });
    const { kessv2SlotGUID } = await decode(anna, read);
    const body = { kessv2FileSlotGUID: kessv2SlotGUID };
    const answer = await anna.post('/api/kessv2/reencode-decoded-file', body);
    expect([answer.status, answer.text]).toEqual([400, 'OPERATION_NOT_POSSIBLE']);
  });

  function unknownGuid(): string {
    return '01900000-0000-7000-8000-00000000dead';
  }
});

describe('a caller', () => {
  // promise 6.roles.needs-slave, 6.roles.no-rights, d4.session.no-access
  test.each([
    ['nora@demo.test', 'USER_NO_RIGHTS'],
    ['otto@demo.test', 'USER_NOT_AUTHORIZED'],
    ['luca@demo.test', 'USER_NOT_AUTHORIZED'],
  ])('%s is refused at the entry point and at the upload', async (email, code) => {
    const client = await portal.signIn(email);
    const entry = await client.get('/api/kessv2');
    expect([entry.status, entry.text]).toEqual([403, code]);
    const upload = await uploadRead(client, new Uint8Array(100));
    expect([upload.status, upload.text]).toEqual([403, code]);
  });

  // promise d4.session.customer-code
  test('is refused if the customer code differs from the one that the page assumes', async () => {
    const form = new FormData();
    form.append('readFile', new Blob(['x']), 'x.tfc');
    const answer = await anna.call('POST', '/api/kessv2/upload-read-file', {
      headers: { 'X-Recodery-Customer-Code': 'CC-2002' },
      body: form,
    });
    expect([answer.status, answer.text]).toEqual([400, 'CUSTOMER_CODE_CHANGED']);
  });

  // promise 8.http.503
  test('is asked to retry later while the service is suspended', async () => {
    await setMaintenance(portal.platform.db, true);
    const answer = await uploadRead(anna, new Uint8Array(100));
    const status = await anna.get('/api/maestro-checkup/status');
    await setMaintenance(portal.platform.db, false);
    expect([answer.status, answer.text]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(status.json).toEqual({ statusCode: 503 });
    expect((await anna.get('/api/maestro-checkup/status')).json).toEqual({ statusCode: 200 });
  });
});

describe('an operation that is refused because of the quota', () => {
  // promise 3.records.pending, 4.entry.throttled, d6.quota.retry-after
  test('returns the caller’s own operations, and the page resumes the first', async () => {
    const full = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '2' }, false);
    const mine = await full.signIn('anna@demo.test');
    const [first, second] = [
      started(await uploadRead(mine, new Uint8Array(10), 'first.tfc')),
      started(await uploadRead(mine, new Uint8Array(10), 'second.tfc')),
    ];
    const guids = (answer: { json: unknown }) =>
      (answer.json as { details: Operation[] }).details.map(({ guid }) => guid);
    const refused = await uploadRead(mine, new Uint8Array(10));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.json).toMatchObject({ errorCode: 'API_ERROR_THROTTLING' });
    expect(guids(refused)).toEqual([first.guid, second.guid]);
    const entry = await mine.get('/api/kessv2');
    expect([entry.status, guids(entry)]).toEqual([429, [first.guid, second.guid]]);
    await full.stop();
  });

  // promise d6.quota.nothing-received
  test('has not been received: nothing of it is in storage', async () => {
    const full = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '1' }, false);
    const mine = await full.signIn('anna@demo.test');
    await uploadRead(mine, new Uint8Array(10));
    const refused = await Promise.all(
      Array.from({ length: 3 }, () => uploadRead(mine, new Uint8Array(10))),
    );
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    const files = await full.platform.db.selectFrom('stored_file').select('guid').execute();
    expect(files).toHaveLength(1);
    await full.stop();
  });
});

// promise 3.entry.running, 7.recoding.entry-kessv2
test('the entry point returns running operations, so that a reload loses nothing', async () => {
  const idle = await startTestPortal({}, false);
  const mine = await idle.signIn('anna@demo.test');
  const entry = async () =>
    (await mine.get('/api/kessv2')).json as { kessv2ActiveFileSlotCreationResult: unknown };
  expect(await entry()).toEqual({
    isAutoSendEnabled: true,
    autoSendDefaultAction: 'Encode',
    defaultAutoSendAction: 'Encode',
    isAutoSendNotificationPrivateByDefault: true,
    canUseReCod: true,
    canUseUtility: true,
    engine: { name: 'built-in', kind: 'built-in', offers: engineDefinitions['built-in'].offers },
    foreignFileMasters: [],
    kessv2ActiveFileSlotCreationResult: null,
  });
  const upload = await mine.upload('POST', '/api/kessv2/upload-read-file', {
    field: 'readFile',
    bytes: new Uint8Array(10),
    fields: { userFlow: 'E' },
  });
  const { guid, slotGUID } = started(upload);
  expect((await entry()).kessv2ActiveFileSlotCreationResult).toMatchObject({
    guid,
    slotGUID,
    userFlow: 'E',
    status: 'waiting',
    progress: { stage: 'DECODING', fraction: 0 },
  });
  await idle.stop();
});
