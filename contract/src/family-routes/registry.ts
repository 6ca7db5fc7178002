/** The calls of each family, and what it declares for the Encoding API. */
import type { EncodingApiFamily } from '../families/encoding-api-family.ts';
import type { Route } from '../api.ts';
import { byFamily, definitionOf, type Family } from '../families/registry.ts';
import { notificationDetailsRoute } from '../features/recoding.ts';
import { componentsRoute } from '../features/slots.ts';
import type { FamilyCalls, Summaries, WriteResult } from './calls.ts';
import * as kess3 from './kess3.ts';
import * as kessv2 from './kessv2.ts';
import * as ktag from './ktag.ts';
import type { activeFieldOf } from './page-calls.ts';
import {
  describeCalls,
  type entryRoute,
  type EncodeRoute,
  type ImageRoute,
  type ReadRoute,
} from './portal-routes.ts';

const declared = {
  kessv2: kessv2.kessv2,
  ktag: ktag.ktag,
  kess3: kess3.kess3,
} as const satisfies Record<Family, FamilyCalls>;

const summaries: Readonly<Record<Family, Summaries>> = {
  kessv2: kessv2.summaries,
  ktag: ktag.summaries,
  kess3: kess3.summaries,
};

/** The calls of each family's pages. */
export const portalCalls = byFamily((family) =>
  describeCalls(family, declared[family], summaries[family]),
);

/** The calls that every family has, and that its own page does not send. */
export const commonCalls = byFamily((family) => ({
  notificationDetails: notificationDetailsRoute(family),
  /** Null for a family without components. */
  downloadAllFiles:
    definitionOf(family).componentTypes.length === 0 ? null : componentsRoute(family),
}));

/** The routes of a family's calls by their names, each with its own type. */
type NamedRoutes<F extends Family, Calls extends FamilyCalls> = {
  readonly entry: ReturnType<typeof entryRoute<ReturnType<typeof activeFieldOf<F>>>>;
  readonly notificationDetails: ReturnType<typeof notificationDetailsRoute<F>>;
  readonly downloadAllFiles: ReturnType<typeof componentsRoute<F>>;
} & { readonly [Name in Calls['read']['name']]: ReadRoute } & {
  readonly [Name in keyof Calls['images']]: ImageRoute;
} & { readonly [Name in keyof Calls['encodes']]: EncodeRoute<Calls['encodes'][Name]['body']> };

function nameRoutes(family: Family): Readonly<Record<string, Route>> {
  const { entry, read, images, encodes } = portalCalls[family];
  const { notificationDetails, downloadAllFiles } = commonCalls[family];
  const named: Record<string, Route> = {
    entry,
    notificationDetails,
    ...(downloadAllFiles === null ? {} : { downloadAllFiles }),
  };
  for (const one of [read, ...images, ...encodes]) named[one.name] = one.route;
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The routes of each family by their names, in alphabetical order. */
export const portalRoutes = byFamily(nameRoutes) as unknown as {
  readonly [F in Family]: NamedRoutes<F, (typeof declared)[F]>;
};

/** Writes the result of a decode in the names of its family. */
export const writeResults: Readonly<Record<Family, WriteResult>> = {
  kessv2: kessv2.writeResult,
  ktag: ktag.writeResult,
  kess3: kess3.writeResult,
};

const encodingApis: Readonly<Record<Family, EncodingApiFamily>> = {
  kessv2: kessv2.encodingApi(),
  ktag: ktag.encodingApi(),
  kess3: kess3.encodingApi(),
};

/** What a family declares for the Encoding API. */
export function encodingApiOf(family: Family): EncodingApiFamily {
  return encodingApis[family];
}
