/** Corrects the browser's clock with the times in the server's responses. */
import { afterEach, expect, test } from 'vitest';
import { noteServerTime, trueTime } from '../../src/api/server-clock.ts';

const now = Date.parse('2026-11-21T08:00:00Z');
const day = 86_400_000;

afterEach(() => noteServerTime(new Date(now).toUTCString(), now));

test.each([
  ['a day behind', -day],
  ['a day ahead', day],
  ['ten minutes ahead', 600_000],
])('corrects a clock that is %s', (_, error) => {
  noteServerTime(new Date(now).toUTCString(), now + error);
  expect(trueTime(now + error + 5000).toISOString()).toBe('2026-11-21T08:00:05.000Z');
});

test('does not mistake network delay for a wrong clock', () => {
  noteServerTime(new Date(now).toUTCString(), now + 40_000);
  expect(trueTime(now + 40_000).getTime()).toBe(now + 40_000);
});

test('a response without a time changes nothing', () => {
  noteServerTime(new Date(now).toUTCString(), now + day);
  noteServerTime(null, now + day);
  noteServerTime('soon', now + day);
  expect(trueTime(now + day).getTime()).toBe(now);
});
