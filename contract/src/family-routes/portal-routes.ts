/**
 * The routes of a family's pages, derived from what the family declares about its calls. A page loads only the calls of
 * its own family, so this file knows no family.
 */
import * as z from 'zod/mini';
import { anyCase, guid, json, optionalFlag, optionalGuid, queryFlag, route } from '../api.ts';
import { definitionOf, type Family, findWorkflow } from '../families/registry.ts';
import { contextData, started, userFlow } from '../features/operations.ts';
import {
  activeOperation,
  deviceChoice,
  encodeQuery,
  encodeRefusals,
  entryCallRefusals,
  entryFields,
  notificationInfo,
  slotUploadRefusals,
  uploadedFile,
  uploadRefusals,
  willCorrectCVN,
} from '../features/recoding.ts';
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

/** Whether the family has a page that unpacks and compacts backups. */
export const hasUtility = (family: Family): boolean =>
  findWorkflow(family, { isUtility: true }) !== null;

/** Which of the family's pages calls: the recoding page, or the utility that unpacks and compacts. */
const mode = z.optional(z.enum(['recod', 'utility']));

/** The field of an entry with the caller's running operation. */
export const activeFieldOf = <F extends string>(family: F) =>
  `${family}ActiveFileSlotCreationResult` as const;
/** The fields of the entry of a family with a utility, for the two options that only a utility offers. */
export const skipFieldsOf = (family: Family) => ({
  canSkipChecksum: `${family}CanSkipChecksum`,
  hasDebugFlag: `${family}HasIsDebugFlag`,
});

/** `Active` is the name of the field with the running operation. */
export function entryRoute<Active extends string>(family: Family) {
  const { name } = definitionOf(family);
  const isOneOfTwo = hasUtility(family);
  const { canSkipChecksum, hasDebugFlag } = skipFieldsOf(family);
  const active = {
    [activeFieldOf(family)]: activeOperation,
    ...(isOneOfTwo ? { [canSkipChecksum]: z.boolean(), [hasDebugFlag]: z.boolean() } : {}),
  } as Record<Active, typeof activeOperation>;
  return route('GET', `/api/${family}`, {
    summary: `Returns whether the caller can use ${name}${isOneOfTwo ? ' in this mode' : ''}, their rights, and their running operation.`,
    access: 'session',
    query: z.object({ ...deviceChoice.shape, ...(isOneOfTwo ? { mode } : {}) }),
    answer: json(z.object({ ...entryFields, ...active })),
    refusals: entryCallRefusals(family),
  });
}

/** The options of a decode that only a utility offers. */
const utilityFlags = { skipChecksum: queryFlag, hasDebugFlag: queryFlag, fromUtility: queryFlag };

/** The flags of a family that may have no utility. */
type UtilityFlags = { [Name in keyof typeof utilityFlags]: z.ZodMiniOptional<typeof queryFlag> };

function readRoute(family: Family, { path }: ReadCall, summary: string) {
  const flags = (hasUtility(family) ? utilityFlags : {}) as UtilityFlags;
  return route('POST', `/api/${family}/${path}`, {
    summary,
    access: 'session',
    actsForCustomerCode: true,
    query: z.object({ ...deviceChoice.shape, ...flags }),
    file: { field: 'readFile' },
    fields: z.object({ userFlow: z.optional(userFlow) }),
    answer: started,
    refusals: uploadRefusals(family),
  });
}

function imageRoute(
  family: Family,
  { path, slot, image, file, images }: ImageCall,
  summary: string,
) {
  const [first = '', ...others] = Object.keys(images);
  const params = {
    [slot]: z.string(),
    ...(image === undefined ? {} : { [image]: anyCase([first, ...others]) }),
  };
  const names = Object.keys(params).map((name) => `{${name}}`);
  return route('PUT', `/api/${family}/${path}/${names.join('/')}`, {
    summary,
    access: 'session',
    actsForCustomerCode: true,
    params: z.object(params),
    file: { field: file },
    answer: json(uploadedFile),
    ...slotUploadRefusals(family),
  });
}

function encodeRoute<B extends BodyFields>(
  family: Family,
  { path, body }: EncodeCall & { readonly body: B },
  summary: string,
) {
  return route('POST', `/api/${family}/${path}`, {
    summary,
    access: 'session',
    actsForCustomerCode: true,
    query: encodeQuery,
    body: bodyOf(body),
    answer: started,
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
  /** Without the field {@link activeFieldOf}, whose name depends on the family. */
  readonly entry: ReturnType<typeof entryRoute<never>>;
  readonly read: Described<ReadCall, ReadRoute>;
  readonly images: readonly Described<ImageCall, ImageRoute>[];
  readonly encodes: readonly Described<EncodeCall, EncodeRoute>[];
}

/** The calls of a family's pages, from what it declares about its own; pages do not need their summaries. */
export function describeCalls(
  family: Family,
  { read, images, encodes, readResult }: FamilyCalls,
  summaries: Partial<Summaries> = {},
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
