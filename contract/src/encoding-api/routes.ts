/**
 * The calls of the Encoding API, derived for each family from its declaration. Paths are relative to the base address.
 */
import * as z from 'zod/mini';
import { guid, json, optionalFlag, optionalGuid, optionalText, type Route, route } from '../api.ts';
import { requestAccessToken } from '../features/clients.ts';
import type { Mode } from '../families/family.ts';
import { apiFamilies, type Family } from '../families/registry.ts';
import { doFilesExpire } from '../families/sealing.ts';
import { encodingApiOf } from '../family-routes/registry.ts';
import { contextData } from '../features/operations.ts';
import {
  decodeChoice,
  encodeRefusals,
  slotUploadRefusals,
  decodeRefusals,
} from '../features/recoding/recoding.ts';
import type {
  EncodeDeclaration,
  EncodingApiFamily,
  UploadPlace,
} from '../families/encoding-api-family.ts';
import { operationRecord, plainTime } from './operations.ts';

/** The path under which the portal serves these calls; dedicated hosts serve them at the root. */
export const encodingApiPrefix = '/encoding-api';

/** A slot, as the calls about slots return it. */
export const fileSlot = z.object({
  guid,
  isClosed: z.boolean(),
  /** The label of the decode; null for slots that a user made in the portal. */
  ownerCustomerCode: z.nullable(z.string()),
  createdOn: plainTime,
});
export type FileSlot = z.infer<typeof fileSlot>;

/**
 * Slots in one list, besides those that the caller has open. With the longest labels, that many are less than 1 MiB.
 */
export const mostListedSlots = 100;

/** A file: its name, and its bytes in Base64. */
export const fileData = z.object({ name: z.string(), data: z.string() });

const common = { access: 'client', dialect: 'encoding-api' } as const;
const unauthorized = 'API_ERROR_UNAUTHORIZED' as const;
/** Where the client receives the result; absent, null and empty mean nowhere and become null. */
const callbackURL = z.pipe(
  optionalText(2048),
  z.transform((text): string | null => text || null),
);
const slotParams = z.object({ slot: z.string() });

/** An encode as requested by a client: the uploaded files and their places. */
export interface ProgramEncode {
  readonly slotGuid: string;
  readonly files: readonly (UploadPlace & { readonly fileGuid: string })[];
  readonly willCorrectCVN: boolean;
  readonly willCorrectChecksums: boolean;
  readonly userInfo: string | null;
  readonly callbackURL: string | null;
  /** Has no effect, but counts when requests are compared. */
  readonly userCustomerCode: string | null;
}

/** The body of an encode, with the family's names for its fields. */
function encodeBody(
  { slotField }: EncodingApiFamily,
  { fileFields, canCorrectCVN }: EncodeDeclaration,
) {
  const names = Object.keys(fileFields);
  const fields = z.object({
    userCustomerCode: optionalText(1024),
    [slotField]: guid,
    ...Object.fromEntries(names.map((name) => [name, optionalGuid])),
    ...(canCorrectCVN ? { willCorrectCVN: optionalFlag } : {}),
    willCorrectChecksums: optionalFlag,
    userInfo: contextData,
    callbackURL,
  });
  return z.pipe(
    fields,
    z.transform((given): ProgramEncode => {
      const values: Readonly<Record<string, unknown>> = given;
      const files = Object.entries(fileFields).flatMap(([name, place]) => {
        const fileGuid = values[name];
        return typeof fileGuid === 'string' ? [{ ...place, fileGuid }] : [];
      });
      return {
        slotGuid: String(values[slotField]),
        files,
        willCorrectCVN: values['willCorrectCVN'] === true,
        willCorrectChecksums: values['willCorrectChecksums'] === true,
        userInfo: given.userInfo,
        callbackURL: given.callbackURL,
        userCustomerCode: given.userCustomerCode,
      };
    }),
  );
}

function describeEncode(family: Family, mode: Mode, declared: EncodeDeclaration) {
  const api = encodingApiOf(family);
  const refused = encodeRefusals(family);
  return {
    mode,
    route: route('POST', `/api/${family}/${declared.path}`, {
      ...common,
      summary:
        'Starts encoding for the slave that wrote the read file. Components without a file stay unchanged.',
      startsWork: true,
      query: z.object({ callbackURL }),
      body: encodeBody(api, declared),
      answer: json(operationRecord),
      ...refused,
      refusals: [...refused.refusals, 'SLOT_CLOSED', 'CALLBACK_URL_NOT_ALLOWED'],
    }),
  };
}

/** What a program wants of an encoded file that was sealed too long ago; absent: a new one, if that has not failed. */
const sealChoice = z.optional(z.enum(['again', 'earlier']));

/** How a download of a family is refused: the files of some makers may have to be sealed again first. */
function downloadRefusals(family: Family) {
  return doFilesExpire(family)
    ? ({
        errorNames: ['ENGINE_REFUSED', 'ENGINE_UNAVAILABLE'],
        refusals: ['FILE_BEING_SEALED', 'SERVICE_UNAVAILABLE', 'API_ERROR_THROTTLING'],
      } as const)
    : ({ refusals: [] } as const);
}

function describeSlots(family: Family) {
  const { refusals: later, ...refused } = downloadRefusals(family);
  const path = `/api/${family}/file-slots`;
  return {
    listSlots: route('GET', path, {
      ...common,
      summary:
        'Lists slots of the organisation: those that you have open, then the latest others (at most 100). Those that another client has opened are listed as closed.',
      query: z.object({
        ownerCustomerCode: z.optional(z.string()),
        /** The GUID of a slot: the list continues with older slots. */
        before: z.optional(guid),
      }),
      answer: json(z.array(fileSlot)),
      refusals: [unauthorized, 'BAD_REQUEST'],
    }),
    closeSlot: route('POST', `${path}/{slot}/close`, {
      ...common,
      summary:
        'Closes a slot that you have open. Its running operations continue, and its files can still be downloaded.',
      params: slotParams,
      answer: json(fileSlot),
      refusals: [unauthorized, 'NOT_FOUND'],
    }),
    reopenSlot: route('POST', `${path}/{slot}/reopen`, {
      ...common,
      summary:
        'Opens a slot again, or takes over one that another client has open. It counts toward your limit of open slots.',
      params: slotParams,
      answer: json(fileSlot),
      refusals: [unauthorized, 'NOT_FOUND', 'TOO_MANY_OPEN_SLOTS'],
    }),
    findFile: route('GET', `${path}/{slot}/files`, {
      ...common,
      summary: 'Returns the latest file of a type.',
      params: slotParams,
      query: z.object({
        fileType: z.string(),
        download: z.optional(z.string()),
        seal: sealChoice,
      }),
      answer: { kind: 'stream', schema: fileData, isHashed: true },
      ...refused,
      refusals: [unauthorized, 'BAD_REQUEST', 'NOT_FOUND', 'FILE_DAMAGED', ...later],
    }),
    getFile: route('GET', `${path}/{slot}/files/{fileGUID}`, {
      ...common,
      summary:
        'Returns a file of the slot. The addresses in results point to this call. An encoded file that was sealed too long ago is sealed again first: repeat the request until the response is no longer `FILE_BEING_SEALED`. `seal=again` tries again after a failure, `seal=earlier` returns the file as it is.',
      params: z.object({ slot: z.string(), fileGUID: z.string() }),
      query: z.object({ seal: sealChoice }),
      answer: { kind: 'stream', schema: fileData, isHashed: true },
      ...refused,
      refusals: [unauthorized, 'NOT_FOUND', 'FILE_DAMAGED', ...later],
    }),
  };
}

function describeCalls(family: Family) {
  const { decodePath, encodes } = encodingApiOf(family);
  const refused = slotUploadRefusals(family);
  return {
    ...describeSlots(family),
    decode: route('POST', `/api/${family}/${decodePath}/{userCode}`, {
      ...common,
      summary: 'Uploads a read file, and starts decoding it in a new, open slot.',
      params: z.object({ userCode: z.string() }),
      secret: ['userCode'],
      query: z.object({ ...decodeChoice(family), callbackURL }),
      startsWork: true,
      file: { field: 'readFile' },
      fields: z.object({ userInfo: contextData, callbackURL }),
      answer: json(operationRecord),
      refusals: [
        ...decodeRefusals(family),
        'BAD_REQUEST',
        'CALLBACK_URL_NOT_ALLOWED',
        'TOO_MANY_OPEN_SLOTS',
      ],
    }),
    upload: route('PUT', `/api/${family}/upload-modified-file/{userCode}/{slot}/{fileType}`, {
      ...common,
      summary: 'Uploads a modified or original file and compares it with the read file.',
      params: z.object({ userCode: z.string(), slot: z.string(), fileType: z.string() }),
      secret: ['userCode'],
      file: { field: 'file' },
      answer: json(z.object({ guid })),
      ...refused,
      refusals: [...refused.refusals, 'BAD_REQUEST', 'SLOT_CLOSED'],
    }),
    encodes: Object.entries(encodes).map(([mode, declared]) =>
      describeEncode(family, mode as Mode, declared),
    ),
  };
}

export type EncodingApiCalls = ReturnType<typeof describeCalls>;
const callsOf = new Map<Family, EncodingApiCalls>(
  apiFamilies.map((family) => [family, describeCalls(family)]),
);

/** The calls of a family. @throws when client applications cannot use it */
export function encodingApiCallsOf(family: Family): EncodingApiCalls {
  const calls = callsOf.get(family);
  if (calls === undefined) throw new Error(`the Encoding API does not have ${family}`);
  return calls;
}

export const getOperationRecord = route('GET', '/api/async-operations/{guid}', {
  ...common,
  summary:
    'Returns an operation of the organisation, with its result or error once it has finished.',
  params: z.object({ guid: z.string() }),
  answer: json(operationRecord),
  refusals: [unauthorized, 'NOT_FOUND'],
});

function nameCalls(family: Family): [string, Route][] {
  const { encodes, ...calls } = encodingApiCallsOf(family);
  return [
    ...Object.entries(calls),
    ...encodes.map(({ mode, route: call }): [string, Route] => [`encode-${mode}`, call]),
  ].map(([name, call]) => [`${family}.${name}`, call]);
}

/** All calls by `family.name`, in the order in which the API document shows them. */
export const encodingApiRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['accessTokens.request', requestAccessToken],
  ['operations.getOperation', getOperationRecord],
  ...apiFamilies.flatMap(nameCalls),
]);
