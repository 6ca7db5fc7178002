/** A value once it has stopped changing, so that a fast scroll does not request everything that it passes. */
import { useEffect, useState } from 'react';

/** Milliseconds without a change. */
const calm = 120;

/** The last value that did not change for a moment; at first the value itself. */
export function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), calm);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
