/** Short messages that come and go; the drawing of them is loaded with the first one. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { type ToastWords, toasts } from './toast-list.ts';

const ToastRegion = lazy(async () => ({ default: (await import('./toast-region.tsx')).ToastList }));

/** Shows a message; the drawing comes with the first one. */
export function showToast(words: ToastWords): void {
  toasts.add(words);
}

/** Stands once in the layout. */
export function Toasts() {
  const isUsed = useSyncExternalStore(toasts.subscribe, toasts.isUsed);
  return isUsed ? (
    <Suspense fallback={null}>
      <ToastRegion />
    </Suspense>
  ) : null;
}
