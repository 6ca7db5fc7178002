/**
 * Inspects the files that a user has dropped: unpacks zip archives, rejects files that are not images, and compares the
 * rest.
 */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import { recognizeFile } from '../../flow/reads/recognize-read.ts';
import type { Candidate } from './place-rules.ts';
import { contentKey, measureFile } from './measure-file.ts';
import { ZipRefused, type ZipReason } from '../../../../api/files/zip-refused.ts';

/** The maximum number of files that are inspected at once, and of those in an archive. */
export const mostFiles = 16;
/** The maximum size of an unpacked archive, in bytes. */
export const mostZipBytes = 128 * 2 ** 20;

/** Why a file has no part. */
export type Reason =
  | ZipReason
  | 'sealed'
  | 'archive'
  | 'empty'
  | 'unreadable'
  | 'large'
  | 'size'
  | 'copy'
  | 'many';

/** An image that some part accepts. */
export interface FoundImage extends Candidate {
  readonly file: File;
  /** The archive that contained it. */
  readonly from: string | null;
}

/** A file that no part accepts. */
export interface MisfitFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly from: string | null;
  readonly reason: Reason;
  /** The file that it is a copy of. */
  readonly copyOf: string | null;
}

export interface FoundImages {
  readonly images: readonly FoundImage[];
  readonly misfits: readonly MisfitFile[];
}

interface Given {
  readonly file: File;
  readonly from: string | null;
  /** Known before it is opened. */
  readonly reason: Reason | null;
}

/** The files in an archive; an archive that cannot be opened is returned instead, with the reason. */
async function filesInArchive(archive: File, signal: AbortSignal): Promise<Given[]> {
  try {
    const { unzipAll } = await import('../../../../api/files/read-zip.ts');
    const files = await unzipAll(archive, { files: mostFiles, bytes: mostZipBytes }, signal);
    return files.map((file) => ({ file, from: archive.name, reason: null }));
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    // the code for archives could not be loaded
    const reason = thrown instanceof ZipRefused ? thrown.reason : 'zipBroken';
    return [{ file: archive, from: null, reason }];
  }
}

/** Why a file is not an image, by its first bytes; null if it may be one. */
async function nonImageReason(file: File): Promise<Reason | null> {
  switch ((await recognizeFile(file)).outcome) {
    case 'recognized':
    case 'text-transfer':
      return 'sealed';
    case 'archive':
      return 'archive';
    case 'empty':
      return 'empty';
    case 'unknown':
      return null;
  }
}

/** Whether a file is a zip archive. Rejects if it cannot be read. */
async function isZip(file: File): Promise<boolean> {
  const recognized = await recognizeFile(file);
  return recognized.outcome === 'archive' && recognized.archive === 'zip';
}

/** The dropped files, with zip archives replaced by their contents. */
async function unpackAll(files: readonly File[], signal: AbortSignal): Promise<Given[]> {
  const given: Given[] = [];
  for (const file of files) {
    // a folder looks like a file until it is read
    const isArchive = await isZip(file).catch(() => null);
    if (isArchive === null) given.push({ file, from: null, reason: 'unreadable' });
    else if (isArchive) given.push(...(await filesInArchive(file, signal)));
    else given.push({ file, from: null, reason: null });
  }
  return given;
}

export interface InspectLimits {
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

/** The similarity of an image, or why no part accepts the file. Rejects if it cannot be read. */
async function inspectFile(
  file: File,
  parts: readonly PartFingerprint[],
  { maxFileBytes, signal }: InspectLimits,
): Promise<Reason | FoundImage['likeness']> {
  const reason = await nonImageReason(file);
  if (reason !== null) return reason;
  if (file.size > maxFileBytes) return 'large';
  const likeness = await measureFile(file, parts, signal);
  return likeness.size === 0 ? 'size' : likeness;
}

/** Inspects dropped files against the parts of a slot. Rejects only when the signal aborts. */
export async function inspectImages(
  files: readonly File[],
  parts: readonly PartFingerprint[],
  limits: InspectLimits,
): Promise<FoundImages> {
  const { signal } = limits;
  const images: FoundImage[] = [];
  const misfits: MisfitFile[] = [];
  const names = new Map<string, string>();
  for (const [id, { file, from, reason }] of (await unpackAll(files, signal)).entries()) {
    const { name, size } = file;
    const known = reason ?? (id >= mostFiles ? 'many' : null);
    const inspected =
      known ??
      (await inspectFile(file, parts, limits).catch((thrown: unknown): Reason => {
        if (signal.aborted) throw thrown;
        return 'unreadable';
      }));
    if (typeof inspected === 'string') {
      misfits.push({ id, name, size, from, reason: inspected, copyOf: null });
      continue;
    }
    const key = await contentKey(file, signal);
    const copyOf = names.get(key) ?? null;
    if (copyOf === null) images.push({ id, name, file, from, likeness: inspected });
    else misfits.push({ id, name, size, from, reason: 'copy', copyOf });
    names.set(key, copyOf ?? name);
  }
  return { images, misfits };
}
