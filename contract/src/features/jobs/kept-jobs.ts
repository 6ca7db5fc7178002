/**
 * Which jobs the retention deletes soon, and keeping several jobs at once. The bell of every page loads this file: it
 * imports nothing of the others about jobs.
 */
import * as z from 'zod/mini';
import { guid, json, route, time } from '../../api.ts';

/** Days before the retention deletes a job in which the portal warns about it. */
export const warningDays = 7;
/** Jobs that one call keeps by their GUIDs, at most. */
export const mostKeptAtOnce = 200;
/** Jobs that the warning names, at most. */
export const mostNamed = 3;

/** A time that a database can read: it has no year 0000, and accepts a limited number of decimal places. */
export const databaseTime = time.check(
  z.maxLength(30),
  z.refine((text) => !text.startsWith('0000')),
);
/** The jobs that the retention deletes soon. */
export const expiringJobs = z.object({
  /** How many; 0: none, and the times are null. */
  jobs: z.number(),
  /** When the first and the last of them are deleted. */
  firstOn: z.nullable(time),
  lastOn: z.nullable(time),
  /** Those that are deleted first. */
  first: z.array(z.object({ slotGUID: guid, fileName: z.string(), expiresOn: time })),
});
export type ExpiringJobs = z.infer<typeof expiringJobs>;

export const getExpiringJobs = route('GET', '/api/expiring-jobs', {
  summary: `Returns how many jobs of your organisation the retention deletes within ${warningDays} days, when, and the names of the first ${mostNamed}. \`GET /api/jobs?expiring=true\` lists all of them.`,
  access: 'portal',
  answer: json(expiringJobs),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const keepJobs = route('POST', '/api/kept-jobs', {
  summary:
    'Keeps several jobs with their files: those that are named, and those that the retention deletes up to a time. Returns how many of them are kept now; jobs that were deleted are left out.',
  access: 'portal',
  actsForCustomerCode: true,
  body: z.object({
    slotGUIDs: z.optional(z.array(guid).check(z.maxLength(mostKeptAtOnce))),
    expiringUntil: z.optional(databaseTime),
  }),
  answer: json(z.object({ jobs: z.number() })),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'USER_NO_RIGHTS',
    'BAD_REQUEST',
    'NOT_FOUND',
  ],
});
