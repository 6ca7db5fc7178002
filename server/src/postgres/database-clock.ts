/**
 * The database's time in this process. Portals and workers on several machines share rows and download tickets, so they
 * must not compare them with clocks of their own, which can be wrong or jump.
 */
import { sql } from 'kysely';
import { type Clock, systemClock } from '../config/clock.ts';
import type { Log } from '../config/log.ts';
import { named } from '../config/named-work.ts';
import type { Db } from './tables/schema.ts';

/** The clock, which reads the database's time regularly until it is stopped. */
export interface DatabaseClock extends Clock {
  stop(): void;
}

/** Milliseconds between two readings. In between, a clock that cannot be set measures the time. */
const readingMs = 30_000;
/** A reading with a longer round trip, in milliseconds, is too inexact, and does not replace an earlier one. */
const longestRoundTrip = 2000;
/** Readings at the start, at most, until one is exact enough; otherwise the most exact of them is used. */
const firstReadings = 5;
/** Milliseconds by which the machine's clock may differ from the database's; more is reported. */
export const mostSkewMs = 5000;

/** Milliseconds by which the machine's clock is ahead of the database's, and those that the measurement took. */
export async function measureSkew(
  db: Db,
  machine: Clock = systemClock,
): Promise<{ readonly skewMs: number; readonly roundTripMs: number }> {
  const [begun, before] = [performance.now(), machine.now().getTime()];
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const roundTripMs = performance.now() - begun;
  const database = rows[0]?.now.getTime() ?? before;
  return { skewMs: before + roundTripMs / 2 - database, roundTripMs };
}

/**
 * Reads the database's time and follows it. If the database cannot be reached later, the last reading remains valid.
 * @param machine the machine's clock; only its difference at the moment of a reading matters
 */
export async function openDatabaseClock(
  db: Db,
  log: Log,
  machine: Clock = systemClock,
): Promise<DatabaseClock> {
  let wasNotable = false;
  const read = async () => {
    const { skewMs, roundTripMs } = await named('read the time', () => measureSkew(db, machine));
    const isNotable = Math.abs(skewMs) > mostSkewMs;
    if (isNotable && !wasNotable)
      log.warn(
        { skewSeconds: Math.round(skewMs / 1000) },
        "this machine's clock differs from the database's, whose time is used; set up time synchronization",
      );
    wasNotable = isNotable;
    return { base: machine.now().getTime() - skewMs, at: performance.now(), roundTripMs };
  };
  let latest = await read();
  for (let count = 1; count < firstReadings && latest.roundTripMs > longestRoundTrip; count += 1) {
    const reading = await read();
    if (reading.roundTripMs < latest.roundTripMs) latest = reading;
  }
  const timer = setInterval(() => {
    read().then(
      (reading) => {
        if (reading.roundTripMs <= longestRoundTrip) latest = reading;
      },
      // an outage, which is logged where it matters
      () => undefined,
    );
  }, readingMs).unref();
  return {
    now: () => new Date(latest.base + performance.now() - latest.at),
    stop: () => clearInterval(timer),
  };
}
