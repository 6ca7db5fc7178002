/** Slows down whoever guesses passwords: counts failed attempts by account and by address, in this process. */
import type { Clock } from '../platform/clock.ts';

/** Milliseconds that a failed attempt counts. */
const memory = 15 * 60_000;
/** Failed attempts within that time after which an account, from one network address, has to wait. */
const mostOfAccount = 8;
/** The same for one address, whatever the accounts: a workshop's people share one. */
const mostOfAddress = 40;
/** The same for one account, whatever the addresses: high, or a stranger could lock its owner out. */
const mostFromEverywhere = 200;

/** Counts failed attempts. */
export interface Attempts {
  /** Milliseconds to wait before the next attempt; 0 when it may be made now. */
  waitFor(account: string, address: string): number;
  /** Writes a failed attempt down. */
  fail(account: string, address: string): void;
  /** Forgets the failures of an account from an address: its owner has signed in. */
  succeed(account: string, address: string): void;
}

/** Makes a counter. Each process has its own: with several portals a guesser has that many times the attempts. */
export function createAttempts(clock: Clock): Attempts {
  const failures = new Map<string, number[]>();

  const limits = (account: string, address: string): readonly (readonly [string, number])[] => {
    const name = account.trim().toLowerCase();
    return [
      [`both ${address} ${name}`, mostOfAccount],
      [`address ${address}`, mostOfAddress],
      [`account ${name}`, mostFromEverywhere],
    ];
  };
  const recent = (key: string, now: number): number[] =>
    (failures.get(key) ?? []).filter((time) => now - time < memory);

  return {
    waitFor(account, address) {
      const now = clock.now().getTime();
      const waits = limits(account, address).map(([key, most]) => {
        const times = recent(key, now);
        const decisive = times[times.length - most];
        return decisive === undefined ? 0 : decisive + memory - now;
      });
      return Math.max(...waits);
    },
    fail(account, address) {
      const now = clock.now().getTime();
      for (const [key, most] of limits(account, address))
        failures.set(key, [...recent(key, now), now].slice(-most));
      // Forgets what no longer counts now and then, so that the counter does not grow with the guessers.
      if (failures.size % 100 === 0)
        for (const key of failures.keys()) if (recent(key, now).length === 0) failures.delete(key);
    },
    succeed(account, address) {
      const [both] = limits(account, address);
      if (both !== undefined) failures.delete(both[0]);
    },
  };
}
