/** The routes of the server that are not in the contract: the pages of the sign-in, the guide, and health checks. */

/** A request, and its response to every caller: no session or token gives access to more. */
interface OpenRoute {
  readonly path: string;
  /** The same for each of its verbs, or one for each; by default it has only GET. */
  readonly answer: string | Readonly<Record<string, string>>;
}

const both = (answer: string) => ({ GET: answer, POST: answer });
const absent = '404 Not Found';
/** The provider's own routes: only a start without parameters is of interest here. */
const provider = {
  ...{ GET: '400 page', POST: absent, PUT: absent, PATCH: absent, DELETE: absent },
  ...{ OPTIONS: absent, TRACE: absent, QUERY: '400 BAD_REQUEST' },
};

const openRoutes: Readonly<Record<string, OpenRoute>> = {
  '/healthz': { path: '/healthz', answer: '200' },
  '/readyz': { path: '/readyz', answer: '200' },
  '/guide': { path: '/guide', answer: '302' },
  '/guide/:language': { path: '/guide/en', answer: '200' },
  // no operator has set a support link
  '/.well-known/security.txt': {
    path: '/.well-known/security.txt',
    answer: '404 NOT_FOUND',
  },
  // no operator has published terms
  '/terms': { path: '/terms', answer: '404 NOT_FOUND' },
  '/terms/:language': { path: '/terms/en', answer: '404 NOT_FOUND' },
  '/sso/start': { path: '/sso/start', answer: '302' },
  '/sso/callback': { path: '/sso/callback?code=x&state=x', answer: '303' },
  '/idp/*': { path: '/idp/auth', answer: provider },
  '/idp/interaction/:uid': { path: '/idp/interaction/x', answer: both('400 page') },
  '/idp/interaction/:uid/factor': { path: '/idp/interaction/x/factor', answer: both('400 page') },
  '/idp/interaction/:uid/passkey': {
    path: '/idp/interaction/x/passkey',
    answer: { POST: '400 page' },
  },
  '/idp/interaction/:uid/passkey-options': {
    path: '/idp/interaction/x/passkey-options',
    answer: { POST: '400 page' },
  },
  '/idp/password/:token': { path: '/idp/password/x', answer: both('404 page') },
};

/** A request to such a route. */
interface OpenCall {
  readonly verb: string;
  readonly path: string;
  readonly answer: string;
}

/** Each by verb and path, as the server registers it. */
export const outsideContract: ReadonlyMap<string, OpenCall> = new Map(
  Object.entries(openRoutes).flatMap(([registered, { path, answer }]) =>
    Object.entries(typeof answer === 'string' ? { GET: answer } : answer).map(
      ([verb, one]): [string, OpenCall] => [`${verb} ${registered}`, { verb, path, answer: one }],
    ),
  ),
);

/** Whether a route serves files of the build or a picture of the guide, which are the same for everyone. */
export function isStaticFile(route: string): boolean {
  return /^GET \/((assets|downloads)\/(\*|guide\/:name|[\w.-]+)|[\w.-]+\.\w+)$/.test(route);
}
