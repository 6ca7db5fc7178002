/** What a format that images can be downloaded in provides: how to write bytes as records with addresses. */

/** Writes one text. The records are written in the order of their addresses. */
export interface RecordWriter {
  /** The lines before the first record. */
  readonly start: readonly string[];
  /** The lines of at most 32 bytes at an address, which do not cross a multiple of 64 KiB. */
  readonly write: (address: number, data: Buffer) => readonly string[];
  /** The lines behind the last record. */
  readonly finish: () => readonly string[];
}

/** Creates the writer of a text whose last byte is at this address. */
export type CreateWriter = (lastAddress: number) => RecordWriter;

/** Bytes as upper-case hexadecimal digits. */
export function hexOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}

/** The sum of bytes, modulo 256. */
export function byteSum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum & 0xff;
}
