/** Finds patterns of bytes in an image. */

import type { OperandPattern, Pattern } from './language.ts';

/** A byte of a pattern: its bits that count, and their values; or the complement of the byte four places before. */
type PatternByte = { readonly mask: number; readonly value: number } | 'complement';

interface Compiled {
  readonly bytes: readonly PatternByte[];
  /** The longest part that has only fixed bytes, and its place: native code looks for it. */
  readonly fixed: Uint8Array;
  readonly fixedAt: number;
}

function readByte(pair: string): PatternByte {
  if (pair === '~') return 'complement';
  const digit = (at: number): { mask: number; value: number } => {
    const one = pair[at] ?? '.';
    return one === '.' ? { mask: 0, value: 0 } : { mask: 15, value: Number.parseInt(one, 16) };
  };
  const [high, low] = [digit(0), digit(1)];
  return { mask: (high.mask << 4) | low.mask, value: (high.value << 4) | low.value };
}

const isFixed = (byte: PatternByte | undefined): byte is { mask: number; value: number } =>
  byte !== undefined && byte !== 'complement' && byte.mask === 0xff;

function compile(text: string): Compiled {
  const bytes = (text.match(/~|[0-9a-f.]{2}/g) ?? []).map(readByte);
  let fixedAt = 0;
  let length = 0;
  for (let from = 0; from < bytes.length; from += 1) {
    let to = from;
    while (isFixed(bytes[to])) to += 1;
    if (to - from > length) [fixedAt, length] = [from, to - from];
  }
  const fixed = bytes.slice(fixedAt, fixedAt + length).filter((byte) => isFixed(byte));
  return { bytes, fixed: Uint8Array.from(fixed, ({ value }) => value), fixedAt };
}

const compiled = new Map<string, Compiled>();

function compiledOf(text: string): Compiled {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const fresh = compile(text);
  compiled.set(text, fresh);
  return fresh;
}

function isAt({ bytes }: Compiled, image: Uint8Array, at: number): boolean {
  if (at < 0 || at + bytes.length > image.length) return false;
  return bytes.every((byte, index) => {
    const found = image[at + index] ?? 0;
    return byte === 'complement'
      ? found === (~(image[at + index - 4] ?? 0) & 0xff)
      : (found & byte.mask) === byte.value;
  });
}

function findOne(text: string, pattern: Pattern, image: Buffer, most: number): number[] {
  const { from, step, except = [] } = pattern;
  const one = compiledOf(text);
  const excluded = except.map(compiledOf);
  const found: number[] = [];
  let next = image.indexOf(one.fixed, from + one.fixedAt);
  while (next !== -1 && found.length < most) {
    const at = next - one.fixedAt;
    const counts = (at - from) % step === 0 && isAt(one, image, at);
    if (counts && !excluded.some((other) => isAt(other, image, at))) found.push(at);
    next = image.indexOf(one.fixed, next + 1);
  }
  return found;
}

/** The offsets at which a pattern is found, in ascending order; not all of them if there are more than `most`. */
export function findAll(pattern: Pattern, image: Uint8Array, most: number): readonly number[] {
  const buffer = Buffer.from(image.buffer, image.byteOffset, image.length);
  const found = pattern.bytes.flatMap((text) => findOne(text, pattern, buffer, most + 1));
  return found.toSorted((a, b) => a - b);
}

const wordAt = (image: Uint8Array, at: number): number =>
  (image[at] ?? 0) | ((image[at + 1] ?? 0) << 8);

/** The address that an instruction names: its two operands, the low and the high word, little-endian. */
export function operandAt(image: Uint8Array, at: number, pattern: OperandPattern): number {
  return wordAt(image, at + pattern.high) * 0x10000 + wordAt(image, at + pattern.low);
}
