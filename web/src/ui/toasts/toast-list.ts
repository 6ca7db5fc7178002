/** The messages that wait to be shown, until the component that shows them is loaded. */

export interface ToastWords {
  readonly title: string;
  readonly detail?: string;
  /** The error, on a separate line below the detail. */
  readonly problem?: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  readonly action?: { readonly label: string; readonly onAction: () => void };
}

/** Milliseconds that a message stays visible; a message with an action stays until the user closes it. */
export const stay = 6000;

/** A message, and how many arrived with it. */
export interface NumberedWords {
  readonly words: ToastWords;
  readonly number: number;
}

/** The maximum number shown at once. */
export const shownAtOnce = 3;

type Sink = (words: ToastWords) => void;

const waiting: ToastWords[] = [];
const listeners = new Set<() => void>();
let sink: Sink | null = null;
/** The latest messages, for screen readers: several may arrive at once. */
let latest: readonly NumberedWords[] = [];

export const toasts = {
  /** Adds a message; before the region is mounted, the message waits. */
  add(words: ToastWords): void {
    if (sink === null) waiting.push(words);
    else sink(words);
    const number = (latest.at(-1)?.number ?? 0) + 1;
    latest = [...latest, { words, number }].slice(-shownAtOnce);
    for (const listener of listeners) listener();
  },
  /** Passes the waiting messages, and all later ones, to the region. */
  drainInto(next: Sink): void {
    sink = next;
    for (const words of waiting.splice(0)) next(words);
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** The latest messages, the newest last. */
  latest: () => latest,
};
