/** One tab announces the current session and saved settings to the others. */
import { byWorkflow } from '@recodery/contract/families/registry';
import type { Session } from '@recodery/contract/features/session';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import {
  hearSaved,
  publishSaved,
  refetchSaved,
  type Settings,
  settingsKey,
} from '../src/api/events/saved-settings.ts';
import { sessionInTabs } from '../src/features/session/session.ts';

const session: Session = {
  sessionID: 'session-1',
  customerCode: 'CC-2002',
  userDisplayName: 'Anna Conti',
  userOrganizationName: 'Tuning Nord',
  userOrganizationLogoURL: null,
  otherCustomerCodes: ['CC-1001'],
  customerCodeNames: { 'CC-1001': 'Officina Demo', 'CC-2002': 'Tuning Nord' },
  groupCodesInfo: [],
  culture: 'en-US',
  hasPortalAccess: true,
  isOperator: false,
  isManager: true,
  canReceive: false,
  entries: byWorkflow(() => null),
};

test('a changed session reaches the other tabs; an invalid value is ignored', async () => {
  const received: Session[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = sessionInTabs.subscribe((session) => {
    received.push(session);
    if (session.customerCode === 'CC-1001') resolve();
  });
  const stranger = new BroadcastChannel('recodery.session');
  stranger.postMessage({ customerCode: 'CC-6666' });
  stranger.close();
  sessionInTabs.publish(session);
  sessionInTabs.publish({ ...session, customerCode: 'CC-1001' });
  await promise;
  stop();
  expect(received.map(({ customerCode }) => customerCode)).toEqual(['CC-2002', 'CC-1001']);
});

/** A tab that shows settings, and how often it has fetched them. */
function openTab(name: Settings) {
  const queries = new QueryClient();
  const fetches = { count: 0 };
  const queryFn = () => {
    fetches.count += 1;
    return fetches.count;
  };
  const observer = new QueryObserver(queries, { queryKey: settingsKey(name), queryFn });
  const ends = [observer.subscribe(() => undefined), hearSaved(queries)];
  const close = () => {
    for (const end of ends) end();
    queries.clear();
  };
  return { queries, fetches, close };
}

test.each(['preferences', 'storage', 'clients', 'webhooks'] as const)(
  'saved settings (%s) are refetched in the other tabs, and other settings are not',
  async (name) => {
    const [own, other, stranger] = [
      openTab(name),
      openTab(name),
      openTab(name === 'storage' ? 'clients' : 'storage'),
    ];
    await expect.poll(() => other.fetches.count + stranger.fetches.count).toBe(2);
    publishSaved(name);
    await expect.poll(() => other.fetches.count).toBe(2);
    await refetchSaved(own.queries, name);
    await expect.poll(() => other.fetches.count).toBe(3);
    expect(stranger.fetches.count).toBe(1);
    for (const tab of [own, other, stranger]) tab.close();
  },
);
