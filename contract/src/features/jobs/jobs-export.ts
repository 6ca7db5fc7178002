/** The full export of an organisation's jobs. */
import * as z from 'zod/mini';
import { file, json, route } from '../../api.ts';

export const mintJobsExport = route('POST', '/api/jobs-export/ticket', {
  summary: 'Returns an address, valid for one hour, that downloads all jobs of your organisation.',
  access: 'portal',
  actsForCustomerCode: true,
  answer: json(z.object({ url: z.string() })),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'USER_NO_RIGHTS',
    'API_ERROR_THROTTLING',
  ],
});

export const downloadJobsExport = route('GET', '/api/jobs-export', {
  summary:
    'Downloads all jobs of your organisation as one zip: every file, and a manifest (JSON) with jobs, files, hashes and notes.',
  access: 'portal-or-ticket',
  query: z.object({ ticket: z.optional(z.string()) }),
  answer: file('application/zip'),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND', 'API_ERROR_THROTTLING'],
});
