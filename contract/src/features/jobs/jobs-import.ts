/** The import of jobs from an export: the manifest of an export, and the call that imports one job. */
import * as z from 'zod/mini';
import { componentNames } from '../../families/family.ts';
import { families, workflows } from '../../families/registry.ts';
import { guid, json, route } from '../../api.ts';
import { databaseTime } from './kept-jobs.ts';
import { storable } from '../stored-text.ts';

/** The formats of an export's manifest, newest first. The first one lacks `readChecksums`. */
export const exportFormats = ['recodery-jobs/2', 'recodery-jobs/1'] as const;

/** The roles of an export's files that an import restores; the decode makes the others again. */
export const importedRoles = ['read', 'modified', 'original', 'encoded'] as const;

const text = (longest: number) => z.string().check(z.maxLength(longest), storable);
const entered = (longest: number) => z.nullish(text(longest));
const mostFiles = 2000;

/** A file of an exported job. `path`: its place in the zip; null: its bytes are not in it. */
const exportedFile = z.object({
  role: z.enum(['read', 'decoded', 'id', 'modified', 'original', 'encoded', 'restore', 'plain']),
  component: z.nullable(z.enum(componentNames)),
  name: text(500),
  /** Bytes. */
  size: z.int().check(z.nonnegative()),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  createdOn: databaseTime,
  replacedOn: z.nullish(databaseTime),
});
export type ExportedFile = z.infer<typeof exportedFile>;

/** A job as an import reads it. The decode finds what is missing here, such as the VIN, in the read file. */
const job = z.object({
  createdOn: databaseTime,
  family: z.enum(families),
  workflow: z.enum(workflows),
  /** The read file's name. */
  fileName: text(500),
  groupCode: text(100),
  isKept: z.boolean(),
  note: entered(2000),
  notedOn: z.nullish(databaseTime),
  customerLabel: entered(200),
  plate: entered(200),
  vehicleMake: entered(200),
  vehicleModel: entered(200),
  /** Whether the checksums of the read were right; then the decode does not ignore them. */
  readChecksums: z.nullish(z.enum(['right', 'wrong'])),
  /** Whether a double of a demo opened and sealed its files, in place of a maker's service. */
  isDouble: z.nullish(z.boolean()),
  /** The slave of the read: some services of makers need it, and the file does not show it. */
  slaveSerialNumber: entered(200),
});

/** A job in the manifest of an export. */
export const exportedJob = z.object({
  ...job.shape,
  files: z
    .array(z.object({ ...exportedFile.shape, path: z.nullable(z.string()) }))
    .check(z.maxLength(mostFiles)),
});
export type ExportedJob = z.infer<typeof exportedJob>;

/** Which export a job comes from: the customer code of its organisation, and when it began. */
export const exportOrigin = z.object({
  customerCode: text(100),
  exportedOn: databaseTime,
});
export type ExportOrigin = z.infer<typeof exportOrigin>;

/** The manifest of an export. The jobs are read one by one, so that a single wrong one does not prevent the others. */
export const exportManifest = z.object({
  format: z.enum(exportFormats),
  ...exportOrigin.shape,
  jobs: z.array(z.unknown()),
});

/** The first line of the body of {@link importJob}; the files' bytes follow in this order. */
export const importedJob = z.object({
  ...job.shape,
  /** The export that contains it. */
  origin: z.nullish(exportOrigin),
  files: z
    .array(z.object({ ...exportedFile.shape, role: z.enum(importedRoles) }))
    .check(z.maxLength(mostFiles)),
});
export type ImportedJob = z.infer<typeof importedJob>;

/** Bytes of the first line, at most. */
export const longestImportLine = 2 ** 20;

/** Why a job was not imported. */
const importRefusals = [
  /** What describes it is not valid. */
  'INVALID',
  /** Its read file is missing: nothing could be encoded for it. */
  'NO_READ',
  /** A file's bytes are not those that the export lists; `detail` is its name. */
  'CHANGED',
  /** The organisation does not have the master device of the read; `detail` is its serial number. */
  'MASTER',
  /** The master device does not have the slave device of the read, or it is revoked; `detail` is its serial number. */
  'SLAVE',
  /** The key of the read file is revoked; `detail` is the serial number of its slave device. */
  'REVOKED_KEY',
  /**
   * The keys of this portal do not open the read file: it comes from another installation, or was changed; `detail` is
   * the serial number of its slave device.
   */
  'KEY',
  /** The read file is not one of the family, and no engine of the organisation takes it. */
  'NOT_A_READ',
  /** The checksums of the read are wrong, and the caller has no right to ignore that. */
  'CHECKSUMS',
] as const;
export type ImportRefusal = (typeof importRefusals)[number];

export const importJob = route('POST', '/api/jobs-import', {
  summary:
    'Imports one job of an export as a job of your organisation. The file contains a line of JSON that describes the job, then the bytes of its files in the order of the line. The read is decoded again.',
  access: 'portal',
  actsForCustomerCode: true,
  file: { field: 'job' },
  auditOutcome: ({
    outcome,
    reason,
  }: {
    readonly outcome: string;
    readonly reason: string | null;
  }) => (outcome === 'imported' ? null : (reason ?? outcome)),
  answer: json(
    z.object({
      /** `there`: your organisation already has a job with this read, uploaded at this time. */
      outcome: z.enum(['imported', 'there', 'refused']),
      /** The new job. */
      slotGUID: z.nullable(guid),
      reason: z.nullable(z.enum(importRefusals)),
      detail: z.nullable(z.string()),
    }),
  ),
  refusals: [
    'API_ERROR_UNAUTHORIZED',
    'CUSTOMER_CODE_CHANGED',
    'USER_NO_RIGHTS',
    'FeatureNotAvailable',
    'USER_NOT_AUTHORIZED',
    'USER_NOT_AUTHORIZED_KESS3',
    'OPERATION_NOT_POSSIBLE',
    'FILE_TOO_LARGE',
    'FILE_MISSING',
    'UPLOAD_INTERRUPTED',
    'STORAGE_QUOTA_REACHED',
    'TOO_MANY_UPLOADS',
    'API_ERROR_THROTTLING',
    'SERVICE_UNAVAILABLE',
  ],
});
