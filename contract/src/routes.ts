/** Every route of the product, once: the server serves exactly these, the API document lists exactly these. */
import type { Route } from './api.ts';
import * as kess3 from './kess3.ts';
import * as kessv2 from './kessv2.ts';
import * as ktag from './ktag.ts';
import * as messages from './messages.ts';
import * as notifications from './notifications.ts';
import * as operationsLog from './operations-log.ts';
import * as operations from './operations.ts';
import * as preferences from './preferences.ts';
import * as serviceStatus from './service-status.ts';
import * as session from './session.ts';
import * as share from './share.ts';
import * as slots from './slots.ts';

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'verb' in value && 'parts' in value;
}

/** All routes, by `noun.name`, in the order in which the API document shows them. */
export const routes: ReadonlyMap<string, Route> = new Map(
  Object.entries({
    session,
    operations,
    kessv2,
    ktag,
    kess3,
    slots,
    notifications,
    share,
    operationsLog,
    preferences,
    messages,
    serviceStatus,
  }).flatMap(([noun, values]) =>
    Object.entries(values)
      .filter((entry): entry is [string, Route] => isRoute(entry[1]))
      .map(([name, value]): [string, Route] => [`${noun}.${name}`, value]),
  ),
);
