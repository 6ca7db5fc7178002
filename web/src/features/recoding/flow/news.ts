/** What the parts of a recoding page report to the page's one live region. */
import { createContext, use, useEffect, useId, useState } from 'react';

/** The texts that are announced after the current step, by the part of the page that reports each. */
type News = Readonly<Record<string, string>>;

/** Announces the text of a part of the page; null: it has none. */
export const NewsContext = createContext<(part: string, news: string | null) => void>(() => {});

/** The texts that the parts of a page report, and the function that they call. */
export function useReports(): readonly [
  readonly string[],
  (part: string, news: string | null) => void,
] {
  const [all, setAll] = useState<News>({});
  const [say] = useState(() => (part: string, news: string | null): void => {
    setAll(({ [part]: _before, ...others }) =>
      news === null ? others : { ...others, [part]: news },
    );
  });
  return [Object.values(all), say];
}

/** Announces a text while the component shows it. */
export function useNews(news: string | null): void {
  const say = use(NewsContext);
  const part = useId();
  useEffect(() => {
    say(part, news);
    return () => say(part, null);
  }, [say, part, news]);
}
