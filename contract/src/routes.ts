/** The list of all routes: the server serves exactly these, and the API document lists exactly these. */
import type { Route } from './api.ts';
import * as clients from './clients.ts';
import * as comparison from './comparison.ts';
import * as engines from './engines.ts';
import { familyRoutes } from './families/routes.ts';
import { families, type Family } from './families/registry.ts';
import * as fingerprints from './fingerprints.ts';
import * as jobs from './jobs.ts';
import * as messages from './messages.ts';
import * as notifications from './notifications.ts';
import { logRoutes } from './operations-log.ts';
import * as operations from './operations.ts';
import { preflightRoutes } from './preflight.ts';
import * as preferences from './preferences.ts';
import * as receipts from './receipts.ts';
import * as serviceStatus from './service-status.ts';
import * as session from './session.ts';
import * as share from './share-links.ts';
import * as slots from './slots.ts';
import * as trays from './trays.ts';
import * as webhooks from './webhooks.ts';

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'verb' in value && 'parts' in value;
}

const capitalise = (family: Family): string => family.charAt(0).toUpperCase() + family.slice(1);

/** For example, the log of KESS3 is `downloadKess3Log`. */
const namedLogRoutes = Object.fromEntries(
  families.toSorted().map((family) => [`download${capitalise(family)}Log`, logRoutes[family]]),
);

/** For example, that of KESSv2 is `putEncodedKessv2FileNameFormat`. */
const namedFormatRoutes = Object.fromEntries(
  preferences.nameFormatRoutes.map(({ family, route }) => [
    `putEncoded${capitalise(family)}FileNameFormat`,
    route,
  ]),
);

/** All routes, by `noun.name`, in the order in which the API document shows them. */
export const routes: ReadonlyMap<string, Route> = new Map(
  Object.entries({
    session,
    operations,
    ...familyRoutes,
    slots,
    comparison,
    preflight: preflightRoutes,
    trays,
    fingerprints,
    jobs,
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
  }).flatMap(([noun, values]) =>
    Object.entries(values)
      .filter((entry): entry is [string, Route] => isRoute(entry[1]))
      .map(([name, value]): [string, Route] => [`${noun}.${name}`, value]),
  ),
);
