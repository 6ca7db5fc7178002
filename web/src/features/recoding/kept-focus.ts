/** Keeps the keyboard's place: where the focused control vanishes with its state, the heading of its step takes the focus. */
import { type RefObject, useEffect, useRef } from 'react';

/** Puts the focus on a step's heading, without scrolling. */
function focusHeading(step: HTMLElement): void {
  const heading = step.querySelector('h2');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Whether nothing that can be seen has the focus: the browser leaves a control that was hidden only at the next drawing. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) return true;
  return !activeElement.checkVisibility({ visibilityProperty: true });
}

/**
 * Watches one step of the page. `state` is whatever changes what the step shows.
 * Gives what belongs on the element around the step.
 */
export function useKeptFocus(state: string): {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: () => void;
  onBlur: (event: { relatedTarget: EventTarget | null }) => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (ref.current && isInside.current && isFocusLost()) focusHeading(ref.current);
  }, [state]);
  return {
    ref,
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: ({ relatedTarget }) => {
      // A control that vanishes leaves the focus to nobody; that still counts as being here.
      if (relatedTarget !== null) isInside.current = false;
    },
  };
}
