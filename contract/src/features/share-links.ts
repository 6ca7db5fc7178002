/** The public page behind an email's link, for recipients without an account: what the file is, and the download. */
import * as z from 'zod/mini';
import { htmlPage, route, storedFile } from '../api.ts';

export const sharePage = route('GET', '/r/{token}', {
  summary:
    'Returns the public page of an email link, which describes the file. Opening it records nothing, and starts nothing.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: htmlPage,
  deadEnds: [404, 410],
  refusals: [],
});

export const shareDownload = route('POST', '/r/{token}', {
  summary:
    'Downloads the file of an email link, for ten days unless the link was withdrawn. A file that was sealed too long ago is sealed again first: the response is then a page that follows this, with status 202. `delivery=earlier` downloads the file as it is.',
  access: 'public',
  params: z.object({ token: z.string() }),
  query: z.object({ delivery: z.optional(z.enum(['earlier'])) }),
  secret: ['token'],
  // its handler does, with the email
  audit: 'never',
  answer: storedFile,
  deadEnds: [202, 404, 410],
  refusals: [],
});
