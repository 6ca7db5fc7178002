/** Routes for the drafts of encodes, and for the fingerprints that find the part of a file. */
import { Refusal } from '@recodery/contract/refusal';
import { getFingerprints } from '@recodery/contract/fingerprints';
import { tabHeader } from '@recodery/contract/headers';
import { cancelUpload, getEncodeDraft, putEncodeDraft } from '@recodery/contract/features/slots';
import { readRequestHeader } from '../../http/file-transfer.ts';
import { createSemaphore } from '../../config/semaphore.ts';
import type { Router } from '../../http/serve.ts';
import { cancelImage, changeDraft, readDraft } from './draft.ts';
import { type FingerprintDependencies, readFingerprints } from '../images/fingerprints.ts';

/**
 * Fingerprints read whole images: an organisation can calculate those of two slots at once, and further requests wait.
 */
const fingerprintPlaces = { atOnce: 2, waitMs: 10_000, mostWaiting: 60 };

/** Registers the draft routes. */
export function serveDrafts(router: Router, deps: FingerprintDependencies): void {
  const { db } = deps;
  router.serve(getEncodeDraft, ({ caller, params }) => readDraft(db, caller, params.slotGUID));
  router.serve(putEncodeDraft, async ({ caller, params, body, request }) => {
    await changeDraft(db, caller, params.slotGUID, body, readRequestHeader(request, tabHeader));
    return undefined;
  });
  router.serve(cancelUpload, async ({ caller, params, body, request }) => {
    const { slotGUID } = params;
    await cancelImage(db, caller, { slotGUID, ...body }, readRequestHeader(request, tabHeader));
    return undefined;
  });
  const semaphore = createSemaphore(fingerprintPlaces);
  router.serve(getFingerprints, async ({ caller, params }) => {
    const leave = await semaphore.enter(caller.organisationId);
    if (leave === null) throw new Refusal('API_ERROR_THROTTLING');
    return { parts: await readFingerprints(deps, caller, params.slotGUID).finally(leave) };
  });
}
