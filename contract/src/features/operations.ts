/** The asynchronous operation: its record, its requests, and its events. */
import * as z from 'zod/mini';
import { accepted, events, guid, json, optionalText, route, time } from '../api.ts';
import {
  definitionOf,
  errorNamesOf,
  type definitions,
  families,
  type Family,
  operationTypes,
  type OperationTypes,
  type RecodErrorName,
  recodErrorNames,
  workflowFields,
} from '../families/registry.ts';
import { encodeResult } from '../results.ts';

/** Consecutive failed requests after which polling stops. */
export const pollingFailureLimit = 4;
/** Seconds between two polls of a resumed operation. */
export const resumedPollingInterval = 10;

/** `D`: the user only decodes; `E`: the user decodes in order to encode. */
export const userFlow = z.enum(['D', 'E']);

/** Maximum size of a caller's context data, in bytes of UTF-8. */
const mostContextBytes = 4096;

/** An opaque string from the caller, returned unchanged; at most 4 KiB. */
export const contextData = optionalText(mostContextBytes).check(
  z.refine(
    (text) => text === null || new TextEncoder().encode(text).length <= mostContextBytes,
    'must have at most 4 KiB',
  ),
);

/** The progress of an operation. `fraction` is 0..1. */
export const progress = z.object({
  /**
   * `WAITING_FOR_ENGINE`: the engine of the master device is not responding; the work continues when it
   * does.
   */
  stage: z.enum(['UPLOADING', 'DECODING', 'ENCODING', 'WAITING_FOR_ENGINE', 'COMPLETED']),
  fraction: z.number(),
});

/** A size in bytes and the allowed sizes: one of a list, or any size between two limits. */
export const wrongSize = z.object({
  actual: z.number(),
  allowed: z.union([
    z.readonly(z.array(z.number())),
    z.readonly(z.object({ min: z.number(), max: z.number() })),
  ]),
});
export type WrongSize = z.infer<typeof wrongSize>;

/**
 * Details of an error beyond its name: in the error of an operation, and in the details of a refused upload. Older
 * servers send only the detail.
 */
const faultFields = {
  /** Replaces the `{0}` in the text. */
  detail: z.nullable(z.string()),
  /** The internal code. Several causes may share a name; the text may depend on the cause. */
  cause: z.optional(z.nullable(z.string())),
  /** Present where the error is about a size and both sizes are known. */
  sizes: z.optional(z.nullable(wrongSize)),
};
/**
 * The name of an error, the key of the text `RECOD_ERROR_{errorName}`: one of those that this version knows, or one of a
 * newer server, which must not make the whole record unreadable.
 */
function errorNameOf(known: readonly RecodErrorName[]) {
  return z.union([z.enum(known), z.string()]);
}
/** The error of an operation of any family. */
export const operationFault = z.object({ errorName: errorNameOf(recodErrorNames), ...faultFields });
export const faultDetails = z.object(faultFields);
export type FaultDetails = z.infer<typeof faultDetails>;

/** Fields that all operation types share. */
const operationFields = {
  guid,
  asyncOperationGUID: guid,
  ...workflowFields,
  slotGUID: z.nullable(guid),
  userFlow,
  contextData: z.nullable(z.string()),
  status: z.enum(['waiting', 'running', 'succeeded', 'failed']),
  isCompleted: z.boolean(),
  isSuccessful: z.boolean(),
  hasFailed: z.boolean(),
  suggestedPollingInterval: z.number(),
  recommendedPollingInterval: z.number(),
  startedOn: time,
  completedOn: z.nullable(time),
  progress,
};

/** What the operations of a family are made of; the parameters keep each part's own type. */
interface OperationParts<
  Decode extends string,
  Encode extends string,
  Result extends z.core.SomeType,
> {
  readonly operationTypes: { readonly decode: Decode; readonly encode: Encode };
  readonly decodeResult: Result;
  /** The types accept every name of an error; the schema only those of the family. */
  readonly errorNames: readonly RecodErrorName[];
}

/** The operation types of a family, each with its own result; `result` is null until the operation succeeds. */
function operationsOf<Decode extends string, Encode extends string, Result extends z.core.SomeType>(
  parts: OperationParts<Decode, Encode, Result>,
) {
  const { operationTypes: types, decodeResult, errorNames } = parts;
  const error = z.nullable(z.object({ errorName: errorNameOf(errorNames), ...faultFields }));
  const shared = { ...operationFields, error };
  return [
    z.object({
      ...shared,
      asyncOperationType: z.literal(types.decode),
      result: z.nullable(decodeResult),
    }),
    z.object({
      ...shared,
      asyncOperationType: z.literal(types.encode),
      result: z.nullable(encodeResult),
    }),
  ];
}

type Definition<F extends Family> = (typeof definitions)[F];
type SchemasOf<F extends Family> = ReturnType<
  typeof operationsOf<
    OperationTypes<F>['decode'],
    OperationTypes<F>['encode'],
    Definition<F>['decodeResult']
  >
>;
type OperationSchema = { [F in Family]: SchemasOf<F>[number] }[Family];

// typed by family below: the list of all families does not say which of them has which parts
const [first, ...others] = families.flatMap((family) =>
  operationsOf({ ...definitionOf(family), errorNames: errorNamesOf(family) }),
);
if (first === undefined) throw new Error('there are no families');
/**
 * An operation as every call, event and list returns it: `asyncOperationType` determines the types of `result` and
 * `error`.
 */
export const operation = z.discriminatedUnion('asyncOperationType', [first, ...others] as [
  OperationSchema,
  ...OperationSchema[],
]);
export type Operation = z.infer<typeof operation>;
export type OperationError = NonNullable<Operation['error']>;

/** The response of every call that starts an operation. */
export const started = accepted(operation);

/** One row of "Recent operations" on the home page. */
export const operationSummary = z.object({
  guid,
  asyncOperationType: z.enum(operationTypes),
  ...workflowFields,
  family: z.enum(families),
  status: z.enum(['waiting', 'running', 'succeeded', 'failed']),
  /** The read file's name. */
  fileName: z.string(),
  /**
   * The name of the result: for a decode, the automatic name without extension; for an encode, the file name. Null
   * until it succeeds.
   */
  resultName: z.nullable(z.string()),
  /** The email address that the encoded file is sent to; null when no email was requested. */
  recipientEmail: z.nullable(z.string()),
  slaveSerialNumber: z.nullable(z.string()),
  /** What the read file contains; null until it is decoded, and where the file does not specify it. */
  protocolID: z.nullable(z.number()),
  protocolName: z.nullable(z.string()),
  engine: z.nullable(z.string()),
  /** The user or client application that started it; null when the account no longer exists. */
  userDisplayName: z.nullable(z.string()),
  startedOn: time,
  completedOn: z.nullable(time),
  error: z.nullable(operationFault),
});
export type OperationSummary = z.infer<typeof operationSummary>;

export const getOperation = route('GET', '/api/async-operations/{guid}', {
  summary:
    'Returns an operation of your organisation, with its result or error once it has finished.',
  access: 'portal',
  params: z.object({ guid: z.string() }),
  answer: json(operation),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});

export const listOperations = route('GET', '/api/operations', {
  summary:
    'Lists the latest operations under the current customer code, newest first (at most 50).',
  access: 'portal',
  query: z.object({
    count: z.pipe(
      z.optional(z.string().check(z.regex(/^\d{1,2}$/))),
      z.transform((text) => Math.min(50, Number(text ?? 5))),
    ),
    /** The GUID of an operation: the list continues with older operations. */
    before: z.optional(guid),
  }),
  answer: json(z.array(operationSummary)),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'USER_NO_RIGHTS'],
});

/** The names of the stream's events. Each event's data is the record as its GET returns it. */
export const eventNames = [
  'operation',
  'notification',
  'service-status',
  'message',
  'session',
  'draft',
] as const;
export type EventName = (typeof eventNames)[number];

export const openEvents = route('GET', '/api/events', {
  summary:
    'Streams server-sent events. A new connection first receives the running operations and those that finished in the last 60 s, the newest notification of the caller if it is as recent, then the session of a user.',
  access: 'session',
  answer: events,
  refusals: ['API_ERROR_UNAUTHORIZED', 'TOO_MANY_EVENT_STREAMS'],
});
