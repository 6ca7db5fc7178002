/** Intel HEX: `:` LL AAAA TT data CC. The sum of all bytes of a record is 0 modulo 256. */

import { byteAt, forEachLine, isHex } from './lines.ts';
import { type CreateWriter, hexOf, byteSum } from './record-writer.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

const type = { data: 0, end: 1, segment: 2, start16: 3, linear: 4, start32: 5 } as const;
/** Characters of a record without data. */
const emptyRecord = 11;

/** Checks length and sum of a record, and returns its number of data bytes. */
function checkRecord(text: Uint8Array, from: number, to: number, line: number): number {
  if (text[from] !== 0x3a) throw new DamagedLine('trailing-text', line);
  if (!isHex(text, from + 1, to)) throw new DamagedLine('digits', line);
  const length = to - from < emptyRecord ? -1 : byteAt(text, from + 1, line);
  if (to - from !== emptyRecord + 2 * length) throw new DamagedLine('length', line);
  let sum = 0;
  for (let at = from + 1; at < to; at += 2) sum += byteAt(text, at, line);
  if ((sum & 0xff) !== 0) throw new DamagedLine('checksum', line);
  return length;
}

function read(text: Uint8Array, records: Records): void {
  let base = 0;
  let isSegmented = false;
  let hasEnded = false;
  forEachLine(text, (from, to, line) => {
    if (hasEnded) throw new DamagedLine('after-end', line);
    const length = checkRecord(text, from, to, line);
    const data = from + 9;
    const offset = byteAt(text, from + 3, line) * 256 + byteAt(text, from + 5, line);
    const kind = byteAt(text, from + 7, line);
    if (kind === type.data) {
      // Programs disagree whether a record continues or wraps at the end of a 64 KiB segment.
      if (isSegmented && offset + length > 0x10000) throw new DamagedLine('segment-end', line);
      if (base + offset + length > 2 ** 32) throw new DamagedLine('address', line);
      records.begin(base + offset, line);
      for (let at = data; at < data + 2 * length; at += 2) records.push(byteAt(text, at, line));
    } else if (kind === type.segment || kind === type.linear) {
      if (length !== 2) throw new DamagedLine('length', line);
      isSegmented = kind === type.segment;
      const value = byteAt(text, data, line) * 256 + byteAt(text, data + 2, line);
      base = value * (isSegmented ? 16 : 65536);
    } else if (kind === type.end) {
      if (length !== 0) throw new DamagedLine('length', line);
      hasEnded = true;
    } else if (kind !== type.start16 && kind !== type.start32) {
      throw new DamagedLine('record-type', line);
    }
  });
}

function isRecord(line: string): boolean {
  const bytes = Buffer.from(line, 'latin1');
  try {
    checkRecord(bytes, 0, bytes.length, 1);
    return true;
  } catch {
    return false;
  }
}

export const intelHex: TextFormat = {
  kind: 'intel-hex',
  name: 'intel-hex',
  hasAddresses: true,
  // The first record itself may be damaged: then a later one shows the format.
  matches: ({ lines }) => lines[0]?.startsWith(':') === true && lines.some(isRecord),
  read,
};

function recordOf(kind: number, offset: number, data: Buffer): string {
  const head = Buffer.from([data.length, offset >>> 8, offset & 0xff, kind]);
  const sum = (byteSum(head) + byteSum(data)) & 0xff;
  return `:${hexOf(head)}${hexOf(data)}${hexOf(Buffer.from([(256 - sum) & 0xff]))}`;
}

/** Writes linear addresses (type 04), also for the first 64 KiB: without one, some programs ask for an address. */
export const createIntelHexWriter: CreateWriter = () => {
  let upper: number | null = null;
  return {
    start: [],
    write(address, data) {
      const record = recordOf(type.data, address % 0x10000, data);
      const isNew = upper !== Math.floor(address / 0x10000);
      if (!isNew) return [record];
      upper = Math.floor(address / 0x10000);
      return [recordOf(type.linear, 0, Buffer.from([upper >>> 8, upper & 0xff])), record];
    },
    finish: () => [recordOf(type.end, 0, Buffer.alloc(0))],
  };
};
