/** One tab announces the current session to the others. */
import { byWorkflow } from '@recodery/contract/families/registry';
import type { Session } from '@recodery/contract/features/session';
import { expect, test } from 'vitest';
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
