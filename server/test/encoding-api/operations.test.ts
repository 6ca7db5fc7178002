/** The operation record of the Encoding API: its fields from the first response on, times, numbers and errors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDuration, writeTime } from '../../src/encoding-api/operation-record.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { addProgram, type Program } from './program.ts';

let portal: RunningPortal;
let program: Program;
beforeAll(async () => {
  portal = await startTestPortal();
  program = await addProgram(portal);
});
afterAll(() => portal.stop());

const path = '/api/kessv2/decode-read-file/C-1';
const plainTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}$/;

async function sealRead(): Promise<Uint8Array> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return sealImage(slave, 9000, new Uint8Array(1024));
}

describe('an operation record', () => {
  // promise e1.record.fields
  test('has all of its fields from the first response on, and no others', async () => {
    const callbackURL = 'https://93.184.215.14/hook?x=1';
    const answer = await program.decode(
      `${path}?callbackURL=${encodeURIComponent(callbackURL)}`,
      await sealRead(),
      { fields: { userInfo: '{"job": 7}' } },
    );
    expect(answer).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' });
    expect(answer.json).toEqual({
      guid: expect.any(String),
      clientApplicationGUID: program.clientGuid,
      asyncOperationType: 1,
      slotGUID: expect.any(String),
      status: 0,
      isCompleted: false,
      recommendedPollingInterval: 1,
      startedOn: expect.stringMatching(plainTime),
      completedOn: null,
      duration: null,
      isSuccessful: false,
      hasFailed: false,
      result: null,
      error: null,
      additionalInfo: null,
      userInfo: '{"job": 7}',
      callbackURL,
    });
    const ended = await program.succeed(answer);
    expect(ended).toEqual({
      ...answer.json,
      // 2 if it took longer than ten seconds
      recommendedPollingInterval: expect.toBeOneOf([1, 2]),
      status: 1,
      isCompleted: true,
      isSuccessful: true,
      completedOn: expect.stringMatching(plainTime),
      duration: expect.stringMatching(/^00:00:\d\d\.\d{7}$/),
      result: expect.any(Object),
    });
  });

  // promise e1.record.error
  test('reports a failure with its name and detail, and no result', async () => {
    const ended = await program.finish(await program.decode(path, new Uint8Array(100)));
    expect(ended).toMatchObject({
      status: 2,
      isCompleted: true,
      isSuccessful: false,
      hasFailed: true,
      result: null,
      error: { errorName: 'INVALID_FILE', detail: null },
    });
    expect(Object.keys(ended.error ?? {})).toEqual(['errorName', 'detail']);
  });

  // promise e1.record.addresses
  test('has addresses in its result that are absolute, without a query, and need the token', async () => {
    const { result } = await program.succeed(await program.decode(path, await sealRead()));
    const address = new URL(result['decodedFileURL'] ?? '');
    expect(address.origin).toBe(portal.url);
    expect([address.search, address.hash]).toEqual(['', '']);
    const bare = await fetch(address);
    expect([bare.status, await bare.text()]).toEqual([401, 'API_ERROR_UNAUTHORIZED']);
    const answer = await program.get(address.href);
    expect(Object.keys(answer.json ?? {})).toEqual(['name', 'data']);
  });

  test('shows the operation of a user of the organisation, without a client', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const started = await uploadRead(anna, await sealRead());
    const { guid } = started.json as { guid: string };
    const { json } = await program.get(`/api/async-operations/${guid}`);
    expect(json).toMatchObject({ guid, clientApplicationGUID: null, callbackURL: null });
  });

  // promise e2.clients.attached
  test('hides what another client application has attached', async () => {
    const query = `?callbackURL=${encodeURIComponent('https://93.184.215.14/hook?secret=1')}`;
    const fields = { userInfo: '{"customer": "Rossi"}' };
    const { guid, slotGUID } = await program.succeed(
      await program.decode(path + query, await sealRead(), { fields }),
    );
    const other = await addProgram(portal);
    const { json, text } = await other.get(`/api/async-operations/${guid}`);
    expect(json).toMatchObject({ guid, slotGUID, userInfo: null, callbackURL: null });
    expect(text).not.toMatch(/Rossi|hook/);
  });

  test.each([
    ['too much userInfo', '', { userInfo: 'x'.repeat(4097) }],
    ['a callback address of another kind', '?callbackURL=ftp://example.org/', {}],
    ['a callback address that is none', '?callbackURL=x', {}],
  ])('is not made for %s', async (_, query, fields) => {
    const answer = await program.decode(path + query, await sealRead(), { fields });
    expect(answer.status).toBe(400);
    expect(answer.type).toBe('text/plain; charset=utf-8');
  });
});

describe('times', () => {
  test('are in UTC, with seven digits of the second and without a zone', () => {
    expect(writeTime(new Date('2026-03-01T10:20:30.045+02:00'))).toBe(
      '2026-03-01T08:20:30.0450000',
    );
  });

  test.each([
    [0, '00:00:00.0000000'],
    [1_005, '00:00:01.0050000'],
    [59_999, '00:00:59.9990000'],
    [3_723_004, '01:02:03.0040000'],
    [360_000_000, '100:00:00.0000000'],
    [-5, '00:00:00.0000000'],
  ])('write a duration of %i ms as %s', (milliseconds, text) => {
    expect(writeDuration(milliseconds)).toBe(text);
  });
});
