/** How the page follows an operation: by polling, by the stream, after a resume, and if the server does not respond. */
import { Refusal } from '@recodery/contract/refusal';
import type { Operation } from '@recodery/contract/features/operations';
import { environmentManager, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  followOperation,
  type OperationStream,
} from '../../src/features/operations/follow-operation.ts';
import { operation } from '../recoding/results.ts';

const { guid } = operation();
const done = operation({ status: 'succeeded', isCompleted: true, isSuccessful: true });

/** A stream that the test switches on and off and sends events on. */
function scriptStream(isUp: boolean) {
  const operations = new Set<(operation: Operation) => void>();
  const switches = new Set<() => void>();
  const listen = <L>(listeners: Set<L>, listener: L) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const state = { isUp };
  const stream: OperationStream = {
    isUp: () => state.isUp,
    onOperation: (listener) => listen(operations, listener),
    onUpOrDown: (listener) => listen(switches, listener),
  };
  return {
    stream,
    publish: (reported: Operation) => {
      for (const listener of operations) listener(reported);
    },
    turn: (up: boolean) => {
      state.isUp = up;
      for (const listener of switches) listener();
    },
    listeners: () => operations.size + switches.size,
  };
}

/**
 * Follows an operation with a server that gives these responses in order, repeating the last one; records all updates.
 */
function follow(
  answers: readonly (Operation | Error)[],
  isResumed = false,
  isUp = false,
  client = new QueryClient(),
  isAwaited = true,
) {
  const asked: number[] = [];
  const reported: string[] = [];
  const server = scriptStream(isUp);
  const begun = Date.now();
  const read = () => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push((Date.now() - begun) / 1000);
    return answer instanceof Error || answer === undefined
      ? Promise.reject(answer)
      : Promise.resolve(answer);
  };
  const stop = followOperation(
    { client, stream: server.stream, read },
    { guid, isResumed },
    {
      onStep: ({ progress }) => reported.push(progress.stage),
      onEnded: ({ status }) => reported.push(status),
      onRefused: (thrown) => reported.push(thrown instanceof Error ? thrown.message : 'refused'),
      onLost: isAwaited ? () => reported.push('lost') : null,
    },
  );
  return { asked, reported, stop, ...server };
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe('an operation is followed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    environmentManager.setIsServer(() => false);
  });
  afterEach(() => {
    environmentManager.setIsServer(() => true);
    vi.useRealTimers();
  });

  // promise 4.polling.interval, 4.polling.ends
  test('at its suggested interval until it has finished', async () => {
    const { asked, reported } = follow([operation(), operation(), done]);
    await seconds(60);
    expect(asked).toEqual([0, 2, 4]);
    expect(reported.at(-1)).toBe('succeeded');
    expect(reported.filter((word) => word === 'succeeded')).toHaveLength(1);
  });

  // promise 4.polling.resumed, 9.figures.resumed
  test('every 10 s after it was resumed', async () => {
    const { asked } = follow([operation(), operation(), done], true);
    await seconds(60);
    expect(asked).toEqual([0, 10, 20]);
  });

  // promise 4.polling.four-failures, 9.figures.failures
  test('until four requests in a row have failed', async () => {
    const { asked, reported } = follow([operation(), new Error('no line')]);
    await seconds(60);
    expect(asked).toEqual([0, 2, 4, 6, 8]);
    expect(reported.at(-1)).toBe('lost');
  });

  test('although any number of requests fail, if the page does not wait for it', async () => {
    const { asked, reported } = follow(
      [operation(), ...Array.from({ length: 8 }, () => new Error('no line')), done],
      true,
      false,
      new QueryClient(),
      false,
    );
    await seconds(200);
    expect(asked).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(reported.at(-1)).toBe('succeeded');
  });

  // promise 4.polling.three-failures
  test('after three failures in a row', async () => {
    const broken = new Error('no line');
    const { reported } = follow([operation(), broken, broken, broken, done]);
    await seconds(60);
    expect(reported.at(-1)).toBe('succeeded');
  });

  test.each(['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'SIGN_IN_AGAIN'] as const)(
    'no more after the refusal %s, which a retry cannot change',
    async (code) => {
      const { asked, reported } = follow([new Refusal(code)]);
      await seconds(60);
      expect(asked).toEqual([0]);
      expect(reported).toEqual([code]);
    },
  );

  test.each(['GENERIC_ERROR', 'SERVICE_UNAVAILABLE'] as const)(
    'as lost, not as refused, after the temporary refusal %s four times in a row: it may still be running',
    async (code) => {
      const { asked, reported } = follow([new Refusal(code)]);
      await seconds(60);
      expect(asked).toHaveLength(4);
      expect(reported).toEqual(['lost']);
    },
  );

  test('again after the connection was lost, until it has finished or four more requests have failed', async () => {
    const client = new QueryClient();
    const broken = new Error('no line');
    const first = follow([operation(), broken], false, false, client);
    await seconds(60);
    expect(first.reported.at(-1)).toBe('lost');
    const second = follow([broken], true, false, client);
    await seconds(60);
    expect(second.asked).toEqual([0, 10, 20, 30]);
    expect(second.reported.filter((word) => word === 'lost')).toHaveLength(1);
    const third = follow([broken, broken, broken, operation(), done], true, false, client);
    await seconds(60);
    expect(third.asked).toEqual([0, 10, 20, 30, 40]);
    expect(third.reported).not.toContain('lost');
    expect(third.reported.at(-1)).toBe('succeeded');
  });

  test('by the stream, which reports the end immediately', async () => {
    const { reported, publish } = follow([operation()], false, true);
    await seconds(1);
    publish(done);
    await seconds(0);
    expect(reported.at(-1)).toBe('succeeded');
  });

  test('by a request at the start even if the stream is up', async () => {
    const { asked, reported } = follow([done], false, true);
    await seconds(0);
    expect(asked).toEqual([0]);
    expect(reported).toEqual(['succeeded']);
  });

  test("without using the stream's events for other operations", async () => {
    const { reported, publish } = follow([operation()], false, true);
    await seconds(1);
    publish({ ...done, guid: '01890000-0000-7000-8000-000000000002' });
    await seconds(1);
    expect(reported).not.toContain('succeeded');
  });

  // promise d6.push.without
  test('at its suggested interval again once the stream goes down', async () => {
    const { asked, turn } = follow([operation()], false, true);
    await seconds(9);
    expect(asked).toEqual([0]);
    turn(false);
    await seconds(5);
    expect(asked).toEqual([0, 11, 13]);
  });

  test('to an end that an older response does not undo', async () => {
    const late = Promise.withResolvers<Operation>();
    const reported: string[] = [];
    const server = scriptStream(true);
    followOperation(
      { client: new QueryClient(), stream: server.stream, read: () => late.promise },
      { guid, isResumed: false },
      {
        onEnded: ({ status }) => reported.push(status),
        onRefused: () => reported.push('refused'),
        onLost: () => reported.push('lost'),
      },
    );
    server.publish(done);
    late.resolve(operation());
    await seconds(60);
    expect(reported).toEqual(['succeeded']);
  });

  test('no more once the page has unsubscribed', async () => {
    const { asked, stop, listeners } = follow([operation()]);
    await seconds(3);
    stop();
    await seconds(60);
    expect(asked).toEqual([0, 2]);
    expect(listeners()).toBe(0);
  });
});
