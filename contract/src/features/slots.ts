/** A slot's files: downloads by ticket, and the draft of an encode, which stores the user's uploads and choices. */
import * as z from 'zod/mini';
import { empty, file, guid, json, route, storedFile } from '../api.ts';
import { changes } from './recoding.ts';

/** The header that carries a download's SHA-256, as 64 hexadecimal digits. */
export const contentSha256Header = 'X-Content-SHA256';

export const downloadFile = route('GET', '/api/files/{fileGUID}', {
  summary: 'Downloads a file as an attachment. Supports range requests.',
  access: 'portal-or-ticket',
  params: z.object({ fileGUID: z.string() }),
  query: z.object({ ticket: z.optional(z.string()) }),
  answer: storedFile,
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'],
});

export const refreshFileURL = route('POST', '/api/files/{fileGUID}/ticket', {
  summary:
    'Returns a new download address for a file, valid for one hour. Request one for each download.',
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  answer: { kind: 'json', status: 200, schema: z.object({ url: z.string() }) },
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'],
});

/** The route of a family with components that sends all components of a slot. */
export function componentsRoute<const F extends string>(family: F) {
  return route('GET', `/${family}/slots/{id}/files/`, {
    summary: 'Streams all components of a read as components.zip.',
    access: 'portal-or-ticket',
    params: z.object({ id: z.string() }),
    query: z.object({ fileType: z.optional(z.string()), ticket: z.optional(z.string()) }),
    answer: file('application/zip'),
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
  });
}

/** A part of an encode: `modified` or `original` for the one image of an OBD read, else the component's type. */
const part = z.string().check(z.maxLength(20));

const draftChoices = {
  /** The components that the user removes; null until the user has chosen. */
  removed: z.nullable(z.array(part).check(z.maxLength(16))),
  willCorrectCVN: z.boolean(),
  willSkipChecksum: z.boolean(),
};

/** An encode in preparation: uploaded files with their check results, removed components, switches. */
export const encodeDraft = z.object({
  ...draftChoices,
  files: z.array(
    z.object({
      part,
      fileGUID: guid,
      name: z.string(),
      /** Bytes. */
      size: z.number(),
      changes: z.nullable(changes),
    }),
  ),
});
export type EncodeDraft = z.infer<typeof encodeDraft>;

/**
 * The changes that a page saves. A part that `files` does not name stays unchanged; null removes its file from the
 * draft.
 */
export const encodeDraftChange = z.object({
  ...draftChoices,
  files: z.record(part, z.nullable(guid)),
  /** Uploads, by the names in their headers, whose files are not kept if they are still being checked. */
  canceled: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(20))),
});
export type EncodeDraftChange = z.infer<typeof encodeDraftChange>;

const slotParams = z.object({ slotGUID: z.string() });

export const getEncodeDraft = route('GET', '/api/slots/{slotGUID}/draft', {
  summary: 'Returns the encode draft of a decoded slot: files, removed components and switches.',
  access: 'portal',
  params: slotParams,
  answer: json(encodeDraft),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'OPERATION_NOT_POSSIBLE', 'USER_NO_RIGHTS'],
});

export const putEncodeDraft = route('PUT', '/api/slots/{slotGUID}/draft', {
  summary:
    'Saves the encode draft of a decoded slot. Uploaded files are added to it automatically.',
  access: 'portal',
  actsForCustomerCode: true,
  params: slotParams,
  body: encodeDraftChange,
  answer: empty,
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'NOT_FOUND',
    'OPERATION_NOT_POSSIBLE',
    'USER_NO_RIGHTS',
  ],
});
