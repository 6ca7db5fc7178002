/** The messages that wait to be shown, until the part that shows them is loaded. */

export interface ToastWords {
  readonly title: string;
  readonly detail?: string;
  /** What went wrong, on a line of its own below the detail. */
  readonly problem?: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  readonly action?: { readonly label: string; readonly onAction: () => void };
}

/** Milliseconds that a message stays; those with an action stay until closed. */
export const stay = 6000;

/** A message, and how many had come with it. */
export interface NumberedWords {
  readonly words: ToastWords;
  readonly number: number;
}

/** As many as are shown at once. */
export const shownAtOnce = 3;

type Sink = (words: ToastWords) => void;

const waiting: ToastWords[] = [];
const listeners = new Set<() => void>();
let sink: Sink | null = null;
/** What has come last, for the ear: several may come at once. */
let latest: readonly NumberedWords[] = [];

export const toasts = {
  /** Adds a message; before the region is there it waits. */
  add(words: ToastWords): void {
    if (sink === null) waiting.push(words);
    else sink(words);
    const number = (latest.at(-1)?.number ?? 0) + 1;
    latest = [...latest, { words, number }].slice(-shownAtOnce);
    for (const listener of listeners) listener();
  },
  /** Hands over what waited, and everything after, to the region. */
  drainInto(next: Sink): void {
    sink = next;
    for (const words of waiting.splice(0)) next(words);
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** The messages that came last, the newest at the end. */
  latest: () => latest,
};
