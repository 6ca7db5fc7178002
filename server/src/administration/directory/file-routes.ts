/** The routes of the directory file. */
import {
  applyDirectoryFile,
  type DirectoryPreview,
  downloadDirectory,
  mostDirectoryBytes,
  previewDirectory,
} from '@recodery/contract/admin/directory';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Upload } from '../../http/file-transfer.ts';
import type { Router } from '../../http/serve.ts';
import { type DirectoryDeps, exportDirectory } from '../../organisations/directory/directory.ts';
import { writeDirectoryFile } from '../../organisations/directory/directory-file.ts';
import { writeAttachmentHead } from '../../http/attachment-head.ts';
import { applyFile } from './apply-file.ts';

/** Changes that an entry of the audit trail contains; the others are counted. */
const mostRecorded = 500;

const receive = (upload: Upload<unknown>): Promise<Buffer> =>
  upload.receiveInto(mostDirectoryBytes, (stream) => buffer(Readable.from(stream)));

/** What the audit trail contains of an applied file. */
function auditFacts({ changes }: DirectoryPreview) {
  return { count: changes.length, changes: changes.slice(0, mostRecorded) };
}

/** Registers the routes of contract/admin/directory. */
export function serveDirectoryFile(router: Router, deps: DirectoryDeps): void {
  router.serve(downloadDirectory, async ({ request, reply }) => {
    const text = writeDirectoryFile(await exportDirectory(deps.db));
    const day = new Date().toISOString().slice(0, 10);
    writeAttachmentHead(reply, `directory_${day}.yaml`, downloadDirectory.parts.answer.mediaType);
    reply.header('cache-control', 'no-store');
    reply.send(Readable.from(request.method === 'HEAD' ? [] : [text], { objectMode: false }));
    return undefined;
  });
  router.serve(previewDirectory, async ({ upload }) =>
    applyFile(deps, await receive(upload), { plan: null, move: false }),
  );
  router.serve(applyDirectoryFile, async ({ upload, query, noteAudit }) => {
    const applied = await applyFile(deps, await receive(upload), query);
    noteAudit(auditFacts(applied));
    return applied;
  });
}
