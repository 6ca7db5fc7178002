/** Jobs whose decode or encode failed, over HTTP: the reason and the slave, in the job, its notification and the log. */
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Job } from '@recodery/contract/features/jobs/jobs';
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  decode,
  keepImage,
  protocolOf,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';
import { readCsv } from '../operations-log/read-csv.ts';

const image = new Uint8Array(4096).fill(7);

let portal: RunningPortal;
let anna: Client;
let slave: Slave;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
  slave = await portal.getSlave('kessv2', 'KV2-000007');
});
afterAll(() => portal.stop());

async function ask<T>(path: string): Promise<T> {
  const answer = await anna.get(path);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as T;
}

/** The line of the log about an operation. */
async function lineOf(guid: string): Promise<Readonly<Record<string, string>>> {
  const answer = await anna.get('/api/operations-log/kessv2');
  const [names = [], ...lines] = readCsv(answer.text.replace(/^\uFEFF/, ''));
  const line = lines.find((one) => one[names.indexOf('Operation GUID')] === guid) ?? [];
  return Object.fromEntries(names.map((name, at) => [name, line[at] ?? '']));
}

async function noticeOf(guid: string): Promise<Notification> {
  const all = await ask<Notification[]>('/api/async-operation-notifications/');
  const found = all.find((one) => one.guid === guid);
  if (found === undefined) throw new Error('there is no notification');
  return found;
}

/** Uploads a read that cannot be decoded. */
async function fail(bytes: Uint8Array, name: string): Promise<Operation> {
  const ended = await anna.follow(started(await uploadRead(anna, bytes, name)));
  expect(ended.hasFailed).toBe(true);
  return ended;
}

// promise j1.failed.reason, j1.failed.slave, j1.failed.notification
test('a read that is damaged behind its header names the reason and the slave that wrote it, everywhere', async () => {
  const whole = sealImage(slave, 9000, image);
  const { guid, slotGUID, error } = await fail(whole.subarray(0, whole.length - 500), 'short.k2r');
  const job = await ask<Job>(`/api/jobs/${slotGUID}`);
  expect(job).toMatchObject({
    slaveSerialNumber: 'KV2-000007',
    decodeOperationGUID: null,
    isDecoding: false,
    failures: [{ operationGUID: guid, isDecode: true, userDisplayName: 'Anna Conti', error }],
  });
  expect(await noticeOf(guid)).toMatchObject({
    slotGUID,
    deviceSerialNumber: 'KV2-000007',
    errorCode: error?.errorName,
    longMessage: `short.k2r · KV2-000007 · ${error?.errorName}`,
  });
  expect(await lineOf(guid)).toMatchObject({
    Slave: 'KV2-000007',
    Outcome: 'failed',
    Error: error?.errorName,
  });
  const list = await ask<{ slotGUID: string }[]>('/api/jobs?device=KV2-000007');
  expect(list.map((one) => one.slotGUID)).toContain(slotGUID);
});

// promise j1.failed.slave
test('a header that the slave did not write names no slave, only the reason', async () => {
  const forged = sealImage({ ...slave, pairKey: new Uint8Array(32).fill(9) }, 9000, image);
  const { guid, slotGUID, error } = await fail(forged, 'forged.k2r');
  expect(await ask<Job>(`/api/jobs/${slotGUID}`)).toMatchObject({
    slaveSerialNumber: null,
    failures: [{ operationGUID: guid, isDecode: true, error }],
  });
  expect(await noticeOf(guid)).toMatchObject({ slotGUID, deviceSerialNumber: null });
  expect(await lineOf(guid)).toMatchObject({ Slave: '', Error: error?.errorName });
});

// promise j1.failed.encode
test('a failed encode is listed in its job with its reason, and a successful one is not', async () => {
  const read = generateImage(protocolOf(1006), 'obd', 3);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 1006, read), 'golf.k2r');
  const encodeWith = async (bytes: Uint8Array) => {
    const { fileGUID } = await keepImage(anna, 'modified', slot, bytes);
    const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
    return anna.follow(started(await anna.post('/api/kessv2/encode-file', body)));
  };
  expect((await encodeWith(read)).isSuccessful).toBe(true);
  // inside of the signed boot loader
  const refused = await encodeWith(read.with(0x1000, (read[0x1000] ?? 0) ^ 0xff));
  const { failures, slaveSerialNumber } = await ask<Job>(`/api/jobs/${slot}`);
  expect(slaveSerialNumber).toBe('KV2-000007');
  expect(failures).toMatchObject([
    {
      operationGUID: refused.guid,
      isDecode: false,
      completedOn: refused.completedOn,
      error: { errorName: 'CHECKSUM_ERROR', cause: 'CHECKSUM_UNCORRECTABLE' },
    },
  ]);
});

test('the notification of a deleted job leads nowhere', async () => {
  const { guid, slotGUID } = await fail(new Uint8Array(100), 'noise.k2r');
  expect((await noticeOf(guid)).slotGUID).toBe(slotGUID);
  await anna.call('DELETE', `/api/jobs/${slotGUID}`);
  const left = await ask<Notification[]>('/api/async-operation-notifications/');
  expect(left.filter((one) => one.guid === guid && one.slotGUID !== null)).toEqual([]);
});
