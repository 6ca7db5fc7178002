/** Sends a stored file as JSON with its bytes in Base64, streamed: the whole file is never in memory. */
import { Readable } from 'node:stream';
import { contentSha256Header } from '@recodery/contract/features/slots';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '../slots/files/stored-files.ts';
import type { ByteStream } from '../storage/storage.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';

/** Bytes that Base64 writes as four characters. */
const group = 3;

/** The bytes in Base64, as ASCII. */
async function* encodeBase64(stream: ByteStream): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of stream) {
    // a view where possible, not a copy
    const bytes =
      rest.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
        : Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % group);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString('base64'), 'latin1');
}

async function* writeJson(head: Uint8Array, bytes: ByteStream, tail: Uint8Array) {
  yield head;
  yield* encodeBase64(bytes);
  yield tail;
}

/** Sends `{name, data}`. @throws as `VerifiedStorage.get`, before anything is sent */
export async function sendFileData(
  storage: Pick<VerifiedStorage, 'get'>,
  file: StoredFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  // HEAD does not open the file; a stream, even an empty one, leaves the content-length header unchanged.
  const bytes = request.method === 'HEAD' ? null : await storage.get(file);
  const head = Buffer.from(`{"name":${JSON.stringify(file.name)},"data":"`);
  const tail = Buffer.from('"}');
  const dataLength = Math.ceil(file.size / group) * 4;
  reply
    .type('application/json; charset=utf-8')
    .header(contentSha256Header, file.sha256)
    .header('content-length', head.length + dataLength + tail.length);
  reply.send(
    bytes === null
      ? Readable.from([])
      : Readable.from(writeJson(head, bytes, tail), { objectMode: false }),
  );
  return undefined;
}
