/**
 * The clock, injected everywhere that the time matters. What is compared with rows, or with anything that another
 * machine has signed, needs the database's time (`postgres/database-clock`).
 */

/** Returns the time. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
