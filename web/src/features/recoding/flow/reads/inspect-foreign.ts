/**
 * What a file is that was chosen as a read but is in no container: one that a job of the portal already has, or an archive
 * of images. Loaded with the first such file.
 */
import { type Recognized, recognizeStart, recognizedBytes } from '@recodery/contract/recognize';
import { findContent } from '../../../../api/files/find-content.ts';
import { ZipRefused } from '../../../../api/files/zip-refused.ts';

export type Foreign =
  | { readonly what: 'own-file'; readonly slotGUID: string }
  | { readonly what: 'archive-of-images' };

/** Milliseconds that a file waits for the jobs that contain it. */
const mostWaiting = 5000;
/** Images have a multiple of it; other files rarely do. */
const imageUnit = 1024;
/** What is unpacked at most: the parts of one read. */
const bounds = { files: 16, bytes: 256 * 2 ** 20 };

/** The newest job that has the file other than as its read; null: none, or it is not known. */
async function findJob(file: File, given: AbortSignal): Promise<string | null> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(mostWaiting)]);
  const { jobs, isRead } = await findContent(file, { signal }).catch(() => ({
    jobs: [],
    isRead: true,
  }));
  return isRead ? null : (jobs[0] ?? null);
}

async function isImage(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, recognizedBytes).arrayBuffer());
  const isText = recognizeStart(start).outcome !== 'unknown';
  return !isText && file.size > 0 && file.size % imageUnit === 0;
}

/** Whether an archive contains images, and nothing else. */
async function hasOnlyImages(archive: File, signal: AbortSignal): Promise<boolean> {
  const { unzip } = await import('../../../../api/files/read-zip.ts');
  try {
    for await (const { file } of unzip(archive, bounds, signal)) {
      if (!(await isImage(file))) return false;
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof ZipRefused) return false;
    throw thrown;
  }
}

/** What such a file is; null: only its first bytes and its name are known. @throws with the signal's reason */
export async function inspectForeign(
  file: File,
  recognized: Recognized,
  signal: AbortSignal,
): Promise<Foreign | null> {
  if (recognized.outcome !== 'unknown' && recognized.outcome !== 'archive') return null;
  const slotGUID = await findJob(file, signal);
  if (slotGUID !== null) return { what: 'own-file', slotGUID };
  const isZip = recognized.outcome === 'archive' && recognized.archive === 'zip';
  if (!isZip || recognized.hasPassword || !(await hasOnlyImages(file, signal))) return null;
  return { what: 'archive-of-images' };
}
