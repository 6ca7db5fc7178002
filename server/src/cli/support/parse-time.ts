/** Reads times that are given on the command line. */
import { InvalidArgumentError } from 'commander';

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A time in ISO 8601; UTC when it names no zone. */
export function parseTime(word: string): Date {
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(word.slice(10));
  const time = new Date(word.length > 10 && !hasZone ? `${word}Z` : word);
  if (!isoTime.test(word) || !isDay(word.slice(0, 10)) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('Must be a time, such as 2027-03-22T17:30:00+01:00.');
  }
  return time;
}

/** Whether the day exists: Date accepts 30 February as 2 March. */
function isDay(word: string): boolean {
  const day = new Date(word);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(word);
}
