/** Sends stored files as one zip, which is packed while it is sent. */
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Doer } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { recordWhenSent } from './downloads.ts';
import { writeAttachmentHead } from './send-file.ts';
import type { StoredFile } from './stored-files.ts';
import { type PackedText, packFiles } from './zip.ts';

export interface SendZipDependencies {
  readonly db: Db;
  readonly storage: Pick<Storage, 'get' | 'head'>;
}

/** A zip to send: its name, its files, and texts besides them. */
export interface ZipContents {
  readonly name: string;
  readonly files: readonly StoredFile[];
  readonly texts?: readonly PackedText[];
}

/** Sends the zip to a user or program of the organisation that has its files. Refuses with NOT_FOUND when there are no files or the storage has lost one. */
export async function sendZip(
  { db, storage }: SendZipDependencies,
  { name, files, texts }: ZipContents,
  doer: Doer,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<undefined> {
  // once the headers are sent, no error can be returned
  const heads = await Promise.all(files.map(({ storageKey }) => storage.head(storageKey)));
  if (heads.length === 0 || heads.includes(null)) throw new Refusal('NOT_FOUND');
  const { size, stream } = packFiles(storage, files, texts);
  writeAttachmentHead(reply, name, 'application/zip');
  reply.header('content-length', size);
  if (request.method === 'HEAD') stream.destroy();
  recordWhenSent(db, files, { way: 'own', doer }, { request, reply });
  reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  return undefined;
}
