/** Serves the description of the API: the OpenAPI document, and the same as a page. */
import { routes } from '@recodery/contract/routes';
import {
  getApiPage,
  getEncodingApiDocument,
  getOpenApi,
} from '@recodery/contract/features/service-status';
import { describeEncodingApi } from './encoding-api.ts';
import { renderApiPage } from './page.ts';
import { describeApi, portalApi } from './document.ts';
import type { Router } from '../serve.ts';

/** What `make` returns, made at the first call: a description takes longer than the rest of a start together. */
function atFirstCall<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Serves the two OpenAPI documents and `/api/docs`. `publicUrl` is the origin that the page's commands call. */
export function serveApiDescription(
  router: Router,
  { version, publicUrl }: { readonly version: string; readonly publicUrl: string },
): void {
  const document = atFirstCall(() =>
    describeApi(routes, version, { ...portalApi, url: publicUrl }),
  );
  const page = atFirstCall(() => renderApiPage(routes, publicUrl));
  const encodingApi = atFirstCall(() => describeEncodingApi(version, publicUrl));

  router.serve(getOpenApi, async () => document());
  router.serve(getEncodingApiDocument, async () => encodingApi());
  router.serve(getApiPage, async ({ reply }) => {
    reply.type('text/html; charset=utf-8').send(page());
    return undefined;
  });
}
