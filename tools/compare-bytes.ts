/**
 * A setup file of all tests: `expect` compares byte arrays as a whole. Vitest compares their elements one by one, which takes 60 ms
 * for 512 KiB.
 */
import { expect } from 'vitest';

/** Files of tests share a process, and with it what `expect` knows. */
const isKnown = Symbol.for('recodery: expect compares byte arrays as a whole');

/** Arrays of other types are left to Vitest: an array never equals one of another type. */
function areBytesEqual(one: unknown, other: unknown): boolean | undefined {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return undefined;
  return one.constructor === other.constructor ? Buffer.compare(one, other) === 0 : undefined;
}

if (Reflect.get(globalThis, isKnown) !== true) expect.addEqualityTesters([areBytesEqual]);
Reflect.set(globalThis, isKnown, true);
