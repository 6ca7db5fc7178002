/**
 * The text of a field that is stored in the address: shown immediately, passed on after a pause, replaced from outside.
 */
import { useEffect, useEffectEvent, useState } from 'react';

/** What is typed, what the address contained last, and what was passed on and is not in the address yet. */
export interface Typed {
  readonly text: string;
  readonly shown: string;
  readonly passed: readonly string[];
}

/** Milliseconds after the last key before the text is passed on. */
const typingPause = 300;

/**
 * The state once the address contains `shown`. A text that was passed on arrives later than what is typed next, and
 * does not replace it; any other text does.
 */
export function typedAfter(typed: Typed, shown: string): Typed {
  if (shown === typed.shown) return typed;
  const at = typed.passed.indexOf(shown);
  return at === -1
    ? { text: shown, shown, passed: [] }
    : { ...typed, shown, passed: typed.passed.slice(at + 1) };
}

/** The text of a field, and the function that changes it. `shown`: the text in the address. */
export function useTypedText(shown: string, onChange: (text: string) => void) {
  const [before, setTyped] = useState<Typed>({ text: shown, shown, passed: [] });
  const typed = typedAfter(before, shown);
  if (typed !== before) setTyped(typed);
  const { text } = typed;
  const pass = useEffectEvent(onChange);
  useEffect(() => {
    if (text === shown) return;
    const timer = setTimeout(() => {
      setTyped((now) => ({ ...now, passed: [...now.passed, text] }));
      pass(text);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text, shown]);
  return [text, (next: string) => setTyped((now) => ({ ...now, text: next }))] as const;
}
