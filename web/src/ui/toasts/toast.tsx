/** Short temporary messages; the component that renders them is loaded after the page. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onDemand } from '../loading/on-demand.tsx';
import { thrownProblem } from '../../i18n/problems.ts';
import type { TextOf } from '../../i18n/texts.ts';
import { whenIdle } from '../loading/when-idle.ts';
import { stay, type ToastWords, toasts } from './toast-list.ts';

const loadList = async () => (await import('./toast-region.tsx')).ToastList;
const ToastList = onDemand(loadList);

/** Shows a message. */
export function showToast(words: ToastWords): void {
  toasts.add(words);
}

/** Shows why an action failed. */
export function showFailure(t: TextOf, thrown: unknown): void {
  const { headline, advice } = thrownProblem(t, thrown);
  showToast({ title: headline, detail: advice, tone: 'bad' });
}

/** A message for screen readers. It is removed with its toast, so that users do not find it at the end of the page. */
function Spoken({ words }: { readonly words: ToastWords }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), stay);
    return () => clearTimeout(timer);
  }, []);
  const { title, detail, problem } = words;
  return isOver ? null : <span>{[title, detail, problem].filter(Boolean).join('. ')}</span>;
}

/**
 * Used once, in the layout. Its status element exists before it has text: screen readers do not always announce one
 * that is added with its text. React Aria's `data-live-announcer` keeps an open popup or menu from silencing it.
 */
export function Toasts() {
  const latest = useSyncExternalStore(toasts.subscribe, toasts.latest);
  // the first message may be that the server cannot be reached
  useEffect(() => whenIdle(() => void loadList().catch(() => {})), []);
  return (
    <>
      <p role="status" aria-atomic="false" data-live-announcer="true" className="sr-only">
        {latest.map(({ words, number }) => (
          <Spoken key={number} words={words} />
        ))}
      </p>
      {latest.length > 0 && <ToastList />}
    </>
  );
}
