/** The HTTP layer on a real server with a few test routes: real storage, and the caller in a header. */
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import {
  accepted,
  empty,
  guid,
  json,
  optionalGuid,
  queryFlag,
  type Route,
  route,
} from '@recodery/contract/api';
import { byFamily } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import { sessionHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import type { AuditEvent } from '../../src/audit/audit.ts';
import { openLog } from '../../src/config/log.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import { createUploadReceiver, type UploadReceiverOptions } from '../../src/http/file-transfer.ts';
import { createRouter, type Router } from '../../src/http/serve.ts';
import { mintOrganisationId, type Person } from '../../src/organisations/caller.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Storage } from '../../src/storage/storage.ts';

export const greet = route('GET', '/api/greet/{nameGUID}', {
  summary: 'Greets.',
  access: 'session',
  params: z.object({ nameGUID: z.string() }),
  query: z.object({ loud: queryFlag }),
  answer: json(z.object({ greeting: z.string() })),
  refusals: ['API_ERROR_UNAUTHORIZED', 'NOT_FOUND'],
});
export const fail = route('GET', '/api/fail/{code}', {
  summary: 'Fails or succeeds as requested.',
  access: 'public',
  params: z.object({ code: z.string() }),
  answer: empty,
  refusals: [],
});
export const write = route('POST', '/api/write', {
  summary: 'Accepts a body.',
  access: 'session',
  actsForCustomerCode: true,
  body: z.object({ text: z.string(), otherGUID: optionalGuid }),
  answer: accepted(z.object({ text: z.string(), otherGUID: z.nullable(guid) })),
  refusals: ['BAD_REQUEST'],
});
export const ring = route('POST', '/api/ring/{token}', {
  summary: 'Needs no body.',
  access: 'public',
  params: z.object({ token: z.string() }),
  secret: ['token'],
  answer: empty,
  refusals: [],
});
export const upload = route('POST', '/api/upload', {
  summary: 'Accepts a file.',
  access: 'session',
  actsForCustomerCode: true,
  query: z.object({ refuse: z.optional(z.enum(['before', 'after'])) }),
  file: { field: 'readFile' },
  fields: z.object({ userFlow: z.optional(z.enum(['D', 'E'])) }),
  answer: json(
    z.object({
      name: z.string(),
      size: z.number(),
      sha256: z.string(),
      userFlow: z.nullable(z.string()),
    }),
  ),
  refusals: ['FILE_MISSING'],
});

/** Not among the initial routes: it is limited. */
export const prove = route('POST', '/api/auth/prove', {
  summary: 'Authenticates a caller.',
  access: 'public',
  answer: empty,
  refusals: [],
});

export const testRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['test.greet', greet],
  ['test.fail', fail],
  ['test.write', write],
  ['test.ring', ring],
  ['test.upload', upload],
]);

/** A caller of an organisation, with all rights. */
export function callerOf(organisation: string): Person {
  return {
    kind: 'person',
    sessionGuid: '01900000-0000-7000-8000-0000000000aa',
    accountGuid: '01900000-0000-7000-8000-0000000000bb',
    clientGuid: null,
    email: 'anna@demo.test',
    displayName: 'Anna',
    hasPortalAccess: true,
    isOperator: false,
    isManager: true,
    organisationId: mintOrganisationId(organisation),
    customerCode: 'CC-1001',
    rights: {
      families: byFamily(() => true),
      recod: true,
      utility: true,
      autoSend: true,
      skipChecksum: true,
      debug: true,
    },
  };
}

export const anna = { [sessionHeader]: '01900000-0000-7000-8000-000000000001' };
export const mia = { [sessionHeader]: '01900000-0000-7000-8000-000000000002' };

/** A running server. `log` contains its log lines; `stored` lists the keys in its storage. */
export interface TestServer {
  readonly url: string;
  readonly folder: string;
  readonly storage: Storage;
  readonly log: string[];
  readonly stored: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server with the routes above, or with others, each with its handler in `serve`. The session header contains
 * the caller's organisation, or `dead`; a caller with the header `x-nora` has no access to the portal.
 */
export async function openTestServer(
  options: Partial<UploadReceiverOptions & AppOptions> & {
    readonly routes?: ReadonlyMap<string, Route>;
    readonly serve?: (server: Router) => void;
    /** What is recorded. */
    readonly recorded?: AuditEvent[];
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-door-'));
  const webDir = join(folder, 'web');
  await mkdir(join(webDir, 'assets'), { recursive: true });
  await writeFile(join(webDir, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(webDir, 'sign-in.html'), '<!doctype html><title>way in</title>');
  await writeFile(join(webDir, 'assets', 'main-abc.js'), 'export {};');
  await writeFile(join(webDir, 'assets', 'main-abc.js.br'), 'packed');
  await writeFile(join(webDir, 'assets', 'plex-abc.woff2'), 'wOF2');
  const storage = await openFileStorage(join(folder, 'storage'));
  const log: string[] = [];
  const logger = openLog(false, { write: (line: string) => log.push(line) });
  logger.level = 'debug';
  const app = await createApp({
    log: logger,
    trustedProxies: [],
    publicUrl: 'http://localhost:8080',
    webDir,
    isReady: async () => true,
    ...options,
  });
  const server = createRouter(app, {
    routes: options.routes ?? testRoutes,
    authenticate: async (request) => {
      const id = request.headers[sessionHeader.toLowerCase()];
      if (typeof id !== 'string' || id === '' || id === 'dead')
        throw new Refusal('API_ERROR_UNAUTHORIZED');
      const hasPortalAccess = request.headers['x-nora'] === undefined;
      return { caller: { ...callerOf(id), hasPortalAccess }, renewedSession: 'renewed' };
    },
    handleIdempotent: (_request, handle) => handle(async () => undefined),
    audit: {
      record: async (event) => void options.recorded?.push(event),
      announce: async () => async () => undefined,
    },
    uploads: createUploadReceiver({
      storage,
      maxFileBytes: 1024 * 1024,
      fitsQuota: async () => true,
      hasDiskRoom: async () => true,
      ...options,
    }),
  });
  (options.serve ?? serveAll)(server);
  server.finish();
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    folder,
    storage,
    log,
    stored: async () => {
      const keys: string[] = [];
      for await (const { key } of storage.list('')) keys.push(key);
      return keys;
    },
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serveAll(server: Router): void {
  server.serve(greet, async ({ caller, query }) => ({
    greeting: query.loud ? caller.displayName.toUpperCase() : caller.displayName,
  }));
  server.serve(fail, async ({ params }) => {
    if (params.code === 'fault') throw new Error('select secret from table');
    if (params.code === 'database') {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    }
    throw new Refusal(params.code as 'GENERIC_ERROR', [{ guid: 'first' } as Operation]);
  });
  server.serve(write, async ({ body }) => body);
  server.serve(ring, async () => undefined);
  server.serve(upload, async ({ upload: file, query }) => {
    if (query.refuse === 'before') throw new Refusal('USER_NO_RIGHTS');
    const { name, size, sha256, fields } = await file.receive();
    if (query.refuse === 'after') throw new Refusal('NOT_FOUND');
    return { name, size, sha256, userFlow: fields.userFlow ?? null };
  });
}
