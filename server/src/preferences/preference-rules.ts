/** Combines the two names of one preference; pure, on plain values. */
import { Refusal } from '@recodery/contract/refusal';

/**
 * The value of a preference that can be sent under either of two names; absent and null both mean "not set", as
 * everywhere in payloads.
 * @throws {Refusal} PREFERENCES_CONTRADICT when both are set and differ
 */
export function chooseEither<T>(one: T | null | undefined, other: T | null | undefined): T | null {
  const [first, second] = [one ?? null, other ?? null];
  if (first !== null && second !== null && first !== second) {
    throw new Refusal('PREFERENCES_CONTRADICT');
  }
  return first ?? second;
}
