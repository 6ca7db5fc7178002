/** What a step of a recoding page reports to the page's one live region. */
import { createContext, use, useEffect } from 'react';

/** Announces a text after the current step; null: nothing more than the step. */
export const NewsContext = createContext<(news: string | null) => void>(() => {});

/** Announces a text while the component shows it. */
export function useNews(news: string | null): void {
  const say = use(NewsContext);
  useEffect(() => {
    say(news);
    return () => say(null);
  }, [say, news]);
}
