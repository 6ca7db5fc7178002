/** Parts of the page that are loaded when they are first needed. */
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

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

/**
 * A component whose code is loaded when it is first rendered; until then `waiting` is shown in its place. Without
 * React's `lazy`: React shows what it waited for up to 300 ms late, and a dialog that is rendered long before it is
 * shown remembers a focus that no longer exists.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function OnDemand(props: P) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part !== undefined) return;
      whenOnline(load).then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        (thrown: unknown) =>
          setPart(() => {
            throw thrown;
          }),
      );
    }, [Part]);
    return Part === undefined ? waiting : createElement(Part, props);
  };
}
