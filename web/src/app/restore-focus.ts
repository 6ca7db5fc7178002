/** Preserves the keyboard position: when the focused control disappears, the focus moves to the nearest heading. */
import { useEffect } from 'react';

/** The changes that can remove the focus: rendered, hidden or disabled elements. */
const watched: MutationObserverInit = {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['class', 'disabled', 'hidden'],
};
/** The boundary of the search: the page or a popup. */
const outermost = 'main, [role=dialog]';

/** The position of a control: the control itself and its ancestors within the page or a popup, from the inside out. */
type Place = readonly [control: Element, ...around: Element[]];

function placeOf(control: Element): Place {
  const place: [Element, ...Element[]] = [control];
  const end = control.closest(outermost);
  let at = control;
  while (at !== end && at.parentElement !== null && end !== null) {
    at = at.parentElement;
    place.push(at);
  }
  return place;
}

/** Whether no visible element has the focus: the browser leaves a hidden control only at the next paint. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  return !activeElement.checkVisibility({ visibilityProperty: true });
}

/**
 * Whether a control can no longer have the focus. If it can, a click outside took the focus away, which is intended.
 */
function isGone(control: Element): boolean {
  return !control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled');
}

/** The nearest visible heading; in a popup without one, the popup. */
function headingNear(place: Place): HTMLElement | null {
  for (const around of place) {
    const headings = [...around.querySelectorAll<HTMLElement>('h1, h2')];
    const heading = headings.find((one) => one.checkVisibility({ visibilityProperty: true }));
    if (heading !== undefined) return heading;
    if (around instanceof HTMLElement && around.matches('[role=dialog]')) return around;
  }
  return null;
}

/** `isByKey`: pointer users continue at their scroll position, so the page must not scroll for them. */
function goOnAt(heading: HTMLElement, isByKey: boolean): void {
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (isByKey) heading.scrollIntoView({ block: 'nearest' });
}

/** Watches the whole page; used once, in the layout. */
export function useRestoredFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    // Behind a popup: where the focus goes if the popup's opener has disappeared in the meantime.
    let lastInPage: Place | null = null;
    let isByKey = false;
    let frame = 0;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      last = placeOf(target);
      isByKey = target.matches(':focus-visible');
      if (target.closest('main') !== null) lastInPage = last;
    };
    const restore = (): void => {
      if (last === null || !isFocusLost() || !isGone(last[0])) return;
      const main = document.querySelector('main');
      const places = [last, lastInPage, main && placeOf(main)];
      const connected = places.map((place) => place?.filter((around) => around.isConnected) ?? []);
      for (const [control, ...around] of connected) {
        const heading = control && headingNear([control, ...around]);
        if (heading) return goOnAt(heading, isByKey);
      }
    };
    const observer = new MutationObserver(() => {
      if (last === null || !isFocusLost() || !isGone(last[0])) return;
      cancelAnimationFrame(frame);
      if (last === lastInPage) return restore();
      // A popup restores the focus automatically, in the frame after it has disappeared.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(restore);
      });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, watched);
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
}
