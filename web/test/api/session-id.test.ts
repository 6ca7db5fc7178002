/** What the tabs of a browser learn about the session through its storage. */
import { beforeEach, expect, test } from 'vitest';
import {
  beginLogout,
  beginSession,
  cancelLogout,
  expireSession,
  forgetSessionId,
  isFirstTime,
  onSessionEnded,
  readSessionId,
  wasSignedOut,
  watchSessionOfTabs,
} from '../../src/api/session-id.ts';
import { beBrowser } from './browser.ts';

beforeEach(() => {
  beBrowser('http://portal.test');
  beginSession('session-1');
});

test('distinguishes a sign-out from an expired session', () => {
  expireSession('session-1');
  expect([readSessionId(), wasSignedOut()]).toEqual([null, false]);
  beginSession('session-2');
  beginLogout();
  // a tab that learns of the end from the server, before the tab that signs out receives its response
  expireSession('session-2');
  forgetSessionId();
  expect([readSessionId(), wasSignedOut()]).toEqual([null, true]);
  beginSession('session-3');
  expect([readSessionId(), wasSignedOut()]).toEqual(['session-3', false]);
});

test('a sign-out forgets what the tab remembers of the work, an expired session keeps it', () => {
  sessionStorage.setItem('draft', 'work');
  expireSession('session-1');
  expect(sessionStorage.getItem('draft')).toBe('work');
  beginLogout();
  forgetSessionId();
  expect(sessionStorage.getItem('draft')).toBeNull();
});

test('shows a once-per-session message once, and again after the next sign-in', () => {
  expect([isFirstTime('one'), isFirstTime('two'), isFirstTime('one')]).toEqual([true, true, false]);
  beginSession('session-2');
  expect(isFirstTime('one')).toBe(true);
});

test('forgets a sign-out that failed', () => {
  beginLogout();
  cancelLogout();
  expireSession('session-1');
  expect(wasSignedOut()).toBe(false);
});

/** What this tab is told after another tab has removed the session id. */
function removeInOtherTab(): void {
  localStorage.removeItem('LLC');
  dispatchEvent(Object.assign(new Event('storage'), { key: 'LLC', newValue: null }));
}

test.each([
  { what: 'a 401 to another request', end: () => expireSession('session-1') },
  { what: 'another tab that has seen such a 401', end: removeInOtherTab },
])('$what does not navigate the tab that is signing out', ({ end }) => {
  watchSessionOfTabs();
  let ends = 0;
  const unsubscribe = onSessionEnded(() => (ends += 1));
  beginLogout();
  end();
  expect(ends).toBe(0);
  // the response was lost, but the session has ended: all tabs are told, and they know that the user signed out
  cancelLogout();
  expect([ends, readSessionId(), wasSignedOut()]).toEqual([1, null, true]);
  beginSession('session-2');
  removeInOtherTab();
  expect([ends, wasSignedOut()]).toEqual([2, false]);
  unsubscribe();
});

test('a sign-out that failed does not end the session that another tab has started since', () => {
  watchSessionOfTabs();
  let ends = 0;
  const unsubscribe = onSessionEnded(() => (ends += 1));
  beginLogout();
  removeInOtherTab();
  localStorage.setItem('LLC', 'session-2');
  cancelLogout();
  expect([ends, readSessionId()]).toEqual([0, 'session-2']);
  unsubscribe();
});
