/** The terms of use as users will see them, before they are saved. */
import * as z from 'zod/mini';
import { json, route } from '../api.ts';

export const previewTerms = route('POST', '/api/admin/terms-preview', {
  summary: 'Renders a text of the terms of use as its page. Nothing is saved.',
  access: 'person',
  role: 'operator',
  body: z.object({
    /** The two letters of its language. */
    language: z.string().check(z.maxLength(2)),
    text: z.string().check(z.maxLength(60_000)),
  }),
  /** A whole document without scripts. */
  answer: json(z.object({ page: z.string() })),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST'],
});
