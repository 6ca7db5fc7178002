/** The layout of a backup: written by `backup`, read by `restore`. */
import { z } from 'zod';

/** The layout that this version writes, and the only one that it reads. */
export const backupFormat = 1;

/** The names of the entries, in their order. */
export const entryNames = {
  manifest: 'manifest.json',
  secret: 'secret',
  /** `database/{table}/{number}.ndjson.gz`: rows as JSON, one per line. */
  database: 'database/',
  /** `files/{storage key}` */
  files: 'files/',
  contents: 'contents.json',
} as const;

/** The first entry: what a reader needs to know before it continues. */
export const manifestShape = z.object({
  format: z.literal(backupFormat),
  /** Of Recodery. */
  version: z.string(),
  takenOn: z.iso.datetime(),
  /** The migrations that the database had. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
});
export type Manifest = z.infer<typeof manifestShape>;

/** The last entry: what the backup contains. */
export const contentsShape = z.object({
  /** Rows by table; every table in the backup, including empty ones. */
  rows: z.record(z.string(), z.number()),
  files: z.number(),
  /** Bytes of all files. */
  bytes: z.number(),
  /** Storage keys of files that rows name, but whose bytes were missing. */
  missing: z.array(z.string()),
});
export type Contents = z.infer<typeof contentsShape>;
