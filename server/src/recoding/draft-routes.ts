/** Routes for the drafts of encodes, and for the fingerprints that find the part of a file. */
import { getFingerprints } from '@recodery/contract/fingerprints';
import { getEncodeDraft, putEncodeDraft } from '@recodery/contract/slots';
import type { Router } from '../http/serve.ts';
import { changeDraft, readDraft } from './draft.ts';
import { type FingerprintDependencies, readFingerprints } from './fingerprints.ts';

/** Registers the draft routes. */
export function serveDrafts(router: Router, deps: FingerprintDependencies): void {
  const { db } = deps;
  router.serve(getEncodeDraft, ({ caller, params }) => readDraft(db, caller, params.slotGUID));
  router.serve(putEncodeDraft, async ({ caller, params, body }) => {
    await changeDraft(db, caller, params.slotGUID, body);
    return undefined;
  });
  router.serve(getFingerprints, async ({ caller, params }) => ({
    parts: await readFingerprints(deps, caller, params.slotGUID),
  }));
}
