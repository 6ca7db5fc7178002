/** Parts of the page that are loaded when they are first needed. */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/** Loads a part; if offline, as soon as the connection is back. */
async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (thrown) {
      if (navigator.onLine) throw thrown;
      await new Promise((done) => addEventListener('online', done, { once: true }));
    }
  }
}

/** A component whose code is loaded when it is first rendered; until then `waiting` is shown in its place. */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  const Part = lazy(async () => ({ default: await whenOnline(load) }));
  return function OnDemand(props: P) {
    return <Suspense fallback={waiting}>{createElement(Part, props)}</Suspense>;
  };
}
