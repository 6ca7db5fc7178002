/** Jobs: every slot with its files and its history, how it is found, what is kept, and the retention. */
import * as z from 'zod/mini';
import { type InformationKey, informationKeys } from '../../families/information.ts';
import { recognition } from '../../families/recognition.ts';
import { accepted, empty, guid, json, queryFlag, route, time } from '../../api.ts';
import { families, workflows } from '../../families/registry.ts';
import { correction } from '../../results.ts';
import { fileDownload, jobFailure, repaired, restoreKit, sealed, sending } from './job-history.ts';
import { databaseTime } from './kept-jobs.ts';
import { notificationInfo } from '../recoding/recoding.ts';
import { entryRefusals } from '../session.ts';
import { jobSearchText, storable } from '../stored-text.ts';

/** Maximum characters of a note. */
export const longestNote = 2000;
/** Jobs of a page of the list, at most. */
const mostJobs = 50;
/** Hashes of one call, at most: an address has a limited length. */
export const mostHashes = 50;
/** Jobs that a search counts, at most. */
export const mostCounted = 1000;

const entered = z.optional(z.nullable(z.string()));

/** A row of the list. Values that only a decode finds are null until then, and if the read does not contain them. */
export const jobSummary = z.object({
  slotGUID: guid,
  family: z.enum(families),
  workflow: z.enum(workflows),
  /** The read file's name. */
  fileName: z.string(),
  createdOn: time,
  slaveSerialNumber: z.nullable(z.string()),
  vin: z.nullable(z.string()),
  protocolID: z.nullable(z.number()),
  protocolName: z.nullable(z.string()),
  engine: z.nullable(z.string()),
  hardware: z.nullable(z.string()),
  software: z.nullable(z.string()),
  /** The user or client application that decoded it; null when the account no longer exists. */
  userDisplayName: z.nullable(z.string()),
  isKept: z.boolean(),
  /** When the retention deletes it; null: it is kept. A portal of an earlier version does not say. */
  expiresOn: z.optional(z.nullable(time)),
  note: z.nullable(z.string()),
  /** What users entered about the customer and the vehicle. A portal of an earlier version does not say. */
  customerLabel: entered,
  plate: entered,
  vehicleMake: entered,
  vehicleModel: entered,
  /** Encoded files, deleted ones included. */
  encodedFiles: z.number(),
  /** `failed`: its file was refused, or its decode failed. A portal of an earlier version does not say. */
  state: z.optional(z.enum(['decoding', 'decoded', 'failed'])),
});
export type JobSummary = z.infer<typeof jobSummary>;

export const jobFileRoles = ['read', 'decoded', 'id', 'modified', 'original', 'encoded'] as const;
export type JobFileRole = (typeof jobFileRoles)[number];

/** A file of a job. */
export const jobFile = z.object({
  fileGUID: guid,
  role: z.enum(jobFileRoles),
  component: z.nullable(z.string()),
  /** The place of a modified or original file in the draft of an encode; null for other files. */
  part: z.nullable(z.string()),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  sha256: z.string(),
  createdOn: time,
  /** The user or client application that uploaded it, or started the operation that made it. */
  userDisplayName: z.nullable(z.string()),
  /** False: it was deleted or has expired. */
  isThere: z.boolean(),
  /**
   * Of an uploaded file: when and by whom another one replaced it in the draft of the encode, or it was removed from the
   * draft. Null while it is in the draft.
   */
  replacedOn: z.optional(z.nullable(time)),
  replacedBy: z.optional(z.nullable(z.string())),
  /** Whether it was deleted to make room for newer files. */
  madeRoom: z.optional(z.boolean()),
  firstDownloadedOn: z.nullable(time),
  /** Of an encoded file: the modified and original files that it was made from. */
  madeFrom: z.array(guid),
  /** Of an encoded file: the email address that it was sent to, and when the email left. */
  sentTo: z.nullable(z.string()),
  sentOn: z.nullable(time),
  /** Of an encoded file: each sending, oldest first. */
  sendings: z.optional(z.array(sending)),
  /** The latest downloads, newest first, at most 20, and how many there are. */
  downloads: z.optional(z.array(fileDownload)),
  downloadCount: z.optional(z.number()),
  /**
   * Of an encoded file: whether a later file was encoded for the slave, which refuses this one once it has accepted the
   * later one.
   */
  isOutdated: z.optional(z.boolean()),
  /** Of an encoded file: whether the slave has a new key since, and refuses this file once the key is written to it. */
  hasFormerKey: z.optional(z.boolean()),
  ...sealed,
  /** Of an encoded file: the checksums that were corrected in the modified files before. */
  corrections: z.optional(z.array(correction)),
  /** Of a decoded file: whether it is kept as an original, which is deleted with its job. */
  isOriginal: z.optional(z.boolean()),
  /** Of the repair of a file that did not fit. */
  repaired: z.optional(z.nullable(repaired)),
});
export type JobFile = z.infer<typeof jobFile>;

const vehicleText = z.optional(z.nullable(z.string()));
/** The read's information about the vehicle. Empty before the decode. */
export const vehicleInformation = z.object(
  Object.fromEntries(informationKeys.map((key) => [key, vehicleText])) as Record<
    InformationKey,
    typeof vehicleText
  >,
);

export const job = z.object({
  ...jobSummary.shape,
  mode: z.nullable(z.enum(['obd', 'bootbench'])),
  groupCode: z.string(),
  information: vehicleInformation,
  /**
   * Whether the checksums of the read were right when it was decoded; null if that is not known. A portal of an earlier
   * version does not say.
   */
  readChecksums: z.optional(z.nullable(z.enum(['right', 'wrong']))),
  /**
   * What the images of the read were recognized as; those that were not are absent. `component`: its type; null: the one
   * image. A portal of an earlier version does not say.
   */
  recognized: z.optional(z.array(z.object({ component: z.nullable(z.string()), recognition }))),
  /** The operation that decoded it: its page opens with this operation. Null until it has succeeded. */
  decodeOperationGUID: z.nullable(guid),
  /** Whether it is still being decoded: neither decoded nor refused yet. A portal of an earlier version does not say. */
  isDecoding: z.optional(z.boolean()),
  notedBy: z.nullable(z.string()),
  notedOn: z.nullable(time),
  /**
   * When it was imported, and from which export, if that is known: the customer code of its organisation, and when the
   * export began. Null: it was not imported. A portal of an earlier version does not say.
   */
  imported: z.optional(
    z.nullable(
      z.object({
        importedOn: time,
        customerCode: z.nullable(z.string()),
        exportedOn: z.nullable(time),
      }),
    ),
  ),
  /** Its failed operations, oldest first. A portal of an earlier version does not list them. */
  failures: z.optional(z.array(jobFailure)),
  /** Oldest first. */
  files: z.array(jobFile),
  restoreKit,
  /** Other jobs with the same VIN, newest first. */
  otherJobs: z.array(jobSummary),
  /** Whether a double of the demo opens and seals its files. Portals of earlier versions omit it. */
  isDouble: z.optional(z.boolean()),
});
export type Job = z.infer<typeof job>;

/** A file of the organisation with one of certain hashes. */
export const foundFile = z.object({
  fileGUID: guid,
  role: z.enum([...jobFileRoles, 'restore']),
  name: z.string(),
  createdOn: time,
  userDisplayName: z.nullable(z.string()),
  isThere: z.boolean(),
  /** Whether the bytes in the storage were found missing or changed. A portal of an earlier version does not say. */
  isDamaged: z.optional(z.boolean()),
  /** Null: the job was deleted. */
  slotGUID: z.nullable(guid),
  family: z.enum(families),
  workflow: z.enum(workflows),
  fileName: z.string(),
  slaveSerialNumber: z.nullable(z.string()),
  /** A portal of an earlier version does not say. */
  sha256: z.optional(z.string()),
});
export type FoundFile = z.infer<typeof foundFile>;

const slotParams = z.object({ slotGUID: z.string() });
const slotRefusals = ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'] as const;

/** What to search for, and the filters. */
const jobSearch = {
  search: z.optional(jobSearchText),
  family: z.optional(z.enum(families)),
  /** The serial number of a slave. */
  device: z.optional(z.string().check(z.maxLength(64), storable)),
  /** The GUID of an account. */
  person: z.optional(guid),
  from: z.optional(databaseTime),
  to: z.optional(databaseTime),
  kept: queryFlag,
  /** Only jobs that the retention deletes soon. */
  expiring: queryFlag,
};

export const listJobs = route('GET', '/api/jobs', {
  summary:
    'Lists the jobs of your organisation, newest first: every decoded file with what was made from it. `search` finds words and parts of words in VIN, serial number, hardware and software number, protocol, file names, notes, customer label, plate, make and model, ignoring case and accents. A file name with an extension finds only words that end with its words: `ead7.bin` finds `read7.bin`, but `read.bin` does not.',
  access: 'portal',
  query: z.object({
    ...jobSearch,
    count: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,2}$/))),
      z.transform((text) => Math.max(1, Math.min(mostJobs, Number(text ?? 30)))),
    ),
    /** The GUID of a slot: the list continues with older jobs. */
    before: z.optional(guid),
  }),
  answer: json(z.array(jobSummary)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

export const countJobs = route('GET', '/api/jobs-count', {
  summary: `Counts the jobs that a search and filters find, up to ${mostCounted}; \`hasMore\`: there are more than that.`,
  access: 'portal',
  query: z.object(jobSearch),
  answer: json(z.object({ jobs: z.number(), hasMore: z.boolean() })),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

/** The values of the filters. */
export const jobFilters = z.object({
  devices: z.array(z.string()),
  people: z.array(z.object({ guid, displayName: z.string() })),
});
export type JobFilters = z.infer<typeof jobFilters>;

export const getJobFilters = route('GET', '/api/job-filters', {
  summary: 'Lists the slaves and the users that have jobs, to filter the list by.',
  access: 'portal',
  answer: json(jobFilters),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const findFiles = route('GET', '/api/files-by-hash/{sha256}', {
  summary: `Finds the files of your organisation with a SHA-256 (64 hexadecimal digits), including deleted ones, newest first. Several hashes, up to ${mostHashes}, are separated by commas.`,
  access: 'portal',
  params: z.object({
    sha256: z
      .string()
      .check(
        z.regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/i),
        z.maxLength(65 * mostHashes - 1),
        z.toLowerCase(),
      ),
  }),
  // not a secret, but useless in a log
  secret: ['sha256'],
  actsForCustomerCode: true,
  answer: json(z.array(foundFile)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'CUSTOMER_CODE_CHANGED', 'USER_NO_RIGHTS', 'NOT_FOUND'],
});

export const getJob = route('GET', '/api/jobs/{slotGUID}', {
  summary: 'Returns a job: the vehicle, every file, the note, the restore kit and related jobs.',
  access: 'portal',
  params: slotParams,
  answer: json(job),
  refusals: slotRefusals,
});

export const listEarlierReads = route('GET', '/api/jobs/{slotGUID}/earlier-reads', {
  summary:
    "Lists the decoded jobs of your organisation whose read file has the same content as this job's and was decoded before it, newest first.",
  access: 'portal',
  params: slotParams,
  answer: json(z.array(jobSummary)),
  refusals: slotRefusals,
});

export const putJobNote = route('PUT', '/api/jobs/{slotGUID}/note', {
  summary: "Replaces a job's note. An empty note removes it.",
  access: 'portal',
  params: slotParams,
  body: z.object({ note: z.string().check(z.maxLength(longestNote), storable) }),
  answer: empty,
  refusals: [...slotRefusals, 'BAD_REQUEST'],
});

/** Maximum characters of each entry about the vehicle. */
export const longestVehicleEntry = 60;
const vehicleEntry = z.nullish(z.string().check(z.maxLength(longestVehicleEntry), storable));

export const putJobVehicle = route('PUT', '/api/jobs/{slotGUID}/vehicle', {
  summary:
    'Changes what users entered about the customer and the vehicle of a job: null or an empty text removes an entry, and entries that are absent stay unchanged. Names of files can contain the customer label (`%c`).',
  access: 'portal',
  params: slotParams,
  body: z.object({
    customerLabel: vehicleEntry,
    plate: vehicleEntry,
    vehicleMake: vehicleEntry,
    vehicleModel: vehicleEntry,
  }),
  answer: empty,
  refusals: [...slotRefusals, 'BAD_REQUEST'],
});

export const putJobKept = route('PUT', '/api/jobs/{slotGUID}/keep', {
  summary:
    'Keeps a job with its files until this is undone. The retention then counts from that time. It cannot be undone while an image of the job is kept as an original.',
  access: 'portal',
  params: slotParams,
  body: z.object({ isKept: z.boolean() }),
  answer: empty,
  refusals: [...slotRefusals, 'BAD_REQUEST', 'JOB_HAS_ORIGINAL'],
});

export const deleteJob = route('DELETE', '/api/jobs/{slotGUID}', {
  summary:
    'Deletes a job with its files, vehicle data, note, notifications and download links. Images that are kept as originals are deleted with it.',
  access: 'portal',
  params: slotParams,
  answer: empty,
  refusals: [...slotRefusals, 'OPERATION_NOT_POSSIBLE'],
});

export const sendJobFile = route('POST', '/api/jobs/{slotGUID}/files/{fileGUID}/send', {
  summary:
    'Sends an encoded file of a job by email, or shares it with the organization of the slave. The link in the email is valid for ten days.',
  access: 'portal',
  actsForCustomerCode: true,
  params: z.object({ slotGUID: z.string(), fileGUID: z.string() }),
  body: z.object({ notificationInfo }),
  answer: accepted(sending),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'NOT_FOUND',
    ...entryRefusals,
    'CUSTOMER_CODE_CHANGED',
    'BAD_REQUEST',
  ],
});

export const prepareRestoreKit = route('POST', '/api/jobs/{slotGUID}/restore-kit', {
  summary:
    'Prepares the restore kit of a job: the image as it was read, encoded for its slave. Poll the job until `restoreKit.state` is `ready`.',
  access: 'portal',
  params: slotParams,
  answer: json(restoreKit),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'NOT_FOUND',
    ...entryRefusals,
    'OPERATION_NOT_POSSIBLE',
    'API_ERROR_THROTTLING',
    'STORAGE_QUOTA_REACHED',
    'SERVICE_UNAVAILABLE',
  ],
});

/** The storage of an organisation, and how long its jobs are kept. */
export const storageSettings = z.object({
  /** Bytes. */
  usedBytes: z.number(),
  /** Bytes of replaced versions, which are deleted first when the storage is full. */
  spareBytes: z.optional(z.number()),
  organisationBytes: z.number(),
  /** Days; null: the default applies. */
  retentionDays: z.nullable(z.number()),
  defaultDays: z.number(),
  leastDays: z.number(),
  mostDays: z.number(),
  jobs: z.number(),
  keptJobs: z.number(),
});
export type StorageSettings = z.infer<typeof storageSettings>;

export const getStorageSettings = route('GET', '/api/storage-settings', {
  summary: 'Returns the storage that your organisation uses, and the retention of its jobs.',
  access: 'portal',
  answer: json(storageSettings),
  refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
});

export const putStorageSettings = route('PUT', '/api/storage-settings', {
  summary:
    "Changes the retention of your organisation's jobs, in days within the operator's bounds; null restores the default. It also applies to existing jobs.",
  access: 'portal',
  role: 'manager',
  actsForCustomerCode: true,
  body: z.object({
    retentionDays: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(36_500))),
  }),
  answer: json(storageSettings),
  refusals: ['API_ERROR_UNAUTHORIZED', 'CUSTOMER_CODE_CHANGED', 'USER_NO_RIGHTS', 'BAD_REQUEST'],
});
