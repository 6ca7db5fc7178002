/** The decisions about an operation's row: its record, the quota, and how faults are handled. */
import { operation as operationSchema } from '@recodery/contract/features/operations';
import { describe, expect, test } from 'vitest';
import {
  describeOperation,
  isMachineFault,
  maxMachineFaults,
  mayStart,
  type OperationRow,
  retryAfterCrash,
  retryAfterFault,
  suggestPollingInterval,
  summarizeOperation,
} from '../../src/operations/operation-rules.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';

const createdOn = new Date('2026-11-21T10:00:00Z');
const row: OperationRow = {
  guid: '0193f0a0-0000-7000-8000-000000000001',
  organisationId: mintOrganisationId('0193f0a0-0000-7000-8000-000000000002'),
  accountGuid: '0193f0a0-0000-7000-8000-000000000003',
  clientGuid: null,
  userInfo: null,
  callbackUrl: null,
  baseAddress: null,
  family: 'kessv2',
  workflow: 'kessv2',
  type: 'KESSv2Decode',
  slotGuid: '0193f0a0-0000-7000-8000-000000000004',
  userFlow: 'D',
  contextData: null,
  request: {},
  status: 'waiting',
  attempt: 0,
  crashes: 0,
  deaths: 0,
  stage: 'DECODING',
  fraction: 0,
  result: null,
  errorName: null,
  errorDetail: null,
  internalCode: null,
  errorSizes: null,
  connectionGuid: null,
  engineContext: null,
  isBackground: false,
  createdOn,
  startedOn: null,
  completedOn: null,
};
const succeeded: OperationRow = {
  ...row,
  status: 'succeeded',
  stage: 'COMPLETED',
  fraction: 1,
  result: { kind: 'decode' },
  completedOn: new Date('2026-11-21T10:00:01Z'),
};
const failed: OperationRow = {
  ...succeeded,
  status: 'failed',
  errorName: 'WRONG_MASTER_CODE',
  errorDetail: 'G-11',
  internalCode: 'TOOL_NOT_FOUND',
  errorSizes: { actual: 9, allowed: [10] },
};

const text = null;
const result = {
  kessv2SlotGUID: row.slotGuid,
  name: 'KESSv2_KV2-000007_1001_20261121-100001',
  readFileName: 'read.k2r',
  readFileSize: 10,
  decodedFileURL: '/api/files/1',
  decodedFileName: 'decoded.bin',
  decodedFileSize: 9,
  idFileURL: '/api/files/2',
  idFileName: 'read.id',
  wasOriginalFileFoundThroughVirtualReading: false,
  isOriginalFileNeeded: false,
  isChecksumCorrectionNeeded: false,
  isCVNCorrectionPossible: false,
  information: {
    protocolID: '1001',
    protocolName: 'REF-OBD-512K',
    serialNumber: text,
    hardware: text,
    software: text,
    softwareUpgrade: text,
    spare: text,
    softwareDate: text,
    imp: text,
    engine: text,
    vin: text,
    softwareVersion: text,
  },
  checksumRules: 2,
  warnings: [],
};

describe('the record of an operation', () => {
  // promise 3.records.operation, 7.around.operation
  test.each([
    ['waiting', row, [false, false, false]],
    ['running', { ...row, status: 'running' } as const, [false, false, false]],
    ['succeeded', succeeded, [true, true, false]],
    ['failed', failed, [true, false, true]],
  ] as const)('reports whether a %s one is completed, successful, failed', (_, given, flags) => {
    const record = describeOperation(given, createdOn, result);
    expect([record.isCompleted, record.isSuccessful, record.hasFailed]).toEqual(flags);
    expect(operationSchema.parse(record)).toEqual(record);
  });

  test('has a result only if the operation succeeded', () => {
    expect(describeOperation(succeeded, createdOn, result).result).toEqual(result);
    expect(describeOperation(failed, createdOn, result).result).toBeNull();
  });

  test('is refused if its result does not match its type', () => {
    expect(() => describeOperation(succeeded, createdOn, { name: 'x' })).toThrow('kessv2SlotGUID');
  });

  test('contains the error with its detail only if the operation failed', () => {
    const sizes = { actual: 9, allowed: [10] };
    const error = {
      errorName: 'WRONG_MASTER_CODE',
      detail: 'G-11',
      cause: 'TOOL_NOT_FOUND',
      sizes,
    };
    expect(describeOperation(failed, createdOn).error).toEqual(error);
    expect(describeOperation(succeeded, createdOn).error).toBeNull();
  });

  // promise d6.payloads.operation
  test('contains the same GUID and the same interval under both names', () => {
    const record = describeOperation(row, createdOn);
    expect(record.asyncOperationGUID).toBe(record.guid);
    expect(record.recommendedPollingInterval).toBe(record.suggestedPollingInterval);
  });

  test('stays the same after the operation has finished', () => {
    const later = new Date(createdOn.getTime() + 60_000);
    for (const ended of [succeeded, failed])
      expect(describeOperation(ended, later, result)).toEqual(
        describeOperation(ended, createdOn, result),
      );
  });
  test('reports whether the utility started it', () => {
    expect(describeOperation(row, createdOn).isUtility).toBe(false);
    const packed = { ...row, workflow: 'kess3-utility' } as const;
    expect(describeOperation(packed, createdOn).isUtility).toBe(true);
  });

  // promise 2.home-cards.last-operations
  test('names file and slave in the last operations', () => {
    const slot = {
      readFileName: 'a.k2r',
      slaveSerialNumber: 'KV2-1',
      protocolId: null,
      engine: null,
    };
    const recipientEmail = 'garage@rossi.test';
    const names = { protocolName: null, userDisplayName: 'Anna', recipientEmail };
    const result = { name: 'a result' };
    const line = summarizeOperation({ ...failed, result }, slot, names);
    expect(line).toMatchObject({ fileName: 'a.k2r', slaveSerialNumber: 'KV2-1', status: 'failed' });
    expect([line.userDisplayName, line.resultName]).toEqual(['Anna', null]);
    expect(line.recipientEmail).toBe(recipientEmail);
    expect(summarizeOperation({ ...succeeded, result }, slot, names).resultName).toBe('a result');
  });
});

test('a young operation is polled every second, an older one every two', () => {
  expect(suggestPollingInterval(createdOn, new Date(createdOn.getTime() + 9_999))).toBe(1);
  expect(suggestPollingInterval(createdOn, new Date(createdOn.getTime() + 10_000))).toBe(2);
});

test('an organisation can start operations until its quota is full', () => {
  const start = (others: number) => mayStart({ others, ofTrays: 0 }, 3, false);
  expect([0, 2, 3, 4].map(start)).toEqual([true, true, false, false]);
});

describe('a fault that is not caused by the file', () => {
  test('is retried with increasing delays if the machine caused it', () => {
    const waits = [1, 2, 3, 4, 5].map((attempt) => retryAfterFault(attempt, true));
    expect(waits).toEqual(
      [1, 2, 4, 8, 16].map((afterSeconds) => ({ decision: 'again', afterSeconds })),
    );
  });

  test('fails the operation if the machine stays broken', () => {
    expect(retryAfterFault(maxMachineFaults, true)).toEqual({ decision: 'fail' });
  });

  test('fails the operation immediately if it is our own', () => {
    expect(retryAfterFault(1, false)).toEqual({ decision: 'fail' });
  });

  test('is retried once if the engine crashed', () => {
    expect(retryAfterCrash(1)).toEqual({ decision: 'again', afterSeconds: 0 });
    expect(retryAfterCrash(2)).toEqual({ decision: 'fail' });
  });
});

test.each([
  ['a full disk', Object.assign(new Error('x'), { code: 'ENOSPC' }), true],
  ['a lost connection', Object.assign(new Error('x'), { code: 'ECONNRESET' }), true],
  ['a database that shuts down', Object.assign(new Error('x'), { code: '57P01' }), true],
  ['a deadlock', Object.assign(new Error('x'), { code: '40P01' }), true],
  ['an outage wrapped in another error', new Error('x', { cause: { code: 'EIO' } }), false],
  [
    'an outage as the cause',
    new Error('x', { cause: Object.assign(new Error('y'), { code: 'EIO' }) }),
    true,
  ],
  ['a violated constraint', Object.assign(new Error('x'), { code: '23505' }), false],
  ['an internal error', new TypeError('x'), false],
  ['Node’s own code', Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }), false],
  ['a thrown string', 'ENOSPC', false],
])('%s is classified as a machine fault or not', (_, error, expected) => {
  expect(isMachineFault(error)).toBe(expected);
});
