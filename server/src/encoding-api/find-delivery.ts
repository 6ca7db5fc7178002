/** Finds the delivery of a file for a program: one that was sealed too long ago is sealed again first. */
import { Refusal } from '@recodery/contract/refusal';
import type { ClientCaller } from '../organisations/caller.ts';
import { requestSealing, type SealDependencies } from '../recoding/sealing/seal-again.ts';
import { readSealing } from '../slots/files/deliveries.ts';
import { findStoredFile, type StoredFile } from '../slots/files/stored-files.ts';

/**
 * The file to send. `seal`: `earlier` takes the newest delivery as it is, `again` starts after a failure.
 * @throws {Refusal} FILE_BEING_SEALED: the program repeats its request; after a failure, its cause
 */
export async function findDelivery(
  deps: SealDependencies,
  caller: ClientCaller,
  file: StoredFile,
  seal: 'again' | 'earlier' | undefined,
): Promise<StoredFile> {
  const found = await readSealing(deps.db, file);
  const starts = found.state === 'due' || (found.state === 'failed' && seal === 'again');
  const current =
    starts && seal !== 'earlier'
      ? await requestSealing(deps, file, { way: 'own', doer: caller })
      : found;
  const { state, reason, fileGUID } = current;
  if (seal !== 'earlier') {
    if (state === 'sealing') throw new Refusal('FILE_BEING_SEALED');
    if (state === 'failed')
      throw new Refusal(reason === null || reason === 'FAILED' ? 'GENERIC_ERROR' : reason);
  }
  const newest =
    fileGUID === file.guid ? file : await findStoredFile(deps.db, file.organisationId, fileGUID);
  if (newest === null) throw new Refusal('NOT_FOUND');
  return newest;
}
