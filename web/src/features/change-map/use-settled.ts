/** A value once it has stopped changing, so that fast scrolling does not request everything in between. */
import { useEffect, useState } from 'react';

/** Milliseconds without a change. */
const calm = 120;

/** The latest value that stayed unchanged for a moment; initially the value itself. */
export function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), calm);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
