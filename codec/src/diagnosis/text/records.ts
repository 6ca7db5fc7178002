/** Collects the bytes of a text with their addresses. Memory depends on the bytes that it receives, never on addresses. */

import { DamagedLine } from './damaged-line.ts';

/** The most bytes, and records, that a text may store. */
export const textLimits = { bytes: 16 * 1024 * 1024, records: 4_000_000 } as const;

/** Bytes without a gap. */
export interface Segment {
  /** Address of the first byte. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

const columns = 4;
const initialRecords = 1024;
const initialBytes = 64 * 1024;

/** The record that starts a run of bytes: columns of one array, because a text can have millions of them. */
const column = { address: 0, data: 1, line: 2, length: 3 } as const;

export class Records {
  #bytes = new Uint8Array(initialBytes);
  #used = 0;
  #table = new Uint32Array(initialRecords * columns);
  #count = 0;

  /** Starts a record: the next bytes are stored from `address` (0 to 2^32 - 1). `line` counts from 1. */
  begin(address: number, line: number): void {
    if (this.#count === textLimits.records) throw new DamagedLine('too-large', line);
    if (this.#table.length === this.#count * columns) {
      const grown = new Uint32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    const row = this.#count * columns;
    this.#table[row + column.address] = address;
    this.#table[row + column.data] = this.#used;
    this.#table[row + column.line] = line;
    this.#count += 1;
  }

  /** Adds a byte to the current record. */
  push(byte: number): void {
    if (this.#used === this.#bytes.length) this.#grow();
    this.#bytes[this.#used] = byte;
    this.#used += 1;
    const length = (this.#count - 1) * columns + column.length;
    this.#table[length] = (this.#table[length] ?? 0) + 1;
  }

  #grow(): void {
    if (this.#used >= textLimits.bytes)
      throw new DamagedLine('too-large', this.#cell(this.#count - 1, 'line'));
    const grown = new Uint8Array(Math.min(this.#bytes.length * 2, textLimits.bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  #cell(record: number, name: keyof typeof column): number {
    return this.#table[record * columns + column[name]] ?? 0;
  }

  /** Numbers of the records in ascending order of address; null if they already are, and none overlap. */
  #sortRecords(): Uint32Array | null {
    let isSorted = true;
    for (let record = 1; record < this.#count && isSorted; record += 1) {
      const end = this.#cell(record - 1, 'address') + this.#cell(record - 1, 'length');
      isSorted = this.#cell(record, 'address') >= end;
    }
    if (isSorted) return null;
    // Sorting 64-bit keys needs no comparison function, which would take seconds for millions of records.
    const keys = new BigUint64Array(this.#count);
    const halves = new Uint32Array(keys.buffer);
    for (let record = 0; record < this.#count; record += 1) {
      halves[2 * record] = record;
      halves[2 * record + 1] = this.#cell(record, 'address');
    }
    keys.sort();
    return Uint32Array.from({ length: this.#count }, (_, index) => halves[2 * index] ?? 0);
  }

  /**
   * The bytes in ascending order of address, as few segments as possible. Equal bytes may be stored twice; throws
   * {@link DamagedLine} with both lines if they differ.
   */
  merge(): readonly Segment[] {
    const order = this.#sortRecords();
    if (order === null) return this.#joinSorted();
    const bytes = new Uint8Array(this.#used);
    const segments: Segment[] = [];
    let from = 0;
    let used = 0;
    let start = 0;
    const close = (): void => {
      if (used > from) segments.push({ at: start, bytes: bytes.subarray(from, used) });
      from = used;
    };
    for (const record of order) {
      const length = this.#cell(record, 'length');
      if (length === 0) continue;
      const address = this.#cell(record, 'address');
      const data = this.#bytes.subarray(this.#cell(record, 'data')).subarray(0, length);
      if (used === from || address > start + used - from) {
        close();
        start = address;
      }
      const known = Math.min(start + used - from - address, length);
      const place = from + address - start;
      for (let index = 0; index < known; index += 1) {
        if (bytes[place + index] !== data[index]) this.#refuse(record, address + index);
      }
      bytes.set(data.subarray(known), place + known);
      used = Math.max(used, place + length);
    }
    close();
    return segments;
  }

  /** Records in order become segments without a copy. */
  #joinSorted(): readonly Segment[] {
    const segments: Segment[] = [];
    let first = 0;
    for (let record = 1; record <= this.#count; record += 1) {
      const end = this.#cell(record - 1, 'address') + this.#cell(record - 1, 'length');
      if (record < this.#count && this.#cell(record, 'address') === end) continue;
      const data = this.#cell(first, 'data');
      const length = this.#cell(record - 1, 'data') + this.#cell(record - 1, 'length') - data;
      const bytes = this.#bytes.subarray(data, data + length);
      if (length > 0) segments.push({ at: this.#cell(first, 'address'), bytes });
      first = record;
    }
    return segments;
  }

  /** Names the line that stores a different byte at an address, and the line of this record. */
  #refuse(record: number, address: number): never {
    const byteOf = (one: number): number | undefined =>
      this.#bytes[this.#cell(one, 'data') + address - this.#cell(one, 'address')];
    const lines = [this.#cell(record, 'line')];
    for (let one = 0; one < this.#count && lines.length < 2; one += 1) {
      const from = this.#cell(one, 'address');
      const isThere = address >= from && address < from + this.#cell(one, 'length');
      if (isThere && byteOf(one) !== byteOf(record)) lines.push(this.#cell(one, 'line'));
    }
    const [other = 0, line = other] = lines.toSorted((a, b) => a - b);
    throw new DamagedLine('overlap', line, other);
  }
}
