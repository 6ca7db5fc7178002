/**
 * The paths that the server handles itself, derived from the routes. The web server, the links of the app and the
 * development server use them: every other path is a page of the app.
 */
import type { Route } from './api.ts';
import { encodingApiPrefix } from './encoding-api/routes.ts';
import { workflows } from './families/registry.ts';
import { routes } from './routes.ts';

/**
 * What the server serves besides the routes: well-known addresses, Encoding API, guide, health checks, embedded sign-in
 * provider, and the terms of use, the operator's or a sample. A program that requests another well-known address must not get a page of the app.
 */
const paths = [
  '/.well-known',
  encodingApiPrefix,
  '/guide',
  '/healthz',
  '/readyz',
  '/idp',
  '/sso',
  '/sample-terms',
  '/terms',
];

/** The document that checks a file against its receipt: for anyone, and not part of the app either. */
export const verifyPath = '/verify';

/**
 * The start of a route's path that belongs only to the server: the first segment, or, below the page of a workflow,
 * everything before the first parameter.
 */
function prefixOf({ path }: Route): string {
  const segments = path.replace(/\/?\{.*$/, '').split('/');
  const isBelowPage = workflows.some((workflow) => workflow === segments[1]);
  return segments.slice(0, isBelowPage ? undefined : 2).join('/');
}

/** The paths that the server handles, with everything below them. */
export function servedPaths(served: Iterable<Route> = routes.values()): readonly string[] {
  return [...new Set([...paths, ...Array.from(served, prefixOf)])].toSorted();
}

/** Matches the paths and everything below them, with or without a query. */
export function matchPaths(prefixes: readonly string[]): RegExp {
  const choices = prefixes.join('|').replaceAll('.', String.raw`\.`);
  return new RegExp(`^(?:${choices})(?:[/?#]|$)`);
}
