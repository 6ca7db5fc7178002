/** Routes for the service status, the operator's messages and the page's configuration. */
import { listMessages } from '@recodery/contract/features/messages';
import { getConfig, getServiceStatus } from '@recodery/contract/features/service-status';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { listShownMessages } from './messages.ts';
import { describeConfig, type PageSettings } from './page-config.ts';
import { readServiceStatus } from './service-status.ts';

/** Registers the routes; every session can read the messages, even without access to the portal. */
export function serveServiceStatus(
  router: Router,
  deps: {
    readonly db: Db;
    readonly config: PageSettings;
  },
): void {
  router.serve(getServiceStatus, () => readServiceStatus(deps.db));
  router.serve(listMessages, async ({ query }) => [
    ...(await listShownMessages(deps.db, query.i_twoLetterCode)),
  ]);
  router.serve(getConfig, async ({ request }) =>
    describeConfig(deps.config, languageFor(request.headers, null).locale),
  );
}
