/** Routes of the decoded images that an organisation keeps as originals. */
import * as contract from '@recodery/contract/features/originals';
import { Refusal } from '@recodery/contract/refusal';
import { createSemaphore } from '../../config/semaphore.ts';
import type { Router } from '../../http/serve.ts';
import { listKeptOriginals, unmarkOriginal } from '../../slots/kept-originals.ts';
import type { ImageDependencies } from '../images/image-uploads.ts';
import { describeOriginal, findOriginalsOf, keepAsOriginal } from './keep-original.ts';

/** How many images of an organisation are verified at once: they share the engines with the uploads of all others. */
const places = { atOnce: 1, waitMs: 10_000, mostWaiting: 20 };

/** Registers the routes of contract/originals. */
export function serveOriginals(router: Router, deps: ImageDependencies): void {
  const { db } = deps;
  const semaphore = createSemaphore(places);
  router.serve(contract.listOriginals, async ({ caller }) =>
    (await listKeptOriginals(db, caller.organisationId)).map(describeOriginal),
  );
  router.serve(contract.findOriginals, ({ caller, params }) =>
    findOriginalsOf(db, caller, params.fileGUID),
  );
  router.serve(contract.keepOriginal, ({ caller, params }) =>
    keepAsOriginal({ ...deps, semaphore }, caller, params.fileGUID),
  );
  router.serve(contract.removeOriginal, async ({ caller, params }) => {
    const wasOne = await unmarkOriginal(db, caller.organisationId, params.fileGUID);
    if (!wasOne) throw new Refusal('NOT_FOUND');
    return undefined;
  });
}
