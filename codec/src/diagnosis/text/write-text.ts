/** Writes an image as a text that programmers read: Intel HEX or Motorola S-record. */

import { createIntelHexWriter } from './intel-hex.ts';
import type { CreateWriter } from './record-writer.ts';
import { createSRecordWriter } from './s-record.ts';

const writers = {
  'intel-hex': createIntelHexWriter,
  's-record': createSRecordWriter,
} as const satisfies Record<string, CreateWriter>;

/** A format that images can be written in. */
export type WrittenFormat = keyof typeof writers;

/** Data bytes of a record. Records are aligned, so that none crosses a multiple of 64 KiB. */
const recordBytes = 32;
const addressSpace = 2 ** 32;

/** Whether an image of this size, in bytes, can be at this address: both formats have 32-bit addresses. */
export function isAddressable(size: number, base: number): boolean {
  return base + size <= addressSpace;
}

/**
 * The text of an image of `size` bytes whose first byte is at the address `base`, in pieces. Every byte is written, erased
 * ones included: what is left out could mean erased, or unchanged. Lines end with CR LF, which old programs require.
 */
export async function* writeText(
  format: WrittenFormat,
  { size, base }: { readonly size: number; readonly base: number },
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const { start, write, finish } = writers[format](Math.max(base, base + size - 1));
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('');
  let address = base;
  let rest: Buffer = Buffer.alloc(0);
  const take = (isLast: boolean): string[] => {
    const lines: string[] = [];
    let at = 0;
    while (at < rest.length) {
      const length = recordBytes - (address % recordBytes);
      if (!isLast && rest.length - at < length) break;
      const data = rest.subarray(at, at + length);
      lines.push(...write(address, data));
      address += data.length;
      at += data.length;
    }
    rest = rest.subarray(at);
    return lines;
  };
  yield textOf(start);
  for await (const piece of source) {
    rest = Buffer.concat([rest, piece]);
    yield textOf(take(false));
  }
  yield textOf([...take(true), ...finish()]);
}
