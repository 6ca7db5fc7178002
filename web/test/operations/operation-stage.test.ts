/** The stage of a followed operation: a component reads it without disturbing the requests that follow the operation. */
import type { Operation } from '@recodery/contract/features/operations';
import { environmentManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followOperation } from '../../src/features/operations/follow-operation.ts';
import { useIsWaitingForEngine } from '../../src/features/operations/operation-stage.ts';
import { operation } from '../recoding/results.ts';

const { guid } = operation();
const waiting = operation({ progress: { stage: 'WAITING_FOR_ENGINE', fraction: 0 } });
const done = operation({ status: 'succeeded', isCompleted: true, isSuccessful: true });

const stream = {
  isUp: () => false,
  onOperation: () => () => undefined,
  onUpOrDown: () => () => undefined,
};

function Stage({ of }: { readonly of: string | null }): string {
  return useIsWaitingForEngine(of) ? 'waits' : 'does not wait';
}

function draw(client: QueryClient, of: string | null): string {
  const stage = createElement(Stage, { of });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, stage));
}

/** Follows an operation with a server that gives these responses in order; records how it stops. */
function follow(client: QueryClient, answers: (Operation | Error)[]): string[] {
  const reported: string[] = [];
  followOperation(
    {
      client,
      stream,
      read: async () => {
        const answer = answers.shift();
        if (answer === undefined || answer instanceof Error) throw answer;
        return answer;
      },
    },
    { guid, isResumed: false },
    {
      onEnded: ({ status }) => reported.push(status),
      onRefused: () => reported.push('refused'),
      onLost: () => reported.push('lost'),
    },
  );
  return reported;
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

describe('the stage of an operation', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    environmentManager.setIsServer(() => false);
  });
  afterEach(() => {
    environmentManager.setIsServer(() => true);
    vi.useRealTimers();
  });

  test('is the one that the last request returned', async () => {
    const client = new QueryClient();
    follow(client, [waiting, operation(), done]);
    expect(draw(client, guid)).toBe('does not wait');
    await seconds(1);
    expect(draw(client, guid)).toBe('waits');
    expect(draw(client, null)).toBe('does not wait');
    await seconds(2);
    expect(draw(client, guid)).toBe('does not wait');
  });

  test('can be read between a failed request and its retry', async () => {
    const client = new QueryClient();
    const reported = follow(client, [waiting, new Error('no line'), done]);
    await seconds(3);
    expect(draw(client, guid)).toBe('waits');
    await seconds(60);
    expect(reported).toEqual(['succeeded']);
  });
});
