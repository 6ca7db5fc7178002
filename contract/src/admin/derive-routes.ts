/** Derives the routes of a resource from its declaration. */
import * as z from 'zod/mini';
import { empty, file, guid, json, queryFlag, type Role, route, time } from '../api.ts';
import type { RefusalCode } from '../errors.ts';
import {
  type Field,
  fileFieldOf,
  inputsOf,
  isList,
  type RecordOf,
  type Resource,
  usualMost,
  type ValuesOf,
} from './resource.ts';

type SchemaOf<Out> = z.ZodMiniType<Out, Out>;

/** Maximum records that one response of a list contains. */
export const mostRecords = 200;

function valueSchema({ kind, required }: Field): z.ZodMiniType {
  if (kind === 'switch') return z.boolean();
  if (isList(kind)) return z.array(z.string());
  const one = kind === 'number' || kind === 'bytes' ? z.number() : z.string();
  return required === true ? one : z.nullable(one);
}

/** A record as responses contain it. */
function recordSchema<R extends Resource>({ fields }: R): SchemaOf<RecordOf<R>> {
  const shown = Object.entries(fields).filter(([, { kind }]) => kind !== 'secret');
  return z.object({
    guid,
    revision: z.string(),
    ...Object.fromEntries(shown.map(([name, field]) => [name, valueSchema(field)])),
  }) as unknown as SchemaOf<RecordOf<R>>;
}

/** Whether a form can send null for a field, because it is empty. */
const isNullable = ({ kind }: Field): boolean => kind !== 'switch' && !isList(kind);

/** The number that the user has seen in a question: another one is asked about again. */
const confirmedFact = z.optional(z.string().check(z.maxLength(20)));

/** What a form sends. Wrong values are refused with their field, so only their type is checked here. */
function valuesSchema<R extends Resource>(declared: R, form: 'create' | 'update') {
  const inputs = inputsOf(declared, form).map(([name, field]): [string, z.ZodMiniType] => [
    name,
    // a switch that is null would be on or off, whichever a record has without it
    z.optional(isNullable(field) ? z.nullable(valueSchema(field)) : valueSchema(field)),
  ]);
  return z.object(Object.fromEntries(inputs)) as unknown as SchemaOf<ValuesOf<R>>;
}

/** The refusals of every call of a resource. */
const common = ['API_ERROR_UNAUTHORIZED'] as const satisfies readonly RefusalCode[];
const ofValues = [...common, 'BAD_REQUEST', 'FIELDS_NOT_ACCEPTED'] as const;

/** What the API document calls the records of a resource and its actions. Pages need no words. */
export interface RouteWords {
  readonly one: string;
  readonly many: string;
  readonly actions: string;
  readonly tasks: string;
}
const noWords: RouteWords = { one: 'a record', many: 'records', actions: '', tasks: '' };

/** The parts of the test of a sign-in provider. */
export const providerParts = [
  'metadata',
  'endpoints',
  'keys',
  'client',
  'redirect',
  'clock',
] as const;

/** What a check has found: a sentence in English, as the command line prints it. */
export const finding = z.object({
  state: z.enum(['ok', 'warning', 'wrong']),
  text: z.string(),
  /** The parts of a check that has several. `unchecked`: it could not be checked, for the reason in the text. */
  checks: z.optional(
    z.array(
      z.object({
        what: z.enum(providerParts),
        state: z.enum(['ok', 'warning', 'wrong', 'unchecked']),
        text: z.string(),
      }),
    ),
  ),
});
export type ActionFinding = z.infer<typeof finding>;

/** The result of an action: the record as it is now, the link that the action has created, and what it has found. */
function actedSchema<R extends Resource>(declared: R) {
  return z.object({
    item: recordSchema(declared),
    link: z.nullable(z.string()),
    finding: z.nullable(finding),
  });
}

/** A search, and the filters of a resource, as the query of a list or an export. */
function narrowingSchemas({ filters = {} }: Resource) {
  const schemas = Object.entries(filters).map(([name, { kind, options = [] }]) => {
    const schema: z.ZodMiniType =
      kind === 'time'
        ? time
        : kind === 'choice'
          ? z.enum(options)
          : z.string().check(z.maxLength(usualMost));
    return [name, z.optional(schema)] as const;
  });
  return {
    search: z.optional(z.string().check(z.maxLength(usualMost))),
    ...(Object.fromEntries(schemas) as Record<never, never>),
  };
}

/** The routes that every resource has. */
function readingRoutes<const R extends Resource>(declared: R, { one, many }: RouteWords) {
  const access = 'person' as const;
  const role: Role = declared.role;
  return {
    list: route('GET', declared.path, {
      summary: `Lists ${many}, by default sorted by \`${declared.sort}\`. \`sort\` names another column, with a minus for descending order; \`after\` is the \`next\` of the previous response.`,
      access,
      role,
      query: z.object({
        ...narrowingSchemas(declared),
        sort: z.optional(z.string().check(z.maxLength(50))),
        after: z.optional(z.string().check(z.maxLength(2000))),
        count: z._default(
          z.coerce.number().check(z.int(), z.minimum(1), z.maximum(mostRecords)),
          50,
        ),
      }),
      answer: json(
        z.object({
          items: z.array(recordSchema(declared)),
          next: z.nullable(z.string()),
          /** All that match the search; null: there can be too many to count. */
          total: z.nullable(z.number()),
        }),
      ),
      refusals: [...common, 'BAD_REQUEST'],
    }),
    read: route('GET', `${declared.path}/{guid}`, {
      summary: `Returns ${one}.`,
      access,
      role,
      params: z.object({ guid: z.string() }),
      answer: json(recordSchema(declared)),
      refusals: [...common, 'NOT_FOUND'],
    }),
  };
}

/** The refusal of calls for these actions, if one of them needs a recent sign-in. */
function refusalsOf(
  { confirmedActions = [] }: Resource,
  actions: readonly string[],
): readonly RefusalCode[] {
  return actions.some((action) => confirmedActions.includes(action)) ? ['CONFIRM_ACCOUNT'] : [];
}

/** What the actions of a resource are refused with. */
function refusalsOfActions(declared: Resource): readonly RefusalCode[] {
  const { actions, revisedActions } = declared;
  const ofRevised = ['BAD_REQUEST', 'RECORD_CHANGED'] as const;
  return [
    ...refusalsOf(declared, actions),
    ...(revisedActions === undefined ? [] : ofRevised),
    'NOT_FOUND',
    'FIELDS_NOT_ACCEPTED',
  ];
}

/** The routes that change records; a resource has those that its declaration names. */
function changingRoutes<const R extends Resource>(declared: R, { one, actions }: RouteWords) {
  const access = 'person' as const;
  const role: Role = declared.role;
  // managers work under one of several customer codes, and another tab may have changed it
  const actsForCustomerCode = role === 'manager';
  const ofCode: readonly RefusalCode[] = actsForCustomerCode ? ['CUSTOMER_CODE_CHANGED'] : [];
  const params = z.object({ guid: z.string() });
  return {
    create: route('POST', declared.path, {
      summary: `Adds ${one}.`,
      access,
      role,
      actsForCustomerCode,
      body: valuesSchema(declared, 'create'),
      answer: json(recordSchema(declared)),
      refusals: [...ofValues, ...ofCode],
    }),
    update: route('PUT', `${declared.path}/{guid}`, {
      summary: `Changes ${one}. Fields that the request leaves out stay as they are. If the record was changed since the revision in If-Match, the call is refused with the present record. The query confirms that a device changes its owner, that an organisation has no manager afterwards, or what the refusal of the same call without it describes (\`confirm\`: the number in its facts).`,
      access,
      role,
      actsForCustomerCode,
      isRevised: true,
      params,
      query: z.object({ move: queryFlag, withoutManager: queryFlag, confirm: confirmedFact }),
      body: valuesSchema(declared, 'update'),
      answer: json(recordSchema(declared)),
      refusals: [...ofValues, ...ofCode, 'NOT_FOUND', 'RECORD_CHANGED'],
    }),
    remove: route('DELETE', `${declared.path}/{guid}`, {
      summary: `Removes ${one}.`,
      access,
      role,
      actsForCustomerCode,
      params,
      query: z.object({ withoutManager: queryFlag }),
      answer: empty,
      refusals: [
        ...common,
        ...ofCode,
        ...refusalsOf(declared, ['remove']),
        'NOT_FOUND',
        'FIELDS_NOT_ACCEPTED',
      ],
    }),
    act: route('POST', `${declared.path}/{guid}/{action}`, {
      summary: `Carries out an action on ${one}. ${actions} The query confirms that an organisation has no manager afterwards.`,
      access,
      role,
      actsForCustomerCode,
      isRevised: declared.revisedActions !== undefined,
      params: z.object({ guid: z.string(), action: z.string() }),
      query: z.object({ withoutManager: queryFlag }),
      answer: json(actedSchema(declared)),
      refusals: [...common, ...ofCode, ...refusalsOfActions(declared)],
    }),
  };
}

/** What else an upload is refused with. */
const ofUploads = [
  'FILE_MISSING',
  'FILE_TOO_LARGE',
  'UPLOAD_INTERRUPTED',
  'TOO_MANY_UPLOADS',
  'STORAGE_QUOTA_REACHED',
  'SERVICE_UNAVAILABLE',
] as const;

/** The routes of a resource whose records have an uploaded file; the other values are in the query. */
function uploadRoutes(declared: Resource, { one }: RouteWords) {
  const { path, role } = declared;
  const access = 'person' as const;
  const [field = 'file'] = fileFieldOf(declared) ?? [];
  const texts = inputsOf(declared, 'create')
    .filter(([name]) => name !== field)
    .map(([name]) => [name, z.optional(z.string().check(z.maxLength(usualMost)))] as const);
  return {
    createFrom: route('POST', path, {
      summary: `Adds ${one} with a file. The query contains its other values; \`confirm\` confirms what the refusal of the same call without it describes.`,
      access,
      role,
      query: z.object({
        confirm: queryFlag,
        ...(Object.fromEntries(texts) as Record<never, never>),
      }),
      file: { field },
      answer: json(recordSchema(declared)),
      refusals: [...ofValues, ...ofUploads],
    }),
    replace: route('PUT', `${path}/{guid}/file`, {
      summary: `Replaces the file of ${one}. If the record was changed since the revision in If-Match, the call is refused with the present record. \`confirm\` confirms what the refusal of the same call without it describes.`,
      access,
      role,
      isRevised: true,
      params: z.object({ guid: z.string() }),
      query: z.object({ confirm: queryFlag }),
      file: { field },
      answer: json(recordSchema(declared)),
      refusals: [...ofValues, ...ofUploads, 'NOT_FOUND', 'RECORD_CHANGED'],
    }),
  };
}

/** The routes for all records together and for files; a resource has those that its declaration names. */
function wholeRoutes(declared: Resource, { one, many, tasks }: RouteWords) {
  const { path, role } = declared;
  const access = 'person' as const;
  const ofConfirmed = refusalsOf(declared, declared.tasks ?? []);
  const download = (ending: 'csv' | 'jsonl', mediaType: string, format: string) =>
    route('GET', `${path}/export.${ending}`, {
      summary: `Streams ${many} that match the query as ${format}, oldest first.`,
      access,
      role,
      query: z.object(narrowingSchemas(declared)),
      answer: file(mediaType),
      refusals: [...common, 'BAD_REQUEST'],
    });
  return {
    perform: route('POST', `${path}/{task}`, {
      summary: `Carries out a task for ${many}, and returns its result. ${tasks}`,
      access,
      role,
      params: z.object({ task: z.string() }),
      answer: json(z.object({ finding })),
      refusals: [...common, ...ofConfirmed, 'NOT_FOUND'],
    }),
    download: route('GET', `${path}/{guid}/file`, {
      summary: `Streams the file of ${one}.`,
      access,
      role,
      params: z.object({ guid: z.string() }),
      answer: file('application/octet-stream'),
      refusals: [...common, ...refusalsOf(declared, ['download']), 'NOT_FOUND'],
    }),
    exportCsv: download('csv', 'text/csv; charset=utf-8', 'CSV (RFC 4180, UTF-8 with BOM)'),
    exportLines: download('jsonl', 'application/jsonl; charset=utf-8', 'lines of JSON'),
  };
}

/** Those routes, or null for each that a resource does not have. */
type Optional<Routes> = { readonly [K in keyof Routes]: Routes[K] | null };

/** The routes of a resource; null for what its records cannot do. */
export type ResourceRoutes<R extends Resource> = ReturnType<typeof readingRoutes<R>> &
  Optional<ReturnType<typeof changingRoutes<R>>> &
  Optional<ReturnType<typeof uploadRoutes>> &
  Optional<ReturnType<typeof wholeRoutes>>;

/** The routes of a resource. */
export function routesOf<const R extends Resource>(
  declared: R,
  words: RouteWords = noWords,
): ResourceRoutes<R> {
  const { create, update, remove, act } = changingRoutes(declared, words);
  const { perform, download, exportCsv, exportLines } = wholeRoutes(declared, words);
  const { createFrom, replace } = uploadRoutes(declared, words);
  const hasExport = declared.hasExport === true;
  const hasUpload = fileFieldOf(declared) !== null;
  return {
    ...readingRoutes(declared, words),
    create: declared.can.create === true && !hasUpload ? create : null,
    update: declared.can.update === true && !hasUpload ? update : null,
    createFrom: declared.can.create === true && hasUpload ? createFrom : null,
    replace: declared.can.update === true && hasUpload ? replace : null,
    remove: declared.can.remove === true ? remove : null,
    act: declared.actions.length > 0 ? act : null,
    perform: (declared.tasks ?? []).length > 0 ? perform : null,
    download: declared.download === undefined ? null : download,
    exportCsv: hasExport ? exportCsv : null,
    exportLines: hasExport ? exportLines : null,
  };
}
