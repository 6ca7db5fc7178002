/** New GUIDs: their form, and their order also when the clock is set back. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isGuid, newGuid } from '../../src/config/guids.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds of the clock in a GUID. */
const timeOf = (guid: string): number => Number.parseInt(guid.replace('-', '').slice(0, 12), 16);

describe('new GUIDs', () => {
  test('are UUIDv7 of the current millisecond', () => {
    const start = Date.now() + 60_000;
    vi.useFakeTimers({ now: start });
    const guid = newGuid();
    expect(isGuid(guid)).toBe(true);
    expect(guid).toMatch(/^.{14}7.{4}[89ab]/);
    expect(timeOf(guid)).toBe(start);
  });

  test('are in the order in which they were created, in one millisecond and when the clock is set back a little', () => {
    const start = Date.now() + 120_000;
    vi.useFakeTimers({ now: start });
    const guids = Array.from({ length: 10_000 }, newGuid);
    vi.setSystemTime(start - 5_000);
    guids.push(newGuid());
    vi.setSystemTime(start + 1_000);
    guids.push(newGuid());
    expect(guids).toEqual([...new Set(guids)].sort());
    expect(timeOf(guids.at(-1) ?? '')).toBe(start + 1_000);
  });

  test('follow a clock that was wrong and is set back', () => {
    const start = Date.now() + 240_000;
    vi.useFakeTimers({ now: start + 3_600_000 });
    newGuid();
    vi.setSystemTime(start);
    expect(timeOf(newGuid())).toBe(start);
  });
});
