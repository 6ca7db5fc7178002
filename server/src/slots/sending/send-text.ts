/** Sends a decoded image as a text that programmers read. */
import { Readable } from 'node:stream';
import { isAddressable, writeText } from '@recodery/codec/diagnosis/text/write-text';
import type { ImageTextFormat } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { writeAttachmentHead } from '../../http/attachment-head.ts';
import type { StoredFile } from '../files/stored-files.ts';

const extensions = {
  'intel-hex': 'hex',
  's-record': 'srec',
} as const satisfies Record<ImageTextFormat, string>;

export interface WantedText {
  readonly format: ImageTextFormat;
  /** The address of the first byte, in hexadecimal digits. */
  readonly base: string;
}

/**
 * Sends the image as text, written while it is read: its length and hash are not known before.
 * @throws {Refusal} OPERATION_NOT_POSSIBLE if it is not a decoded image, BAD_REQUEST if it does not end below 4 GiB
 * @throws as `VerifiedStorage.get`, before anything is sent; a large file can still break off
 */
export async function sendText(
  storage: VerifiedStorage,
  file: StoredFile,
  { format, base: digits }: WantedText,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  if (file.role !== 'decoded') throw new Refusal('OPERATION_NOT_POSSIBLE');
  const { size } = file;
  const base = Number.parseInt(digits, 16);
  if (!isAddressable(size, base)) throw new Refusal('BAD_REQUEST');
  const isHead = request.method === 'HEAD';
  const source = isHead ? null : await storage.get(file);
  const name = `${file.name.replace(/\.[^.]*$/, '')}.${extensions[format]}`;
  writeAttachmentHead(reply, name, 'application/octet-stream');
  reply.send(Readable.from(source === null ? [] : writeText(format, { size, base }, source)));
  return undefined;
}
