/** The public page behind an email's link, for recipients without an account: what the file is, and the download. */
import * as z from 'zod/mini';
import { htmlPage, route, storedFile } from '../api.ts';

export const sharePage = route('GET', '/r/{token}', {
  summary:
    'Returns the public page of an email link, which describes the file. Opening it records nothing.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: htmlPage,
  deadEnds: [404, 410],
  refusals: [],
});

export const shareDownload = route('POST', '/r/{token}', {
  summary: 'Downloads the file of an email link, for ten days unless the link was withdrawn.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  // its handler does, with the email
  audit: 'never',
  answer: storedFile,
  deadEnds: [404, 410],
  refusals: [],
});
