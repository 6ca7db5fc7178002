/** Images of ME7 control units, and what tests ask of their checksums. */
import { CodecError } from '../../src/errors.ts';
import { type KnownReport, verifyKnown } from '../../src/known-checksums/known-checksums.ts';

export function report(image: Uint8Array): KnownReport {
  const found = verifyKnown(image);
  if (found === null) throw new Error('no scheme was found');
  return found;
}

export function refusal(call: () => unknown): string | null {
  try {
    call();
  } catch (error) {
    if (error instanceof CodecError) return error.internalCode;
    throw error;
  }
  return null;
}

export function changed(
  image: Uint8Array,
  list: readonly { at: number; bit: number }[],
): Uint8Array {
  for (const { at, bit } of list) image[at] = (image[at] ?? 0) ^ bit;
  return image;
}
