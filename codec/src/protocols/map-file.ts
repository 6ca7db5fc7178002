/**
 * `REF-MAP`, the invented format of maps files: which maps an image contains, and whether such a list fits an image.
 */

import { fixedBytes, layout, startsWith, u16, u32, u8, viewOf } from '../container/bytes.ts';
import { CodecError } from '../errors.ts';

/*
 *  0  8  "REF-MAP" 00
 *  8  2  version, 1
 * 10  2  number of maps n, 1..1024
 * 12  4  bytes of the image that the maps are in
 * 16     n × { address u32, columns u16, rows u16, bytes of a value u8 (1 or 2), 0 u8, 0 u16, name[20] ASCII, filled with 00 }
 */
const magic = new TextEncoder().encode('REF-MAP\0');
const head = layout({ magic: fixedBytes(8), version: u16, count: u16, imageSize: u32 });
const entry = layout({
  address: u32,
  columns: u16,
  rows: u16,
  unit: u8,
  zero: u8,
  zeros: u16,
  name: fixedBytes(20),
});

/** One map of a maps file. */
export interface ListedMap {
  readonly name: string;
  /** Offset of the first value in the image. */
  readonly address: number;
  readonly columns: number;
  readonly rows: number;
  /** Bytes per value: 1 or 2. */
  readonly unit: number;
}

/** A maps file's bytes for these maps. Names are truncated to 20 letters. */
export function writeMapFile(maps: readonly ListedMap[], imageSize: number): Uint8Array {
  const bytes = new Uint8Array(head.size + maps.length * entry.size);
  const view = viewOf(bytes);
  head.write(view, 0, { magic, version: 1, count: maps.length, imageSize });
  maps.forEach(({ name, address, columns, rows, unit }, index) => {
    const padded = new Uint8Array(20);
    new TextEncoder().encodeInto(name, padded);
    const values = { address, columns, rows, unit, zero: 0, zeros: 0, name: padded };
    entry.write(view, head.size + index * entry.size, values);
  });
  return bytes;
}

/**
 * The maps that a maps file lists, each of them inside an image of `imageSize` bytes.
 * @throws CodecError MAP_FILE_ERROR if it is not a maps file, is for an image of a different size, or a map (named in
 * the detail) is not inside the image.
 */
export function readMapFile(bytes: Uint8Array, imageSize: number): readonly ListedMap[] {
  if (bytes.length < head.size || !startsWith(bytes, magic)) {
    throw new CodecError('MAP_FILE_ERROR');
  }
  const view = viewOf(bytes);
  const { version, count, imageSize: meant } = head.read(view, 0);
  const isWhole = count >= 1 && count <= 1024 && bytes.length === head.size + count * entry.size;
  if (version !== 1 || !isWhole || meant !== imageSize) {
    throw new CodecError('MAP_FILE_ERROR');
  }
  return Array.from({ length: count }, (_, index) => {
    const { name, ...place } = entry.read(view, head.size + index * entry.size);
    const { address, columns, rows, unit, zero, zeros } = place;
    const text = Array.from(name, (letter) => (letter ? String.fromCharCode(letter) : '')).join('');
    const isNamed = /^[ -~]{1,20}$/.test(text);
    const size = columns * rows * unit;
    const isPossible = (unit === 1 || unit === 2) && zero === 0 && zeros === 0 && size > 0;
    if (!isNamed || !isPossible || address + size > imageSize) {
      throw new CodecError('MAP_FILE_ERROR', isNamed ? text : null);
    }
    return { name: text, address, columns, rows, unit };
  });
}
