/** The clock, injected everywhere that the time matters and the database's clock is not used. */

/** Returns the time. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
