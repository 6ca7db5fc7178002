/** Short messages that come and go; the drawing of them is loaded with the first one. */
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { stay, type ToastWords, toasts } from './toast-list.ts';

const ToastRegion = lazy(async () => ({ default: (await import('./toast-region.tsx')).ToastList }));

/** Shows a message; the drawing comes with the first one. */
export function showToast(words: ToastWords): void {
  toasts.add(words);
}

/** The newest message for the ear. It is gone when its toast is, so that nobody finds it below the page. */
function Spoken({ words }: { readonly words: ToastWords }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), stay);
    return () => clearTimeout(timer);
  }, []);
  return isOver ? null : [words.title, words.detail].filter(Boolean).join('. ');
}

/** Stands once in the layout. Its status is there before any words: in one that comes with them they are not always read out. */
export function Toasts() {
  const newest = useSyncExternalStore(toasts.subscribe, toasts.newest);
  return (
    <>
      <p role="status" className="sr-only">
        {newest !== null && <Spoken key={newest.number} words={newest.words} />}
      </p>
      {newest !== null && (
        <Suspense fallback={null}>
          <ToastRegion />
        </Suspense>
      )}
    </>
  );
}
