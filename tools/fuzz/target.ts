/** The interface of a fuzz target: code that reads bytes from outside, and what must be true for any bytes. */

/** Maximum bytes of any target's inputs. */
export const longestInput = 64 * 1024;

/** Code under test. Its inputs are bytes; the target gives them a structure, so that they get past the outer checks. */
export interface FuzzTarget {
  /** The inputs from which the search starts, made by code. */
  readonly seeds: () => readonly Uint8Array[];
  /** Byte sequences that matter to the code: names, magic numbers, punctuation. */
  readonly dictionary: readonly Uint8Array[];
  /** Maximum bytes of an input, up to {@link longestInput}. */
  readonly longest: number;
  /** Prepares what all runs share. */
  readonly open?: () => Promise<void>;
  /** Releases it, so that the process can exit. */
  readonly close?: () => Promise<void>;
  /**
   * Runs the code on an input. Throws any error that the code must not throw, and {@link Broken} if an invariant is
   * violated. A target that returns a promise has finished all of its work when the promise settles.
   */
  readonly run: (input: Uint8Array) => void | Promise<void>;
}

/** Something that must be true for every input is not. */
export class Broken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Broken';
  }
}

/** Throws {@link Broken} unless the statement is true. */
export function must(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Broken(message);
}

const encoder = new TextEncoder();

/** Texts as bytes, for dictionaries. */
export function textBytes(texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => encoder.encode(text));
}

/** Loads a target's module. */
export async function loadTarget(module: string): Promise<FuzzTarget> {
  const loaded = (await import(module)) as { readonly target: FuzzTarget };
  return loaded.target;
}
