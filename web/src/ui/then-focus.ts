/** Keeps the focus nearby when a button's action removes the button. */
import { useRef } from 'react';

/** `place` takes the focus after each function that `thenFocus` wraps; it needs a `tabIndex`. */
export function useThenFocus<T extends HTMLElement>() {
  const place = useRef<T>(null);
  const thenFocus = (act: () => void) => (): void => {
    act();
    place.current?.focus();
  };
  return { place, thenFocus };
}
