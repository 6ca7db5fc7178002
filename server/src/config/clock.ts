/** The clock that is handed in wherever the time decides something and the database's own clock does not. */

/** Tells the time. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
