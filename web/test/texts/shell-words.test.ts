/** Small decisions of the page frame: greeting, initials, the guide's address, retries. */
import { Refusal } from '@recodery/contract/refusal';
import { describe, expect, test } from 'vitest';
import { pauseBefore } from '../../src/api/events/event-stream.ts';
import { guideAddress } from '../../src/app/guide-address.ts';
import { initialsOf } from '../../src/app/initials.ts';
import { shouldAskAgain } from '../../src/app/query-client.ts';
import { loginAddress } from '../../src/app/session-end.ts';
import { greetingFor } from '../../src/pages/home/greeting.ts';

test.each([
  [0, 'home.hello'],
  [2, 'home.hello'],
  [4, 'home.hello'],
  [5, 'home.goodMorning'],
  [11, 'home.goodMorning'],
  [12, 'home.goodAfternoon'],
  [17, 'home.goodAfternoon'],
  [18, 'home.goodEvening'],
  [23, 'home.goodEvening'],
])('shows the greeting for %i h: %s', (hour, key) => {
  expect(greetingFor(hour)).toBe(key);
});

test.each([
  ['Anna Master', 'AM'],
  ['  Anna  Maria  Rossi ', 'AR'],
  ['anna', 'A'],
  ['', ''],
  ['李 雷', '李雷'],
])('%j has the initials %j', (name, letters) => {
  expect(initialsOf(name)).toBe(letters);
});

// promise 2.layout.menu-guide
test("the user guide has the page's language, else English", () => {
  const guides = { en: '/guide/en', it: '/guide/it' };
  expect(guideAddress(guides, 'it-IT')).toBe('/guide/it');
  expect(guideAddress(guides, 'zh-CN')).toBe('/guide/en');
});

// promise 2.routes.private
test('the sign-in remembers the current page', () => {
  expect(loginAddress('/')).toBe('/login');
  expect(loginAddress('/kess3?a=1&b=2')).toBe('/login?from=%2Fkess3%3Fa%3D1%26b%3D2');
});

describe('a failed request', () => {
  test.each(['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'SIGN_IN_AGAIN', 'USER_NO_RIGHTS'] as const)(
    'is not retried after %s',
    (code) => {
      expect(shouldAskAgain(0, new Refusal(code))).toBe(false);
    },
  );

  test('is retried three times after a network failure, then given up', () => {
    const broken = new TypeError('Failed to fetch');
    expect([0, 1, 2, 3].map((failures) => shouldAskAgain(failures, broken))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(shouldAskAgain(0, new Refusal('SERVICE_UNAVAILABLE'))).toBe(true);
  });
});

test('the stream reconnects after pauses that grow to half a minute, with jitter', () => {
  expect([0, 1, 2, 10].map((attempt) => pauseBefore(attempt, 1))).toEqual([
    1000, 2000, 4000, 30_000,
  ]);
  expect(pauseBefore(3, 0)).toBe(4000);
  expect([0, 1].map((random) => pauseBefore(0, random, 60_000))).toEqual([60_000, 90_000]);
  expect(pauseBefore(10, 1, 10_000)).toBe(30_000);
});
