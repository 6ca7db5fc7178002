/** Reads a multipart form: its text fields, and the one file in it as a stream. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Refusal } from '@recodery/contract/errors';

/** What a form held. `stored` is null when there was no file under the wanted field. */
export interface Form<T> {
  readonly file: { readonly name: string; readonly stored: T } | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** An upload that brings fewer than `bytes` in `ms` milliseconds is ended. */
export interface Pace {
  readonly bytes: number;
  readonly ms: number;
}

/** What is wanted of a form. */
export interface Wanted<T> {
  /** The name of the file's field. */
  readonly field: string;
  readonly maxFileBytes: number;
  /** Bytes of the whole body, whatever its length was declared to be. */
  readonly maxBodyBytes: number;
  readonly pace: Pace;
  /** Takes the file; rejects when the stream breaks, and has cleaned up by then. */
  readonly store: (stream: AsyncIterable<Uint8Array>) => Promise<T>;
}

const limits = { fields: 20, fieldSize: 8192, parts: 40, headerPairs: 50, headerSize: 16 * 1024 };

/** The file's bytes; beyond the limit it says so by `cut`, and ends in that. */
async function* cutAt(
  maxBytes: number,
  file: Readable,
  cut: (refusal: Refusal) => void,
): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const piece of file as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > maxBytes) {
      const refusal = new Refusal('FILE_TOO_LARGE');
      // Before this generator's end lets the stream go, which the parser takes for a broken form.
      cut(refusal);
      throw refusal;
    }
    yield piece;
  }
}

// A boundary has at most 70 characters, which need quotes when they are not all of a token's (RFC 2046, section 5.1.1).
const formType =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+,./:=?-]{1,70}))\s*(?:;|$)/i;

function openForm(raw: IncomingMessage): BusboyInstance {
  const [, quoted, bare] = formType.exec(raw.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw new Refusal('FILE_MISSING');
  return new Busboy({
    // Written anew: of other spellings the parser takes some, and fails at some.
    headers: { ...raw.headers, 'content-type': `multipart/form-data; boundary="${boundary}"` },
    preservePath: true,
    limits,
  });
}

/** Calls `end` when the body breaks off or crawls; gives what stops the watching. */
function watchBody(raw: IncomingMessage, pace: Pace, end: () => void): () => void {
  const onClose = (): void => {
    if (!raw.complete) end();
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
 * Reads a form to its end. The first file under the wanted field is stored, other files are passed over.
 * When this throws, storing has ended too.
 * @throws {Refusal} FILE_MISSING (not a form), FILE_TOO_LARGE, UPLOAD_INTERRUPTED (broken off, crawling or malformed)
 * @throws whatever `store` throws
 */
export async function readForm<T>(raw: IncomingMessage, wanted: Wanted<T>): Promise<Form<T>> {
  const form = openForm(raw);
  const fields: Record<string, string> = Object.create(null);
  const parsed = Promise.withResolvers<void>();
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
    // Also for a stream that breaks before anybody has begun to read it: an error nobody hears ends the process.
    stream.on('error', interrupt);
    // A browser sends a nameless, empty part for an input in which no file was chosen.
    if (field !== wanted.field || file !== null || name === undefined || name === '') {
      stream.resume();
      return;
    }
    // No stage in between: what waits in queues outlives the quick garbage collections, and memory grows.
    file = {
      name,
      stream,
      stored: wanted.store(cutAt(wanted.maxFileBytes, stream, parsed.reject)),
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
  // What TypeScript cannot see: the listener above has set it.
  const found = file as { name: string; stored: Promise<T> } | null;
  const [stored] = await Promise.allSettled([found?.stored]);
  // A form that has failed may still call back while it is let go.
  form
    .removeAllListeners()
    .on('error', () => undefined)
    .destroy();
  if (end.status === 'rejected') throw end.reason;
  if (stored.status === 'rejected') throw stored.reason;
  return {
    file: found === null ? null : { name: found.name, stored: stored.value as T },
    fields,
  };
}
