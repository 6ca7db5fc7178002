/**
 * What a tab shows itself: notifications are withheld while the page waits for them, marked once seen, and shown again
 * if something new happens.
 */
import type { Notification } from '@recodery/contract/features/notifications';
import { beforeEach, describe, expect, test } from 'vitest';
import { badgeCount } from '../../src/features/notifications/notification-rules.ts';
import {
  awaitHere,
  hereStore,
  isKnownHere,
  leaveHere,
  viewHere,
  seenHere,
  settleSeen,
} from '../../src/features/notifications/seen-here.ts';
import { serveBrowser } from '../api/browser.ts';
import { completedOn as time, notification } from './notification.ts';

const fresh = notification();
const { guid } = fresh;
const acted = { ...fresh, senderNotifiedOn: time, senderInteractedOn: time };
const mailed: Notification = {
  ...fresh,
  mail: {
    email: 'garage@rossi.test',
    status: 'failed',
    failure: 'refused',
    sentOn: null,
    way: null,
    firstDownloadOn: null,
  },
};

const isKnown = (seen: Notification = fresh) => isKnownHere(hereStore.now(), seen);
const settle = (latest: readonly Notification[]) => settleSeen(hereStore.now(), latest);

let asked: string[] = [];
let status = 204;
let arrival = Promise.withResolvers<void>();
serveBrowser((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.writeHead(status).end();
  arrival.resolve();
});
beforeEach(() => {
  asked = [];
  status = 204;
  arrival = Promise.withResolvers();
  hereStore.forget([...hereStore.now().keys()]);
});

describe('an operation that the page waits for', () => {
  test('is withheld from toast and badge, regardless of whether its notification or its result arrives first', async () => {
    awaitHere(guid);
    expect(isKnown()).toBe(true);
    viewHere(guid);
    expect(isKnown()).toBe(true);
    await arrival.promise;
    expect(asked).toEqual([
      `POST /api/async-operation-notifications/${guid}/mark-as-interacted/sender`,
    ]);
  });

  test('is announced if the user leaves the page before its end', () => {
    awaitHere(guid);
    leaveHere(guid);
    expect(isKnown()).toBe(false);
    expect(badgeCount([fresh].filter((one) => !isKnown(one)))).toBe(1);
  });

  test('is withheld only from the sender', () => {
    awaitHere(guid);
    expect(isKnown({ ...fresh, isSent: false, isReceived: true })).toBe(false);
  });
});

describe('an operation whose file was downloaded', () => {
  test('stays known when the user leaves the page, and is marked on the server once', async () => {
    awaitHere(guid);
    seenHere(guid);
    seenHere(guid);
    viewHere(guid);
    leaveHere(guid);
    expect(isKnown()).toBe(true);
    await arrival.promise;
    expect(asked).toHaveLength(1);
    expect(settle([fresh]).toMark).toEqual([]);
  });

  // promise 2.notifications.seen-here
  test('is forgotten once the server has marked it, so that an email that fails later is announced', () => {
    seenHere(guid);
    expect(settle([fresh]).settled).toEqual([]);
    const { settled } = settle([acted]);
    expect(settled).toEqual([guid]);
    hereStore.forget(settled);
    expect(isKnown(mailed)).toBe(false);
  });
});

describe('an operation that the server could not mark', () => {
  test('is marked again together with the latest notifications', async () => {
    status = 503;
    const failed = new Promise<void>((resolve) => {
      const stop = hereStore.subscribe(() => {
        if (hereStore.now().get(guid) !== 'opened') return;
        stop();
        resolve();
      });
    });
    seenHere(guid);
    expect(settle([fresh]).toMark).toEqual([]);
    await failed;
    expect(settle([fresh]).toMark).toEqual([fresh]);
  });

  test('is forgotten if another tab has since marked it', () => {
    hereStore.mark([guid]);
    hereStore.forget([guid]);
    hereStore.unmark([guid]);
    expect(hereStore.now().has(guid)).toBe(false);
  });
});

describe('an operation that is opened after its end', () => {
  test('is marked if its notification is new', () => {
    viewHere(guid);
    expect(settle([fresh]).toMark).toEqual([fresh]);
    expect(settle([acted])).toEqual({ toMark: [], settled: [guid] });
  });

  test('does not show the state of its email, which is announced later', () => {
    viewHere(guid);
    expect(isKnown(mailed)).toBe(false);
    expect(settle([mailed])).toEqual({ toMark: [], settled: [] });
  });
});
