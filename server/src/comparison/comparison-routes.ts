/** Routes that compare two images of the caller's organisation, and return windows of their bytes. */
import { compareFiles, listComparable, readBytes } from '@recodery/contract/features/comparison';
import { Refusal } from '@recodery/contract/refusal';
import type { Kysely } from 'kysely';
import { createSemaphore } from '../config/semaphore.ts';
import type { Router } from '../http/serve.ts';
import type { Caller } from '../organisations/caller.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { findComparable, isSearchable } from './comparable-images.ts';
import { compareStoredImages } from './compare-files.ts';
import { readRange } from './paired-bytes.ts';

export interface ComparisonDependencies {
  readonly db: Kysely<Database>;
  readonly storage: VerifiedStorage;
}

/** A comparison reads up to 32 MiB: an organisation can run two at once, and its others wait. */
const comparisonPlaces = { atOnce: 2, waitMs: 10_000, mostWaiting: 20 };

type Image = StoredFile & { readonly role: 'decoded' | 'modified' | 'original' };

/** Whether a file is an image; read, ID and encoded files are sealed. */
function isImage(file: StoredFile): file is Image {
  return file.role === 'decoded' || file.role === 'modified' || file.role === 'original';
}

/** An image of the caller's organisation. @throws {Refusal} NOT_FOUND, or OPERATION_NOT_POSSIBLE for a sealed file */
async function requireImage(
  { db }: ComparisonDependencies,
  { organisationId }: Caller,
  guid: string,
): Promise<Image> {
  const file = await findStoredFile(db, organisationId, guid);
  if (file === null) throw new Refusal('NOT_FOUND');
  if (!isImage(file)) throw new Refusal('OPERATION_NOT_POSSIBLE');
  return file;
}

function describe({ guid, name, role, size, sha256 }: Image) {
  return { fileGUID: guid, name, role, size, sha256 };
}

/** Registers the comparison routes. */
export function serveComparisons(router: Router, deps: ComparisonDependencies): void {
  const semaphore = createSemaphore(comparisonPlaces);

  router.serve(compareFiles, async ({ caller, params, query }) => {
    const [before, after] = await Promise.all([
      requireImage(deps, caller, params.fileGUID),
      requireImage(deps, caller, params.otherFileGUID),
    ]);
    const leave = await semaphore.enter(caller.organisationId);
    if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
    const found = await compareStoredImages(deps, before, after, query).finally(leave);
    return { before: describe(before), after: describe(after), ...found };
  });

  router.serve(listComparable, async ({ caller, params, query }) => {
    const image = await requireImage(deps, caller, params.fileGUID);
    const { before } = query;
    const isKnown =
      before === undefined || (await isSearchable(deps.db, caller.organisationId, before));
    if (!isKnown) throw new Refusal('NOT_FOUND');
    return findComparable(deps.db, image, query);
  });

  router.serve(readBytes, async ({ caller, params, query }) => {
    const file = await requireImage(deps, caller, params.fileGUID);
    const from = Math.min(query.from, file.size);
    const count = Math.min(query.count, file.size - from);
    const bytes = await readRange(deps.storage, file, from, count);
    return { from, size: file.size, data: Buffer.from(bytes).toString('base64') };
  });
}
