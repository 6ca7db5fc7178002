/** What stands where in a backup: written by `backup`, read by `restore`. */
import { z } from 'zod';

/** The layout that this version writes, and the only one that it reads. */
export const backupFormat = 1;

/** The names of the entries, in their order. */
export const entryNames = {
  manifest: 'manifest.json',
  secret: 'secret',
  /** `database/{table}/{number}.ndjson.gz`: rows as JSON, a line each. */
  database: 'database/',
  /** `files/{storage key}` */
  files: 'files/',
  contents: 'contents.json',
} as const;

/** Stands first: what a reader must know before he goes on. */
export const manifestShape = z.object({
  format: z.literal(backupFormat),
  /** Of Recodery. */
  version: z.string(),
  takenOn: z.iso.datetime(),
  /** The migrations that the database had. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
});
export type Manifest = z.infer<typeof manifestShape>;

/** Stands last: what was put in. */
export const contentsShape = z.object({
  /** Rows by table; every table that is kept, also an empty one. */
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  /** Bytes of all files. */
  bytes: z.number(),
  /** Storage keys of files that rows name, and of which there were no bytes. */
  missing: z.array(z.string()),
});
export type Contents = z.infer<typeof contentsShape>;

/** Who signs in, and which worker lives, is of the moment: after a restore everybody signs in again. */
export const momentaryTables: readonly string[] = [
  'session',
  'sso_token',
  'provider_record',
  'sign_in_attempt',
  'worker_report',
];
