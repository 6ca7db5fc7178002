/**
 * Imports an export: reads the zip on the user's computer, and sends its jobs one after the other. Loaded with the first
 * import.
 */
import { Refusal } from '@recodery/contract/refusal';
import {
  type ExportedFile,
  type ExportedJob,
  type ExportOrigin,
  exportedJob,
  exportManifest,
  importedRoles,
  importJob,
  type ImportRefusal,
} from '@recodery/contract/features/jobs/jobs-import';
import { believedCustomerCode } from '../../../api/customer-code.ts';
import { fetchFound } from '../../../api/files/find-content.ts';
import { openZip, type ZipArchive } from '../../../api/files/read-zip.ts';
import { upload } from '../../../api/files/upload.ts';
import { ZipRefused } from '../../../api/files/zip-refused.ts';
import { NotAnExport } from './not-an-export.ts';

/** A job that was not imported: a reason, or what was thrown. */
export interface RefusedJob {
  /** The name of its read file; null: unknown. */
  readonly name: string | null;
  readonly reason: ImportRefusal | null;
  readonly detail: string | null;
  readonly thrown: unknown;
}

/** What became of the jobs of an export so far. */
export interface ImportCounts {
  readonly total: number;
  readonly imported: number;
  readonly there: number;
  readonly refused: readonly RefusedJob[];
}

export interface ImportOptions {
  readonly signal: AbortSignal;
  /** The code under which the import was started: it ends when another one is selected. */
  readonly customerCode: string | null;
  readonly onProgress: (counts: ImportCounts) => void;
}

/** Bytes of a manifest, at most: it is read as a whole. */
const mostManifestBytes = 256 * 2 ** 20;
/** Milliseconds until a job is sent again, if the server has no place for its decode. */
const pauseMs = 1500;
/** Hashes of one question: each has its share of the files in a response. */
const hashesAtOnce = 10;

/** The server works on the imports and decodes before: the same request succeeds later. */
const temporary = new Set(['API_ERROR_THROTTLING', 'TOO_MANY_UPLOADS']);
/** Refusals of one job, after which others may still be imported. */
const ofOneJob = new Set([
  'FeatureNotAvailable',
  'USER_NO_RIGHTS',
  'USER_NOT_AUTHORIZED',
  'USER_NOT_AUTHORIZED_KESS3',
  'OPERATION_NOT_POSSIBLE',
  'FILE_TOO_LARGE',
]);

const codeOf = (thrown: unknown): string => (thrown instanceof Refusal ? thrown.code : '');

function refusedFor(
  name: string | null,
  reason: ImportRefusal,
  detail: string | null = null,
): RefusedJob {
  return { name, reason, detail, thrown: null };
}

/** The jobs of an export, and what it says about itself. */
async function readManifest(
  archive: ZipArchive,
): Promise<{ readonly jobs: readonly unknown[]; readonly origin: ExportOrigin }> {
  const found = await archive.read('manifest.json', { most: mostManifestBytes });
  if (found === null) throw new NotAnExport();
  const text = await found.text();
  try {
    const { jobs, customerCode, exportedOn } = exportManifest.parse(JSON.parse(text));
    return { jobs, origin: { customerCode, exportedOn } };
  } catch (thrown) {
    throw new NotAnExport(thrown);
  }
}

type SentFile = ExportedFile & { readonly path: string };

/** The files of a job that are sent. */
function filesOf({ files }: ExportedJob): SentFile[] {
  return files.flatMap(({ path, ...file }) =>
    path !== null && importedRoles.some((role) => role === file.role) ? [{ ...file, path }] : [],
  );
}

/** What identifies a job: its read and when it was uploaded. */
const identityOf = ({ sha256, createdOn }: { sha256: string; createdOn: string }): string =>
  `${sha256} ${Date.parse(createdOn)}`;
const readOf = (job: ExportedJob): SentFile | undefined =>
  filesOf(job).find(({ role }) => role === 'read');

/** Ends an import when another customer code was selected: from then on, calls are about that organisation. */
function requireCode({ customerCode }: ImportOptions): void {
  if (believedCustomerCode() !== customerCode) throw new Refusal('CUSTOMER_CODE_CHANGED');
}

/** The identities of those jobs whose read the server has: they are not sent. */
async function findThere(
  jobs: readonly (ExportedJob | null)[],
  options: ImportOptions,
): Promise<ReadonlySet<string>> {
  const hashes = [...new Set(jobs.flatMap((job) => (job && readOf(job)?.sha256) ?? []))];
  const there = new Set<string>();
  for (let at = 0; at < hashes.length; at += hashesAtOnce) {
    requireCode(options);
    const found = await fetchFound(hashes.slice(at, at + hashesAtOnce), options.signal);
    for (const { sha256, slotGUID, role, createdOn, isThere, isDamaged } of found)
      if (sha256 !== undefined && slotGUID !== null && role === 'read' && isThere && !isDamaged)
        there.add(identityOf({ sha256, createdOn }));
  }
  return there;
}

/** The job as it is sent, or the name of a file that the zip does not have as its manifest lists it. */
async function pack(
  archive: ZipArchive,
  job: ExportedJob,
  origin: ExportOrigin,
): Promise<File | string> {
  const files = filesOf(job);
  const parts: BlobPart[] = [`${JSON.stringify({ ...job, files, origin })}\n`];
  for (const { path, name, size } of files) {
    const bytes = await archive.read(path, size);
    if (bytes === null) return name;
    parts.push(bytes);
  }
  return new File(parts, 'job');
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Sends a job until the server has a place for its decode. */
async function send(file: File, options: ImportOptions) {
  const { signal } = options;
  for (;;) {
    requireCode(options);
    try {
      return await upload(importJob, {}, file, { signal });
    } catch (thrown) {
      if (!temporary.has(codeOf(thrown))) throw thrown;
      await wait(pauseMs, signal);
    }
  }
}

type Outcome = 'imported' | 'there' | RefusedJob;

/** What is known about all jobs of an export. */
interface Export {
  readonly archive: ZipArchive;
  readonly origin: ExportOrigin;
  readonly there: ReadonlySet<string>;
}

async function importOne(
  { archive, origin, there }: Export,
  job: ExportedJob | null,
  options: ImportOptions,
): Promise<Outcome> {
  if (job === null) return refusedFor(null, 'INVALID');
  const { fileName } = job;
  const read = readOf(job);
  if (read === undefined) return refusedFor(fileName, 'NO_READ');
  if (there.has(identityOf(read))) return 'there';
  const packed = await pack(archive, job, origin);
  if (typeof packed === 'string') return refusedFor(fileName, 'CHANGED', packed);
  try {
    const { outcome, reason, detail } = await send(packed, options);
    return outcome === 'refused' ? refusedFor(fileName, reason ?? 'INVALID', detail) : outcome;
  } catch (thrown) {
    if (!ofOneJob.has(codeOf(thrown))) throw thrown;
    return { name: fileName, reason: null, detail: null, thrown };
  }
}

const withOutcome = (counts: ImportCounts, outcome: Outcome): ImportCounts =>
  typeof outcome === 'string'
    ? { ...counts, [outcome]: counts[outcome] + 1 }
    : { ...counts, refused: [...counts.refused, outcome] };

/**
 * Imports the jobs of an export. @throws {NotAnExport}, with the signal's reason, or as `upload` does: then the jobs that
 * `onProgress` has counted are imported, and the others are not
 */
export async function importExport(file: Blob, options: ImportOptions): Promise<void> {
  const { signal, onProgress } = options;
  const archive = await openZip(file, signal).catch((thrown: unknown) => {
    throw thrown instanceof ZipRefused ? new NotAnExport(thrown) : thrown;
  });
  try {
    const { jobs: all, origin } = await readManifest(archive);
    const jobs = all.map((job) => exportedJob.safeParse(job).data ?? null);
    let counts: ImportCounts = { total: jobs.length, imported: 0, there: 0, refused: [] };
    onProgress(counts);
    const there = await findThere(jobs, options);
    for (const job of jobs) {
      signal.throwIfAborted();
      counts = withOutcome(counts, await importOne({ archive, origin, there }, job, options));
      onProgress(counts);
    }
  } finally {
    await archive.close();
  }
}
