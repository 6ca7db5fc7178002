/** Reads a multipart form: its text fields, and its one file as a stream. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Refusal } from '@recodery/contract/refusal';
import { StorageUnavailable } from '../../storage/storage.ts';

/**
 * The contents of a form. `file` is null when there was none in the wanted field. `start`: its first bytes, at most
 * {@link startBytes}.
 */
export interface MultipartForm<T> {
  readonly file: { readonly name: string; readonly start: Uint8Array; readonly stored: T } | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** An upload that sends fewer than `bytes` in `ms` milliseconds is aborted. */
export interface Pace {
  readonly bytes: number;
  readonly ms: number;
}

/** The parts to read from a form. */
export interface FormOptions<T> {
  /** Whether a field of this name contains the file. */
  readonly isFileField: (name: string) => boolean;
  readonly maxFileBytes: number;
  /** Maximum bytes of the whole body, regardless of its declared length. */
  readonly maxBodyBytes: number;
  readonly pace: Pace;
  /** Stores the file; rejects when the stream breaks, after cleaning up. */
  readonly store: (stream: AsyncIterable<Uint8Array>, name: string) => Promise<T>;
}

const limits = { fields: 20, fieldSize: 8192, parts: 40, headerPairs: 50, headerSize: 16 * 1024 };

/** Bytes of a file's start that are kept in memory: the header of a read is shorter. */
const startBytes = 4096;

/** Copies the first bytes of a file, at most {@link startBytes}, from its pieces. */
function keepStart() {
  const start = Buffer.alloc(startBytes);
  let size = 0;
  return {
    see(piece: Uint8Array): void {
      const part = piece.subarray(0, startBytes - size);
      start.set(part, size);
      size += part.byteLength;
    },
    read: (): Uint8Array => start.subarray(0, size),
  };
}

/** The file's bytes, which `see` gets too; beyond the limit it calls `cut` and fails. */
async function* cutAt(
  maxBytes: number,
  file: Readable,
  see: (piece: Uint8Array) => void,
  cut: (refusal: Refusal) => void,
): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const piece of file as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > maxBytes) {
      const refusal = new Refusal('FILE_TOO_LARGE');
      // Must run before this generator ends and releases the stream, which the parser would report as a broken form.
      cut(refusal);
      throw refusal;
    }
    see(piece);
    yield piece;
  }
}

// A boundary has at most 70 characters, and needs quotes unless all of them are token characters (RFC 2046, section
// 5.1.1).
const formType =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

function openForm(raw: IncomingMessage): BusboyInstance {
  const [, quoted, bare] = formType.exec(raw.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw new Refusal('FILE_MISSING');
  return new Busboy({
    // Rewritten in one form: the parser accepts only some of the other valid spellings.
    headers: { ...raw.headers, 'content-type': `multipart/form-data; boundary="${boundary}"` },
    preservePath: true,
    limits,
  });
}

/** Calls `end` when the body breaks off or is too slow; returns a function that stops watching. */
function watchBody(raw: IncomingMessage, pace: Pace, end: () => void): () => void {
  // Not `complete`: a client that disconnects right after the last byte leaves bytes that can no longer be read.
  const onClose = (): void => {
    if (!raw.readableEnded) end();
  };
  let seen = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const arrived = raw.socket.bytesRead - seen;
    seen = raw.socket.bytesRead;
    if (arrived < pace.bytes) end();
  }, pace.ms).unref();
  raw.once('close', onClose);
  if (raw.destroyed) onClose();
  return () => {
    clearInterval(timer);
    raw.off('close', onClose);
  };
}

/**
 * Reads a form to its end. The first file in the wanted field is stored, other files are skipped. When this throws,
 * storing has ended too.
 * @throws {Refusal} FILE_MISSING (not a form), FILE_TOO_LARGE, UPLOAD_INTERRUPTED (broken off, too slow or malformed)
 * @throws what `store` throws
 */
export async function readForm<T>(
  raw: IncomingMessage,
  wanted: FormOptions<T>,
): Promise<MultipartForm<T>> {
  const form = openForm(raw);
  const fields: Record<string, string> = Object.create(null);
  const parsed = Promise.withResolvers<void>();
  const start = keepStart();
  let file: { name: string; stream: Readable; stored: Promise<T> } | null = null;

  const stop = (refusal: Refusal): void => {
    parsed.reject(refusal);
    file?.stream.destroy(refusal);
  };
  const interrupt = (): void => stop(new Refusal('UPLOAD_INTERRUPTED'));
  let arrived = 0;
  const count = (piece: Buffer): void => {
    arrived += piece.byteLength;
    if (arrived > wanted.maxBodyBytes) stop(new Refusal('FILE_TOO_LARGE'));
  };
  const onFile = (field: string, stream: Readable, name?: string): void => {
    // Also for a stream that breaks before it is read: an unhandled error event would crash the process.
    stream.on('error', interrupt);
    // A browser sends a nameless, empty part for an input without a chosen file.
    if (!wanted.isFileField(field) || file !== null || name === undefined || name === '') {
      stream.resume();
      return;
    }
    // No intermediate stream: queued chunks would outlive minor garbage collections, and memory would grow.
    file = {
      name,
      stream,
      stored: wanted.store(cutAt(wanted.maxFileBytes, stream, start.see, parsed.reject), name),
    };
    file.stored.catch(parsed.reject);
  };
  form.on('field', (field, value) => {
    fields[field] = value;
  });
  form.on('file', onFile);
  form.on('error', interrupt);
  form.on('finish', parsed.resolve);

  const stopWatching = watchBody(raw, wanted.pace, interrupt);
  raw.on('data', count);
  raw.pipe(form);
  const [end] = await Promise.allSettled([parsed.promise]);
  stopWatching();
  raw.off('data', count);
  raw.unpipe(form);
  // TypeScript cannot see that the listener above has set it.
  const found = file as { name: string; stored: Promise<T> } | null;
  const [stored] = await Promise.allSettled([found?.stored]);
  // A failed form may still emit events while it is being destroyed.
  form
    .removeAllListeners()
    .on('error', () => undefined)
    .destroy();
  // a store that gives up destroys the stream, which looks like an interruption
  if (stored.status === 'rejected' && stored.reason instanceof StorageUnavailable)
    throw stored.reason;
  if (end.status === 'rejected') throw end.reason;
  if (stored.status === 'rejected') throw stored.reason;
  if (found === null) return { file: null, fields };
  return { file: { name: found.name, start: start.read(), stored: stored.value as T }, fields };
}
