/** Decoded images that users keep as originals: later reads with the same software are compared with them. */
import * as z from 'zod/mini';
import { empty, guid, json, route, time } from '../api.ts';

/** A decoded image that a user keeps as an original. What is certain is who kept it, not that no one had tuned it. */
export const keptOriginal = z.object({
  fileGUID: guid,
  /** Its job, which is kept. */
  slotGUID: guid,
  name: z.string(),
  /** The name of the job's read file. */
  readFileName: z.string(),
  /** The software number that the read reports, or that was recognized in the image; null: none. */
  software: z.nullable(z.string()),
  /** Bytes. */
  size: z.number(),
  sha256: z.string(),
  keptOn: time,
  /** The user or client application that kept it; null when the account no longer exists. */
  keptBy: z.nullable(z.string()),
});
export type KeptOriginal = z.infer<typeof keptOriginal>;

/**
 * Why an image is not kept. `checksums-wrong`: one of its checksums or its signature is wrong. `checksums-unknown`: it has
 * none that the portal can verify. `tuned`: a checksum is switched off in it, or the library has another image of its
 * software.
 */
const notKeptReasons = ['checksums-wrong', 'checksums-unknown', 'tuned'] as const;
export type NotKeptReason = (typeof notKeptReasons)[number];

const params = z.object({ fileGUID: z.string() });
const refusals = ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'] as const;

export const listOriginals = route('GET', '/api/originals', {
  summary: 'Lists the decoded images that your organisation keeps as originals, newest first.',
  access: 'portal',
  answer: json(z.array(keptOriginal)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const findOriginals = route('GET', '/api/files/{fileGUID}/originals', {
  summary:
    'Finds the originals that your organisation keeps for a decoded image: those with the same content first, then those with its software number and size, newest first.',
  access: 'portal',
  params,
  answer: json(
    z.object({
      /** The image itself, if it is kept as an original. */
      own: z.nullable(keptOriginal),
      others: z.array(z.object({ ...keptOriginal.shape, isEqual: z.boolean() })),
    }),
  ),
  refusals: [...refusals, 'OPERATION_NOT_POSSIBLE'],
});

export const keepOriginal = route('POST', '/api/files/{fileGUID}/original', {
  summary:
    'Keeps a decoded image as an original, with its job. Its checksums must be right; `reason` says why it was not kept.',
  access: 'portal',
  params,
  auditOutcome: (response) =>
    (response as { reason: NotKeptReason | null }).reason === null ? null : 'not-kept',
  answer: json(
    z.object({
      original: z.nullable(keptOriginal),
      reason: z.nullable(z.enum(notKeptReasons)),
    }),
  ),
  refusals: [
    ...refusals,
    'OPERATION_NOT_POSSIBLE',
    'API_ERROR_THROTTLING',
    'FILE_DAMAGED',
    'SERVICE_UNAVAILABLE',
  ],
});

export const removeOriginal = route('DELETE', '/api/originals/{fileGUID}', {
  summary: 'Removes an image from the originals. Its file and its job stay.',
  access: 'portal',
  role: 'manager',
  params,
  answer: empty,
  refusals,
});
