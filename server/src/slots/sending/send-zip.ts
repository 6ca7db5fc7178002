/** Sends stored files as one zip, which is packed while it is sent. */
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Doer } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { recordWhenSent } from './downloads.ts';
import { writeAttachmentHead } from '../../http/attachment-head.ts';
import type { StoredFile } from '../files/stored-files.ts';
import { type PackedText, packFiles } from './zip.ts';

export interface SendZipDependencies {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'get' | 'admit'>;
}

/** A zip to send: its name, its files, and texts besides them. */
export interface ZipContents {
  readonly name: string;
  readonly files: readonly StoredFile[];
  readonly texts?: readonly PackedText[];
}

/** Sends the zip to a user or program of the organisation that has its files. Refuses with NOT_FOUND when there are no files. @throws as `VerifiedStorage.admit` */
export async function sendZip(
  { db, storage }: SendZipDependencies,
  { name, files, texts }: ZipContents,
  doer: Doer,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<undefined> {
  if (files.length === 0) throw new Refusal('NOT_FOUND');
  // once the headers are sent, no error can be returned
  await Promise.all(files.map(storage.admit));
  const { size, stream } = packFiles(storage, files, texts);
  writeAttachmentHead(reply, name, 'application/zip');
  reply.header('content-length', size);
  if (request.method === 'HEAD') stream.destroy();
  recordWhenSent(db, files, { way: 'own', doer }, { request, reply });
  reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  return undefined;
}
