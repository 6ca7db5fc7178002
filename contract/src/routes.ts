/** The list of all routes: the server serves exactly these, and the API document lists exactly these. */
import * as account from './admin/account.ts';
import * as factors from './admin/factors.ts';
import * as invitations from './admin/invitations.ts';
import * as directory from './admin/directory.ts';
import * as manySlaves from './admin/many-slaves.ts';
import * as overview from './admin/overview.ts';
import { adminRouteNames } from './admin/resource-routes.ts';
import * as setup from './admin/setup.ts';
import * as termsPreview from './admin/terms-preview.ts';
import type { Route } from './api.ts';
import * as clients from './features/clients.ts';
import * as comparison from './features/comparison.ts';
import { repairRoutes } from './features/recoding/repairs.ts';
import * as fileSealing from './features/recoding/file-sealing.ts';
import * as engines from './features/engines.ts';
import { portalRoutes } from './family-routes/registry.ts';
import { families, type Family } from './families/registry.ts';
import * as fingerprints from './fingerprints.ts';
import * as jobs from './features/jobs/jobs.ts';
import * as jobsExport from './features/jobs/jobs-export.ts';
import * as jobsImport from './features/jobs/jobs-import.ts';
import * as keptJobs from './features/jobs/kept-jobs.ts';
import * as messages from './features/messages.ts';
import * as notifications from './features/notifications.ts';
import { logRoutes } from './features/operations-log.ts';
import * as originals from './features/originals.ts';
import * as operations from './features/operations.ts';
import { preflightRoutes } from './features/recoding/preflight.ts';
import * as preferences from './features/preferences.ts';
import * as receipts from './features/receipts.ts';
import * as serviceStatus from './features/service-status.ts';
import * as session from './features/session.ts';
import * as share from './features/share-links.ts';
import * as slots from './features/slots.ts';
import * as trays from './features/trays.ts';
import * as webhooks from './features/webhooks.ts';

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'verb' in value && 'parts' in value;
}

const capitalize = (family: Family): string => family.charAt(0).toUpperCase() + family.slice(1);

/** For example, the log of KESS3 is `downloadKess3Log`. */
const namedLogRoutes = Object.fromEntries(
  families.toSorted().map((family) => [`download${capitalize(family)}Log`, logRoutes[family]]),
);

/** For example, that of KESSv2 is `putEncodedKessv2FileNameFormat`. */
const namedFormatRoutes = Object.fromEntries(
  preferences.nameFormatRoutes.map(({ family, route }) => [
    `putEncoded${capitalize(family)}FileNameFormat`,
    route,
  ]),
);

/** All routes, by `noun.name`, in the order in which the API document shows them. */
export const routes: ReadonlyMap<string, Route> = new Map(
  Object.entries({
    session,
    operations,
    ...portalRoutes,
    slots: { ...slots, ...fileSealing },
    comparison,
    preflight: preflightRoutes,
    repairs: repairRoutes,
    originals,
    trays,
    fingerprints,
    jobs: { ...jobs, ...keptJobs, ...jobsExport, ...jobsImport },
    engines,
    notifications,
    share,
    receipts,
    operationsLog: namedLogRoutes,
    preferences: { ...preferences, ...namedFormatRoutes },
    clients,
    webhooks,
    messages,
    serviceStatus,
    setup,
    account,
    factors,
    invitations,
    ...adminRouteNames,
    directory,
    manySlaves,
    overview,
    termsPreview,
  }).flatMap(([noun, values]) =>
    Object.entries(values)
      .filter((entry): entry is [string, Route] => isRoute(entry[1]))
      .map(([name, value]): [string, Route] => [`${noun}.${name}`, value]),
  ),
);
