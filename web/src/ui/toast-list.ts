/** The messages that wait to be shown, until the part that shows them is loaded. */

export interface ToastWords {
  readonly title: string;
  readonly detail?: string;
  readonly tone?: 'good' | 'bad' | 'neutral';
  readonly action?: { readonly label: string; readonly onAction: () => void };
}

/** Milliseconds that a message stays; those with an action stay until closed. */
export const stay = 6000;

type Sink = (words: ToastWords) => void;

const waiting: ToastWords[] = [];
const listeners = new Set<() => void>();
let sink: Sink | null = null;
let newest: { readonly words: ToastWords; readonly number: number } | null = null;

export const toasts = {
  /** Adds a message; before the region is there it waits. */
  add(words: ToastWords): void {
    if (sink === null) waiting.push(words);
    else sink(words);
    newest = { words, number: (newest?.number ?? 0) + 1 };
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
  /** The message that came last, and how many had come by then; null before the first. */
  newest: () => newest,
};
