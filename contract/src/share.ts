/** The public page behind an email's link, for recipients without an account: what the file is, and the download. */
import * as z from 'zod/mini';
import { file, page, route } from './api.ts';

export const sharePage = route('GET', '/r/{token}', {
  summary: "The public page of a mail's link: what the file is; opening it records nothing.",
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: page,
  refusals: [],
});

export const shareDownload = route('POST', '/r/{token}', {
  summary: 'The file of a mail’s link, for ten days, unless it was revoked.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: file(),
  refusals: ['NOT_FOUND'],
});
