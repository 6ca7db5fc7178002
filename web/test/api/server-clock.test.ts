/** The browser's clock set right by what the server's answers say. */
import { afterEach, expect, test } from 'vitest';
import { noteServerTime, trueTime } from '../../src/api/server-clock.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const day = 86_400_000;

afterEach(() => noteServerTime(new Date(now).toUTCString(), now));

test.each([
  ['a day behind', -day],
  ['a day ahead', day],
  ['ten minutes ahead', 600_000],
])('a clock that is %s is seen through', (_, error) => {
  noteServerTime(new Date(now).toUTCString(), now + error);
  expect(trueTime(now + error + 5000).toISOString()).toBe('2026-11-21T08:00:05.000Z');
});

test('what an answer takes on its way is no wrong clock', () => {
  noteServerTime(new Date(now).toUTCString(), now + 40_000);
  expect(trueTime(now + 40_000).getTime()).toBe(now + 40_000);
});

test('an answer without a time changes nothing', () => {
  noteServerTime(new Date(now).toUTCString(), now + day);
  noteServerTime(null, now + day);
  noteServerTime('soon', now + day);
  expect(trueTime(now + day).getTime()).toBe(now);
});
