/** A slot's files: downloads by ticket, and the draft of an encode, which stores the user's uploads and choices. */
import * as z from 'zod/mini';
import { empty, file, guid, json, route, storedFile, time } from '../api.ts';
import { recodErrorNames } from '../families/registry.ts';
import { diagnosis } from './recoding/diagnosis.ts';
import { draftFieldChange, part } from './recoding/draft-changes.ts';
import { faultDetails, type WrongSize, wrongSize } from './operations.ts';
import { changes } from './recoding/recoding.ts';

/** The header that carries a download's SHA-256, as 64 hexadecimal digits. */
export const contentSha256Header = 'X-Content-SHA256';

/** The text formats that a decoded image can be downloaded in. */
export const imageTextFormats = ['intel-hex', 's-record'] as const;
export type ImageTextFormat = (typeof imageTextFormats)[number];

/** A 32-bit address in hexadecimal digits, with or without 0x. */
export const addressPattern = /^(?:0x)?[0-9a-f]{1,8}$/i;

export const downloadFile = route('GET', '/api/files/{fileGUID}', {
  summary:
    'Downloads a file as an attachment. Supports range requests. With `format`, a decoded image is written as Intel HEX or S-record, without ranges and hash; `base` is the hexadecimal address of its first byte, by default 0.',
  access: 'portal-or-ticket',
  params: z.object({ fileGUID: z.string() }),
  query: z.object({
    ticket: z.optional(z.string()),
    format: z.optional(z.enum(imageTextFormats)),
    base: z.optional(z.string().check(z.regex(addressPattern))),
  }),
  answer: storedFile,
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'USER_NO_RIGHTS',
    'BAD_REQUEST',
    'NOT_FOUND',
    'OPERATION_NOT_POSSIBLE',
    'FILE_DAMAGED',
  ],
});

export const refreshFileURL = route('POST', '/api/files/{fileGUID}/ticket', {
  summary:
    'Returns a new download address for a file, valid for one hour. Request one for each download.',
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  audit: 'never',
  answer: {
    kind: 'json',
    status: 200,
    schema: z.object({
      url: z.string(),
      /** Whether the slave may refuse the file, because a later one was encoded for it. */
      isOutdated: z.optional(z.boolean()),
      /** Whether the slave refuses the file once its new key is written to it. */
      hasFormerKey: z.optional(z.boolean()),
      /** Whether the slave may refuse the file, because its maker's service sealed it too long ago. */
      isExpired: z.optional(z.boolean()),
      /** Whether it should be sealed again first, which is possible: see `POST /api/files/{fileGUID}/sealing`. */
      canSealAgain: z.optional(z.boolean()),
    }),
  },
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
    refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'FILE_DAMAGED'],
  });
}

/** The components that the user removes; null until the user has chosen. */
const removed = z.nullable(z.array(part).check(z.maxLength(16)));

const draftChoices = {
  removed,
  willCorrectCVN: z.boolean(),
  willSkipChecksum: z.boolean(),
  /** Whether the encode corrects the checksums of a real control unit, which no protocol defines; absent: no. */
  willCorrectChecksums: z.optional(z.boolean()),
};

/** A file that was refused: by the server, or by a page before its upload. */
const refusedFile = {
  /** Null: it was refused before its name was known. */
  name: z.nullable(z.string().check(z.maxLength(255))),
  /** Bytes. */
  size: z.nullable(z.number()),
  errorCode: z.string().check(z.maxLength(64)),
  details: z.nullable(faultDetails),
};

const cutTo = (most: number) => z.overwrite<string>((text) => text.slice(0, most));
const cutSizes = z.overwrite<WrongSize>(({ actual, allowed }) => ({
  actual,
  allowed: 'min' in allowed ? allowed : allowed.slice(0, 32),
}));

/** The details of a page's note, cut to what a draft stores: if the note were refused, its whole change would be lost. */
const noteDetails = z.object({
  detail: z.nullable(z.string().check(cutTo(500))),
  cause: z.optional(z.nullable(z.string().check(cutTo(64)))),
  sizes: z.optional(z.nullable(wrongSize.check(cutSizes))),
});

/** Refusals of an upload before it is received. */
const refusedEarly: readonly string[] = ['FILE_TOO_LARGE', 'STORAGE_QUOTA_REACHED'];

/**
 * Whether the draft notes an upload that is refused with this code, wherever it is thrown: because of its size or the
 * quota, or by the check of the file. Other codes may come before the upload, or from a proxy: then the page notes it.
 */
export function isUploadNoted(code: string): boolean {
  const isOfCheck = code !== 'GENERIC_ERROR' && recodErrorNames.some((name) => name === code);
  return isOfCheck || refusedEarly.includes(code);
}

/** The last file for a part, which was refused; its bytes are not stored. */
const refusedUpload = z.object({
  part,
  ...refusedFile,
  diagnosis: z.nullable(diagnosis),
  refusedOn: time,
});

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
  /**
   * The uploads that were refused, until the file of their part is chosen or removed: an encode without them may lack
   * what a user wanted to change.
   */
  refused: z.optional(z.array(refusedUpload)),
});
export type EncodeDraft = z.infer<typeof encodeDraft>;

/** The values of a draft: its choices, and the file of each part. */
export const draftValues = z.object({
  ...draftChoices,
  files: z.record(part, z.nullable(guid)),
});
export type DraftValues = z.infer<typeof draftValues>;

/** The draft of a slot, as its GET and the `draft` event return it. */
export const slotDraft = z.object({
  slotGUID: guid,
  ...encodeDraft.shape,
  /** Grows with each change; 0 until the first one. */
  version: z.number(),
  /** The fields that were ever changed. */
  changes: z.array(draftFieldChange),
});
export type SlotDraft = z.infer<typeof slotDraft>;

/**
 * The changes that a page saves. A part that `files` does not name stays unchanged; null removes its file from the
 * draft. Naming a part also removes the upload that was refused for it. With `version`, choices that are absent stay unchanged as well.
 */
export const encodeDraftChange = z
  .object({
    removed: z.optional(removed),
    willCorrectCVN: z.optional(z.boolean()),
    willSkipChecksum: z.optional(z.boolean()),
    /** Absent: unchanged, also without `version`. */
    willCorrectChecksums: z.optional(z.boolean()),
    files: z.record(part, z.nullable(guid)),
    /**
     * The files that the server has not noted, because the page refused them itself or the server did not receive them.
     * A note is left out if its part was changed after `version`, other than from the same tab.
     */
    refused: z.optional(
      z.record(part, z.object({ ...refusedFile, details: z.nullable(noteDetails) })),
    ),
    /**
     * The version of the draft on which the change is based. A field that was changed since then, other than from the
     * same tab, is not overwritten: DRAFT_CHANGED. Absent: the change always applies.
     */
    version: z.optional(z.number().check(z.int(), z.minimum(0))),
  })
  .check(
    z.refine(
      ({ version, removed: components, willCorrectCVN, willSkipChecksum }) =>
        version !== undefined ||
        ![components, willCorrectCVN, willSkipChecksum].includes(undefined),
      'must have all choices, or a version',
    ),
  );
export type EncodeDraftChange = z.infer<typeof encodeDraftChange>;

const slotParams = z.object({ slotGUID: z.string() });

export const getEncodeDraft = route('GET', '/api/slots/{slotGUID}/draft', {
  summary: 'Returns the encode draft of a decoded slot: files, removed components and switches.',
  access: 'portal',
  params: slotParams,
  answer: json(slotDraft),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'OPERATION_NOT_POSSIBLE', 'USER_NO_RIGHTS'],
});

export const putEncodeDraft = route('PUT', '/api/slots/{slotGUID}/draft', {
  summary:
    'Saves the encode draft of a decoded slot. Uploaded files are added to it automatically. With `version`, a field that was changed since that version is not overwritten.',
  access: 'portal',
  actsForCustomerCode: true,
  params: slotParams,
  body: encodeDraftChange,
  audit: 'never',
  answer: empty,
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'NOT_FOUND',
    'DRAFT_CHANGED',
    'OPERATION_NOT_POSSIBLE',
    'USER_NO_RIGHTS',
  ],
});

export const cancelUpload = route('POST', '/api/slots/{slotGUID}/cancel-upload', {
  summary:
    'Cancels the upload of an image, by the name in its header. Its file is not kept; if it has already arrived, the draft gets the file before it again.',
  access: 'portal',
  actsForCustomerCode: true,
  params: slotParams,
  body: z.object({ upload: z.string().check(z.maxLength(64)) }),
  answer: empty,
  audit: 'never',
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'NOT_FOUND',
    'OPERATION_NOT_POSSIBLE',
    'USER_NO_RIGHTS',
  ],
});
