/** Describes the responses of a route: its answer, and every refusal, also those that follow from how it is served. */
import {
  type Answer,
  refusesClients,
  isLimited,
  type Route,
  startsWork,
} from '@recodery/contract/api';
import { type RefusalCode, statusOf } from '@recodery/contract/errors';
import { contentSha256Header } from '@recodery/contract/features/slots';
import { sessionHeader } from '@recodery/contract/headers';
import { titleOf } from '../problem.ts';
import { describeEvents } from './events-schema.ts';
import { withExample } from './examples.ts';
import { type Json, schemaOf } from './schema.ts';

/** A response: what it means, and its body by media type. */
interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Json;
}
type Responses = Readonly<Record<string, Response>>;

const renewal = {
  [sessionHeader]: {
    description: 'The session ID to use from now on, if it was renewed.',
    schema: { type: 'string' },
  },
};

const hash = {
  [contentSha256Header]: {
    description: 'The SHA-256 of the whole file, as hexadecimal digits.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
};

const page: Json = {
  'text/html': { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' },
};

function fileSchemaOf({ schema }: Extract<Answer, { kind: 'file' }>): Json {
  return schema === undefined ? { type: 'string', format: 'binary' } : schemaOf(schema, 'output');
}

/** The responses to a request for a part of a stored file, or for a file that the caller already has. */
function partsOf(verb: Route['verb'], whole: Response): Responses {
  const unchanged = { description: 'The file has the entity tag of If-None-Match.' };
  return {
    206: { ...whole, description: 'The requested range of the file.' },
    // the button of a page always requests the file
    ...(verb === 'GET' ? { 304: unchanged } : {}),
    416: { description: 'The file ends before the requested range.' },
  };
}

function answersOf(name: string, route: Route): Responses {
  const { access, answer } = route.parts;
  const headers = {
    ...(access === 'public' || access === 'client' ? {} : renewal),
    ...('isHashed' in answer && answer.isHashed === true ? hash : {}),
  };
  const done = {
    description: 'Success.',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
  const content = (mediaType: string, schema: Json): Response => ({
    ...done,
    content: { [mediaType]: withExample(schema, name) },
  });
  switch (answer.kind) {
    case 'json':
      return { [answer.status]: content('application/json', schemaOf(answer.schema, 'output')) };
    case 'stream':
      return { 200: content('application/json', schemaOf(answer.schema, 'output')) };
    case 'file': {
      const whole = content(answer.mediaType, fileSchemaOf(answer));
      return { 200: whole, ...(answer.isHashed === true ? partsOf(route.verb, whole) : {}) };
    }
    case 'events':
      return { 200: content('text/event-stream', describeEvents()) };
    case 'page':
      return { 200: { ...done, content: page } };
    case 'empty':
      return { 204: done };
  }
}

/** Refusals that any call can return. */
const everywhere: readonly RefusalCode[] = ['BAD_REQUEST', 'GENERIC_ERROR', 'SERVICE_UNAVAILABLE'];
const whenKeyed: readonly RefusalCode[] = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'];
// any call can carry a token or a session: those that do not accept it check it before they refuse it
const whenCalled: readonly RefusalCode[] = [
  'API_ERROR_UNAUTHORIZED',
  'IP_NOT_ALLOWED',
  'SIGN_IN_AGAIN',
];
const withoutAccessCheck: ReadonlySet<string> = new Set<Route['parts']['access']>([
  'public',
  'session',
  'client',
]);

/** All codes that a call can return: those that its route declares, then those that follow from how it is served. */
function codesOf(route: Route): ReadonlySet<string> {
  const { access, role, actsForCustomerCode, errorNames = [], params, refusals } = route.parts;
  const when = (applies: boolean, ...codes: readonly RefusalCode[]) => (applies ? codes : []);
  return new Set<string>([
    ...refusals,
    ...errorNames,
    ...when(
      !withoutAccessCheck.has(access) || role !== undefined || refusesClients(route),
      'USER_NO_RIGHTS',
    ),
    ...when(access !== 'public', ...whenCalled),
    ...when(actsForCustomerCode === true, 'CUSTOMER_CODE_CHANGED'),
    ...when(params !== undefined, 'NOT_FOUND'),
    ...when(isLimited(route), 'API_ERROR_THROTTLING'),
    ...when(startsWork(route), ...whenKeyed),
    ...everywhere,
  ]);
}

/** The forms of a refusal; in the Encoding API it is always one word. */
function refusalContent({ dialect }: Route['parts'], status: number, codes: string[]): Json {
  const word = { 'text/plain': { schema: { type: 'string', enum: codes } } };
  if (dialect === 'encoding-api') return word;
  const throttled = {
    'application/json': { schema: { $ref: '#/components/schemas/Throttled' } },
  };
  const problem = { schema: { $ref: '#/components/schemas/Problem' } };
  return { ...(status === 429 ? throttled : word), 'application/problem+json': problem };
}

function refusalsOf(route: Route): Responses {
  const byStatus = Map.groupBy(codesOf(route), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes.map((code) => `\`${code}\`: ${titleOf(code)}`).join(' ');
      return [status, { description, content: refusalContent(route.parts, status, codes) }];
    }),
  );
}

/** Responses with which a call for a browser shows a page that says why it has nothing else. */
function deadEndsOf({ parts: { deadEnds = [] } }: Route, refusals: Responses): Responses {
  return Object.fromEntries(
    deadEnds.map((status) => {
      const { description = 'A page that says why.', content = {} } = refusals[status] ?? {};
      return [status, { description, content: { ...content, ...page } }];
    }),
  );
}

/** The responses of a route by status. `name`: the call of this name in the contract. */
export function describeResponses(name: string, route: Route): Responses {
  const refusals = refusalsOf(route);
  return { ...answersOf(name, route), ...refusals, ...deadEndsOf(route, refusals) };
}
