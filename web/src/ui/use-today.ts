/** The current day, also on a page that stays open overnight. */
import { useSyncExternalStore } from 'react';

/** Milliseconds between two looks at the clock. */
const interval = 60_000;

function onMinute(look: () => void): () => void {
  const timer = setInterval(look, interval);
  return () => clearInterval(timer);
}

const today = (): string => new Date().toDateString();

/** The beginning of the current day, in the browser's own time zone. */
export function useToday(): Date {
  return new Date(useSyncExternalStore(onMinute, today));
}
