/** The queue of a tray: how much it sends at once, what it retries, and what ends a pause early. */
import type { RefusalCode } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import { beforeEach, expect, test } from 'vitest';
import { UploadFailed } from '../../src/api/lost-requests.ts';
import { type Lane, WorkQueue } from '../../src/features/trays/work-queue.ts';

interface Sent {
  readonly key: string;
  readonly accept: () => Promise<void>;
  readonly refuse: (thrown: unknown) => Promise<void>;
}

let places: number | null;
let sent: Sent[];
let timers: { readonly milliseconds: number; readonly fire: () => void }[];
let queue: WorkQueue;
beforeEach(() => {
  places = 2;
  sent = [];
  timers = [];
  queue = new WorkQueue({
    places: () => places,
    later: (milliseconds, fire) => {
      const timer = { milliseconds, fire };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
  });
});

/** Lets the promises of settled jobs run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

function add(key: string, lane: Lane = 'operation'): void {
  queue.add({
    key,
    lane,
    fileName: `${key}.tfc`,
    send: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sent.push({
        key,
        accept: () => (resolve(), settle()),
        refuse: (thrown) => (reject(thrown), settle()),
      });
      return promise;
    },
  });
}

const keys = () => sent.map(({ key }) => key);
const stateOf = (key: string) => queue.state().jobs.get(key)?.at;
const refuse = (index: number, code: RefusalCode) => sent[index]?.refuse(new Refusal(code));

// promise 4.tray.waits
test('starts as many operations as there are places, and the next when one is accepted', async () => {
  for (const key of ['a', 'b', 'c', 'd']) add(key);
  expect(keys()).toEqual(['a', 'b']);
  expect([stateOf('a'), stateOf('c')]).toEqual(['sending', 'queued']);
  // the accepted operation now occupies the place itself
  places = 1;
  await sent[0]?.accept();
  expect(keys()).toEqual(['a', 'b']);
  places = 2;
  queue.pump();
  expect(keys()).toEqual(['a', 'b', 'c']);
  expect(stateOf('a')).toBeUndefined();
  expect(queue.unfinished()).toEqual(['b.tfc', 'c.tfc', 'd.tfc']);
});

test('uploads images whether or not there are places for operations', () => {
  places = 0;
  for (const key of ['x', 'y', 'z']) add(key, 'image');
  add('a');
  expect(keys()).toEqual(['x', 'y']);
});

// promise 4.tray.waits
test.each([
  ['API_ERROR_THROTTLING', 'quota', 2000],
  ['SERVICE_UNAVAILABLE', 'service', 5000],
  ['TOO_MANY_UPLOADS', 'network', 3000],
  ['UPLOAD_INTERRUPTED', 'network', 3000],
  ['CUSTOMER_CODE_CHANGED', 'network', 3000],
] as const)('waits after %s and sends the same file again', async (code, reason, milliseconds) => {
  add('a');
  add('b');
  add('c');
  await refuse(0, code);
  expect([stateOf('a'), queue.state().pausedFor]).toEqual(['queued', reason]);
  await sent[1]?.accept();
  expect(keys()).toEqual(['a', 'b']);
  expect(timers.map((timer) => timer.milliseconds)).toEqual([milliseconds]);
  timers[0]?.fire();
  expect(queue.state().pausedFor).toBeNull();
  expect(keys()).toEqual(['a', 'b', 'c', 'a']);
});

test('waits while the network is down, and continues early when told', async () => {
  add('a');
  await sent[0]?.refuse(new UploadFailed(true));
  expect(queue.state().pausedFor).toBe('network');
  queue.resume();
  expect([keys(), timers]).toEqual([['a', 'a'], []]);
});

test('retries after an internal error, but not forever', async () => {
  add('a');
  for (const attempt of [0, 1, 2]) {
    await refuse(attempt, 'GENERIC_ERROR');
    queue.resume();
  }
  expect(keys()).toHaveLength(3);
  expect(stateOf('a')).toBe('refused');
});

test('counts only failures that may be the fault of the file', async () => {
  add('a');
  const codes = [
    'SERVICE_UNAVAILABLE',
    'API_ERROR_THROTTLING',
    'TOO_MANY_UPLOADS',
    'UPLOAD_INTERRUPTED',
    'GENERIC_ERROR',
    'GENERIC_ERROR',
  ] as const;
  for (const [attempt, code] of codes.entries()) {
    await refuse(attempt, code);
    expect(stateOf('a')).toBe('queued');
    queue.resume();
  }
  await refuse(codes.length, 'GENERIC_ERROR');
  expect(stateOf('a')).toBe('refused');
});

test('keeps the reason of a refusal until the file is sent again or forgotten', async () => {
  add('a');
  await refuse(0, 'USER_NO_RIGHTS');
  expect(queue.state().jobs.get('a')).toEqual({
    at: 'refused',
    fault: { kind: 'refused', thrown: new Refusal('USER_NO_RIGHTS') },
    fileName: 'a.tfc',
  });
  expect(queue.unfinished()).toEqual([]);
  add('a');
  expect(stateOf('a')).toBe('sending');
  await refuse(1, 'USER_NO_RIGHTS');
  queue.forget('a');
  expect(stateOf('a')).toBeUndefined();
});

test('does not send a file twice at the same time', () => {
  add('a');
  add('a');
  expect(keys()).toEqual(['a']);
});

test('sends nothing while the tray is unknown', () => {
  places = null;
  add('a');
  add('x', 'image');
  expect(keys()).toEqual([]);
  places = 2;
  queue.pump();
  expect(keys()).toEqual(['a', 'x']);
});

test.each(['accepted', 'refused'])('sends a second image after the first was %s', async (end) => {
  add('x', 'image');
  add('x', 'image');
  expect(keys()).toEqual(['x']);
  await (end === 'accepted' ? sent[0]?.accept() : refuse(0, 'USER_NO_RIGHTS'));
  expect([keys(), stateOf('x')]).toEqual([['x', 'x'], 'sending']);
  await sent[1]?.accept();
  expect(queue.unfinished()).toEqual([]);
});

test('does not send a job that was removed while it waited', () => {
  places = 0;
  add('a');
  queue.forget('a');
  places = 1;
  queue.pump();
  expect([keys(), stateOf('a')]).toEqual([[], undefined]);
});

test('does not retry a job that was removed while it was sent', async () => {
  add('a');
  queue.forget('a');
  await sent[0]?.refuse(new UploadFailed(true));
  expect([queue.state().pausedFor, stateOf('a')]).toEqual([null, undefined]);
});

test('waits with only one file while the server still handles its first request', async () => {
  add('a');
  add('b');
  add('c');
  await refuse(0, 'IDEMPOTENCY_KEY_IN_USE');
  expect([stateOf('a'), queue.state().pausedFor]).toEqual(['queued', null]);
  expect(queue.unfinished()).toContain('a.tfc');
  expect(keys()).toEqual(['a', 'b', 'c']);
  await sent[1]?.accept();
  queue.resume();
  expect(keys()).toEqual(['a', 'b', 'c']);
  expect(timers.map((timer) => timer.milliseconds)).toEqual([10_000]);
  timers[0]?.fire();
  expect(keys()).toEqual(['a', 'b', 'c', 'a']);
});
