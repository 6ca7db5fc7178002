/** Makes the HTTP server: headers, log, body parsing and the catch for errors, the same for every route. */
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { Refusal } from '@recodery/contract/errors';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { newGuid } from '../config/guids.ts';
import { networkOf } from './caller-network.ts';
import { answerProblem, handleError, problemOf } from './problem.ts';
import { endStreamsOnClose } from './event-stream.ts';
import { serveHealth } from './health.ts';
import { answerMalformed, demandPaths } from './malformed.ts';
import { logRequests } from './request-log.ts';
import { guardUnreadBodies } from './unread-bodies.ts';
import { serveWebPages } from './web-pages.ts';

/** Bytes of the largest body that is not an upload. */
const bodyBytes = 256 * 1024;
/** Milliseconds that such a body may take to arrive, when nothing else is said. */
const usualBodyMs = 30_000;
/** Milliseconds that requests in flight have left when the server is closed. */
const closingMs = 5_000;

export interface AppOptions {
  readonly log: FastifyBaseLogger;
  /** Addresses and networks whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  /** The origin that browsers use; with https, browsers are told to keep to it. */
  readonly publicUrl: string;
  /** The folder of the built page. */
  readonly webDir: string;
  /** Whether what the portal needs can be reached. */
  readonly isReady: () => Promise<boolean>;
  /** Milliseconds that a body may take to arrive, unless it is an upload. */
  readonly bodyMs?: number;
}

// The hashes are of the styles that React Aria Components 1.22.1 puts into the page by itself.
const styleHashes = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
];

async function addHeaders(app: FastifyInstance, isHttps: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...styleHashes],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    hsts: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    // Whoever serves something that may be kept says so himself.
    reply.header('cache-control', 'no-store');
  });
}

/** Reads bodies that are not uploads; those are left unread for `file-transfer`. */
function addParsers(app: FastifyInstance, bodyMs: number): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string', bodyLimit: bodyBytes },
    (request, body, done) => {
      if (body.trim() === '') done(null, undefined);
      else void parseJson(request, body, done);
    },
  );
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => {
    done(null, undefined);
  });
  // Any other type says nothing to us: a call that needs no body is served, one that needs a body is refused.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: bodyBytes },
    (_request, _body, done) => {
      done(null, undefined);
    },
  );
  app.addHook('preParsing', async (request, _reply, payload) => {
    // A request without a body never comes to its end while it is answered, be that a download of an hour.
    if (hasBody(request) && request.headers['content-type']?.startsWith('multipart/') !== true) {
      const timer = setTimeout(() => request.raw.destroy(), bodyMs).unref();
      payload.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    return payload;
  });
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  // nobody reads what comes along with these
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Gives requests in flight a while to end when the server is closed, then cuts them: an upload may crawl for an hour. */
function boundClosing(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), closingMs).unref();
  });
}

/**
 * Makes the server, listening nowhere yet. Routes of the contract are added by `createDoor`, pages by their features.
 * A path's form is forgiving about a slash at its end.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newGuid,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: bodyBytes,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => {
      // Fastify could not even read the path: nothing lies there.
      answerProblem(
        problemOf(error.code === 'FST_ERR_BAD_URL' ? new Refusal('NOT_FOUND') : error),
        request,
        reply,
      );
    },
  });
  await addHeaders(app, options.publicUrl.startsWith('https:'));
  demandPaths(app);
  await app.register(rateLimit, { global: false, keyGenerator: ({ ip }) => networkOf(ip) });
  addParsers(app, options.bodyMs ?? usualBodyMs);
  logRequests(app);
  guardUnreadBodies(app);
  boundClosing(app);
  endStreamsOnClose(app);
  app.setErrorHandler(handleError);
  serveHealth(app, options.isReady);
  await serveWebPages(app, options.webDir, options.publicUrl);
  return app;
}
