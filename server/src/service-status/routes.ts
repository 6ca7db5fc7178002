/** Routes for the service status and the page's configuration. */
import { getConfig, getServiceStatus } from '@recodery/contract/service-status';
import type { Door } from '../http/serve.ts';
import type { Db } from '../postgres/schema.ts';
import { languageFor } from '../texts/texts.ts';
import { describeConfig, type PageSettings } from './page-config.ts';
import { readServiceStatus } from './service-status.ts';

/** Registers the service status and the page's configuration. */
export function serveServiceStatus(
  door: Door,
  deps: {
    readonly db: Db;
    readonly config: PageSettings;
  },
): void {
  door.serve(getServiceStatus, () => readServiceStatus(deps.db));
  door.serve(getConfig, async ({ request }) =>
    describeConfig(deps.config, languageFor(request.headers, null).locale),
  );
}
