/** Downloads: a file by its ticket, and the checksum header that goes with it. */
import * as z from 'zod/mini';
import { file, route } from './api.ts';

/** The header that carries a download's SHA-256, as 64 hexadecimal digits. */
export const contentSha256Header = 'X-Content-SHA256';

export const downloadFile = route('GET', '/api/files/{fileGUID}', {
  summary: 'A file, by ticket or session; always as an attachment, with ranges.',
  access: 'session-or-ticket',
  params: z.object({ fileGUID: z.string() }),
  query: z.object({ ticket: z.optional(z.string()) }),
  answer: file(),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'],
});

export const refreshFileURL = route('POST', '/api/files/{fileGUID}/ticket', {
  summary: 'A fresh address for a file, good for an hour; asked for at each click.',
  access: 'session',
  params: z.object({ fileGUID: z.string() }),
  answer: { kind: 'json', status: 200, schema: z.object({ url: z.string() }) },
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'],
});
