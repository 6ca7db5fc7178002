/** When the page is printed, for sheets that are rendered only on paper. */
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The time when printing started; null while the page is not being printed. */
export function usePrintTime(): Date | null {
  const [time, setTime] = useState<Date | null>(null);
  useEffect(() => {
    // synchronously: a later render would not be on the paper
    const begin = (): void => flushSync(() => setTime(new Date()));
    const end = (): void => setTime(null);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return time;
}
