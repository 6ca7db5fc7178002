/** Derives the OpenAPI 3.1 document from the routes of the contract. */
import { type Route, startsWork } from '@recodery/contract/api';
import {
  accessTokenHeader,
  customerCodeHeader,
  idempotencyHeader,
  sessionHeader,
} from '@recodery/contract/headers';
import { diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { pendingOperations, refusalDetails } from '@recodery/contract/refusal';
import { withExample } from './examples.ts';
import { describeResponses } from './responses.ts';
import { titleOf } from '../problem.ts';
import { type Json, schemaOf } from './schema.ts';
import { shareVariants } from './variants.ts';

type Schema = NonNullable<Route['parts']['params']>;

const idempotencyKey = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'For calls with an access token. Within 24 hours, a request with the same key and content returns the first response again and starts no new work.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-4711-read',
};

const revision = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The `revision` of the record on which the change is based, in double quotes.',
  schema: { type: 'string' },
  example: '"5f2c9a1b0e4d7c36"',
};

function parametersOf(call: string, route: Route): Json[] {
  const { parts } = route;
  const listOf = (place: string, fields: Schema | undefined): Json[] => {
    const { properties = {}, required = [] } = schemaOf(fields);
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...withExample(schema, `${call}.${name}`),
    }));
  };
  const customerCode = {
    name: customerCodeHeader,
    in: 'header',
    required: false,
    description:
      'The customer code that you expect the session to work under. If it differs, the call is refused.',
    schema: { type: 'string' },
    example: 'CC-7001',
  };
  return [
    ...listOf('path', parts.params),
    ...listOf('query', parts.query),
    ...(parts.actsForCustomerCode === true ? [customerCode] : []),
    ...(parts.isRevised === true ? [revision] : []),
    ...(startsWork(route) ? [idempotencyKey] : []),
  ];
}

/** Multipart bodies are streamed and have no schema: they are described here. */
function formOf(field: string, fields: Schema | undefined): Json {
  const { properties = {}, required = [] } = schemaOf(fields);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return {
    type: 'object',
    required: [field, ...required],
    properties: { ...properties, [field]: file },
  };
}

function bodyOf(name: string, { parts }: Route): Json {
  const { file, fields, body } = parts;
  if (file === undefined && body === undefined) return {};
  const content =
    file === undefined
      ? { 'application/json': withExample(schemaOf(body), name) }
      : { 'multipart/form-data': withExample(formOf(file.field, fields), name) };
  return { requestBody: { required: true, content } };
}

const session = { session: [] };
const bearer = { bearer: [] };
const token = [bearer, { accessToken: [] }];

/** What calls require: one of these, or nothing. */
const security: Readonly<Record<Route['parts']['access'], readonly Json[]>> = {
  public: [],
  'own-session': [session],
  person: [session],
  client: token,
  session: [session, ...token],
  portal: [session, ...token],
  'portal-or-ticket': [session, ...token, { ticket: [] }],
};

/** What calls require, in words. */
export const accessTexts: Readonly<Record<Route['parts']['access'], string>> = {
  public: 'Needs no session.',
  'own-session': 'Needs a session.',
  client: 'Needs an access token.',
  person: 'Needs a session.',
  session: 'Needs a session or an access token.',
  portal: 'Needs a session or an access token.',
  'portal-or-ticket': 'Needs a session, an access token or a ticket.',
};

/** The OpenAPI description of a route, the call of this name in the contract. */
export function describeRoute(name: string, route: Route): Json {
  const { access, summary } = route.parts;
  const [firstSentence = ''] = summary.split(/(?<=\.) /, 1);
  return {
    operationId: name,
    tags: [name.split('.', 1).join('')],
    summary: firstSentence,
    description: `${summary} ${accessTexts[access]}`,
    security: security[access],
    parameters: parametersOf(name, route),
    ...bodyOf(name, route),
    responses: describeResponses(name, route),
  };
}

const securitySchemes: Json = {
  session: { type: 'apiKey', in: 'header', name: sessionHeader },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The access token of a client application.',
  },
  accessToken: { type: 'apiKey', in: 'header', name: accessTokenHeader },
  ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
};

/** The security schemes that one of the routes accepts. */
function schemesOf(routes: ReadonlyMap<string, Route>): Json {
  const accepted = [...routes.values()].flatMap(({ parts }) => security[parts.access]);
  const names = new Set(accepted.flatMap(Object.keys));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => names.has(name)));
}

/** The bodies of refusals; in the Encoding API they are words. */
const refusalSchemas: Json = {
  Throttled: {
    type: 'object',
    required: ['errorCode', 'details'],
    examples: [{ errorCode: 'API_ERROR_THROTTLING', details: [] }],
    properties: {
      errorCode: { type: 'string' },
      details: {
        ...schemaOf(pendingOperations, 'output'),
        description:
          "With API_ERROR_THROTTLING, the caller's own pending operations, oldest first.",
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'The document of RFC 9457, for clients that accept application/problem+json.',
    required: ['type', 'title', 'status', 'errorCode'],
    examples: [
      {
        type: '/api/docs#NOT_FOUND',
        title: titleOf('NOT_FOUND'),
        status: 404,
        errorCode: 'NOT_FOUND',
        instance: 'urn:uuid:0198c0de-5a1e-7c3d-9f42-7b1e6a2d4c88',
      },
    ],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      errorCode: { type: 'string' },
      instance: { type: 'string', format: 'uri' },
      details: schemaOf(refusalDetails, 'output'),
      diagnosis: schemaOf(diagnosis, 'output'),
    },
  },
};

/** The description of an API as a whole. */
export interface ApiAbout {
  readonly title: string;
  readonly description: string;
  /** The base address of the paths; absent: the document's own origin. */
  readonly url?: string;
}

/** The portal's own API. */
export const portalApi: ApiAbout = {
  title: 'Recodery',
  description:
    'The calls of a Recodery portal. Programs send an access token. The pages send a session ID, which they get at sign-in, in a header; responses can renew it.',
};

/** The OpenAPI 3.1 document of these routes; by default they are the portal's own. */
export function describeApi(
  routes: ReadonlyMap<string, Route>,
  version: string,
  { title, description, url }: ApiAbout = portalApi,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of routes) {
    // the portal ignores a slash at the end
    const address = route.path.replace(/\/$/, '');
    const path = paths[address] ?? {};
    path[route.verb.toLowerCase()] = describeRoute(name, route);
    paths[address] = path;
  }
  const isOfWords = [...routes.values()].every(({ parts }) => parts.dialect === 'encoding-api');
  const bodies = shareVariants(isOfWords ? {} : refusalSchemas);
  const { json, schemas } = shareVariants(paths);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(url === undefined ? {} : { servers: [{ url }] }),
    paths: json,
    components: {
      securitySchemes: schemesOf(routes),
      schemas: { ...bodies.json, ...bodies.schemas, ...schemas },
    },
  };
}
