/** What the page polls — engine, messages, notifications — at which intervals, with the stream up and down. */
import type { OperationSummary } from '@recodery/contract/features/operations';
import {
  InfiniteQueryObserver,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { askAfterBreaks, hearHints } from '../src/app/server-events.ts';
import { lastOperationsQuery } from '../src/features/last-operations/operation-list.ts';
import { closeMessage, messagesQuery } from '../src/features/messages/messages.ts';
import { latestQuery } from '../src/features/notifications/notifications.ts';
import { statusQuery } from '../src/features/service-status/service-status.ts';
import { type ScriptedPortal, scriptedPortal } from './api/scripted-portal.ts';
import { notification } from './notifications/notification.ts';
import { operation } from './recoding/results.ts';

const status = '/api/maestro-checkup/status';
const messages = '/api/comunication-messages/message';
const notifications = '/api/async-operation-notifications/';
const operations = '/api/operations';
const hello = { guid: '01890000-0000-7000-8000-000000000001', text: 'Hello' };

let portal: ScriptedPortal;
let queries: QueryClient;
let ends: (() => void)[] = [];

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

/** The other tabs of the browser, whose messages arrive immediately. */
function otherTabs() {
  type Message = { readonly kind: string; readonly isUp?: boolean };
  const told: string[] = [];
  const hears = new Set<(event: { readonly data: Message }) => void>();
  class Channel extends EventTarget {
    set onmessage(hear: (event: { readonly data: Message }) => void) {
      hears.add(hear);
    }
    override addEventListener(_name: string, hear: never) {
      hears.add(hear);
    }
    override removeEventListener(_name: string, hear: never) {
      hears.delete(hear);
    }
    postMessage({ kind }: Message) {
      told.push(kind);
    }
    close() {
      hears.clear();
    }
  }
  vi.stubGlobal('BroadcastChannel', Channel);
  const say = (data: Message) => {
    for (const hear of hears) hear({ data });
  };
  return { told, say };
}

async function open(
  isStreamUp: boolean,
  answers: Readonly<Record<string, unknown>>,
  locks?: Pick<LockManager, 'request'>,
) {
  portal = await scriptedPortal(isStreamUp, locks);
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  for (const [path, answer] of Object.entries(answers)) portal.answer(path, answer);
}

/** Observes a query as a component of the page does. */
function watch<T>(options: { queryKey: QueryKey } & object): () => T | undefined {
  const observer = new QueryObserver<T>(queries, options);
  ends.push(observer.subscribe(() => undefined));
  return () => observer.getCurrentResult().data;
}

/** Observes the last operations, as the home page does. */
function watchOperations(): () => string[] {
  const observer = new InfiniteQueryObserver(queries, lastOperationsQuery);
  ends.push(observer.subscribe(() => undefined));
  return () =>
    observer
      .getCurrentResult()
      .data?.pages.flat()
      .map(({ status }) => status) ?? [];
}

afterEach(() => {
  for (const end of ends) end();
  ends = [];
  queries.clear();
  portal.stop();
});

describe.each([
  ['up', true],
  ['down', false],
])('with the stream %s', (_, isStreamUp) => {
  // promise 7.polling.status-page
  test('the engine is polled every minute while it is available, every 15 s while it is not', async () => {
    await open(isStreamUp, { [status]: { statusCode: 200 } });
    watch(statusQuery);
    await seconds(119);
    expect(portal.askedAt(status)).toEqual([0, 60]);
    portal.answer(status, { statusCode: 503 });
    await seconds(1 + 15 + 15);
    expect(portal.askedAt(status)).toEqual([0, 60, 120, 135, 150]);
    portal.answer(status, { statusCode: 200 });
    await seconds(15 + 60);
    expect(portal.askedAt(status).slice(5)).toEqual([165, 225]);
  });

  // promise 7.polling.messages-page
  test('messages are polled every minute if there are none, every 15 s if there are some', async () => {
    await open(isStreamUp, { [messages]: [] });
    watch(messagesQuery('it-IT'));
    await seconds(60);
    portal.answer(messages, [hello]);
    await seconds(60);
    expect(portal.askedAt(messages)).toEqual([0, 60, 120]);
    await seconds(30);
    expect(portal.askedAt(messages).slice(3)).toEqual([135, 150]);
    portal.answer(messages, []);
    await seconds(15 + 60);
    expect(portal.askedAt(messages).slice(5)).toEqual([165, 225]);
    expect(portal.addresses(messages)[0]).toBe(`${messages}?i_twoLetterCode=it`);
  });

  test('a failed request for messages is repeated after a minute', async () => {
    await open(isStreamUp, { [messages]: 500 });
    watch(messagesQuery('en-US'));
    await seconds(60);
    expect(portal.askedAt(messages)).toEqual([0, 60]);
  });

  // promise 7.polling.notifications-page
  test('the last operations are polled while one of them is running', async () => {
    await open(isStreamUp, { [operations]: [running] });
    const shown = watchOperations();
    await seconds(20);
    expect(portal.askedAt(operations)).toEqual(isStreamUp ? [0, 10, 20] : [0, 5, 10, 15, 20]);
    portal.answer(operations, [decoded]);
    await seconds(10 + 60);
    expect(shown()).toEqual(['succeeded']);
    expect(portal.askedAt(operations).filter((at) => at > 20)).toEqual([isStreamUp ? 30 : 25]);
  });

  test('notifications are polled every three minutes', async () => {
    await open(isStreamUp, { [notifications]: [] });
    watch(latestQuery('en-US'));
    await seconds(2 * 180);
    expect(portal.askedAt(notifications)).toEqual([0, 180, 360]);
  });
});

describe('an event of the stream', () => {
  test('for the engine updates its state immediately, and then polls it at that interval', async () => {
    await open(true, { [status]: { statusCode: 200 } });
    ends.push(hearHints(queries));
    const shown = watch<{ statusCode: number }>(statusQuery);
    await seconds(5);
    await portal.say('service-status', { statusCode: 503 });
    expect(shown()?.statusCode).toBe(503);
    portal.answer(status, { statusCode: 503 });
    await seconds(15);
    expect(portal.askedAt(status)).toEqual([0, 20]);
  });

  test('for the messages requests them in the language of this tab', async () => {
    await open(true, { [messages]: [] });
    ends.push(hearHints(queries));
    watch(messagesQuery('de-DE'));
    await seconds(5);
    await portal.say('message', [{ ...hello, text: 'in the leading tab’s language' }]);
    expect(portal.addresses(messages)[1]).toBe(`${messages}?i_twoLetterCode=de`);
    expect(portal.askedAt(messages)).toEqual([0, 5]);
  });

  test('for notifications requests them again', async () => {
    await open(true, { [notifications]: [] });
    ends.push(hearHints(queries));
    watch(latestQuery('en-US'));
    await seconds(5);
    await portal.say('notification', { nothing: 'of the contract' });
    expect(portal.askedAt(notifications)).toEqual([0]);
    await portal.say('notification', newNotification);
    expect(portal.askedAt(notifications)).toEqual([0, 5]);
  });

  test('during the first request is followed by one more request, which shows what has happened since', async () => {
    const first = Promise.withResolvers<unknown>();
    await open(true, { [operations]: first.promise });
    ends.push(hearHints(queries));
    const shown = watchOperations();
    await portal.say('operation', operation());
    await portal.say('operation', operation());
    portal.answer(operations, [decoded]);
    first.resolve([running]);
    await seconds(0);
    expect(shown()).toEqual(['succeeded']);
    expect(portal.askedAt(operations)).toEqual([0, 0]);
  });

  test('for the engine overrides the response of a poll that was sent before it', async () => {
    const poll = Promise.withResolvers<unknown>();
    await open(true, { [status]: { statusCode: 200 } });
    ends.push(hearHints(queries));
    const shown = watch<{ statusCode: number }>(statusQuery);
    await seconds(5);
    portal.answer(status, poll.promise);
    await seconds(55);
    await portal.say('service-status', { statusCode: 503 });
    poll.resolve({ statusCode: 200 });
    await seconds(0);
    expect(shown()?.statusCode).toBe(503);
  });

  test('is missed during a break, so everything is requested once when the stream is back', async () => {
    await open(true, { [status]: { statusCode: 200 }, [messages]: [], [notifications]: [] });
    ends.push(askAfterBreaks(queries));
    watch(statusQuery);
    watch(messagesQuery('en-US'));
    watch(latestQuery('en-US'));
    await seconds(1);
    await portal.turnStream(false);
    for (const path of [status, messages, notifications]) expect(portal.askedAt(path)).toEqual([0]);
    await portal.turnStream(true);
    for (const path of [messages, notifications])
      expect(portal.askedAt(path).filter((at) => at > 31 && at < 60)).toHaveLength(1);
  });
});

describe('everything that the stream reports is requested again', () => {
  /** Opens a page that shows the messages, the notifications and the engine. */
  async function openPage(...given: Parameters<typeof scriptedPortal>) {
    const answers = { [status]: { statusCode: 200 }, [messages]: [], [notifications]: [] };
    await open(given[0], answers, given[1]);
    ends.push(askAfterBreaks(queries));
    watch(statusQuery);
    watch(messagesQuery('en-US'));
    watch(latestQuery('en-US'));
    await seconds(0);
  }

  test('once the stream has opened after failed attempts', async () => {
    await openPage(false);
    await seconds(10);
    await portal.turnStream(true);
    for (const path of [status, messages, notifications])
      expect(portal.askedAt(path)).toHaveLength(2);
  });

  test('but not while the page has just been loaded, except for the operations of colleagues', async () => {
    const turn = Promise.withResolvers<void>();
    await openPage(true, {
      request: async (...given: unknown[]) => {
        await turn.promise;
        return (given.at(-1) as () => unknown)();
      },
    });
    portal.answer(operations, []);
    ends.push(new InfiniteQueryObserver(queries, lastOperationsQuery).subscribe(() => undefined));
    await seconds(1);
    turn.resolve();
    await seconds(0);
    for (const path of [status, messages, notifications]) expect(portal.askedAt(path)).toEqual([0]);
    expect(portal.askedAt(operations)).toEqual([0, 1]);
  });

  test('when this tab takes over the stream from another', async () => {
    const tabs = otherTabs();
    const turn = Promise.withResolvers<void>();
    await openPage(true, {
      request: async (...given: unknown[]) => {
        await turn.promise;
        return (given.at(-1) as () => unknown)();
      },
    });
    tabs.say({ kind: 'state', isUp: true });
    await seconds(10);
    turn.resolve();
    await seconds(0);
    for (const path of [status, messages, notifications])
      expect(portal.askedAt(path)).toEqual([0, 10]);
    expect(tabs.told).toEqual(['ask', 'state', 'opened']);
  });

  test('when another tab takes over the stream, and not when a tab asks for its state', async () => {
    const tabs = otherTabs();
    await openPage(true, { request: () => new Promise<never>(() => undefined) });
    for (let count = 0; count < 2; count += 1) {
      tabs.say({ kind: 'state', isUp: true });
      await seconds(5);
    }
    tabs.say({ kind: 'opened' });
    await seconds(0);
    for (const path of [status, messages, notifications])
      expect(portal.askedAt(path)).toEqual([0, 10]);
  });
});

// promise 3.storage.seen-cookie
test('a closed message is hidden for an hour, and then reappears', async () => {
  await open(false, { [messages]: [hello] });
  const shown = watch<{ unseen: unknown[] }>(messagesQuery('en-US'));
  await seconds(0);
  expect(shown()?.unseen).toHaveLength(1);
  closeMessage(queries, hello);
  await seconds(0);
  expect(shown()?.unseen).toHaveLength(0);
  await seconds(3599);
  expect(shown()?.unseen).toHaveLength(0);
  await seconds(16);
  expect(shown()?.unseen).toHaveLength(1);
});

test('a portal that is down for hours gets two to four stream requests per minute', async () => {
  await open(false, {});
  await seconds(600);
  const late = portal.askedAt('/api/events').filter((at) => at > 300);
  expect(late.length).toBeGreaterThanOrEqual(10);
  expect(late.length).toBeLessThanOrEqual(20);
});

test('a stream that is closed immediately after opening is not reopened in a tight loop', async () => {
  await open(true, {});
  portal.cutAtOnce();
  await seconds(600);
  const late = portal.askedAt('/api/events').filter((at) => at > 300);
  expect(late.length).toBeGreaterThanOrEqual(10);
  expect(late.length).toBeLessThanOrEqual(20);
});

const decoded: OperationSummary = {
  guid: hello.guid,
  family: 'kess3',
  asyncOperationType: 'KESS3Decode',
  isUtility: false,
  status: 'succeeded',
  startedOn: '2026-11-21T10:00:00.000Z',
  completedOn: '2026-11-21T10:00:01.000Z',
  fileName: 'bench.k3r',
  resultName: 'bench.zip',
  recipientEmail: null,
  slaveSerialNumber: 'KS3-000042',
  protocolID: 1001,
  protocolName: 'REF-BENCH',
  engine: null,
  userDisplayName: 'Anna Conti',
  error: null,
};
const running: OperationSummary = {
  ...decoded,
  status: 'running',
  completedOn: null,
  resultName: null,
};
const newNotification = notification({ guid: hello.guid });
