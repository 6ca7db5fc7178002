/** Routes for the service status and the page's configuration. */
import {
  getConfig,
  getInstallationLogo,
  getServiceStatus,
} from '@recodery/contract/features/service-status';
import { Refusal } from '@recodery/contract/refusal';
import { sendLogo } from '../http/send-logo.ts';
import type { Router } from '../http/serve.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { findOwnLogo } from './own-settings.ts';
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
  router.serve(getInstallationLogo, async ({ reply }) => {
    const logo = await findOwnLogo(deps.db);
    if (logo === null) throw new Refusal('NOT_FOUND');
    await sendLogo(reply, logo);
    return undefined;
  });
  router.serve(getConfig, async ({ request }) =>
    describeConfig(await deps.readSettings(), languageFor(request.headers, null).locale),
  );
}
