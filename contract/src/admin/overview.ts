/** What operators see first: how the installation is, and how much it does. */
import * as z from 'zod/mini';
import { json, route, time } from '../api.ts';
import { finding } from './derive-routes.ts';

/** Hours that the overview covers. */
export const overviewHours = 24;

export const overview = z.object({
  version: z.string(),
  /** What the last request for the newest version has found; null: the operator has not turned it on. */
  updates: z.nullable(
    z.object({
      /** Null: not yet. */
      askedOn: z.nullable(time),
      /** A version that is newer than this one; null: none is known. */
      newer: z.nullable(z.string()),
      /** Why the last request failed; null: it did not. */
      error: z.nullable(z.string()),
    }),
  ),
  /** Portals and workers that have reported in the last 15 seconds. */
  portals: z.number(),
  workers: z.number(),
  isMaintenance: z.boolean(),
  operations: z.object({
    waiting: z.number(),
    running: z.number(),
    /** Of each of the last hours, the oldest first: the operations that were started in it, by their result. */
    hours: z.array(z.object({ from: time, succeeded: z.number(), failed: z.number() })),
  }),
  email: z.object({
    /** False: there is no mail server, and emails are stored in a folder. */
    hasServer: z.boolean(),
    waiting: z.number(),
    /** Of the last hours. */
    failed: z.number(),
    /** The error of the newest email that waits after an error or has failed. */
    lastError: z.nullable(z.string()),
  }),
  storage: z.object({
    /** Bytes of all stored files. */
    bytes: z.number(),
    /** Stored files whose bytes are missing or have changed. */
    damaged: z.number(),
    /** The disks with the files and the data folder, in bytes. */
    disks: z.array(z.object({ free: z.number(), total: z.number() })),
  }),
});
export type Overview = z.infer<typeof overview>;

export const health = z.object({
  checkedOn: time,
  /** In the order in which the command line prints them. */
  findings: z.array(z.extend(finding, { what: z.string() })),
});
export type Health = z.infer<typeof health>;

export const getOverview = route('GET', '/api/admin/overview', {
  summary:
    'Returns numbers of the whole installation: portals, workers, operations of the last 24 hours, email, storage.',
  access: 'person',
  role: 'operator',
  answer: json(overview),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const getChangelog = route('GET', '/api/admin/changelog', {
  summary: 'Returns what has changed in this version and those before it, in Markdown.',
  access: 'person',
  role: 'operator',
  answer: json(z.object({ text: z.string() })),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const getHealth = route('GET', '/api/admin/health', {
  summary:
    'Checks the installation as `recodery doctor` does, which can take some seconds. Requests within 15 seconds get the same result.',
  access: 'person',
  role: 'operator',
  answer: json(health),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});
