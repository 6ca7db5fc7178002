/** Sends a stored file as a download: always an attachment, whole or one range of it (RFC 9110, section 14). */
import { Readable } from 'node:stream';
import { contentSha256Header } from '@recodery/contract/features/slots';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeAttachmentHead } from '../../http/attachment-head.ts';
import type { ByteRange } from '../../storage/storage.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import type { StoredFile } from '../files/stored-files.ts';

/** The requested part of a file: `null` is the whole file, `'none'` a range outside the file. */
export type AskedRange = ByteRange | null | 'none';

/**
 * The range that a header requests. Several ranges, other units and unreadable values return the whole file, as the RFC
 * allows.
 */
export function parseRangeHeader(header: string | undefined, size: number): AskedRange {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  if (start >= size) return 'none';
  return { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

function tagOf(file: StoredFile): string {
  return `"${file.sha256}"`;
}

/**
 * Whether a list of entity tags contains this one; weak or strong makes no difference, because the bytes never change.
 */
function matchesETag(header: string | undefined, tag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === tag || one === '*');
}

/** The requested range, unless If-Range shows that the caller has part of another version (strong comparison). */
function wantedRange({ headers }: FastifyRequest, tag: string, size: number): AskedRange {
  const condition = headers['if-range'];
  return condition === undefined || condition === tag
    ? parseRangeHeader(headers.range, size)
    : null;
}

/** Writes the headers of every response about the file. */
function writeHead(reply: FastifyReply, file: StoredFile): void {
  writeAttachmentHead(reply, file.name, 'application/octet-stream');
  reply
    .header('accept-ranges', 'bytes')
    .header('etag', tagOf(file))
    .header(contentSha256Header, file.sha256);
}

/** Sends the file. @throws as `VerifiedStorage.get`, before anything is sent; a large file can still break off */
export async function sendFile(
  storage: VerifiedStorage,
  file: StoredFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  // A form's button always requests the file, even when the browser has it cached.
  const mayBeKept = request.method !== 'POST';
  if (mayBeKept && matchesETag(request.headers['if-none-match'], tagOf(file))) {
    writeHead(reply, file);
    reply.code(304).send();
    return undefined;
  }
  const range = wantedRange(request, tagOf(file), file.size);
  if (range === 'none') {
    reply.code(416).header('content-range', `bytes */${file.size}`).send();
    return undefined;
  }
  // HEAD does not open the file; a stream, even an empty one, leaves the content-length header unchanged.
  const bytes =
    request.method === 'HEAD' ? Readable.from([]) : await storage.get(file, range ?? undefined);
  writeHead(reply, file);
  if (range !== null) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  reply.header('content-length', range === null ? file.size : range.end - range.start + 1);
  reply.send(bytes);
  return undefined;
}
