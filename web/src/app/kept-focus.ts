/** Keeps the keyboard's place: where the focused control vanishes, the reading goes on at the heading nearest to it. */
import { useEffect } from 'react';

/** The changes that can take the focus away: what is drawn, what is hidden, what goes dead. */
const watched: MutationObserverInit = {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['class', 'disabled', 'hidden'],
};
/** What a place does not reach beyond. */
const outermost = 'main, [role=dialog]';

/** Where a control stands: itself, and what lies around it within the page or a popup, from the inside out. */
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

/** Whether nothing that can be seen has the focus: the browser leaves a control that was hidden only at the next drawing. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  return !activeElement.checkVisibility({ visibilityProperty: true });
}

/** Whether a control can no longer have the focus. One that can has lost it by a click beside it, which is as it should be. */
function isGone(control: Element): boolean {
  return !control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled');
}

/** The nearest heading that can be seen; in a popup without one, the popup. */
function headingNear(place: Place): HTMLElement | null {
  for (const around of place) {
    const headings = [...around.querySelectorAll<HTMLElement>('h1, h2')];
    const heading = headings.find((one) => one.checkVisibility({ visibilityProperty: true }));
    if (heading !== undefined) return heading;
    if (around instanceof HTMLElement && around.matches('[role=dialog]')) return around;
  }
  return null;
}

/** `isByKey`: whoever points reads on where he is, and is not to be moved. */
function goOnAt(heading: HTMLElement, isByKey: boolean): void {
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (isByKey) heading.scrollIntoView({ block: 'nearest' });
}

/** Watches the whole page; stands once, in the layout. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Place | null = null;
    // Behind a popup: where the reading goes on when the popup's opener has vanished meanwhile.
    let lastInPage: Place | null = null;
    let isByKey = false;
    let frame = 0;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      last = placeOf(target);
      isByKey = target.matches(':focus-visible');
      if (target.closest('main') !== null) lastInPage = last;
    };
    const mend = (): void => {
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
      if (last === lastInPage) return mend();
      // A popup gives the focus back by itself, in the frame after it has vanished.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(mend);
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
