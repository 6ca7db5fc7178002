/** The current day and minute, also on a page that stays open. */
import { useSyncExternalStore } from 'react';

/** Milliseconds between two looks at the clock. */
const interval = 60_000;

function onMinute(look: () => void): () => void {
  const timer = setInterval(look, interval);
  return () => clearInterval(timer);
}

const today = (): string => new Date().toDateString();
const minute = (): number => Math.floor(Date.now() / interval);

/** The beginning of the current day, in the browser's own time zone. */
export function useToday(): Date {
  return new Date(useSyncExternalStore(onMinute, today));
}

/** The beginning of the current minute, in milliseconds of the browser's own clock. */
export function useMinute(): number {
  return useSyncExternalStore(onMinute, minute) * interval;
}
