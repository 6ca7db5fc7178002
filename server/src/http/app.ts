/** Creates the HTTP server: headers, log, body parsing and error handling, the same for every route. */
import type { IncomingMessage } from 'node:http';
import helmet from '@fastify/helmet';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { newGuid } from '../config/guids.ts';
import { findUntrustedProxy, networkOf, withoutPorts } from './requests/caller-network.ts';
import { closeConnectionsWhenDraining } from './drain.ts';
import { handleError } from './problem.ts';
import { endStreamsOnClose } from './event-stream.ts';
import { serveHealth } from './health.ts';
import { answerMalformed, requirePaths } from './requests/malformed.ts';
import { logRequests } from './requests/request-log.ts';
import { traceRequests } from './requests/trace-requests.ts';
import { guardUnreadBodies } from './requests/unread-bodies.ts';
import { serveWebPages } from './pages/web-pages.ts';

/** Maximum bytes of a body that is not an upload. */
const bodyBytes = 256 * 1024;
/** Default milliseconds that such a body may take to arrive. */
const usualBodyMs = 30_000;
/**
 * Default milliseconds without any progress after which a connection is considered abandoned: a slow reader makes some
 * progress.
 */
const usualIdleMs = 300_000;
/** Milliseconds that requests in flight have when the server is closed. */
const closingMs = 5_000;

export interface AppOptions {
  readonly log: FastifyBaseLogger;
  /** Addresses and networks whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** The origin that browsers use; with https, HSTS is sent. */
  readonly publicUrl: string;
  /** The folder of the built page. */
  readonly webDir: string;
  /** Where requests with a rate limit are counted; by default in this process. */
  readonly countStore?: FastifyRateLimitStoreCtor;
  /** Whether the portal can reach its dependencies. */
  readonly isReady: () => Promise<boolean>;
  /** The portal's entry in the database. */
  readonly portalGuid?: string;
  /** Receives the address of each proxy that forwards a request although it is not trusted. */
  readonly noticeProxy?: (address: string) => void;
  /** Rewrites the path of a request before it is routed; by default it stays. */
  readonly rewriteUrl?: (request: IncomingMessage) => string;
  /** Milliseconds that a body may take to arrive, unless it is an upload. */
  readonly bodyMs?: number;
  /** Milliseconds without progress on either side after which a connection is closed. */
  readonly idleMs?: number;
}

// The hashes of the inline styles that React Aria Components 1.22.1 adds to the page.
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
    // Routes whose responses can be cached set this header themselves.
    reply.header('cache-control', 'no-store');
  });
}

/** Parses bodies that are not uploads; upload bodies are left unread for `file-transfer`. */
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
  // Ignores all other types: a call without a body is served, a call that needs one is refused.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: bodyBytes },
    (_request, _body, done) => {
      done(null, undefined);
    },
  );
  app.addHook('preParsing', async (request, _reply, payload) => {
    // The end of a request without a body is not reported until the response is complete, which may be a download of an
    // hour.
    if (hasBody(request) && request.headers['content-type']?.startsWith('multipart/') !== true) {
      const timer = setTimeout(() => request.raw.destroy(), bodyMs).unref();
      payload.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    }
    return payload;
  });
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  // bodies of these requests are never read
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Gives requests in flight some time to finish when the server is closed, then closes them: a slow upload can take an
 * hour.
 */
function boundClosing(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), closingMs).unref();
  });
}

/**
 * The address with each percent sign taken literally if its path cannot be decoded, as of a link that was cut short: it
 * is then unknown like any other, instead of an error without a page.
 */
function makeDecodable(url: string): string {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/**
 * Creates the server without listening yet. `createDoor` adds the contract's routes, features add their pages. A
 * trailing slash in a path is ignored.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newGuid,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: bodyBytes,
    connectionTimeout: options.idleMs ?? usualIdleMs,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    rewriteUrl: (request) => makeDecodable(options.rewriteUrl?.(request) ?? request.url ?? '/'),
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply);
    },
  });
  app.addHook('onRequest', async (request) => {
    const named = request.headers['x-forwarded-for'];
    if (typeof named !== 'string') return;
    request.headers['x-forwarded-for'] = withoutPorts(named);
    const proxy = findUntrustedProxy(request);
    if (proxy !== null) options.noticeProxy?.(proxy);
  });
  await addHeaders(app, options.publicUrl.startsWith('https:'));
  requirePaths(app);
  await app.register(rateLimit, {
    global: false,
    keyGenerator: ({ ip }) => networkOf(ip),
    ...(options.countStore === undefined ? {} : { store: options.countStore }),
  });
  addParsers(app, options.bodyMs ?? usualBodyMs);
  logRequests(app);
  traceRequests(app);
  guardUnreadBodies(app);
  closeConnectionsWhenDraining(app);
  boundClosing(app);
  endStreamsOnClose(app);
  app.setErrorHandler(handleError);
  serveHealth(app, options);
  await serveWebPages(app, options.webDir, options.publicUrl);
  return app;
}
