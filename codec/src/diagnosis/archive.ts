/** The contents of a ZIP file, as far as a diagnosis needs them: whether it has a password, and its only file. */

import { crc32, inflateRawSync } from 'node:zlib';
import { viewOf } from '../container/bytes.ts';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;
const fileBytes = 30;
const mostComment = 0xffff;
const stored = 0;
const deflated = 8;

/** A file in a ZIP file. */
export interface ZipEntry {
  /** With its folders. */
  readonly name: string;
  /** Bytes, as its entry states. */
  readonly size: number;
  /** Its content; null: it is damaged, or not of that size. */
  readonly extract: () => Uint8Array | null;
}

/** A ZIP file. */
export interface Zip {
  readonly hasPassword: boolean;
  /** Files in it. */
  readonly count: number;
  /** Folders are left out. */
  readonly files: readonly ZipEntry[];
  /** The content of its only file, if it has exactly `size` bytes and its CRC is right; else null. */
  readonly only: (size: number) => Uint8Array | null;
}

function findEnd(view: DataView): number | null {
  const lowest = Math.max(0, view.byteLength - endBytes - mostComment);
  for (let at = view.byteLength - endBytes; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return null;
}

/** The bytes of an entry; null if it is damaged, or has another size. */
function extract(bytes: Uint8Array, entry: number, size: number): Uint8Array | null {
  const view = viewOf(bytes);
  const method = view.getUint16(entry + 10, true);
  const crc = view.getUint32(entry + 16, true);
  const packed = view.getUint32(entry + 20, true);
  const at = view.getUint32(entry + 42, true);
  if (view.getUint32(entry + 24, true) !== size || at + fileBytes > bytes.length) return null;
  if (view.getUint32(at, true) !== fileSignature) return null;
  const names = view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const data = bytes.subarray(at + fileBytes + names, at + fileBytes + names + packed);
  const content = method === stored ? data : method === deflated ? inflate(data, size) : null;
  return content?.length === size && crc32(content) === crc ? content : null;
}

function inflate(data: Uint8Array, size: number): Uint8Array | null {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  } catch {
    return null;
  }
}

/** Reads the directory of a ZIP file; null if it has none. */
export function readZipDirectory(bytes: Uint8Array): Zip | null {
  if (bytes.length < endBytes) return null;
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  const first = view.getUint32(end + 16, true);
  const entries: number[] = [];
  for (let at = first; entries.length < count && at + entryBytes <= bytes.length; ) {
    if (view.getUint32(at, true) !== entrySignature) break;
    entries.push(at);
    const names = [28, 30, 32].reduce((sum, place) => sum + view.getUint16(at + place, true), 0);
    at += entryBytes + names;
  }
  const [only, ...others] = entries;
  const files = entries.map((at): ZipEntry => {
    const nameAt = at + entryBytes;
    const size = view.getUint32(at + 24, true);
    const name = bytes.subarray(nameAt, nameAt + view.getUint16(at + 28, true));
    return {
      name: new TextDecoder().decode(name),
      size,
      extract: () => extract(bytes, at, size),
    };
  });
  return {
    hasPassword: entries.some((at) => (view.getUint16(at + 8, true) & 1) === 1),
    count,
    files: files.filter(({ name }) => !name.endsWith('/')),
    only: (size) => (only === undefined || others.length > 0 ? null : extract(bytes, only, size)),
  };
}
