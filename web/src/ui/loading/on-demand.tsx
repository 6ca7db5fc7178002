/** Parts of the page that are loaded when they are first needed. */
import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { loadPart } from './load-part.ts';
import { toasts } from '../toasts/toast-list.ts';

/** Whether the user was already asked to reload the page: several parts may be missing at once. */
let hasAsked = false;

/** Asks the user to reload the page, once: the server may no longer have the parts of an earlier version. */
export function askForReload(t: TextOf): void {
  if (hasAsked) return;
  hasAsked = true;
  toasts.add({
    title: t('ui.partMissing'),
    detail: t('ui.partMissingText'),
    tone: 'bad',
    action: { label: t('RefreshPage'), onAction: () => location.reload() },
  });
}

/**
 * A component whose code is loaded when it is first rendered; until then `waiting` is shown in its place, also while it
 * cannot be loaded. Without React's `lazy`: React shows what it waited for up to 300 ms late, and a dialog that is
 * rendered long before it is shown remembers a focus that no longer exists. `preload` loads it where it is needed soon.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> & { readonly preload: () => void } {
  let loaded: ComponentType<P> | undefined;
  function OnDemand(props: P) {
    const { t } = useTexts();
    const [Part, setPart] = useState(() => loaded);
    const onStuck = useEffectEvent(() => askForReload(t));
    useEffect(() => {
      if (Part !== undefined) return;
      const stop = new AbortController();
      void loadPart(load, stop.signal, () => onStuck()).then((part) => {
        if (part === null) return;
        loaded = part;
        setPart(() => part);
      });
      return () => stop.abort();
    }, [Part]);
    return Part === undefined ? waiting : createElement(Part, props);
  }
  const preload = (): void => {
    void load().then(
      (part) => {
        loaded = part;
      },
      // loaded when it is rendered
      () => {},
    );
  };
  return Object.assign(OnDemand, { preload });
}
