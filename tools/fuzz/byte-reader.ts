/** Reads values from an input's bytes; past the end, every byte is 0. */

/** Reads an input from its start. */
export interface ByteReader {
  /** An integer from 0 to 255. */
  byte(): number;
  /** An integer from 0 to 65535. */
  word(): number;
  /** An integer from 0 to 2^32 - 1. */
  long(): number;
  isTrue(): boolean;
  pick<const T>(list: readonly [T, ...T[]]): T;
  hex(bytes: number): string;
  rest(): Uint8Array;
}

/** Starts at the first byte. */
export function readBytes(input: Uint8Array): ByteReader {
  let at = 0;
  const byte = (): number => {
    at += 1;
    return input[at - 1] ?? 0;
  };
  const word = (): number => byte() | (byte() << 8);
  return {
    byte,
    word,
    long: () => word() + word() * 0x10000,
    isTrue: () => (byte() & 1) === 1,
    pick: (list) => list[byte() % list.length] ?? list[0],
    hex: (bytes) =>
      Array.from({ length: bytes }, () => byte().toString(16).padStart(2, '0')).join(''),
    rest: () => input.subarray(at),
  };
}
