/** Motorola S-record: `S`, a type, a count, an address, data, and the complement of the sum of all bytes. */

import { byteAt, digitAt, forEachLine, isHex } from './lines.ts';
import { type CreateWriter, hexOf, byteSum } from './record-writer.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

/** Bytes of the address, by the type of a record; type 4 is reserved. */
const addressBytes: readonly (number | null)[] = [2, 2, 3, 4, null, 2, 3, 4, 3, 2];

interface Header {
  readonly type: number;
  readonly address: number;
  /** Bytes of the address. */
  readonly width: number;
  /** Bytes of data. */
  readonly length: number;
}

/** Checks length and sum of a record. */
function checkRecord(text: Uint8Array, from: number, to: number, line: number): Header {
  if (text[from] !== 0x53 && text[from] !== 0x73) throw new DamagedLine('trailing-text', line);
  if (!isHex(text, from + 1, to)) throw new DamagedLine('digits', line);
  const type = digitAt(text, from + 1);
  const width = addressBytes[type] ?? null;
  if (width === null) throw new DamagedLine('record-type', line);
  const count = to - from < 4 ? -1 : byteAt(text, from + 2, line);
  const length = count - width - 1;
  if (to - from !== 4 + 2 * count || length < 0) throw new DamagedLine('length', line);
  let sum = 0;
  for (let at = from + 2; at < to; at += 2) sum += byteAt(text, at, line);
  if ((sum & 0xff) !== 0xff) throw new DamagedLine('checksum', line);
  let address = 0;
  for (let index = 0; index < width; index += 1) {
    address = address * 256 + byteAt(text, from + 4 + 2 * index, line);
  }
  return { type, address, width, length };
}

function read(text: Uint8Array, records: Records): void {
  let counted = 0;
  let hasEnded = false;
  forEachLine(text, (from, to, line) => {
    if (hasEnded) throw new DamagedLine('after-end', line);
    const { type, address, width, length } = checkRecord(text, from, to, line);
    const data = from + 4 + 2 * width;
    if (type >= 1 && type <= 3) {
      counted += 1;
      if (address + length > 2 ** 32) throw new DamagedLine('address', line);
      records.begin(address, line);
      for (let at = data; at < data + 2 * length; at += 2) records.push(byteAt(text, at, line));
    } else if (type === 5 || type === 6) {
      if (address !== counted) throw new DamagedLine('record-count', line);
    } else if (type >= 7) {
      hasEnded = true;
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

export const sRecord: TextFormat = {
  kind: 's-record',
  name: 's-record',
  hasAddresses: true,
  matches: ({ lines }) => /^S\d/i.test(lines[0] ?? '') && lines.some(isRecord),
  read,
};

function recordOf(kind: number, address: number, data: Buffer): string {
  const width = addressBytes[kind] ?? 0;
  const head = Buffer.alloc(1 + width);
  head[0] = width + data.length + 1;
  head.writeUIntBE(address, 1, width);
  const sum = (byteSum(head) + byteSum(data)) & 0xff;
  return `S${kind}${hexOf(head)}${hexOf(data)}${hexOf(Buffer.from([0xff - sum]))}`;
}

/** Writes the shortest addresses that reach the last byte. */
export const createSRecordWriter: CreateWriter = (lastAddress) => {
  const kind = [0xffff, 0xff_ffff, 0xffff_ffff].findIndex((most) => lastAddress <= most) + 1;
  let count = 0;
  return {
    start: [recordOf(0, 0, Buffer.from('HDR'))],
    write(address, data) {
      count += 1;
      return [recordOf(kind, address, data)];
    },
    finish() {
      // a longer text has more records than the number of a count record can be
      const counts = count <= 0xffff ? [recordOf(5, count, Buffer.alloc(0))] : [];
      return [...counts, recordOf(10 - kind, 0, Buffer.alloc(0))];
    },
  };
};
