/**
 * The calls of a family's pages, derived from what the family declares about them: address, file and response. Pages
 * load only this, and only for their own family; `portal-routes` adds what the server checks.
 */
import * as z from 'zod/mini';
import { json, route } from '../api.ts';
import { type Family, findWorkflow } from '../families/registry.ts';
import { started } from '../features/operations.ts';
import { activeOperation, entryFields, uploadedFile } from '../features/recoding/recoding.ts';
import type { EncodeCall, FamilyCalls, ImageCall, ReadCall } from './calls.ts';

/** Whether the family has a page that unpacks and compacts backups. */
export const hasUtility = (family: Family): boolean =>
  findWorkflow(family, { isUtility: true }) !== null;

/** The field of an entry with the caller's running operation. */
export const activeFieldOf = <F extends string>(family: F) =>
  `${family}ActiveFileSlotCreationResult` as const;
/** The fields of the entry of a family with a utility, for the two options that only a utility offers. */
export const skipFieldsOf = (family: Family) => ({
  canSkipChecksum: `${family}CanSkipChecksum`,
  hasDebugFlag: `${family}HasIsDebugFlag`,
});

/** The parts that only the server needs: pages neither show them nor check what they send. */
const onServer = { summary: '', refusals: [] } as const;
const common = { ...onServer, access: 'session' } as const;
const change = { ...common, actsForCustomerCode: true } as const;

/** `Active` is the name of the field with the running operation. */
export function entryCall<Active extends string>(family: Family) {
  const { canSkipChecksum, hasDebugFlag } = skipFieldsOf(family);
  const own = {
    [activeFieldOf(family)]: activeOperation,
    ...(hasUtility(family) ? { [canSkipChecksum]: z.boolean(), [hasDebugFlag]: z.boolean() } : {}),
  } as Record<Active, typeof activeOperation>;
  const answer = json(z.object({ ...entryFields, ...own }));
  return route('GET', `/api/${family}`, { ...common, answer });
}

export const readCall = (family: Family, { path }: ReadCall) =>
  route('POST', `/api/${family}/${path}`, {
    ...change,
    file: { field: 'readFile' },
    answer: started,
  });

export function imageCall(family: Family, { path, slot, image, file }: ImageCall) {
  const last = image === undefined ? '' : `/{${image}}`;
  return route('PUT', `/api/${family}/${path}/{${slot}}${last}`, {
    ...change,
    file: { field: file },
    answer: json(uploadedFile),
  });
}

export const encodeCall = (family: Family, { path }: EncodeCall) =>
  route('POST', `/api/${family}/${path}`, { ...change, answer: started });

/** The calls of a family's pages. */
export function describePageCalls(
  family: Family,
  { read, images, encodes, readResult }: FamilyCalls,
) {
  return {
    readResult,
    entry: entryCall(family),
    read: { call: read, route: readCall(family, read) },
    images: Object.values(images).map((call) => ({ call, route: imageCall(family, call) })),
    encodes: Object.values(encodes).map((call) => ({ call, route: encodeCall(family, call) })),
  };
}
