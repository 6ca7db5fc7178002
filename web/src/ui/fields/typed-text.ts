/**
 * The text of a field that is stored in the address: shown immediately, passed on after a pause, replaced from outside.
 */
import { useEffect, useEffectEvent, useState } from 'react';

/** What a user is typing, and the texts of the address that do not replace it: the one before, and what was passed on. */
export interface Typed {
  readonly text: string;
  readonly expected: readonly string[];
}

/** Milliseconds after the last key before the text is passed on. */
const typingPause = 300;

/** What the field shows while the address contains `shown`. A text that was passed on arrives later than the next key. */
export function textOf(typed: Typed | null, shown: string): string {
  return typed?.expected.includes(shown) === true ? typed.text : shown;
}

/** After the user has changed the field to `text`. */
export function typeInto(typed: Typed | null, shown: string, text: string): Typed {
  return { text, expected: typed?.expected.includes(shown) === true ? typed.expected : [shown] };
}

/** After the text was passed on. */
export function markPassed(typed: Typed | null): Typed | null {
  return typed === null ? null : { ...typed, expected: [...typed.expected, typed.text] };
}

/** After the address contains `shown`: what arrived as it was typed, or comes from outside, is no longer being typed. */
export function settle(typed: Typed | null, shown: string): Typed | null {
  return typed !== null && textOf(typed, shown) === shown ? null : typed;
}

/**
 * The text of a field, and the function that changes it. `shown`: the text in the address. The address is not copied to
 * the state while rendering: React renders a navigation in pieces, and a key between two of them lost text.
 */
export function useTypedText(shown: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const text = textOf(typed, shown);
  const passOn = useEffectEvent(onChange);
  useEffect(() => {
    const act = (): void => {
      if (text === shown) {
        setTyped((now) => settle(now, shown));
        return;
      }
      setTyped(markPassed);
      passOn(text);
    };
    const timer = setTimeout(act, text === shown ? 0 : typingPause);
    return () => clearTimeout(timer);
  }, [text, shown]);
  return [text, (next: string) => setTyped((now) => typeInto(now, shown, next))] as const;
}
