/**
 * The archive format of a backup: a tar file (POSIX ustar) that every tar can unpack, with a last entry that verifies
 * the rest. If a file was truncated or changed, that checksum is missing or wrong.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { CannotStart } from '../config/cannot-start.ts';
import type { ByteStream } from '../storage/storage.ts';

const blockSize = 512;
/** The entry with the SHA-256 of everything before it, as 64 hexadecimal digits and a line end. */
const proofName = 'SHA256';
const proofSize = 65;
/** Bytes of the checksum entry with its header, and of the two empty blocks that end every tar file. */
const endSize = 4 * blockSize;
/** Bytes read at once. */
const pieceSize = 1024 * 1024;

/** The position of each header field: offset and length in bytes (POSIX.1-1988, ustar). */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

/** An archive being written. */
export interface TarWriter {
  /** Adds an entry of exactly `size` bytes. @throws when the content has a different size */
  add(name: string, size: number, content: ByteStream): Promise<void>;
  /** Adds an entry from memory. */
  addBytes(name: string, bytes: Uint8Array): Promise<void>;
  /** Writes the checksum and syncs the archive to disk. */
  end(): Promise<void>;
}

/** An entry of an archive. */
export interface TarEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes, in pieces. */
  content(): ByteStream;
}

/** What an archive is written to: an open, empty file, or anything else that takes bytes in their order. */
export interface TarOutput {
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
}

/** Writes an archive. */
export function createTar(file: TarOutput, now: Date): TarWriter {
  const hash = createHash('sha256');
  const write = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes);
    // of an open file, this continues after what was written before
    await file.writeFile(bytes);
  };
  const add = async (name: string, size: number, content: ByteStream): Promise<void> => {
    await write(headerOf(name, size, now));
    let left = size;
    for await (const piece of content) {
      left -= piece.byteLength;
      if (left < 0) break;
      await write(piece);
    }
    if (left !== 0) throw new Error(`${name} does not have the expected ${size} bytes`);
    await write(Buffer.alloc(paddingOf(size)));
  };
  return {
    add,
    addBytes: (name, bytes) => add(name, bytes.byteLength, once(bytes)),
    async end() {
      await file.writeFile(endOf(hash.digest('hex')));
      await file.sync();
    },
  };
}

/**
 * Verifies that a file is a complete and unchanged archive of ours: reads all of it. `onProgress` is called with the
 * share that has been read. Returns the SHA-256 of its entries.
 * @throws {CannotStart} when it is not
 */
export async function checkTar(
  file: FileHandle,
  path: string,
  onProgress: (share: number) => void = () => undefined,
): Promise<string> {
  const { size } = await file.stat();
  const length = size - endSize;
  if (length <= 0 || size % blockSize !== 0) refuse(path);
  const hash = createHash('sha256');
  let at = 0;
  for await (const piece of read(file, 0, length)) {
    hash.update(piece);
    at += piece.byteLength;
    onProgress(at / length);
  }
  const end: Uint8Array[] = [];
  for await (const piece of read(file, length, size)) end.push(piece);
  const sha256 = hash.digest('hex');
  if (!Buffer.concat(end).equals(endOf(sha256))) refuse(path);
  return sha256;
}

/** The entries of an archive that {@link checkTar} has verified, without the checksum. */
export async function* readTar(file: FileHandle, path: string): AsyncIterable<TarEntry> {
  const end = (await file.stat()).size - endSize;
  let at = 0;
  while (at < end) {
    const header = Buffer.alloc(blockSize);
    await file.read(header, 0, blockSize, at);
    const { name, size } = readHeader(header, path);
    const start = at + blockSize;
    at = start + size + paddingOf(size);
    if (at > end) refuse(path);
    yield { name, size, content: () => read(file, start, start + size) };
  }
}

/** Opens a file for reading. @throws {CannotStart} when it cannot be opened */
export async function openArchive(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: unknown) => {
    throw new CannotStart(`Could not read ${path}: ${String(error)}`);
  });
}

function refuse(path: string): never {
  throw new CannotStart(
    `${path} is not a complete backup: it was truncated or changed, or it is another kind of file.`,
  );
}

async function* once(bytes: Uint8Array): ByteStream {
  yield bytes;
}

async function* read(file: FileHandle, start: number, end: number): ByteStream {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceSize, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

function endOf(sha256: string): Buffer {
  const end = Buffer.alloc(endSize);
  headerOf(proofName, proofSize, new Date(0)).copy(end);
  end.write(`${sha256}\n`, blockSize, 'ascii');
  return end;
}

function headerOf(name: string, size: number, modifiedOn: Date): Buffer {
  const header = Buffer.alloc(blockSize);
  const [prefix, last] = splitName(name);
  const put = ([start]: readonly [number, number], text: string) => header.write(text, start);
  const putNumber = (field: readonly [number, number], value: number) => {
    const digits = field[1] - 1;
    const octal = value.toString(8).padStart(digits, '0');
    if (octal.length > digits) throw new Error(`${name} is too large for an archive`);
    put(field, octal);
  };
  put(fields.name, last);
  putNumber(fields.mode, 0o600);
  putNumber(fields.owner, 0);
  putNumber(fields.group, 0);
  putNumber(fields.size, size);
  putNumber(fields.modified, Math.floor(modifiedOn.getTime() / 1000));
  put(fields.type, '0');
  put(fields.magic, 'ustar\u000000');
  put(fields.prefix, prefix);
  put(fields.checksum, `${checksumOf(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** The sum of all bytes, with the bytes of the checksum itself counted as spaces. */
function checksumOf(header: Uint8Array): number {
  const [start, length] = fields.checksum;
  return header.reduce(
    (sum, byte, index) => sum + (index >= start && index < start + length ? 0x20 : byte),
    0,
  );
}

/** Prefix and name, which readers join with a slash. */
function splitName(name: string): readonly [string, string] {
  if (name.length <= fields.name[1]) return ['', name];
  const at = name.indexOf('/', name.length - fields.name[1] - 1);
  if (at < 1 || at > fields.prefix[1]) throw new Error(`the name ${name} is too long`);
  return [name.slice(0, at), name.slice(at + 1)];
}

function readHeader(header: Buffer, path: string): { name: string; size: number } {
  const text = ([start, length]: readonly [number, number]): string =>
    header.toString('latin1', start, start + length).replace(/\0.*$/s, '');
  const number = (field: readonly [number, number]): number => Number.parseInt(text(field), 8);
  const size = number(fields.size);
  if (!text(fields.magic).startsWith('ustar') || number(fields.checksum) !== checksumOf(header)) {
    refuse(path);
  }
  if (text(fields.type) !== '0' || !Number.isSafeInteger(size) || size < 0) refuse(path);
  const prefix = text(fields.prefix);
  return { name: prefix === '' ? text(fields.name) : `${prefix}/${text(fields.name)}`, size };
}
