/** How the two names of one preference become one; pure, on plain values. */
import { Refusal } from '@recodery/contract/errors';

/**
 * The value of a preference that may be given under either of two names; absent and null both mean that a name says
 * nothing, as everywhere in payloads.
 * @throws {Refusal} PREFERENCES_CONTRADICT when both say something and differ
 */
export function chooseEither<T>(one: T | null | undefined, other: T | null | undefined): T | null {
  const [first, second] = [one ?? null, other ?? null];
  if (first !== null && second !== null && first !== second) {
    throw new Refusal('PREFERENCES_CONTRADICT');
  }
  return first ?? second;
}
