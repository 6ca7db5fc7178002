/**
 * Finds the jobs with the content of a file on the user's computer: by its hash, and for a zip archive also by those of
 * the files in it. Nothing is uploaded.
 */
import { findFiles, type FoundFile, mostHashes } from '@recodery/contract/features/jobs/jobs';
import { recognizedBytes, recognizeStart } from '@recodery/contract/recognize';
import { call } from '../call.ts';
import { hashFile, type HashOptions } from './file-hash.ts';

/** A hash of a file, and the jobs that contain it. */
export interface FoundContent {
  /** As few hashes as find all of the jobs; of the file itself if there are none. */
  readonly hashes: readonly string[];
  /** The GUIDs of the jobs, the newest first; empty if all of them were deleted. */
  readonly jobs: readonly string[];
  readonly isFound: boolean;
  /** Whether the file was uploaded only to be decoded; never of an archive's contents. */
  readonly isRead: boolean;
}

/** The files of the organisation with these hashes. */
export async function fetchFound(
  hashes: readonly string[],
  signal?: AbortSignal,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (let at = 0; at < hashes.length; at += mostHashes) {
    const sha256 = hashes.slice(at, at + mostHashes).join(',');
    found.push(...(await call(findFiles, { params: { sha256 } }, { signal })));
  }
  return found;
}

async function isZip(file: Blob): Promise<boolean> {
  const start = await file.slice(0, recognizedBytes).arrayBuffer();
  const recognized = recognizeStart(new Uint8Array(start));
  return recognized.outcome === 'archive' && recognized.archive === 'zip';
}

/** Whether the job of `some` has only a part of what another job has. */
function isPart(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return some.size < all.size && [...some].every((hash) => all.has(hash));
}

/**
 * The jobs that the files of an archive come from. A job with only a part of the files of another one is left out: many
 * jobs contain the same blank EEPROM.
 */
export function jobsOfArchive(found: readonly FoundFile[]): FoundContent {
  const newest = found.toSorted((one, other) => other.createdOn.localeCompare(one.createdOn));
  const hashesOf = new Map<string, Set<string>>();
  const jobsWith = new Map<string, Set<string>>();
  for (const { slotGUID, sha256 } of newest) {
    if (slotGUID === null || sha256 === undefined) continue;
    hashesOf.set(slotGUID, (hashesOf.get(slotGUID) ?? new Set()).add(sha256));
    jobsWith.set(sha256, (jobsWith.get(sha256) ?? new Set()).add(slotGUID));
  }
  const all = [...hashesOf.values()];
  const jobs = [...hashesOf.keys()].filter(
    (job) => !all.some((hashes) => isPart(hashesOf.get(job) ?? new Set(), hashes)),
  );
  const hashes = new Set<string>();
  for (const job of jobs) {
    const own = [...(hashesOf.get(job) ?? [])];
    if (own.some((hash) => hashes.has(hash))) continue;
    // the one that the fewest other jobs have
    const [rarest] = own.toSorted(
      (one, other) => (jobsWith.get(one)?.size ?? 0) - (jobsWith.get(other)?.size ?? 0),
    );
    if (rarest !== undefined) hashes.add(rarest);
  }
  return { hashes: [...hashes], jobs, isFound: jobs.length > 0, isRead: false };
}

/** Finds the jobs of a file. @throws when the file cannot be read, with the signal's reason, or as {@link call} does */
export async function findContent(file: File, options: HashOptions = {}): Promise<FoundContent> {
  const { signal } = options;
  const whole = await hashFile(file, options);
  const found = await fetchFound([whole], signal);
  if (found.length === 0 && (await isZip(file))) {
    const { hashZip } = await import('./hash-zip.ts');
    const inside = jobsOfArchive(await fetchFound(await hashZip(file, options), signal));
    if (inside.isFound) return inside;
  }
  const jobs = [...new Set(found.flatMap(({ slotGUID }) => slotGUID ?? []))];
  const isFound = found.length > 0;
  return { hashes: [whole], jobs, isFound, isRead: found.every(({ role }) => role === 'read') };
}
