/** Calls in quick succession are joined. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../src/features/trays/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs immediately, and calls in between share the next run', () => {
  const run = vi.fn<() => void>();
  const ask = throttle(1000, run);
  ask();
  expect(run).toHaveBeenCalledTimes(1);
  for (let call = 0; call < 5; call += 1) ask();
  vi.advanceTimersByTime(999);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  ask();
  expect(run).toHaveBeenCalledTimes(3);
});
