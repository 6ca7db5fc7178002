/** Trays: up to 50 read files that were dropped together, the result of each, and one zip of their files. */
import * as z from 'zod/mini';
import { empty, file, guid, json, route, time } from '../api.ts';
import { families, recodErrorNames, workflows } from '../families/registry.ts';
import { operation, started } from './operations.ts';
import { checkLimits } from './recoding/preflight.ts';
import { decodeRefusals, slaveChoice } from './recoding/recoding.ts';
import { entryRefusals } from './session.ts';
import { encodeDraft } from './slots.ts';

/** Maximum read files of a tray. */
export const mostTrayFiles = 50;
/** Trays in the list, newest first. */
export const mostListedTrays = 50;
/** Characters that the name of a tray can have. */
export const longestTrayName = 100;

/** Reasons, besides the error names, why a page does not upload a file: it is for a slave, or would be refused. */
const ownTrayErrors = [
  'ENCODED_FILE',
  'FILE_EMPTY',
  'FILE_TOO_LARGE',
  // what a file is instead of a read
  'WEB_PAGE',
  'ARCHIVE_WITH_PASSWORD',
  'ARCHIVE_OF_IMAGES',
  /** A file of a job of the portal, or an archive of its files. */
  'OWN_FILE',
  /** The name is that of another maker's read files. */
  'OTHER_MAKER',
  ...entryRefusals,
] as const;
const trayError = z.enum([...ownTrayErrors, ...recodErrorNames]);
export type TrayError = z.infer<typeof trayError>;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A read file to decode, as inspected by the page that announces it. */
export const newTrayFile = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(1000)),
  /** Bytes. */
  size: z.number().check(z.int(), z.nonnegative()),
  /** Null for a file that is too large or that the browser cannot read. */
  sha256: z.nullable(sha256),
  /** The workflow that decodes it; null: none does, and `error` is set. */
  workflow: z.nullable(z.enum(workflows)),
  error: z.nullable(trayError),
});
export type NewTrayFile = z.infer<typeof newTrayFile>;

/** A read file of a tray. Without `decode` and `error` it has not been uploaded yet. */
export const trayFile = z.object({
  guid,
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  sha256: z.nullable(sha256),
  workflow: z.nullable(z.enum(workflows)),
  /** Why it was not decoded although no operation failed. */
  error: z.nullable(trayError),
  slotGUID: z.nullable(guid),
  /** Whether a double of the demo opens and seals its files. Portals of earlier versions omit it. */
  isDouble: z.optional(z.boolean()),
  decode: z.nullable(operation),
  /** The newest encode of its slot. */
  encode: z.nullable(operation),
  /**
   * Of the newest delivery of its encoded file, which the zip contains; null: it does not expire. A single download after
   * `freshUntil` seals the file again. Portals of earlier versions omit it.
   */
  sealing: z.optional(z.nullable(z.object({ sealedOn: time, freshUntil: time, expiresOn: time }))),
  /** Its decoded images. */
  images: z.array(z.object({ name: z.string(), size: z.number(), sha256 })),
  /** The modified files that were uploaded for it; null until it is decoded. */
  draft: z.nullable(encodeDraft),
  /**
   * What the newest pre-flight of its draft could not check; null: there was none. A portal of an earlier version does not
   * say.
   */
  limits: z.optional(z.nullable(checkLimits)),
});
export type TrayFile = z.infer<typeof trayFile>;

/** The name that a user gave a tray; null: none. */
const trayName = z.nullable(z.string().check(z.maxLength(longestTrayName)));

export const tray = z.object({
  guid,
  name: trayName,
  createdOn: time,
  /** Operations that a tray can run at the same time: it leaves a place of the organisation's quota to the pages. */
  parallelOperations: z.number(),
  files: z.array(trayFile),
});
export type Tray = z.infer<typeof tray>;

/** A tray in the list. */
export const traySummary = z.object({
  guid,
  name: trayName,
  createdOn: time,
  fileCount: z.number(),
  /** The name of its first file. */
  firstFileName: z.nullable(z.string()),
});
export type TraySummary = z.infer<typeof traySummary>;

/** Which files of a tray a zip contains: the decoded images, or the newest encoded file of each slot. */
export const trayFileTypes = ['Decoded', 'Encoded'] as const;
export type TrayFileType = (typeof trayFileTypes)[number];

const newFiles = z.object({
  files: z.array(newTrayFile).check(z.minLength(1), z.maxLength(mostTrayFiles)),
});
const trayParams = z.object({ trayGUID: z.string() });
const fileParams = z.object({ trayGUID: z.string(), trayFileGUID: z.string() });

export const listTrays = route('GET', '/api/trays', {
  summary: "Lists the caller's trays, newest first (at most 50).",
  access: 'portal',
  answer: json(z.array(traySummary)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const addTray = route('POST', '/api/trays', {
  summary: 'Creates a tray for up to 50 read files, which are then uploaded one by one.',
  access: 'portal',
  actsForCustomerCode: true,
  body: newFiles,
  answer: json(tray),
  refusals: ['API_ERROR_UNAUTHORIZED', 'CUSTOMER_CODE_CHANGED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

export const getTray = route('GET', '/api/trays/{trayGUID}', {
  summary: 'Returns a tray with the state of each file: its operations, images and draft.',
  access: 'portal',
  params: trayParams,
  answer: json(tray),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});

export const nameTray = route('PUT', '/api/trays/{trayGUID}/name', {
  summary: 'Gives a tray a name, or removes it.',
  access: 'portal',
  params: trayParams,
  body: z.object({ name: trayName }),
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});

export const addTrayFiles = route('POST', '/api/trays/{trayGUID}/files', {
  summary: 'Adds read files to a tray. A file whose SHA-256 the tray already has is not added.',
  access: 'portal',
  actsForCustomerCode: true,
  params: trayParams,
  body: newFiles,
  answer: json(tray),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
    'NOT_FOUND',
    'USER_NO_RIGHTS',
  ],
});

export const uploadTrayFile = route('POST', '/api/trays/{trayGUID}/files/{trayFileGUID}', {
  summary:
    'Uploads a read file of a tray and starts its decode, with the master device that the file names. A file is decoded once, unless its decode has failed. If the upload is refused with `SLAVE_NEEDED`, send it again with one of the slaves in the details.',
  access: 'portal',
  actsForCustomerCode: true,
  params: fileParams,
  query: slaveChoice,
  file: { field: 'readFile' },
  answer: started,
  refusals: [...decodeRefusals(...families), 'NOT_FOUND'],
});

export const removeTrayFile = route('DELETE', '/api/trays/{trayGUID}/files/{trayFileGUID}', {
  summary:
    'Removes a read file from a tray that has not been decoded: not uploaded, refused or failed.',
  access: 'portal',
  params: fileParams,
  answer: empty,
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});

export const createTrayTicket = route('POST', '/api/trays/{trayGUID}/ticket', {
  summary: "Returns a download address for the zip of a tray's files, valid for one hour.",
  access: 'portal',
  params: trayParams,
  body: z.object({ fileType: z.enum(trayFileTypes) }),
  audit: 'never',
  answer: json(z.object({ url: z.string() })),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'NOT_FOUND', 'USER_NO_RIGHTS'],
});

export const downloadTray = route('GET', '/api/trays/{trayGUID}/files', {
  summary:
    'Downloads all decoded files of a tray, or the newest encoded file of each slot, as one zip with a list of them.',
  access: 'portal-or-ticket',
  params: trayParams,
  query: z.object({
    fileType: z.enum(trayFileTypes),
    ticket: z.optional(z.string()),
  }),
  answer: file('application/zip'),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'BAD_REQUEST',
    'USER_NO_RIGHTS',
    'NOT_FOUND',
    'FILE_DAMAGED',
  ],
});
