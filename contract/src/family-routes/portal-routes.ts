/**
 * The routes of a family's pages as the server serves them: the calls of its pages, with what a request may contain,
 * why it is refused, and its description.
 */
import * as z from 'zod/mini';
import { anyCase, guid, optionalFlag, optionalGuid, queryFlag, route } from '../api.ts';
import { definitionOf, type Family } from '../families/registry.ts';
import { contextData, userFlow } from '../features/operations.ts';
import {
  decodeChoice,
  deviceChoice,
  encodeQuery,
  encodeRefusals,
  entryCallRefusals,
  notificationInfo,
  slotUploadRefusals,
  decodeRefusals,
  willCorrectCVN,
} from '../features/recoding/recoding.ts';
import { encodeCall, entryCall, hasUtility, imageCall, readCall } from './page-calls.ts';
import type {
  BodyField,
  BodyFields,
  EncodeCall,
  FamilyCalls,
  ImageCall,
  ReadCall,
  Summaries,
} from './calls.ts';

/** The schema of each meaning of a field in a body. */
const fieldSchemas = {
  slot: guid,
  file: optionalGuid,
  files: z.optional(z.record(z.string().check(z.maxLength(20)), optionalGuid)),
  removal: optionalFlag,
  willCorrectCVN,
  willSkipChecksum: optionalFlag,
  willCorrectChecksums: optionalFlag,
  contextData,
  notificationInfo,
} as const satisfies Record<BodyField['means'], z.ZodMiniType>;

/** The schemas of a body, by the family's names for its fields. */
type BodyShape<B extends BodyFields> = {
  [Name in keyof B]: (typeof fieldSchemas)[B[Name]['means']];
};

function bodyOf<B extends BodyFields>(fields: B) {
  const schemas = Object.entries(fields).map(([name, { means }]) => [name, fieldSchemas[means]]);
  return z.object(Object.fromEntries(schemas) as BodyShape<B>);
}

/** Which of the family's pages calls: the recoding page, or the utility that unpacks and compacts. */
const mode = z.optional(z.enum(['recod', 'utility']));

/** `Active` is the name of the field with the running operation. */
export function entryRoute<Active extends string>(family: Family) {
  const { verb, path, parts } = entryCall<Active>(family);
  const { name } = definitionOf(family);
  const isOneOfTwo = hasUtility(family);
  return route(verb, path, {
    ...parts,
    summary: `Returns whether the caller can use ${name}${isOneOfTwo ? ' in this mode' : ''}, their rights, and their running operation.`,
    query: z.object({ ...deviceChoice.shape, ...(isOneOfTwo ? { mode } : {}) }),
    refusals: entryCallRefusals(family),
  });
}

/** The options of a decode that only a utility offers. */
const utilityFlags = { skipChecksum: queryFlag, hasDebugFlag: queryFlag, fromUtility: queryFlag };

/** The flags of a family that may have no utility. */
type UtilityFlags = { [Name in keyof typeof utilityFlags]: z.ZodMiniOptional<typeof queryFlag> };

function readRoute(family: Family, call: ReadCall, summary: string) {
  const { verb, path, parts } = readCall(family, call);
  const flags = (hasUtility(family) ? utilityFlags : {}) as UtilityFlags;
  return route(verb, path, {
    ...parts,
    summary,
    query: z.object({ ...decodeChoice(family), ...flags }),
    fields: z.object({ userFlow: z.optional(userFlow) }),
    refusals: decodeRefusals(family),
  });
}

function imageRoute(family: Family, call: ImageCall, summary: string) {
  const { verb, path, parts } = imageCall(family, call);
  const [first = '', ...others] = Object.keys(call.images);
  return route(verb, path, {
    ...parts,
    summary,
    params: z.object({
      [call.slot]: z.string(),
      ...(call.image === undefined ? {} : { [call.image]: anyCase([first, ...others]) }),
    }),
    ...slotUploadRefusals(family),
  });
}

function encodeRoute<B extends BodyFields>(
  family: Family,
  call: EncodeCall & { readonly body: B },
  summary: string,
) {
  const { verb, path, parts } = encodeCall(family, call);
  return route(verb, path, {
    ...parts,
    summary,
    query: encodeQuery,
    body: bodyOf(call.body),
    ...encodeRefusals(family),
  });
}

/** A call of a family's own and its route. */
export interface Described<Call, CallRoute> {
  readonly name: string;
  readonly call: Call;
  readonly route: CallRoute;
}
export type ReadRoute = ReturnType<typeof readRoute>;
export type ImageRoute = ReturnType<typeof imageRoute>;
export type EncodeRoute<B extends BodyFields = BodyFields> = ReturnType<typeof encodeRoute<B>>;

/** The calls of a family's pages. */
export interface PortalCalls extends Pick<FamilyCalls, 'readResult'> {
  /** Without the field `activeFieldOf`, whose name depends on the family. */
  readonly entry: ReturnType<typeof entryRoute<never>>;
  readonly read: Described<ReadCall, ReadRoute>;
  readonly images: readonly Described<ImageCall, ImageRoute>[];
  readonly encodes: readonly Described<EncodeCall, EncodeRoute>[];
}

/** The calls of a family's pages as the server serves them, from what the family declares about its own. */
export function describeCalls(
  family: Family,
  { read, images, encodes, readResult }: FamilyCalls,
  summaries: Summaries,
): PortalCalls {
  const describe = <Call, CallRoute>(
    name: string,
    call: Call,
    routeOf: (of: Family, call: Call, summary: string) => CallRoute,
  ) => ({ name, call, route: routeOf(family, call, summaries[name] ?? '') });
  return {
    readResult,
    entry: entryRoute(family),
    read: describe(read.name, read, readRoute),
    images: Object.entries(images).map(([name, call]) => describe(name, call, imageRoute)),
    encodes: Object.entries(encodes).map(([name, call]) => describe(name, call, encodeRoute)),
  };
}
