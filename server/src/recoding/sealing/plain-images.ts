/** Stores what a maker's service is given next to the file that it seals, where such files expire. */
import { doFilesExpire } from '@recodery/contract/families/sealing';
import type { ComponentName } from '@recodery/contract/families/family';
import { newGuid } from '../../config/guids.ts';
import type { EncodeJob } from '../../engine/engine.ts';
import type { OperationRow } from '../../operations/operation-rules.ts';
import type { NewStoredFile } from '../../slots/files/stored-files.ts';
import type { JobDependencies, Working } from '../engine-job.ts';
import type { EncodeRequest } from '../results/stored-result.ts';

/** An image in the storage that no row describes yet. */
export interface StoredPlain {
  readonly component: ComponentName;
  readonly storageKey: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** Whether an operation prepares a restore kit. */
export function isKitOf(
  { isBackground }: Pick<OperationRow, 'isBackground'>,
  { sealsAgain }: EncodeRequest,
): boolean {
  return isBackground && sealsAgain === undefined;
}

/**
 * Stores the images of a job as its engine got them, after corrections. Nothing for files that do not expire, for a restore
 * kit, which is made from the decoded images again, and for a file that is sealed again.
 */
export async function storePlainImages(
  { storage }: Pick<JobDependencies, 'storage'>,
  { operation, work }: Pick<Working, 'operation' | 'work'>,
  request: EncodeRequest,
  job: EncodeJob,
): Promise<readonly StoredPlain[]> {
  const isFirst = request.sealsAgain === undefined && !isKitOf(operation, request);
  if (!isFirst || !doFilesExpire(operation.family)) return [];
  const stored: StoredPlain[] = [];
  for (const { component, file } of [...job.modified, ...job.decoded]) {
    const storageKey = `${work.storagePrefix}plain-${component}`;
    const written = await storage.fromFile(storageKey, await job.bring(file));
    stored.push({ component, storageKey, ...written });
  }
  return stored;
}

/** The rows of the images from which a file can be sealed again. */
export function describePlain(
  { retentionDays }: Pick<JobDependencies, 'retentionDays'>,
  { operation, plain }: Pick<Working, 'operation'> & { readonly plain: readonly StoredPlain[] },
  sealed: { readonly fileGuid: string; readonly name: string },
): readonly NewStoredFile[] {
  const { organisationId, slotGuid } = operation;
  return plain.map(({ component, ...image }) => ({
    guid: newGuid(),
    organisationId,
    slotGuid,
    role: 'plain',
    component,
    name: `${sealed.name}.${component}.bin`,
    ...image,
    firstDeliveryGuid: sealed.fileGuid,
    retentionDays,
  }));
}
