/** Routes for the service status and the page's configuration. */
import { getConfig, getServiceStatus } from '@recodery/contract/features/service-status';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { describeConfig, type PageSettings } from './page-config.ts';
import { readServiceStatus } from './service-status.ts';

/** Registers the routes. */
export function serveServiceStatus(
  router: Router,
  deps: {
    readonly db: Db;
    /** What the pages get, as it is now. */
    readonly readSettings: () => Promise<PageSettings>;
  },
): void {
  router.serve(getServiceStatus, () => readServiceStatus(deps.db));
  router.serve(getConfig, async ({ request }) =>
    describeConfig(await deps.readSettings(), languageFor(request.headers, null).locale),
  );
}
