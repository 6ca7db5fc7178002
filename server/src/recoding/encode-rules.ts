/** What an encode requires and why it is refused; pure, on plain values. */
import type { EngineOffers } from '@recodery/contract/features/engines';
import type { RefusalCode } from '@recodery/contract/errors';
import type { RecodErrorName } from '@recodery/contract/families/registry';
import type { DecodeFacts, EncodeRequest } from './results/stored-result.ts';

type Ask = Pick<
  EncodeRequest,
  'modified' | 'originalFileGuid' | 'removed' | 'reencode' | 'willSkipChecksum'
>;
type Read = Pick<
  DecodeFacts,
  'isOneImage' | 'components' | 'isOriginalFileNeeded' | 'isChecksumCorrectionNeeded'
>;

/** Whether the original image must be uploaded: the read lacks the image, or a checksum rule requires it. */
export function isOriginalNeeded(
  read: Pick<Read, 'isOriginalFileNeeded' | 'isChecksumCorrectionNeeded'>,
  willSkipChecksum = false,
): boolean {
  return read.isOriginalFileNeeded || (read.isChecksumCorrectionNeeded && !willSkipChecksum);
}

/** Whether the decoded image can be encoded unchanged. */
export function canEncodeUnchanged(read: Read, willSkipChecksum = false): boolean {
  const isPossible = read.isOneImage && read.components.length > 0;
  return isPossible && !isOriginalNeeded(read, willSkipChecksum);
}

/**
 * Why an encode is refused before it starts, or null. A read of one image needs its modified image, and the original
 * where required. A read of components can be encoded unchanged from the backup, but at least one component must
 * remain. Features that the engine does not offer are refused.
 */
export function encodeRefusal(
  read: Read,
  ask: Ask,
  offers: EngineOffers,
): RefusalCode | RecodErrorName | null {
  const isOffered =
    (offers.checksumSkip || !ask.willSkipChecksum) &&
    (offers.componentRemoval || ask.removed.length === 0);
  if (!isOffered) return 'OPERATION_NOT_POSSIBLE';
  return read.isOneImage ? oneImageRefusal(read, ask) : componentsRefusal(read, ask);
}

function oneImageRefusal(read: Read, ask: Ask): RefusalCode | RecodErrorName | null {
  if (ask.removed.length > 0) return 'OPERATION_NOT_POSSIBLE';
  if (ask.reencode)
    return canEncodeUnchanged(read, ask.willSkipChecksum) ? null : 'OPERATION_NOT_POSSIBLE';
  if (ask.modified.length !== 1 || ask.modified[0]?.component !== 'obd') {
    return 'OPERATION_NOT_POSSIBLE';
  }
  const isMissing = isOriginalNeeded(read, ask.willSkipChecksum) && ask.originalFileGuid === null;
  return isMissing ? 'FILE_NOT_COMPATIBLE_WITH_READ_FILE' : null;
}

function componentsRefusal(read: Read, ask: Ask): RefusalCode | null {
  if (ask.reencode || ask.modified.some(({ component }) => component === 'obd')) {
    return 'OPERATION_NOT_POSSIBLE';
  }
  const present = new Set([
    ...read.components.map(({ component }) => component),
    ...ask.modified.map(({ component }) => component),
  ]);
  for (const component of ask.removed) present.delete(component);
  return present.size > 0 ? null : 'OPERATION_NOT_POSSIBLE';
}
