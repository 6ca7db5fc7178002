/** Finds a file name that a slot does not have yet. */
import { cutToFit } from '@recodery/contract/file-names';

/**
 * The beginning of every name that {@link freeName} can return for a name without extension. It ends before the first
 * character that is not ASCII, because databases differ in the case of other characters.
 */
export function commonBeginning(name: string): string {
  const longestEnd = '-1000000';
  const [beginning = ''] =
    /^[ -~]*/.exec(cutToFit(name, longestEnd).slice(0, -longestEnd.length)) ?? [];
  return beginning;
}

/**
 * A name that is not in `taken`, ignoring case: the name itself, or its stem with the first free number (`tune-2.moc`).
 * `extension` is the end of the name, with its dot.
 */
export function freeName(name: string, extension: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  const stem = name.slice(0, name.length - extension.length);
  let free = name;
  for (let count = 2; used.has(free.toLowerCase()); count += 1) {
    free = cutToFit(stem, `-${count}${extension}`);
  }
  return free;
}
