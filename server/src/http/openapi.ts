/** Serves the description of the API: the OpenAPI document, and the same as a page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@recodery/contract/routes';
import { getApiPage, getOpenApi } from '@recodery/contract/service-status';
import { renderApiPage } from './api-page.ts';
import { describeApi } from './openapi-document.ts';
import type { Door } from './serve.ts';

/** Serves `/api/openapi.json` and `/api/docs`. */
export function serveApiDescription(door: Door, { version }: { readonly version: string }): void {
  const document = describeApi(routes, version);
  const style = readFileSync(join(import.meta.dirname, 'api-page.css'), 'utf8');
  const page = renderApiPage(routes, document, style);
  // The page bears its style within itself: it is allowed by its hash, and nothing else is.
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

  door.serve(getOpenApi, async () => document);
  door.serve(getApiPage, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page);
    return undefined;
  });
}
