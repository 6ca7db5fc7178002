/** The calls of each family, and what it declares for the Encoding API. */
import type { EncodingApiFamily } from '../families/encoding-api-family.ts';
import type { Route } from '../api.ts';
import {
  apiFamilies,
  type ApiFamily,
  byFamily,
  definitionOf,
  type Family,
} from '../families/registry.ts';
import { notificationDetailsRoute } from '../features/recoding/recoding.ts';
import { componentsRoute } from '../features/slots.ts';
import type { FamilyCalls, Summaries, WriteResult } from './calls.ts';
import { autoflasher } from './autoflasher.ts';
import { autotuner } from './autotuner.ts';
import { bflash } from './bflash.ts';
import { flex } from './flex.ts';
import { kess3 } from './kess3.ts';
import { kessv2 } from './kessv2.ts';
import { ktag } from './ktag.ts';
import type { activeFieldOf } from './page-calls.ts';
import {
  describeCalls,
  type entryRoute,
  type EncodeRoute,
  type ImageRoute,
  type ReadRoute,
} from './portal-routes.ts';

/** The routes of a family, as its file declares them. */
interface FamilyRoutes {
  readonly calls: FamilyCalls;
  readonly summaries: Summaries;
  readonly writeResult: WriteResult;
  /** Absent: client applications cannot use it. */
  readonly encodingApi?: () => EncodingApiFamily;
}

/** A new family is one line here. */
const declared = {
  kessv2,
  ktag,
  kess3,
  bflash,
  autotuner,
  flex,
  autoflasher,
} as const satisfies Record<Family, FamilyRoutes> & Record<ApiFamily, Required<FamilyRoutes>>;
const routesOf = (family: Family): FamilyRoutes => declared[family];

/** The calls of each family's pages. */
export const portalCalls = byFamily((family) =>
  describeCalls(family, routesOf(family).calls, routesOf(family).summaries),
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
  readonly [F in Family]: NamedRoutes<F, (typeof declared)[F]['calls']>;
};

/** Writes the result of a decode in the names of its family. */
export const writeResults: Readonly<Record<Family, WriteResult>> = byFamily(
  (family) => routesOf(family).writeResult,
);

const encodingApis = new Map<Family, EncodingApiFamily>(
  apiFamilies.map((family) => [family, declared[family].encodingApi()]),
);

/** What a family declares for the Encoding API. @throws when it declares nothing: client applications cannot use it */
export function encodingApiOf(family: Family): EncodingApiFamily {
  const declared = encodingApis.get(family);
  if (declared === undefined) throw new Error(`the Encoding API does not have ${family}`);
  return declared;
}
