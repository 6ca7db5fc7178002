/** Routes of the pre-flights: one for each family. */
import { type Family, families } from '@recodery/contract/families/registry';
import { preflightRoutes } from '@recodery/contract/features/recoding/preflight';
import { createSemaphore } from '../../config/semaphore.ts';
import type { Router } from '../../http/serve.ts';
import { type EncodeOptions, preflight, type PreflightDependencies } from './preflight.ts';

/** How many pre-flights of an organisation run at once: they share the engines with the uploads of all others. */
const places = { atOnce: 2, waitMs: 10_000, mostWaiting: 20 };

/** Registers the pre-flights. */
export function servePreflights(
  router: Router,
  deps: Omit<PreflightDependencies, 'semaphore'>,
  optionsOf: (family: Family) => EncodeOptions,
): void {
  const semaphore = createSemaphore(places);
  for (const family of families) {
    router.serve(preflightRoutes[family], ({ caller, params }) =>
      preflight({ ...deps, semaphore }, caller, {
        family,
        slotGuid: params.slotGUID,
        options: optionsOf(family),
      }),
    );
  }
}
