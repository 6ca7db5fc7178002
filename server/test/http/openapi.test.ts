/** The API description: complete, consistent with the routes, and readable without JavaScript. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { encodingApiPrefix, encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { startsWork } from '@recodery/contract/api';
import { eventNames } from '@recodery/contract/features/operations';
import {
  definitionOf,
  errorNamesOf,
  apiFamilies,
  families,
  operationTypes,
} from '@recodery/contract/families/registry';
import {
  accessTokenHeader,
  customerCodeHeader,
  idempotencyHeader,
  sessionHeader,
} from '@recodery/contract/headers';
import { encodeResult } from '@recodery/contract/results';
import { routes } from '@recodery/contract/routes';
import fastify, { type FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { renderApiPage } from '../../src/http/api-document/page.ts';
import { describeApi } from '../../src/http/api-document/document.ts';
import { takeFaults } from '../fixtures/response-faults.ts';
import { testRoutes } from './test-server.ts';

interface Call {
  operationId: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, object> } }> };
  responses: Record<
    string,
    {
      headers?: Record<string, { schema: object }>;
      content?: Record<string, { schema: Shape }>;
    }
  >;
}
/** The parts of a JSON Schema that the tests read. */
interface Shape {
  enum?: string[];
  const?: unknown;
  oneOf?: { $ref: string }[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  contentSchema?: Shape;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Call>>;
  components: { securitySchemes: Record<string, object>; schemas: Record<string, Shape> };
};

const read = (all: Parameters<typeof describeApi>[0]) =>
  // Through JSON, as a client receives it.
  JSON.parse(JSON.stringify(describeApi(all, '1.2.3'))) as Document;
const whole = read(routes);
const few = read(testRoutes);
const encodingApi = read(encodingApiRoutes);

describe('the OpenAPI document', () => {
  // promise 7.general.json, d4.public.openapi
  test('contains every route of the contract, each once', () => {
    const calls = Object.values(whole.paths).flatMap((path) => Object.values(path));
    expect(calls.map(({ operationId }) => operationId).sort()).toEqual([...routes.keys()].sort());
    expect(whole.openapi).toBe('3.1.0');
  });

  test('declares every parameter of every path', () => {
    for (const [path, verbs] of Object.entries(whole.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values(verbs)) {
        const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        expect(declared, path).toEqual(named);
      }
    }
  });

  test('describes an upload as a form with its file and fields', () => {
    const form = few.paths['/api/upload']?.['post']?.requestBody?.content['multipart/form-data'];
    expect(form?.schema).toMatchObject({
      required: ['readFile'],
      properties: {
        readFile: { contentMediaType: 'application/octet-stream' },
        userFlow: { enum: ['D', 'E'] },
      },
    });
  });

  test('describes the input, not the parsed result', () => {
    const body = few.paths['/api/write']?.['post']?.requestBody?.content['application/json'];
    expect(body?.schema).toMatchObject({ required: ['text'] });
    expect(body?.schema.properties).toHaveProperty('otherGUID.anyOf');
  });

  test('offers an idempotency key where work is started, and nowhere else', () => {
    const keyed = Object.values(whole.paths)
      .flatMap((path) => Object.entries(path))
      .filter(([, { parameters }]) => parameters.some(({ name }) => name === 'Idempotency-Key'));
    expect(keyed.map(([, { operationId }]) => operationId).toSorted()).toEqual([
      'autoflasher.encodeFile',
      'autoflasher.uploadReadFile',
      'autotuner.encodeFile',
      'autotuner.uploadReadFile',
      'bflash.encodeFile',
      'bflash.uploadReadFile',
      'flex.encodeFile',
      'flex.uploadReadFile',
      'jobs.sendJobFile',
      'kess3.encodeBootBenchFile',
      'kess3.encodeObdFile',
      'kess3.uploadReadFile',
      'kessv2.encodeFile',
      'kessv2.reencodeDecodedFile',
      'kessv2.uploadReadFile',
      'ktag.encodeBackup',
      'ktag.uploadReadBackup',
      ...families.map((family) => `repairs.${family}`).toSorted(),
      'trays.uploadTrayFile',
    ]);
    expect(keyed.map(([verb, call]) => [verb, Object.keys(call.responses)])).toEqual(
      keyed.map(() => ['post', expect.arrayContaining(['422', '429'])]),
    );
  });

  test('describes the header with the SHA-256 of a file where it is sent, and nowhere else', () => {
    const hashedIn = ({ paths }: Document) =>
      Object.values(paths)
        .flatMap((path) => Object.values(path))
        .filter(({ responses }) => responses['200']?.headers?.['X-Content-SHA256'] !== undefined)
        .map(({ operationId }) => operationId)
        .toSorted();
    expect(hashedIn(whole)).toEqual(['share.shareDownload', 'slots.downloadFile']);
    expect(hashedIn(encodingApi)).toEqual(
      apiFamilies.flatMap((family) => [`${family}.findFile`, `${family}.getFile`]).toSorted(),
    );
    const answer = whole.paths['/api/files/{fileGUID}']?.['get']?.responses['200'];
    expect(answer?.headers).toMatchObject({
      'X-Recodery-Session': { schema: { type: 'string' } },
      'X-Content-SHA256': { schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
    });
  });

  test('lists the refusals of a call as codes by status', () => {
    const responses = few.paths['/api/greet/{nameGUID}']?.['get']?.responses;
    expect(responses?.['401']?.content?.['text/plain']?.schema.enum).toEqual([
      'API_ERROR_UNAUTHORIZED',
    ]);
    expect(responses?.['404']?.content).toHaveProperty('application/problem+json');
  });

  const find = ($ref: string) =>
    whole.components.schemas[$ref.replace(/^#.components.schemas./, '')];
  const answerTo = (path: string) => whole.paths[path]?.['get']?.responses['200']?.content;
  const namesIn = (shape: Shape | undefined) => Object.keys(shape?.properties ?? {});

  test('describes an operation as a union: each type has its own result and error names', () => {
    const union = answerTo('/api/async-operations/{guid}')?.['application/json']?.schema;
    const { propertyName = '', mapping = {} } = union?.discriminator ?? {};
    expect(propertyName).toBe('asyncOperationType');
    expect(Object.keys(mapping)).toEqual(operationTypes);
    expect(union?.oneOf?.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
    for (const family of families) {
      const { operationTypes: types, decodeResult } = definitionOf(family);
      const fieldsOf = (type: string) => {
        const { asyncOperationType, result, error } = find(mapping[type] ?? '')?.properties ?? {};
        expect(asyncOperationType?.const).toBe(type);
        // a newer server may know more names
        const [known, other] = error?.anyOf?.[0]?.properties?.['errorName']?.anyOf ?? [];
        expect([known?.enum, other]).toEqual([errorNamesOf(family), { type: 'string' }]);
        return namesIn(result?.anyOf?.[0]);
      };
      expect(fieldsOf(types.decode)).toEqual(
        namesIn(z.toJSONSchema(decodeResult, { io: 'output' }) as Shape),
      );
      expect(fieldsOf(types.decode)).toContain('warnings');
      expect(fieldsOf(types.encode)).toEqual(Object.keys(encodeResult.shape));
    }
  });

  test('describes the details of a refusal: the pending operations, or more about a file', () => {
    const { Throttled, Problem } = whole.components.schemas;
    const pending = Throttled?.properties?.['details'];
    expect(pending?.items?.discriminator?.propertyName).toBe('asyncOperationType');
    const [list, aboutFile] = Problem?.properties?.['details']?.anyOf ?? [];
    expect(list?.items).toEqual(pending?.items);
    expect(namesIn(aboutFile)).toEqual(['detail', 'cause', 'sizes']);
    expect(Object.keys(encodingApi.components.schemas)).not.toContain('Throttled');
  });

  test('refers to variants that exist, each with the value that it is mapped from', () => {
    const unions: Required<Shape>['discriminator'][] = [];
    JSON.stringify(whole, (key, value: unknown) => {
      if (key === 'discriminator') unions.push(value as Required<Shape>['discriminator']);
      return value;
    });
    expect(new Set(unions.map(({ propertyName }) => propertyName))).toEqual(
      new Set(['asyncOperationType', 'event', 'id']),
    );
    for (const { propertyName, mapping } of unions)
      for (const [value, ref] of Object.entries(mapping))
        expect(find(ref)?.properties?.[propertyName]?.const, ref).toBe(value);
  });

  test('describes the record of every event', () => {
    const events = answerTo('/api/events')?.['text/event-stream']?.schema.items;
    const { mapping = {} } = events?.discriminator ?? {};
    expect(Object.keys(mapping).toSorted()).toEqual([...eventNames].toSorted());
    const recordOf = (name: string) =>
      find(mapping[name] ?? '')?.properties?.['data']?.contentSchema;
    expect(recordOf('operation')?.discriminator?.propertyName).toBe('asyncOperationType');
    expect(namesIn(recordOf('session'))).toContain('customerCode');
    expect(namesIn(recordOf('message')?.items)).toContain('guid');
  });

  test('shows which calls need a session, and which accept an access token as well', () => {
    const schemes = [{ session: [] }, { bearer: [] }, { accessToken: [] }];
    const terms = whole.paths['/api/auth/tou/register'];
    expect(few.paths['/api/ring/{token}']?.['post']?.security).toEqual([]);
    expect(few.paths['/api/write']?.['post']?.security).toEqual(schemes);
    expect(terms?.['post']?.security).toEqual([{ session: [] }]);
    expect(whole.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      accessToken: { in: 'header', name: 'X-Alientech-ReCodAPI-LLC' },
    });
  });
});

describe('the API page', () => {
  const page = renderApiPage(routes, 'https://portal.test');

  test('shows every call, and every refusal with its text', () => {
    for (const [name, { path, parts }] of routes) {
      expect(page).toContain(`id="${name}"`);
      expect(page).toContain(`<code>${path}</code>`);
      for (const code of parts.refusals) expect(page).toContain(`<dt id="${code}">`);
    }
  });

  test('names the headers and the addresses as the contract does, and keeps the anchor of the families', () => {
    for (const header of [sessionHeader, customerCodeHeader, accessTokenHeader, idempotencyHeader])
      expect(page).toContain(`<code>${header}`);
    expect(page).toContain(`<code>https://portal.test${encodingApiPrefix}</code>`);
    expect(page).toContain('id="families"');
  });

  test('lists the calls of every family that its workflow needs', () => {
    const [table = ''] =
      /<table>(?:(?!<\/table>).)*Upload a read file.*?<\/table>/s.exec(page) ?? [];
    for (const family of families) {
      const [, row = ''] = table.split(`<th scope="row">${definitionOf(family).name}</th>`);
      const [listed = ''] = row.split('</tr>');
      const needed = [...routes].filter(
        ([name, route]) =>
          name.startsWith(`${family}.`) && (startsWork(route) || route.parts.file !== undefined),
      );
      expect(listed.match(/(?<=#)\w+\.\w+/g)?.toSorted()).toEqual(
        needed.map(([name]) => name).toSorted(),
      );
    }
    const [kessv2 = ''] = /KESSv2<\/th>.*?<\/tr>/s.exec(table) ?? [];
    const columns = kessv2.split('<td>').slice(1);
    expect(columns.map((column) => column.match(/(?<=#kessv2\.)\w+/g))).toEqual([
      ['uploadReadFile'],
      ['uploadModifiedFile', 'uploadOriginalFile'],
      ['encodeFile', 'reencodeDecodedFile'],
    ]);
  });

  test('shows the code in its sentences as code', () => {
    const text = page.replace(/<pre[^]*?<\/pre>/g, '');
    expect(text).toContain('<code>after</code> is the <code>next</code> of the previous response');
    expect(text).not.toContain('`');
  });

  // promise d4.public.docs
  test('needs no script, no inline style and nothing from another server', () => {
    const foreign = page.replaceAll('https://portal.test', '');
    expect(foreign).not.toMatch(/<style|style=|javascript:|\son\w+=|https?:\/\//i);
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">']);
  });

  test('starts with authentication and one complete workflow, before the reference', () => {
    const headings = [...page.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id);
    expect(headings.slice(0, 5)).toEqual([
      'authentication',
      'workflow',
      'failures',
      'encoding-api',
      'noun-session',
    ]);
    expect(page).toContain('portal=https://portal.test\n');
  });

  test('names no refusal of a call twice', () => {
    for (const [name, { parts }] of routes)
      expect([...new Set(parts.refusals)], name).toEqual(parts.refusals);
  });

  test('has a readable heading for every group of calls', () => {
    const headings = [...page.matchAll(/<h2 id="noun-[^"]+">([^<]+)</g)].map(([, text]) => text);
    expect(headings).toContain('Trays');
    expect(headings).toContain('Checks before encoding');
    const names = families.map((family) => definitionOf(family).name);
    const unreadable = headings.filter((text = '') => /^[a-z]|[a-z][A-Z]/.test(text));
    expect(unreadable.filter((text = '') => !names.includes(text))).toEqual([]);
  });

  test('has unique ids, and no broken links', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });
});

test('a downloaded receipt is described as the object that it is', () => {
  const answer = whole.paths['/receipts/{code}/receipt.json']?.['get']?.responses['200'];
  const { schema } = answer?.content?.['application/json'] ?? {};
  expect(schema).toMatchObject({ required: ['payload', 'protected', 'signature'] });
});

test('the components of an upload are listed in the document and on the page', () => {
  const upload = whole.paths['/api/kess3/upload-modified-file/{slot}/{component}']?.['put'];
  const component = upload?.parameters.find(({ name }) => name === 'component');
  const names = ['mod', 'ori', 'Flash', 'Micro', 'EEPROM', 'MapFile'];
  expect(component).toMatchObject({ schema: { type: 'string', enum: names } });
  expect(renderApiPage(routes, 'http://localhost')).toContain(
    names.map((name) => `&quot;${name}&quot;`).join(' | '),
  );
});

describe('every response of a portal in a test', () => {
  const faultsOf = async (send: (reply: FastifyReply) => unknown) => {
    const app = fastify();
    app.get('/api/config', async (_request, reply) => send(reply));
    await app.inject('/api/config');
    return takeFaults();
  };
  const name = 'serviceStatus.getConfig returned';

  // promise d4.public.openapi-responses
  test('is checked against the document: its status, its media type and its body', async () => {
    const undeclared = await faultsOf((reply) => reply.code(409).send('CONFLICT'));
    const page = await faultsOf((reply) => reply.type('text/html').send('<p>config</p>'));
    const incomplete = await faultsOf((reply) => reply.send({ productName: 'Recodery' }));
    const stream = await faultsOf((reply) =>
      reply.type('application/json').send(Readable.from(['{"productName":', '1}'])),
    );
    expect([...undeclared, ...page]).toEqual([
      `${name} 409 text/plain: the document does not list this status`,
      `${name} 200 text/html: the document does not list this media type`,
    ]);
    expect(incomplete).toEqual([expect.stringContaining("must have required property 'version'")]);
    expect(stream).toEqual([expect.stringContaining('/productName must be string')]);
  });

  test('is accepted as the document describes it', async () => {
    expect(await faultsOf((reply) => reply.code(503).send('SERVICE_UNAVAILABLE'))).toEqual([]);
  });
});
