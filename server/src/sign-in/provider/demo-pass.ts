/**
 * The pass that a browser needs to sign in with a demo account, whose password is public. A proxy on this machine can
 * make every remote request look local, so nothing in a request proves where it comes from. The pass does: only this
 * machine can get it, from a port that no proxy forwards, or from the terminal.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {} from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../../config/config.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { sendPage } from '../../http/pages/plain-page.ts';
import { negotiateLanguage } from '../../texts/texts.ts';
import { cookieName, cookieOptions } from '../cookies.ts';
import { isNear } from './local-browser.ts';
import { invalidLinkPage } from './provider-pages.ts';
import { providerPath } from './provider.ts';

const passCookie = 'recodery-demo';
/** Days that a browser keeps the pass. */
const passDays = 30;

/** The part of the sign-in that knows which browsers have the pass. */
export interface DemoPass {
  /** Whether the browser of this request can sign in with a demo account. */
  isHeldBy(request: FastifyRequest): boolean;
  /**
   * The address that gives the pass to a browser on this machine and returns it to the interaction; null if there is
   * none.
   */
  addressFor(uid: string): string | null;
}

export interface DemoPassDeps {
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  /** The origin that browsers use, and the address that the portal listens on. */
  readonly config: { readonly publicUrl: string; readonly host: string };
}

async function createPass({ secrets }: Pick<DemoPassDeps, 'secrets'>): Promise<string> {
  const { key } = await secrets.getCurrentKey('cookie');
  return createHmac('sha256', key).update('recodery demo pass').digest('base64url');
}

/** The address that gives the pass to any browser that opens it; printed in the terminal. */
export async function createDemoLink(deps: DemoPassDeps): Promise<string> {
  return `${deps.config.publicUrl}${providerPath}/demo/${await createPass(deps)}`;
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Redirects browsers that reach this port to `link`, with the interaction that they come from. */
function createLocalServer(link: string): Server {
  return createServer((request, response) => {
    const [, uid] = /^\/([\w-]{1,64})$/.exec(request.url ?? '') ?? [];
    const isAnswered = request.method === 'GET' && uid !== undefined && isNear(request);
    response.writeHead(isAnswered ? 303 : 404, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(isAnswered ? { location: `${link}?interaction=${uid}` } : {}),
    });
    response.end();
  });
}

/** Starts the port that only this machine reaches; stops it with the portal. Returns its number. */
async function openLocalPort(app: FastifyInstance, link: string): Promise<number> {
  const server = createLocalServer(link);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Adds the link to the provider's pages, and opens the port. In a container, the port would be open only inside it, so
 * only the link is available there.
 */
export async function openDemoPass(app: FastifyInstance, deps: DemoPassDeps): Promise<DemoPass> {
  const { publicUrl, host } = deps.config;
  const name = cookieName(passCookie, publicUrl);
  const pass = await createPass(deps);
  const link = await createDemoLink(deps);
  const port = isLoopback(host) ? await openLocalPort(app, link) : null;

  app.get(`${providerPath}/demo/:pass`, async (request, reply) => {
    const { pass: given } = request.params as { readonly pass: string };
    if (!isEqual(given, pass))
      return sendPage(
        reply,
        404,
        invalidLinkPage(negotiateLanguage(request.headers['accept-language'])),
      );
    const { interaction } = request.query as Readonly<Record<string, unknown>>;
    const isKnown = typeof interaction === 'string' && /^[\w-]{1,64}$/.test(interaction);
    return reply
      .setCookie(name, pass, { ...cookieOptions(publicUrl), maxAge: passDays * 86_400 })
      .redirect(isKnown ? `${providerPath}/interaction/${interaction}` : '/', 303);
  });

  return {
    isHeldBy: (request) => isEqual(request.cookies[name] ?? '', pass),
    addressFor: (uid) => (port === null ? null : `http://127.0.0.1:${port}/${uid}`),
  };
}
